package model

import (
	"encoding/hex"
	"fmt"
	"go/types"
	"html"
	"math"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// functions is what is known of the standard library, by the full names of its
// functions, in their order. The rule for the next one: a function whose result
// depends on its arguments alone is pure(it), or pure of a function in pure.go
// that bounds what comes out; any other has a model of its own, in the file
// named after its subject.
var functions = map[string]Function{
	"(*bytes.Buffer).Grow":        bufferGrow,
	"(*bytes.Buffer).Len":         bufferLen,
	"(*bytes.Buffer).Reset":       bufferReset,
	"(*bytes.Buffer).String":      bufferString,
	"(*bytes.Buffer).Write":       bufferWrite,
	"(*bytes.Buffer).WriteByte":   bufferWrite,
	"(*bytes.Buffer).WriteRune":   bufferWrite,
	"(*bytes.Buffer).WriteString": bufferWrite,

	"(*log.Logger).Fatal":   endProgram,
	"(*log.Logger).Fatalf":  endProgram,
	"(*log.Logger).Fatalln": endProgram,

	"(*strings.Builder).Grow":        bufferGrow,
	"(*strings.Builder).Len":         bufferLen,
	"(*strings.Builder).Reset":       bufferReset,
	"(*strings.Builder).String":      bufferString,
	"(*strings.Builder).Write":       bufferWrite,
	"(*strings.Builder).WriteByte":   bufferWrite,
	"(*strings.Builder).WriteRune":   bufferWrite,
	"(*strings.Builder).WriteString": bufferWrite,

	"(*sync.Once).Do":      onceDo,
	"(*sync.WaitGroup).Go": waitGroupGo,

	"(reflect.Type).Elem":    typeElem,
	"(reflect.Type).Name":    typeName,
	"(reflect.Type).PkgPath": typePkgPath,
	"(reflect.Type).String":  typeString,

	"(time.Duration).Hours":        pure(time.Duration.Hours),
	"(time.Duration).Milliseconds": pure(time.Duration.Milliseconds),
	"(time.Duration).Minutes":      pure(time.Duration.Minutes),
	"(time.Duration).Seconds":      pure(time.Duration.Seconds),
	"(time.Duration).String":       pure(time.Duration.String),
	"(time.Month).String":          pure(time.Month.String),
	"(time.Weekday).String":        pure(time.Weekday.String),

	"encoding/hex.EncodeToString": pure(hex.EncodeToString),

	"errors.As":  errorMatches,
	"errors.Is":  errorMatches,
	"errors.New": newError,

	"fmt.Errorf":   newError,
	"fmt.Fprint":   fprint(fmt.Sprint),
	"fmt.Fprintf":  fprint(boundedSprintf),
	"fmt.Fprintln": fprint(fmt.Sprintln),
	"fmt.Sprint":   pure(fmt.Sprint),
	"fmt.Sprintf":  sprintf,
	"fmt.Sprintln": pure(fmt.Sprintln),

	"html.EscapeString": pure(html.EscapeString),

	"iter.Pull":  pull,
	"iter.Pull2": pull,

	"log.Fatal":   endProgram,
	"log.Fatalf":  endProgram,
	"log.Fatalln": endProgram,
	"log.Panic":   logPanic,
	"log.Panicf":  logPanic,
	"log.Panicln": logPanic,

	"maps.Clone": mapsClone,

	"math.Abs":   pure(math.Abs),
	"math.Ceil":  pure(math.Ceil),
	"math.Floor": pure(math.Floor),
	"math.Max":   pure(math.Max),
	"math.Min":   pure(math.Min),
	"math.Pow":   pure(math.Pow),
	"math.Round": pure(math.Round),
	"math.Sqrt":  pure(math.Sqrt),
	"math.Trunc": pure(math.Trunc),

	"net/http.CanonicalHeaderKey": pure(http.CanonicalHeaderKey),
	"net/http.StatusText":         pure(http.StatusText),

	"net/url.PathEscape":  pure(url.PathEscape),
	"net/url.QueryEscape": pure(url.QueryEscape),

	"os.Exit": endProgram,

	"path.Base":  pure(path.Base),
	"path.Clean": pure(path.Clean),
	"path.Dir":   pure(path.Dir),
	"path.Ext":   pure(path.Ext),
	"path.IsAbs": pure(path.IsAbs),
	"path.Join":  pure(path.Join),
	"path.Match": pure(path.Match),
	"path.Split": pure(path.Split),

	"path/filepath.Base":      pure(filepath.Base),
	"path/filepath.Clean":     pure(filepath.Clean),
	"path/filepath.Dir":       pure(filepath.Dir),
	"path/filepath.Ext":       pure(filepath.Ext),
	"path/filepath.FromSlash": pure(filepath.FromSlash),
	"path/filepath.Join":      pure(filepath.Join),
	"path/filepath.ToSlash":   pure(filepath.ToSlash),

	"reflect.TypeFor": typeFor,
	"reflect.TypeOf":  typeOfValue,

	"runtime.Goexit": endGoroutine,

	"slices.overlaps": slicesOverlap,

	"sort.Slice":       sortSlice(sort.Sort),
	"sort.SliceStable": sortSlice(sort.Stable),

	"strconv.Atoi":        pure(strconv.Atoi),
	"strconv.FormatBool":  pure(strconv.FormatBool),
	"strconv.FormatFloat": pure(strconv.FormatFloat),
	"strconv.FormatInt":   pure(strconv.FormatInt),
	"strconv.FormatUint":  pure(strconv.FormatUint),
	"strconv.Itoa":        pure(strconv.Itoa),
	"strconv.ParseBool":   pure(strconv.ParseBool),
	"strconv.ParseFloat":  pure(strconv.ParseFloat),
	"strconv.ParseInt":    pure(strconv.ParseInt),
	"strconv.ParseUint":   pure(strconv.ParseUint),
	"strconv.Quote":       pure(strconv.Quote),
	"strconv.QuoteRune":   pure(strconv.QuoteRune),
	"strconv.Unquote":     pure(strconv.Unquote),

	"strings.Compare":       pure(strings.Compare),
	"strings.Contains":      pure(strings.Contains),
	"strings.ContainsAny":   pure(strings.ContainsAny),
	"strings.ContainsRune":  pure(strings.ContainsRune),
	"strings.Count":         pure(strings.Count),
	"strings.Cut":           pure(strings.Cut),
	"strings.CutPrefix":     pure(strings.CutPrefix),
	"strings.CutSuffix":     pure(strings.CutSuffix),
	"strings.EqualFold":     pure(strings.EqualFold),
	"strings.Fields":        pure(strings.Fields),
	"strings.HasPrefix":     pure(strings.HasPrefix),
	"strings.HasSuffix":     pure(strings.HasSuffix),
	"strings.Index":         pure(strings.Index),
	"strings.IndexAny":      pure(strings.IndexAny),
	"strings.IndexByte":     pure(strings.IndexByte),
	"strings.IndexRune":     pure(strings.IndexRune),
	"strings.Join":          pure(boundedJoin),
	"strings.LastIndex":     pure(strings.LastIndex),
	"strings.LastIndexByte": pure(strings.LastIndexByte),
	"strings.Repeat":        pure(boundedRepeat),
	"strings.Replace":       pure(boundedReplace),
	"strings.ReplaceAll":    pure(boundedReplaceAll),
	"strings.Split":         pure(strings.Split),
	"strings.SplitAfter":    pure(strings.SplitAfter),
	"strings.SplitN":        pure(strings.SplitN),
	//lint:ignore SA1019 programs use it
	"strings.Title":      pure(strings.Title),
	"strings.ToLower":    pure(strings.ToLower),
	"strings.ToTitle":    pure(strings.ToTitle),
	"strings.ToUpper":    pure(strings.ToUpper),
	"strings.Trim":       pure(strings.Trim),
	"strings.TrimLeft":   pure(strings.TrimLeft),
	"strings.TrimPrefix": pure(strings.TrimPrefix),
	"strings.TrimRight":  pure(strings.TrimRight),
	"strings.TrimSpace":  pure(strings.TrimSpace),
	"strings.TrimSuffix": pure(strings.TrimSuffix),

	"sync.OnceFunc":   onceFunction,
	"sync.OnceValue":  onceFunction,
	"sync.OnceValues": onceFunction,

	"unicode.IsDigit":  pure(unicode.IsDigit),
	"unicode.IsLetter": pure(unicode.IsLetter),
	"unicode.IsLower":  pure(unicode.IsLower),
	"unicode.IsNumber": pure(unicode.IsNumber),
	"unicode.IsPunct":  pure(unicode.IsPunct),
	"unicode.IsSpace":  pure(unicode.IsSpace),
	"unicode.IsUpper":  pure(unicode.IsUpper),
	"unicode.ToLower":  pure(unicode.ToLower),
	"unicode.ToTitle":  pure(unicode.ToTitle),
	"unicode.ToUpper":  pure(unicode.ToUpper),

	"unicode/utf8.RuneCountInString": pure(utf8.RuneCountInString),
	"unicode/utf8.RuneLen":           pure(utf8.RuneLen),
	"unicode/utf8.ValidString":       pure(utf8.ValidString),
}

// Evaluated lists the packages of the standard library that never look outside,
// by path: their functions without a model are evaluated by their source.
var Evaluated = map[string]bool{
	"bytes": true, "cmp": true, "container/heap": true, "container/list": true, "container/ring": true,
	"iter": true, "maps": true, "math/bits": true, "path": true, "slices": true, "sort": true,
	"strings": true, "unicode/utf8": true,
}

// ReadsOnly reports whether a function of the standard library leaves what its
// arguments point to alone, and calls none of them now.
func ReadsOnly(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "fmt":
		return !strings.Contains(fn.Name(), "can")
	case "errors":
		return fn.Name() != "As"
	case "context", "log", "log/slog", "math", "os/signal", "path", "path/filepath", "strconv", "strings",
		"time", "unicode", "unicode/utf8", "net/url":
		return fn.Name() != "AfterFunc"
	case "os":
		return true
	default:
		return false
	}
}
