package model

import (
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Effects is what a function of the standard library that isn't entered does to
// what its arguments, its receiver among them, lead to.
type Effects struct {
	// Known reports whether it writes to nothing that they lead to, and neither
	// calls nor keeps any of it, but for Methods. A function of which this isn't
	// known may do anything.
	Known bool

	// Calls reports whether it may call and keep the functions and methods that they lead
	// to, although it writes to nothing.
	Calls bool

	// Methods are the names of the methods that it may call, any number of times,
	// of what they lead to.
	Methods []string

	// Calm reports whether it never panics, but for a receiver that is nil, and has
	// no errors but those of the standard library. What ends the program at once,
	// such as unlocking an unlocked mutex, is no panic.
	Calm bool

	// NilSafe reports whether a calm method doesn't panic for a receiver that is nil
	// either.
	NilSafe bool
}

// EffectsOf returns what a function does. One whose arguments have no references
// does nothing to them.
func EffectsOf(fn *types.Func) Effects {
	effects := reachedBy(fn)
	effects.Calm = calm[fn.Origin().FullName()]
	effects.NilSafe = nilSafe[fn.Origin().FullName()]
	return effects
}

// reachedBy returns what a function does to what its arguments lead to.
func reachedBy(fn *types.Func) Effects {
	if methods, ok := readers[fn.Origin().FullName()]; ok {
		return Effects{Known: true, Methods: strings.Fields(methods)}
	}
	sig := fn.Signature()
	if recv := sig.Recv(); recv != nil && (recv.Pkg() == nil || hasReferences(recv.Type())) {
		return Effects{}
	}
	for param := range sig.Params().Variables() {
		if hasReferences(param.Type()) {
			return Effects{}
		}
	}
	return Effects{Known: fn.Pkg() != nil && keepsNothing(fn)}
}

// keepsNothing reports whether the standard library's functions that get no references
// change and call nothing that others of its package have got before, as http.Get calls
// the RoundTripper that a transport was given.
func keepsNothing(fn *types.Func) bool {
	return calm[fn.Origin().FullName()] || KeepsNothing(fn.Pkg().Path())
}

// KeepsNothing reports whether a package of the standard library keeps nothing that one of its
// functions could write to or call, but while others run.
func KeepsNothing(path string) bool {
	return slices.ContainsFunc(stateless, func(of string) bool { return path == of || strings.HasPrefix(path, of+"/") })
}

// stateless are the packages of the standard library, with those below them, that keep
// nothing that a function of theirs could write to. Functions that they keep, as
// time.AfterFunc does, are called while others run.
var stateless = []string{
	"bytes", "cmp", "container", "context", "crypto/hmac", "crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha3", "crypto/sha512", "crypto/subtle",
	"encoding/ascii85", "encoding/base32", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "encoding/pem",
	"encoding/xml", "errors", "fmt", "go", "hash", "html", "io", "iter", "maps", "math", "net/mail", "net/netip", "net/textproto", "net/url", "os", "path",
	"reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "sync", "syscall", "text", "time", "unicode", "unique",
}

// hasReferences reports whether a value of type t may lead to others.
func hasReferences(t types.Type) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		if named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Time" {
			return false // its location is never written to
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return hasReferences(u.Elem())
	case *types.Struct:
		fields := slices.Collect(u.Fields())
		return slices.ContainsFunc(fields, func(f *types.Var) bool { return hasReferences(f.Type()) })
	default:
		return true
	}
}

// What is printed, logged or encoded has methods of its own for that.
const (
	printing  = "Format GoString Error String"
	logging   = printing + " Write"
	slogging  = logging + " LogValue MarshalJSON MarshalText Enabled Level Handle WithAttrs WithGroup IsZero"
	jsonCalls = "MarshalJSON MarshalText IsZero"
)

// readers are the functions that only read what their arguments lead to, and return
// nothing of it that can be written to, by full name, with the methods that they call.
var readers = map[string]string{
	"(*log.Logger).Fatal": logging, "(*log.Logger).Fatalf": logging, "(*log.Logger).Fatalln": logging,
	"(*log.Logger).Flags": "", "(*log.Logger).Output": "Write", "(*log.Logger).Panic": logging, "(*log.Logger).Panicf": logging,
	"(*log.Logger).Panicln": logging, "(*log.Logger).Prefix": "", "(*log.Logger).Print": logging,
	"(*log.Logger).Printf": logging, "(*log.Logger).Println": logging,
	"(*log.Logger).SetFlags": "", "(*log.Logger).SetPrefix": "",

	"(*log/slog.Logger).Debug": slogging, "(*log/slog.Logger).DebugContext": slogging, "(*log/slog.Logger).Enabled": slogging,
	"(*log/slog.Logger).Error": slogging, "(*log/slog.Logger).ErrorContext": slogging, "(*log/slog.Logger).Info": slogging,
	"(*log/slog.Logger).InfoContext": slogging, "(*log/slog.Logger).Log": slogging, "(*log/slog.Logger).LogAttrs": slogging,
	"(*log/slog.Logger).Warn": slogging, "(*log/slog.Logger).WarnContext": slogging,

	"(*net/url.URL).EscapedPath": "", "(*net/url.URL).Hostname": "", "(*net/url.URL).IsAbs": "", "(*net/url.URL).Port": "",
	"(*net/url.URL).Query": "", "(*net/url.URL).Redacted": "", "(*net/url.URL).RequestURI": "", "(*net/url.URL).String": "",

	"(*os.File).Chmod": "", "(*os.File).Close": "", "(*os.File).Fd": "", "(*os.File).Name": "", "(*os.File).ReadDir": "",
	"(*os.File).Readdir": "", "(*os.File).Readdirnames": "", "(*os.File).Seek": "", "(*os.File).Stat": "", "(*os.File).Sync": "",
	"(*os.File).Truncate": "", "(*os.File).Write": "", "(*os.File).WriteAt": "", "(*os.File).WriteString": "",

	"(*sync.Cond).Broadcast": "", "(*sync.Cond).Signal": "",
	"(*sync.Mutex).Lock": "", "(*sync.Mutex).TryLock": "", "(*sync.Mutex).Unlock": "",
	"(*sync.RWMutex).Lock": "", "(*sync.RWMutex).RLock": "", "(*sync.RWMutex).RUnlock": "", "(*sync.RWMutex).TryLock": "",
	"(*sync.RWMutex).TryRLock": "", "(*sync.RWMutex).Unlock": "",

	"(*time.Location).String": "",
	"(*time.Ticker).Reset":    "", "(*time.Ticker).Stop": "", "(*time.Timer).Reset": "", "(*time.Timer).Stop": "",

	"(embed.FS).Open": "", "(embed.FS).ReadDir": "", "(embed.FS).ReadFile": "",

	"(net.IP).Equal": "", "(net.IP).IsLoopback": "", "(net.IP).String": "",

	"(net/http.Header).Get": "", "(net/url.Values).Encode": "", "(net/url.Values).Get": "",
	"(net/url.Values).Has": "",

	"(time.Time).In": "",

	"bytes.Compare": "", "bytes.Contains": "", "bytes.Count": "", "bytes.Equal": "", "bytes.EqualFold": "", "bytes.HasPrefix": "",
	"bytes.HasSuffix": "", "bytes.Index": "", "bytes.IndexByte": "", "bytes.LastIndex": "",

	"crypto/hmac.Equal": "", "crypto/subtle.ConstantTimeCompare": "",

	"encoding/json.Marshal": jsonCalls, "encoding/json.MarshalIndent": jsonCalls, "encoding/json.Valid": "",
	"encoding/xml.Marshal": "MarshalXML MarshalXMLAttr MarshalText", "encoding/xml.MarshalIndent": "MarshalXML MarshalXMLAttr MarshalText",

	"errors.Is": "Is Unwrap", "errors.Unwrap": "Unwrap",

	"fmt.Errorf": printing, "fmt.Fprint": logging, "fmt.Fprintf": logging, "fmt.Fprintln": logging,
	"fmt.Print": printing, "fmt.Printf": printing, "fmt.Println": printing,
	"fmt.Sprint": printing, "fmt.Sprintf": printing, "fmt.Sprintln": printing,

	"(log/slog.Level).Level": "", "(log/slog.Level).String": "",

	"log.Default": "", "log.Fatal": logging, "log.Fatalf": logging, "log.Fatalln": logging, "log.Flags": "", "log.Panic": logging, "log.Panicf": logging,
	"log.Panicln": logging, "log.Prefix": "", "log.Print": logging, "log.Printf": logging, "log.Println": logging,
	"log.SetFlags": "", "log.SetPrefix": "",

	"log/slog.Bool": "", "log/slog.Default": "", "log/slog.Duration": "", "log/slog.Float64": "", "log/slog.Int": "", "log/slog.Int64": "",
	"log/slog.String": "", "log/slog.Time": "", "log/slog.Uint64": "",
	"log/slog.Debug": slogging, "log/slog.DebugContext": slogging, "log/slog.Error": slogging, "log/slog.ErrorContext": slogging,
	"log/slog.Info": slogging, "log/slog.InfoContext": slogging, "log/slog.Log": slogging, "log/slog.LogAttrs": slogging,
	"log/slog.Warn": slogging, "log/slog.WarnContext": slogging,

	"mime.FormatMediaType": "", "mime.ParseMediaType": "",

	"net.CIDRMask": "", "net.IPv4": "", "net.JoinHostPort": "", "net.ParseCIDR": "", "net.ParseIP": "", "net.ParseMAC": "", "net.SplitHostPort": "",
	"net/http.CanonicalHeaderKey": "", "net/http.NewServeMux": "", "net/http.ParseHTTPVersion": "", "net/http.StatusText": "",

	"os.IsExist": "Error Unwrap", "os.IsNotExist": "Error Unwrap", "os.IsPermission": "Error Unwrap", "os.IsTimeout": "Error Unwrap Timeout",
	"os.WriteFile": "", "os.SameFile": "",

	"os/exec.Command": "", "os/signal.Ignore": "String Signal",
	"os/signal.NotifyContext": "AfterFunc Deadline Done Err Value String Signal", "os/signal.Reset": "String Signal", "os/signal.Stop": "",

	"runtime.KeepAlive": "", "runtime/debug.Stack": "",

	"sort.SearchInts": "", "sort.SearchStrings": "", "sort.StringsAreSorted": "",
}

// calm are the functions that never panic, by full name: they have neither
// preconditions nor calls of the program's own functions, so that their errors
// aren't the program's either.
var calm = map[string]bool{
	"(*os.File).Chmod": true, "(*os.File).Close": true, "(*os.File).Name": true, "(*os.File).Read": true, "(*os.File).Stat": true,
	"(*os.File).Sync": true, "(*os.File).Write": true, "(*os.File).WriteString": true,

	"(*flag.FlagSet).SetOutput": true,

	"(*sync.Mutex).Lock": true, "(*sync.Mutex).TryLock": true, "(*sync.Mutex).Unlock": true,
	"(*sync.RWMutex).Lock": true, "(*sync.RWMutex).RLock": true, "(*sync.RWMutex).RUnlock": true, "(*sync.RWMutex).TryLock": true,
	"(*sync.RWMutex).TryRLock": true, "(*sync.RWMutex).Unlock": true,

	"log.SetFlags": true, "log.SetOutput": true, "log.SetPrefix": true,

	"log/slog.Bool": true, "log/slog.Duration": true, "log/slog.Float64": true, "log/slog.Int": true, "log/slog.Int64": true,
	"log/slog.String": true, "log/slog.Uint64": true,

	"os.Chdir": true, "os.Create": true, "os.Environ": true, "os.Executable": true, "os.Getenv": true, "os.Getpid": true,
	"os.Getwd": true, "os.Hostname": true, "os.LookupEnv": true, "os.Lstat": true, "os.Mkdir": true, "os.MkdirAll": true,
	"os.Open": true, "os.OpenFile": true, "os.ReadDir": true, "os.ReadFile": true, "os.Remove": true, "os.RemoveAll": true,
	"os.Setenv": true, "os.Stat": true, "os.TempDir": true, "os.Unsetenv": true, "os.UserHomeDir": true, "os.WriteFile": true,

	"path/filepath.Abs": true, "path/filepath.EvalSymlinks": true, "path/filepath.Glob": true,

	"time.Now": true, "time.Since": true, "time.Sleep": true, "time.Until": true,
}

// nilSafe are the calm methods that return an error where the receiver is nil (checkValid
// in package os), by full name.
var nilSafe = map[string]bool{
	"(*os.File).Chmod": true, "(*os.File).Close": true, "(*os.File).Read": true, "(*os.File).Stat": true,
	"(*os.File).Sync": true, "(*os.File).Write": true, "(*os.File).WriteString": true,
}

// receiver is the place of a method's receiver among its arguments.
const receiver = -1

// demanding are the modelled functions that panic for some arguments, by full name,
// with the places of these. Any other panics for none, but for a receiver that is
// nil. What a model sees to itself isn't here.
var demanding = map[string][]int{
	"(*strings.Builder).Grow":                {0},
	"(encoding/base32.Encoding).WithPadding": {0}, "(encoding/base64.Encoding).WithPadding": {0},
	"(net/http.Header).Add": {receiver}, "(net/http.Header).Set": {receiver},
	"(net/textproto.MIMEHeader).Add": {receiver}, "(net/textproto.MIMEHeader).Set": {receiver},
	"(time.Time).In": {0},

	"encoding/base32.NewEncoding": {0}, "encoding/base64.NewEncoding": {0},
	"internal/bytealg.MakeNoZero": {0},
	"regexp.MustCompile":          {0}, "regexp.MustCompilePOSIX": {0},
	"slices.Insert": {0, 1}, "slices.Replace": {0, 1, 2}, "sort.Slice": {0}, "sort.SliceStable": {0},
	"strconv.AppendInt": {2}, "strconv.AppendUint": {2},
	"strconv.FormatFloat": {3}, "strconv.FormatInt": {1}, "strconv.FormatUint": {1},
	"strings.NewReplacer": {0}, "strings.Repeat": {1},
	"time.Date": {7}, "time.ParseInLocation": {2},
}

// Demanded returns the arguments of a call of a modelled function, its receiver
// among them, for some of which it panics.
func Demanded(fn *value.Func, args []value.Value) []value.Value {
	var all []value.Value
	for _, place := range demanding[fn.Obj.Origin().FullName()] {
		switch {
		case place == receiver:
			all = append(all, fn.Recv)
		case place < len(args):
			all = append(all, args[place])
		}
	}
	if recv := fn.Obj.Signature().Recv(); recv != nil && fn.Bound && !value.IsNonNil(fn.Recv) {
		switch recv.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface:
			all = append(all, fn.Recv)
		}
	}
	return all
}

// Nilable returns the arguments of a call of a function of the standard library, its
// receiver among them, that may be nil, and lead to a panic then: pointers, functions,
// channels, and interfaces with methods but errors.
func Nilable(fn *value.Func, args []value.Value) []value.Value {
	sig := fn.Obj.Signature()
	var all []value.Value
	note := func(v value.Value, t types.Type) {
		if u, ok := v.(*value.Unknown); ok && u.Type != nil && types.IsInterface(t) {
			return // it holds something
		}
		if wantsNonNil(t) && !value.IsNonNil(v) {
			all = append(all, v)
		}
	}
	if fn.Bound && sig.Recv() != nil {
		note(fn.Recv, sig.Recv().Type())
	}
	for i, param := range slices.Collect(sig.Params().Variables()) {
		if i < len(args) {
			note(args[i], param.Type())
		}
	}
	return all
}

func wantsNonNil(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Signature, *types.Chan:
		return true
	case *types.Interface:
		return u.NumMethods() > 0 && !value.IsErrorType(t)
	default:
		return false
	}
}
