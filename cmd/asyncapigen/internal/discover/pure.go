package discover

import (
	"encoding/hex"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// pureFunctions are functions of the standard library, by full name, whose
// results depend on their arguments alone. With arguments that are known they
// are called for real. The receiver of a method is its first argument.
var pureFunctions = map[string]any{
	"(time.Duration).Hours":        time.Duration.Hours,
	"(time.Duration).Milliseconds": time.Duration.Milliseconds,
	"(time.Duration).Minutes":      time.Duration.Minutes,
	"(time.Duration).Seconds":      time.Duration.Seconds,
	"(time.Duration).String":       time.Duration.String,
	"(time.Month).String":          time.Month.String,
	"(time.Weekday).String":        time.Weekday.String,

	"encoding/hex.EncodeToString": hex.EncodeToString,

	"fmt.Sprint":   fmt.Sprint,
	"fmt.Sprintf":  sprintf,
	"fmt.Sprintln": fmt.Sprintln,

	"html.EscapeString": html.EscapeString,

	"math.Abs":   math.Abs,
	"math.Ceil":  math.Ceil,
	"math.Floor": math.Floor,
	"math.Max":   math.Max,
	"math.Min":   math.Min,
	"math.Pow":   math.Pow,
	"math.Round": math.Round,
	"math.Sqrt":  math.Sqrt,
	"math.Trunc": math.Trunc,

	"net/http.CanonicalHeaderKey": http.CanonicalHeaderKey,
	"net/http.StatusText":         http.StatusText,

	"net/url.PathEscape":  url.PathEscape,
	"net/url.QueryEscape": url.QueryEscape,

	"path.Base":  path.Base,
	"path.Clean": path.Clean,
	"path.Dir":   path.Dir,
	"path.Ext":   path.Ext,
	"path.IsAbs": path.IsAbs,
	"path.Join":  path.Join,
	"path.Match": path.Match,
	"path.Split": path.Split,

	"path/filepath.Base":      filepath.Base,
	"path/filepath.Clean":     filepath.Clean,
	"path/filepath.Dir":       filepath.Dir,
	"path/filepath.Ext":       filepath.Ext,
	"path/filepath.Join":      filepath.Join,
	"path/filepath.ToSlash":   filepath.ToSlash,
	"path/filepath.FromSlash": filepath.FromSlash,

	"strconv.Atoi":        strconv.Atoi,
	"strconv.FormatBool":  strconv.FormatBool,
	"strconv.FormatFloat": strconv.FormatFloat,
	"strconv.FormatInt":   strconv.FormatInt,
	"strconv.FormatUint":  strconv.FormatUint,
	"strconv.Itoa":        strconv.Itoa,
	"strconv.ParseBool":   strconv.ParseBool,
	"strconv.ParseFloat":  strconv.ParseFloat,
	"strconv.ParseInt":    strconv.ParseInt,
	"strconv.ParseUint":   strconv.ParseUint,
	"strconv.Quote":       strconv.Quote,
	"strconv.QuoteRune":   strconv.QuoteRune,
	"strconv.Unquote":     strconv.Unquote,

	"strings.Compare":       strings.Compare,
	"strings.Contains":      strings.Contains,
	"strings.ContainsAny":   strings.ContainsAny,
	"strings.ContainsRune":  strings.ContainsRune,
	"strings.Count":         strings.Count,
	"strings.Cut":           strings.Cut,
	"strings.CutPrefix":     strings.CutPrefix,
	"strings.CutSuffix":     strings.CutSuffix,
	"strings.EqualFold":     strings.EqualFold,
	"strings.Fields":        strings.Fields,
	"strings.HasPrefix":     strings.HasPrefix,
	"strings.HasSuffix":     strings.HasSuffix,
	"strings.Index":         strings.Index,
	"strings.IndexAny":      strings.IndexAny,
	"strings.IndexByte":     strings.IndexByte,
	"strings.IndexRune":     strings.IndexRune,
	"strings.Join":          join,
	"strings.LastIndex":     strings.LastIndex,
	"strings.LastIndexByte": strings.LastIndexByte,
	"strings.Repeat":        repeat,
	"strings.Replace":       replace,
	"strings.ReplaceAll":    func(s, old, with string) string { return replace(s, old, with, -1) },
	"strings.Split":         strings.Split,
	"strings.SplitAfter":    strings.SplitAfter,
	"strings.SplitN":        strings.SplitN,
	//lint:ignore SA1019 programs use it
	"strings.Title":      strings.Title,
	"strings.ToLower":    strings.ToLower,
	"strings.ToTitle":    strings.ToTitle,
	"strings.ToUpper":    strings.ToUpper,
	"strings.Trim":       strings.Trim,
	"strings.TrimLeft":   strings.TrimLeft,
	"strings.TrimPrefix": strings.TrimPrefix,
	"strings.TrimRight":  strings.TrimRight,
	"strings.TrimSpace":  strings.TrimSpace,
	"strings.TrimSuffix": strings.TrimSuffix,

	"unicode.IsDigit":  unicode.IsDigit,
	"unicode.IsLetter": unicode.IsLetter,
	"unicode.IsLower":  unicode.IsLower,
	"unicode.IsNumber": unicode.IsNumber,
	"unicode.IsPunct":  unicode.IsPunct,
	"unicode.IsSpace":  unicode.IsSpace,
	"unicode.IsUpper":  unicode.IsUpper,
	"unicode.ToLower":  unicode.ToLower,
	"unicode.ToTitle":  unicode.ToTitle,
	"unicode.ToUpper":  unicode.ToUpper,

	"unicode/utf8.RuneCountInString": utf8.RuneCountInString,
	"unicode/utf8.RuneLen":           utf8.RuneLen,
	"unicode/utf8.ValidString":       utf8.ValidString,
}

// tooLong is the panic of a function whose result would be longer than the
// strings that are looked at.
type tooLong struct{}

// The functions whose results can be far longer than their arguments are called
// within reason.

func repeat(s string, n int) string {
	if n < 0 || len(s) > 0 && n > maxText/len(s) {
		panic(tooLong{})
	}
	return strings.Repeat(s, n)
}

func replace(s, old, with string, n int) string {
	if strings.Count(s, old)*len(with) > 2*maxText {
		panic(tooLong{})
	}
	return strings.Replace(s, old, with, n)
}

func join(parts []string, separator string) string {
	n := len(parts) * len(separator)
	for _, part := range parts {
		n += len(part)
	}
	if n > 2*maxText {
		panic(tooLong{})
	}
	return strings.Join(parts, separator)
}

// sprintf is fmt.Sprintf, which takes widths and precisions of a million.
func sprintf(format string, args ...any) string {
	for _, rest, found := strings.Cut(format, "%"); found; _, rest, found = strings.Cut(rest, "%") {
		verb := strings.TrimLeft(rest, "+-# 0123456789.*[]")
		if flags := rest[:len(rest)-len(verb)]; strings.Contains(flags, "*") || hasLongNumber(flags) {
			panic(tooLong{})
		}
		rest = strings.TrimPrefix(verb, "%")
	}
	return fmt.Sprintf(format, args...)
}

// hasLongNumber reports whether text has a number of more than four digits.
func hasLongNumber(text string) bool {
	notDigit := func(r rune) bool { return r < '0' || r > '9' }
	return slices.ContainsFunc(strings.FieldsFunc(text, notDigit), func(digits string) bool { return len(digits) > 4 })
}
