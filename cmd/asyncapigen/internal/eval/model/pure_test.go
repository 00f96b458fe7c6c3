package model

import (
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// standIns are the functions of the library for which one of pure.go stands.
var standIns = map[string]any{
	"(*regexp.Regexp).ReplaceAllLiteralString": (*regexp.Regexp).ReplaceAllLiteralString,
	"(*regexp.Regexp).ReplaceAllString":        (*regexp.Regexp).ReplaceAllString,
	"(*regexp.Regexp).ReplaceAllStringFunc":    (*regexp.Regexp).ReplaceAllStringFunc,
	"math.Pow":                                 math.Pow,
	"net/http.StatusText":                      http.StatusText,
	"strings.Join":                             strings.Join,
	"strings.Repeat":                           strings.Repeat,
	"strings.Replace":                          strings.Replace,
	"strings.ReplaceAll":                       strings.ReplaceAll,
	"strings.ToValidUTF8":                      strings.ToValidUTF8,
	"time.FixedZone":                           time.FixedZone,
	"time.Parse":                               time.Parse,
}

// machine is a Machine for functions that are of this program.
type machine struct{ Machine }

type failed struct{}

func (machine) Fail(ast.Node, string)                          { panic(failed{}) }
func (machine) Panic(ast.Node, value.Value)                    { panic(failed{}) }
func (machine) Held(_ string, err error) value.Value           { return make(Variables).Held(err) }
func (machine) Expose(ast.Expr, []value.Value, *value.Unknown) {}
func (machine) TablesChanged() bool                            { return false }
func (machine) Call(_ ast.Expr, fn value.Value, args []value.Value) value.Value {
	return fn.(*value.Func).Native(args)
}

// A function that is listed itself is the one that its name says, and its results
// survive the way to the evaluated program and back.
func TestPure_GivesWhatTheFunctionGives(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		f := reflect.ValueOf(functions[name])
		if f.Type() == reflect.TypeFor[Function]() || f.Type() == reflect.TypeFor[func(*Call) (value.Value, bool)]() {
			continue
		}
		real := f
		if standIn, ok := standIns[name]; ok {
			real = reflect.ValueOf(standIn)
		} else if linked := linkedName(f); !strings.HasPrefix(name, "internal/") && !strings.Contains(linked, "/eval/model.") {
			require.Equal(t, name, linked)
		}
		fn := functionNamed(t, name)
		require.NotNil(t, fn, name)
		for range 30 {
			compare(t, random, name, fn, f, real)
		}
	}
}

// linkedName returns the full name of a function of the library.
func linkedName(f reflect.Value) string {
	name := runtime.FuncForPC(f.Pointer()).Name()
	dot := strings.LastIndexByte(name, '/') + 1
	pkg, rest, _ := strings.Cut(name[dot:], ".")
	pkg = name[:dot] + pkg
	recv, method, isMethod := strings.Cut(rest, ".")
	switch {
	case !isMethod:
		return pkg + "." + rest
	case strings.HasPrefix(recv, "(*"):
		return "(*" + pkg + "." + strings.Trim(recv, "(*)") + ")." + method
	default:
		return "(" + pkg + "." + recv + ")." + method
	}
}

func compare(t *testing.T, random *rand.Rand, name string, fn *types.Func, f, real reflect.Value) {
	t.Helper()
	in := make([]reflect.Value, f.Type().NumIn())
	args := make([]value.Value, len(in))
	c := &Call{State: &value.State{Work: func(int) {}}, Machine: machine{}, At: ast.NewIdent("f"), Fn: &value.Func{Obj: fn, Type: fn.Type()}}
	for i := range in {
		in[i] = arbitrary(random, f.Type().In(i))
		args[i] = c.given(in[i])
	}
	want, panicked := called(real, in)
	if panicked {
		require.Contains(t, demanding, name, in)
	}
	c.Args = args
	got, failed := modelled(c, pure(f.Interface()))
	if failed || panicked {
		require.Equal(t, panicked, failed, "%s(%v)", name, in)
		return
	}
	tuple, isTuple := got.(value.Tuple)
	if !isTuple {
		tuple = value.Tuple{got}
	}
	require.Len(t, tuple, len(want), name)
	for i, v := range tuple {
		if u, unknown := v.(*value.Unknown); unknown {
			if want[i].Kind() == reflect.Interface {
				require.Equal(t, !want[i].IsNil(), u.NonNil, "%s(%v)", name, in)
			}
			continue
		}
		if value.IsNil(v) {
			require.True(t, want[i].IsNil(), "%s(%v)", name, in)
			continue
		}
		if err, isError := want[i].Interface().(error); isError && want[i].Kind() == reflect.Interface {
			require.Equal(t, reflect.TypeOf(err).String(), types.TypeString(value.TypeOf(v), (*types.Package).Name), "%s(%v)", name, in)
			continue
		}
		back, unknown := c.toGo(v, f.Type().Out(i))
		require.Nil(t, unknown, "%s(%v)", name, in)
		require.Equal(t, fmt.Sprintf("%#v", plain(want[i])), fmt.Sprintf("%#v", plain(back)), "%s(%v)", name, in)
	}
}

// plain is what can be compared of a result.
func plain(r reflect.Value) any {
	if s, ok := r.Interface().(fmt.Stringer); ok && r.Kind() != reflect.Int && r.Kind() != reflect.Int64 {
		return s.String()
	}
	if r, ok := r.Interface().(*replacer); ok {
		return r.longest
	}
	if r.Kind() == reflect.Pointer {
		return r.Elem().Interface()
	}
	return r.Interface()
}

func called(f reflect.Value, in []reflect.Value) (out []reflect.Value, panicked bool) {
	defer func() { panicked = recover() != nil }()
	if f.Type().IsVariadic() {
		return f.CallSlice(in), false
	}
	return f.Call(in), false
}

func modelled(c *Call, model Function) (result value.Value, panicked bool) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(failed); !ok {
				panic(v)
			}
			panicked = true
		}
	}()
	result, _ = model(c)
	return result, false
}

// given returns an argument as a value of the evaluated program.
func (c *Call) given(r reflect.Value) value.Value {
	if r.Kind() == reflect.Func {
		return &value.Func{Type: signatureOf(r.Type()), Native: func(args []value.Value) value.Value {
			in, unknown := c.toGo(args[0], r.Type().In(0))
			if unknown != nil {
				return unknown
			}
			return c.fromGo(r.Call([]reflect.Value{in})[0], basicOf(r.Type().Out(0)))
		}}
	}
	return c.fromGo(r, basicOf(r.Type()))
}

func signatureOf(r reflect.Type) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, tupleOf([]types.Type{basicOf(r.In(0))}), tupleOf([]types.Type{basicOf(r.Out(0))}), false)
}

// basicOf returns the type of the evaluated program that has the parts of r.
func basicOf(r reflect.Type) types.Type {
	switch r.Kind() {
	case reflect.Slice:
		return types.NewSlice(basicOf(r.Elem()))
	case reflect.Array:
		return types.NewArray(basicOf(r.Elem()), int64(r.Len()))
	case reflect.Pointer:
		return types.NewPointer(basicOf(r.Elem()))
	}
	for kind, t := range value.GoTypes {
		if t.Kind() == r.Kind() {
			return types.Typ[kind]
		}
	}
	return types.Typ[types.Invalid]
}

// arbitrary returns an argument of type r, mostly a short one.
func arbitrary(random *rand.Rand, r reflect.Type) reflect.Value {
	pick := func(all ...any) reflect.Value { return reflect.ValueOf(all[random.IntN(len(all))]) }
	switch r {
	case reflect.TypeFor[time.Time]():
		return reflect.ValueOf(time.Unix(random.Int64N(1<<32), random.Int64N(1e9)).UTC())
	case reflect.TypeFor[*time.Location]():
		return pick(time.UTC, time.FixedZone("Z", 7200))
	case reflect.TypeFor[*regexp.Regexp]():
		return pick(regexp.MustCompile(`(a+)|b`), regexp.MustCompile(`\w`))
	case reflect.TypeFor[*base64.Encoding]():
		return pick(base64.StdEncoding, base64.RawURLEncoding)
	case reflect.TypeFor[*base32.Encoding]():
		return pick(base32.StdEncoding, base32.HexEncoding)
	case reflect.TypeFor[base64.Encoding]():
		return reflect.ValueOf(*base64.StdEncoding)
	case reflect.TypeFor[base32.Encoding]():
		return reflect.ValueOf(*base32.StdEncoding)
	case reflect.TypeFor[*replacer]():
		return reflect.ValueOf(newReplacer("a", "bb", "c", ""))
	}
	v := reflect.New(r).Elem()
	switch r.Kind() {
	case reflect.String:
		v.SetString(pick("", "a", "abc", "a.b/c", "é日", "-12", "0x1F", "true", "b a  c", "\xff", "2024-02-03T04:05:06Z", time.RFC3339, "QUJD", "1h2m", "%41").String())
	case reflect.Bool:
		v.SetBool(random.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(pick(int64(0), int64(1), int64(-1), int64(2), int64(10), int64(16), int64(64), int64(97), int64(200), int64(404)).Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(pick(uint64(0), uint64(1), uint64(97), uint64(102), uint64(200)).Uint())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(0.0, 1.0, -1.5, 2.5, 3.0, 1e10, 0.1).Float())
	case reflect.Slice:
		for range random.IntN(4) {
			v.Set(reflect.Append(v, arbitrary(random, r.Elem())))
		}
	case reflect.Func:
		return reflect.MakeFunc(r, func(in []reflect.Value) []reflect.Value {
			if r.Out(0) == r.In(0) {
				return in
			}
			return []reflect.Value{reflect.Zero(r.Out(0))}
		})
	}
	return v
}

func TestPow_IsKnownWhereEachMachineComputesIt(t *testing.T) {
	require.InDelta(t, 1024.0, exactPow(2, 10), 0)
	require.InDelta(t, -27.0, exactPow(-3, 3), 0)
	require.InDelta(t, 1.0, exactPow(1, 1024), 0)
	require.InDelta(t, 1.0, exactPow(-1<<53, 0), 0)
	require.InDelta(t, 1<<52, exactPow(2, 52), 0)
	for _, not := range [][2]float64{{0.5, 2}, {2, 0.5}, {2, -1}, {1, 1025}, {1<<53 + 2, 0}, {2, 53}, {10, 30}, {0, 1}} {
		require.Panics(t, func() { exactPow(not[0], not[1]) }, not)
	}
}

func TestHosted_IsNotTheZeroValueOfAnotherType(t *testing.T) {
	c := &Call{State: &value.State{Work: func(int) {}}, At: ast.NewIdent("f")}
	number := value.NewConst(constant.MakeInt64(1), types.Typ[types.Int])
	_, unknown := c.toGo(number, reflect.TypeFor[time.Time]())
	require.NotNil(t, unknown)
}
