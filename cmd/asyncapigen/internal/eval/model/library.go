package model

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"go/types"
	"hash/adler32"
	"hash/crc32"
	"html"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// functions is what is known of the standard library, by the full names of its
// functions, in their order. The rule for the next one: a function whose result
// depends on its arguments alone is listed itself, and called in our own process
// where they are known. (One in gocall.go stands for it where the result can be
// far longer than the arguments, or isn't the same on each machine.) Any other
// has a model of its own, a Function, in the file named after its subject.
var functions = with(with(atomics(), endings), map[string]any{
	"(*encoding/base32.Encoding).DecodeString":   (*base32.Encoding).DecodeString,
	"(*encoding/base32.Encoding).DecodedLen":     (*base32.Encoding).DecodedLen,
	"(*encoding/base32.Encoding).EncodeToString": (*base32.Encoding).EncodeToString,
	"(*encoding/base32.Encoding).EncodedLen":     (*base32.Encoding).EncodedLen,

	"(*encoding/base64.Encoding).DecodeString":   (*base64.Encoding).DecodeString,
	"(*encoding/base64.Encoding).DecodedLen":     (*base64.Encoding).DecodedLen,
	"(*encoding/base64.Encoding).EncodeToString": (*base64.Encoding).EncodeToString,
	"(*encoding/base64.Encoding).EncodedLen":     (*base64.Encoding).EncodedLen,

	"(*errors.errorString).Error": loadField(0),

	"(*errors.joinError).Error":  joinErrorText,
	"(*errors.joinError).Unwrap": loadField(0),

	"(*fmt.pp).Flag":        stateFlag,
	"(*fmt.pp).Precision":   stateNumber(3),
	"(*fmt.pp).Width":       stateNumber(2),
	"(*fmt.pp).Write":       stateWrite,
	"(*fmt.pp).WriteString": stateWrite,

	"(*fmt.wrapError).Error":  loadField(0),
	"(*fmt.wrapError).Unwrap": loadField(1),

	"(*fmt.wrapErrors).Error":  loadField(0),
	"(*fmt.wrapErrors).Unwrap": loadField(1),

	"(*internal/godebug.Setting).Value": settingValue,

	"(*regexp.Regexp).FindAllString":              (*regexp.Regexp).FindAllString,
	"(*regexp.Regexp).FindAllStringIndex":         (*regexp.Regexp).FindAllStringIndex,
	"(*regexp.Regexp).FindAllStringSubmatch":      (*regexp.Regexp).FindAllStringSubmatch,
	"(*regexp.Regexp).FindAllStringSubmatchIndex": (*regexp.Regexp).FindAllStringSubmatchIndex,
	"(*regexp.Regexp).FindIndex":                  (*regexp.Regexp).FindIndex,
	"(*regexp.Regexp).FindString":                 (*regexp.Regexp).FindString,
	"(*regexp.Regexp).FindStringIndex":            (*regexp.Regexp).FindStringIndex,
	"(*regexp.Regexp).FindStringSubmatch":         (*regexp.Regexp).FindStringSubmatch,
	"(*regexp.Regexp).FindStringSubmatchIndex":    (*regexp.Regexp).FindStringSubmatchIndex,
	"(*regexp.Regexp).FindSubmatchIndex":          (*regexp.Regexp).FindSubmatchIndex,
	"(*regexp.Regexp).LiteralPrefix":              (*regexp.Regexp).LiteralPrefix,
	"(*regexp.Regexp).Match":                      (*regexp.Regexp).Match,
	"(*regexp.Regexp).MatchString":                (*regexp.Regexp).MatchString,
	"(*regexp.Regexp).NumSubexp":                  (*regexp.Regexp).NumSubexp,
	"(*regexp.Regexp).ReplaceAllLiteralString":    boundedReplaceAllLiteralString,
	"(*regexp.Regexp).ReplaceAllString":           boundedReplaceAllString,
	"(*regexp.Regexp).ReplaceAllStringFunc":       boundedReplaceAllStringFunc,
	"(*regexp.Regexp).Split":                      (*regexp.Regexp).Split,
	"(*regexp.Regexp).String":                     (*regexp.Regexp).String,
	"(*regexp.Regexp).SubexpIndex":                (*regexp.Regexp).SubexpIndex,
	"(*regexp.Regexp).SubexpNames":                (*regexp.Regexp).SubexpNames,

	"(*strconv.NumError).Error":  numErrorText,
	"(*strconv.NumError).Unwrap": loadField(2),

	"(*strings.Builder).Cap":         bufferCap,
	"(*strings.Builder).Grow":        bufferGrow,
	"(*strings.Builder).String":      bufferString,
	"(*strings.Builder).Write":       bufferWrite,
	"(*strings.Builder).WriteByte":   bufferWrite,
	"(*strings.Builder).WriteRune":   bufferWrite,
	"(*strings.Builder).WriteString": bufferWrite,

	"(*strings.Replacer).Replace": (*replacer).Replace,

	"(*sync.Map).Clear":         syncMapClear,
	"(*sync.Map).Delete":        syncMapDelete,
	"(*sync.Map).Load":          syncMapLoad,
	"(*sync.Map).LoadAndDelete": syncMapLoadAndDelete,
	"(*sync.Map).LoadOrStore":   syncMapLoadOrStore,
	"(*sync.Map).Range":         syncMapRange,
	"(*sync.Map).Store":         syncMapStore,
	"(*sync.Map).Swap":          syncMapSwap,

	"(*sync.Pool).Get": poolGet,
	"(*sync.Pool).Put": poolPut,

	"(*sync.Once).Do": onceDo,

	"(*sync.WaitGroup).Add":  waitGroupAdd,
	"(*sync.WaitGroup).Done": waitGroupDone,
	"(*sync.WaitGroup).Go":   waitGroupGo,
	"(*sync.WaitGroup).Wait": waitGroupWait,

	"(*time.Location).String": (*time.Location).String,

	"(encoding/base32.Encoding).WithPadding": base32.Encoding.WithPadding,

	"(encoding/base64.Encoding).Strict":      base64.Encoding.Strict,
	"(encoding/base64.Encoding).WithPadding": base64.Encoding.WithPadding,

	"(encoding/json.Number).Float64": json.Number.Float64,
	"(encoding/json.Number).Int64":   json.Number.Int64,
	"(encoding/json.Number).String":  json.Number.String,

	"(net/http.HandlerFunc).ServeHTTP": callsItself,

	"(net/http.Header).Add": headerAdd,
	"(net/http.Header).Del": headerDel,
	"(net/http.Header).Get": headerGet,
	"(net/http.Header).Set": headerSet,

	"(net/textproto.MIMEHeader).Add": headerAdd,
	"(net/textproto.MIMEHeader).Del": headerDel,
	"(net/textproto.MIMEHeader).Get": headerGet,
	"(net/textproto.MIMEHeader).Set": headerSet,

	"(internal/reflectlite.Type).Comparable": typeComparable,

	"(reflect.Type).Comparable": typeComparable,
	"(reflect.Kind).String":     reflect.Kind.String,

	"(reflect.StructField).IsExported": fieldIsExported,

	"(reflect.StructTag).Get":    reflect.StructTag.Get,
	"(reflect.StructTag).Lookup": reflect.StructTag.Lookup,

	"(reflect.Type).Elem":        typeElem,
	"(reflect.Type).Field":       typeField,
	"(reflect.Type).FieldByName": typeFieldByName,
	"(reflect.Type).Kind":        typeKind,
	"(reflect.Type).Name":        typeName,
	"(reflect.Type).NumField":    typeNumField,
	"(reflect.Type).PkgPath":     typePkgPath,
	"(reflect.Type).String":      typeString,

	"(time.Duration).Abs":          time.Duration.Abs,
	"(time.Duration).Hours":        time.Duration.Hours,
	"(time.Duration).Microseconds": time.Duration.Microseconds,
	"(time.Duration).Milliseconds": time.Duration.Milliseconds,
	"(time.Duration).Minutes":      time.Duration.Minutes,
	"(time.Duration).Nanoseconds":  time.Duration.Nanoseconds,
	"(time.Duration).Round":        time.Duration.Round,
	"(time.Duration).Seconds":      time.Duration.Seconds,
	"(time.Duration).String":       time.Duration.String,
	"(time.Duration).Truncate":     time.Duration.Truncate,

	"(time.Month).String": time.Month.String,

	"(time.Time).Add":          time.Time.Add,
	"(time.Time).AddDate":      time.Time.AddDate,
	"(time.Time).After":        time.Time.After,
	"(time.Time).AppendFormat": appendedTime,
	"(time.Time).Before":       time.Time.Before,
	"(time.Time).Clock":        time.Time.Clock,
	"(time.Time).Compare":      time.Time.Compare,
	"(time.Time).Date":         time.Time.Date,
	"(time.Time).Day":          time.Time.Day,
	"(time.Time).Equal":        time.Time.Equal,
	"(time.Time).Format":       time.Time.Format,
	"(time.Time).GoString":     time.Time.GoString,
	"(time.Time).Hour":         time.Time.Hour,
	"(time.Time).ISOWeek":      time.Time.ISOWeek,
	"(time.Time).In":           time.Time.In,
	"(time.Time).IsDST":        time.Time.IsDST,
	"(time.Time).IsZero":       time.Time.IsZero,
	"(time.Time).Minute":       time.Time.Minute,
	"(time.Time).Month":        time.Time.Month,
	"(time.Time).Nanosecond":   time.Time.Nanosecond,
	"(time.Time).Round":        time.Time.Round,
	"(time.Time).Second":       time.Time.Second,
	"(time.Time).String":       time.Time.String,
	"(time.Time).Sub":          time.Time.Sub,
	"(time.Time).Truncate":     time.Time.Truncate,
	"(time.Time).UTC":          time.Time.UTC,
	"(time.Time).Unix":         time.Time.Unix,
	"(time.Time).UnixMicro":    time.Time.UnixMicro,
	"(time.Time).UnixMilli":    time.Time.UnixMilli,
	"(time.Time).UnixNano":     time.Time.UnixNano,
	"(time.Time).Weekday":      time.Time.Weekday,
	"(time.Time).Year":         time.Time.Year,
	"(time.Time).YearDay":      time.Time.YearDay,
	"(time.Time).Zone":         time.Time.Zone,

	"(time.Weekday).String": time.Weekday.String,

	"(*bytes.Buffer).Available":       chosenCapacity,
	"(*bytes.Buffer).AvailableBuffer": chosenCapacity,
	"(*bytes.Buffer).Cap":             chosenCapacity,

	"bytes.Compare":       bytes.Compare,
	"bytes.Contains":      bytes.Contains,
	"bytes.ContainsAny":   bytes.ContainsAny,
	"bytes.ContainsRune":  bytes.ContainsRune,
	"bytes.Count":         bytes.Count,
	"bytes.Equal":         bytes.Equal,
	"bytes.EqualFold":     bytes.EqualFold,
	"bytes.HasPrefix":     bytes.HasPrefix,
	"bytes.HasSuffix":     bytes.HasSuffix,
	"bytes.Index":         bytes.Index,
	"bytes.IndexAny":      bytes.IndexAny,
	"bytes.IndexByte":     bytes.IndexByte,
	"bytes.IndexRune":     bytes.IndexRune,
	"bytes.LastIndex":     bytes.LastIndex,
	"bytes.LastIndexAny":  bytes.LastIndexAny,
	"bytes.LastIndexByte": bytes.LastIndexByte,
	"bytes.NewBuffer":     newBuffer,

	"cmp.Or": cmpOr,

	"crypto/md5.Sum":   md5.Sum,
	"crypto/md5.block": md5Block,

	"crypto/sha1.Sum":   sha1.Sum,
	"crypto/sha1.block": sha1Block,

	"crypto/sha256.Sum224": sha256.Sum224,
	"crypto/sha256.Sum256": sha256.Sum256,

	"crypto/sha512.Sum384":     sha512.Sum384,
	"crypto/sha512.Sum512":     sha512.Sum512,
	"crypto/sha512.Sum512_224": sha512.Sum512_224,
	"crypto/sha512.Sum512_256": sha512.Sum512_256,

	"crypto/hmac.Equal": hmac.Equal,

	"crypto/internal/fips140.RecordApproved":    doesNothing,
	"crypto/internal/fips140.RecordNonApproved": doesNothing,
	"crypto/internal/fips140only.Enforced":      isFalse,
	"crypto/internal/fips140/sha256.block":      sha256Block,
	"crypto/internal/fips140/sha512.block":      sha512Block,

	"encoding/base32.NewEncoding": base32.NewEncoding,

	"encoding/base64.NewEncoding": base64.NewEncoding,

	"encoding/hex.DecodeString":   hex.DecodeString,
	"encoding/hex.DecodedLen":     hex.DecodedLen,
	"encoding/hex.Dump":           hex.Dump,
	"encoding/hex.EncodeToString": hex.EncodeToString,
	"encoding/hex.EncodedLen":     hex.EncodedLen,

	"(*encoding/json.Decoder).Decode":                jsonDecode,
	"(*encoding/json.Decoder).DisallowUnknownFields": jsonDisallow,
	"(*encoding/json.Decoder).UseNumber":             jsonUseNumber,
	"encoding/json.Marshal":                          jsonMarshal,
	"encoding/json.MarshalIndent":                    jsonMarshalIndent,
	"encoding/json.NewDecoder":                       newJSONDecoder,
	"encoding/json.Unmarshal":                        jsonUnmarshal,
	"encoding/json.Valid":                            json.Valid,

	"errors.As":     errorsAs,
	"errors.AsType": errorsAsType,
	"errors.Is":     errorsIs,
	"errors.Join":   errorsJoin,
	"errors.New":    errorsNew,
	"errors.Unwrap": errorsUnwrap,

	"fmt.Append":   appended((*printer).sprint),
	"fmt.Appendf":  appended((*printer).printf),
	"fmt.Appendln": appended((*printer).sprintln),
	"fmt.Errorf":   errorf,
	"fmt.Fprint":   fprinted((*printer).sprint),
	"fmt.Fprintf":  fprinted((*printer).printf),
	"fmt.Fprintln": fprinted((*printer).sprintln),
	"fmt.Print":    printedOut((*printer).sprint),
	"fmt.Printf":   printedOut((*printer).printf),
	"fmt.Println":  printedOut((*printer).sprintln),
	"fmt.Sprint":   printed((*printer).sprint),
	"fmt.Sprintf":  printed((*printer).printf),
	"fmt.Sprintln": printed((*printer).sprintln),
	"fmt.Sscan":    sscan,
	"fmt.Sscanf":   sscanf,
	"fmt.Sscanln":  sscanln,

	"hash/adler32.Checksum": adler32.Checksum,

	"hash/crc32.ChecksumIEEE":            crc32.ChecksumIEEE,
	"hash/crc32.archAvailableCastagnoli": isTrue,
	"hash/crc32.archAvailableIEEE":       isTrue,
	"hash/crc32.archInitCastagnoli":      doesNothing,
	"hash/crc32.archInitIEEE":            doesNothing,
	"hash/crc32.archUpdateCastagnoli":    crcOf(crc32.MakeTable(crc32.Castagnoli)),
	"hash/crc32.archUpdateIEEE":          crcOf(crc32.IEEETable),
	"hash/crc32.simplePopulateTable":     crcTable,
	"hash/crc32.simpleUpdate":            crcUpdate,

	"html.EscapeString":   html.EscapeString,
	"html.UnescapeString": html.UnescapeString,

	"internal/bytealg.Compare":             bytes.Compare,
	"internal/bytealg.Count":               countByte,
	"internal/bytealg.CountString":         countByteString,
	"internal/bytealg.Equal":               bytes.Equal,
	"internal/bytealg.Index":               bytes.Index,
	"internal/bytealg.IndexByte":           bytes.IndexByte,
	"internal/bytealg.IndexByteString":     strings.IndexByte,
	"internal/bytealg.IndexString":         strings.Index,
	"internal/bytealg.LastIndexByte":       bytes.LastIndexByte,
	"internal/bytealg.LastIndexByteString": strings.LastIndexByte,
	"internal/bytealg.MakeNoZero":          makeNoZero,

	"internal/godebug.New": newSetting,

	"internal/reflectlite.TypeOf": typeOfValue,

	"internal/stringslite.Clone": strings.Clone,
	"internal/stringslite.Index": strings.Index,

	"maps.Clone": mapsClone,

	"math.Abs":             math.Abs,
	"math.Ceil":            math.Ceil,
	"math.Copysign":        math.Copysign,
	"math.Dim":             math.Dim,
	"math.Float32bits":     math.Float32bits,
	"math.Float32frombits": math.Float32frombits,
	"math.Float64bits":     math.Float64bits,
	"math.Float64frombits": math.Float64frombits,
	"math.Floor":           math.Floor,
	"math.Frexp":           math.Frexp,
	"math.Ilogb":           math.Ilogb,
	"math.Inf":             math.Inf,
	"math.IsInf":           math.IsInf,
	"math.IsNaN":           math.IsNaN,
	"math.Ldexp":           math.Ldexp,
	"math.Logb":            math.Logb,
	"math.Max":             math.Max,
	"math.Min":             math.Min,
	"math.Mod":             math.Mod,
	"math.Modf":            math.Modf,
	"math.NaN":             math.NaN,
	"math.Nextafter":       math.Nextafter,
	"math.Nextafter32":     math.Nextafter32,
	"math.Pow":             exactPow,
	"math.Pow10":           math.Pow10,
	"math.Remainder":       math.Remainder,
	"math.Round":           math.Round,
	"math.RoundToEven":     math.RoundToEven,
	"math.Signbit":         math.Signbit,
	"math.Sqrt":            math.Sqrt,
	"math.Trunc":           math.Trunc,

	"net.JoinHostPort":  net.JoinHostPort,
	"net.SplitHostPort": net.SplitHostPort,

	"net/http.CanonicalHeaderKey": http.CanonicalHeaderKey,
	"net/http.StatusText":         statusText,

	"net/url.PathEscape":    url.PathEscape,
	"net/url.PathUnescape":  url.PathUnescape,
	"net/url.QueryEscape":   url.QueryEscape,
	"net/url.QueryUnescape": url.QueryUnescape,

	"os.Expand": boundedExpand,

	"os/signal.Notify": signalNotify,

	"path.Base":  path.Base,
	"path.Clean": path.Clean,
	"path.Dir":   path.Dir,
	"path.Ext":   path.Ext,
	"path.IsAbs": path.IsAbs,
	"path.Join":  path.Join,
	"path.Match": path.Match,
	"path.Split": path.Split,

	"path/filepath.Base":       filepath.Base,
	"path/filepath.Clean":      filepath.Clean,
	"path/filepath.Dir":        filepath.Dir,
	"path/filepath.Ext":        filepath.Ext,
	"path/filepath.FromSlash":  filepath.FromSlash,
	"path/filepath.IsAbs":      filepath.IsAbs,
	"path/filepath.IsLocal":    filepath.IsLocal,
	"path/filepath.Join":       filepath.Join,
	"path/filepath.Match":      filepath.Match,
	"path/filepath.Rel":        filepath.Rel,
	"path/filepath.Split":      filepath.Split,
	"path/filepath.SplitList":  filepath.SplitList,
	"path/filepath.ToSlash":    filepath.ToSlash,
	"path/filepath.VolumeName": filepath.VolumeName,

	"reflect.DeepEqual": deepEqual,
	"reflect.TypeFor":   typeFor,
	"reflect.TypeOf":    typeOfValue,

	"regexp.Compile":          regexp.Compile,
	"regexp.CompilePOSIX":     regexp.CompilePOSIX,
	"regexp.MatchString":      regexp.MatchString,
	"regexp.MustCompile":      regexp.MustCompile,
	"regexp.MustCompilePOSIX": regexp.MustCompilePOSIX,
	"regexp.QuoteMeta":        regexp.QuoteMeta,

	"iter.Pull":  pull,
	"iter.Pull2": pull,

	"slices.Insert":   slicesInsert,
	"slices.Replace":  slicesReplace,
	"slices.overlaps": slicesOverlap,

	"sort.Slice":         sortSlice(sort.Sort),
	"sort.SliceIsSorted": sliceIsSorted,
	"sort.SliceStable":   sortSlice(sort.Stable),

	"strconv.AppendBool": appendedText(strconv.FormatBool),
	"strconv.AppendInt":  appendedText(strconv.FormatInt),
	"strconv.AppendUint": appendedText(strconv.FormatUint),

	"strconv.Atoi":               strconv.Atoi,
	"strconv.CanBackquote":       strconv.CanBackquote,
	"strconv.FormatBool":         strconv.FormatBool,
	"strconv.FormatFloat":        boundedFormatFloat,
	"strconv.FormatInt":          strconv.FormatInt,
	"strconv.FormatUint":         strconv.FormatUint,
	"strconv.IsGraphic":          strconv.IsGraphic,
	"strconv.IsPrint":            strconv.IsPrint,
	"strconv.Itoa":               strconv.Itoa,
	"strconv.ParseBool":          strconv.ParseBool,
	"strconv.ParseFloat":         strconv.ParseFloat,
	"strconv.ParseInt":           strconv.ParseInt,
	"strconv.ParseUint":          strconv.ParseUint,
	"strconv.Quote":              strconv.Quote,
	"strconv.QuoteRune":          strconv.QuoteRune,
	"strconv.QuoteRuneToASCII":   strconv.QuoteRuneToASCII,
	"strconv.QuoteRuneToGraphic": strconv.QuoteRuneToGraphic,
	"strconv.QuoteToASCII":       strconv.QuoteToASCII,
	"strconv.QuoteToGraphic":     strconv.QuoteToGraphic,
	"strconv.QuotedPrefix":       strconv.QuotedPrefix,
	"strconv.Unquote":            strconv.Unquote,
	"strconv.UnquoteChar":        strconv.UnquoteChar,

	"strings.Clone":         strings.Clone,
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
	"strings.Join":          boundedJoin,
	"strings.LastIndex":     strings.LastIndex,
	"strings.LastIndexAny":  strings.LastIndexAny,
	"strings.LastIndexByte": strings.LastIndexByte,
	"strings.Map":           strings.Map,
	"strings.NewReplacer":   newReplacer,
	"strings.Repeat":        boundedRepeat,
	"strings.Replace":       boundedReplace,
	"strings.ReplaceAll":    boundedReplaceAll,
	"strings.Split":         strings.Split,
	"strings.SplitAfter":    strings.SplitAfter,
	"strings.SplitAfterN":   strings.SplitAfterN,
	"strings.SplitN":        strings.SplitN,
	//lint:ignore SA1019 programs use it
	"strings.Title":       strings.Title,
	"strings.ToLower":     strings.ToLower,
	"strings.ToTitle":     strings.ToTitle,
	"strings.ToUpper":     strings.ToUpper,
	"strings.ToValidUTF8": boundedToValidUTF8,
	"strings.Trim":        strings.Trim,
	"strings.TrimLeft":    strings.TrimLeft,
	"strings.TrimPrefix":  strings.TrimPrefix,
	"strings.TrimRight":   strings.TrimRight,
	"strings.TrimSpace":   strings.TrimSpace,
	"strings.TrimSuffix":  strings.TrimSuffix,

	"sync.OnceFunc":   onceFunction,
	"sync.OnceValue":  onceFunction,
	"sync.OnceValues": onceFunction,

	"time.AfterFunc":       afterFunc,
	"time.Date":            time.Date,
	"time.FixedZone":       fixedZone,
	"time.Parse":           parseTime,
	"time.ParseDuration":   time.ParseDuration,
	"time.ParseInLocation": time.ParseInLocation,

	"(*text/template.Template).AddParseTree":    ofTemplate(nil),
	"(*text/template.Template).Clone":           ofTemplate(nil),
	"(*text/template.Template).Delims":          ofTemplate(templateDelims),
	"(*text/template.Template).Execute":         ofTemplate(templateExecute),
	"(*text/template.Template).ExecuteTemplate": ofTemplate(nil),
	"(*text/template.Template).Funcs":           ofTemplate(templateFuncs),
	"(*text/template.Template).Lookup":          ofTemplate(nil),
	"(*text/template.Template).Name":            templateName,
	"(*text/template.Template).New":             ofTemplate(nil),
	"(*text/template.Template).Option":          ofTemplate(templateOption),
	"(*text/template.Template).Parse":           ofTemplate(templateParse),
	"(*text/template.Template).ParseFS":         ofTemplate(nil),
	"(*text/template.Template).ParseFiles":      ofTemplate(nil),
	"(*text/template.Template).ParseGlob":       ofTemplate(nil),
	"(*text/template.Template).Templates":       ofTemplate(nil),
	"text/template.Must":                        ofTemplate(templateMust),
	"text/template.New":                         templateNew,

	"unicode.IsControl":  unicode.IsControl,
	"unicode.IsDigit":    unicode.IsDigit,
	"unicode.IsGraphic":  unicode.IsGraphic,
	"unicode.IsLetter":   unicode.IsLetter,
	"unicode.IsLower":    unicode.IsLower,
	"unicode.IsMark":     unicode.IsMark,
	"unicode.IsNumber":   unicode.IsNumber,
	"unicode.IsPrint":    unicode.IsPrint,
	"unicode.IsPunct":    unicode.IsPunct,
	"unicode.IsSpace":    unicode.IsSpace,
	"unicode.IsSymbol":   unicode.IsSymbol,
	"unicode.IsTitle":    unicode.IsTitle,
	"unicode.IsUpper":    unicode.IsUpper,
	"unicode.SimpleFold": unicode.SimpleFold,
	"unicode.To":         unicode.To,
	"unicode.ToLower":    unicode.ToLower,
	"unicode.ToTitle":    unicode.ToTitle,
	"unicode.ToUpper":    unicode.ToUpper,

	"unicode/utf16.Decode":      utf16.Decode,
	"unicode/utf16.DecodeRune":  utf16.DecodeRune,
	"unicode/utf16.Encode":      utf16.Encode,
	"unicode/utf16.EncodeRune":  utf16.EncodeRune,
	"unicode/utf16.IsSurrogate": utf16.IsSurrogate,
	"unicode/utf16.RuneLen":     utf16.RuneLen,

	"unicode/utf8.DecodeLastRune":         utf8.DecodeLastRune,
	"unicode/utf8.DecodeLastRuneInString": utf8.DecodeLastRuneInString,
	"unicode/utf8.DecodeRune":             utf8.DecodeRune,
	"unicode/utf8.DecodeRuneInString":     utf8.DecodeRuneInString,
	"unicode/utf8.FullRune":               utf8.FullRune,
	"unicode/utf8.FullRuneInString":       utf8.FullRuneInString,
	"unicode/utf8.RuneCount":              utf8.RuneCount,
	"unicode/utf8.RuneCountInString":      utf8.RuneCountInString,
	"unicode/utf8.RuneLen":                utf8.RuneLen,
	"unicode/utf8.RuneStart":              utf8.RuneStart,
	"unicode/utf8.Valid":                  utf8.Valid,
	"unicode/utf8.ValidRune":              utf8.ValidRune,
	"unicode/utf8.ValidString":            utf8.ValidString,
})

// endings are the functions that end the program, its goroutine, or the function that calls them.
var endings = map[string]any{
	"(*log.Logger).Fatal":   endProgram,
	"(*log.Logger).Fatalf":  endProgram,
	"(*log.Logger).Fatalln": endProgram,

	"log.Fatal":   endProgram,
	"log.Fatalf":  endProgram,
	"log.Fatalln": endProgram,
	"log.Panic":   logPanic((*printer).sprint),
	"log.Panicf":  logPanic((*printer).printf),
	"log.Panicln": logPanic((*printer).sprintln),

	"os.Exit": endProgram,

	"runtime.Goexit": endGoroutine,

	"syscall.Exec": replaceProgram,
	"syscall.Exit": endProgram,
}

// Ends reports whether a function of the standard library doesn't return, or only if it fails.
func Ends(fn *types.Func) bool { return endings[fn.FullName()] != nil }

// MayEnd reports whether one of a package's functions ends the program, by the name, or any by
// none.
func MayEnd(path, name string) bool {
	switch path {
	case "log", "os", "runtime", "syscall":
		return name == "" || endings[path+"."+name] != nil
	default:
		return false
	}
}

// with adds entries to a table.
func with(table, entries map[string]any) map[string]any {
	maps.Copy(table, entries)
	return table
}

// Evaluated lists the packages of the standard library that never look outside,
// by path: their functions without a model are evaluated by their source.
var Evaluated = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "container/heap": true, "container/list": true, "container/ring": true,
	"context": true, "crypto/hmac": true, "crypto/internal/fips140/hmac": true, "crypto/internal/fips140/sha256": true,
	"crypto/internal/fips140/sha512": true, "crypto/internal/fips140deps/byteorder": true, "crypto/internal/fips140hash": true,
	"crypto/md5": true, "crypto/sha1": true, "crypto/sha256": true, "crypto/sha512": true, "embed": true, "encoding/csv": true, "encoding/hex": true,
	"hash/adler32": true, "hash/crc32": true, "hash/fnv": true, "internal/byteorder": true,
	"internal/stringslite": true, "io": true, "io/fs": true, "iter": true, "maps": true, "math/bits": true, "net/url": true, "path": true, "slices": true, "sort": true,
	"strings": true, "text/tabwriter": true, "unicode/utf8": true,
}
