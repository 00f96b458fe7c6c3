package model

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

func TestEffectsOf_LooksAtWhatReceiversAndParametersLeadTo(t *testing.T) {
	for name, want := range map[string]bool{
		"(time.Duration).String": true, "(time.Time).Year": true, "(time.Time).Sub": true, "(*time.Location).String": true, "(*time.Timer).Stop": true,
		"(*bytes.Buffer).Len": false, "(net/url.Values).Add": false, "(io/fs.FileMode).IsDir": true, "time.Since": true, "net/http.Get": false,
	} {
		fn := functionNamed(t, name)
		require.NotNil(t, fn, name)
		require.Equal(t, want, EffectsOf(fn).Known, name)
	}
}

func TestHasReferences_IsForWhatMayLeadToOthers(t *testing.T) {
	pkg := typesOf(t, "p", `package p
import ("time"; "unsafe")
type (
	yes1 = *int
	yes2 = []int
	yes3 = map[int]int
	yes4 = chan int
	yes5 = func()
	yes6 = any
	yes7 = unsafe.Pointer
	yes8 = [2]*int
	yes9 struct{ a int; b *int }
	yesA = time.Timer
	Time struct{ p *int }
	no1 = int
	no2 = string
	no3 = [2]int
	no4 struct{ a int; b string }
	no5 = time.Time
	no6 = time.Duration
	no7 struct{ at time.Time }
)
`)
	for _, name := range pkg.Scope().Names() {
		require.Equal(t, name[0] == 'y' || name == "Time", hasReferences(types.Unalias(pkg.Scope().Lookup(name).Type())), name)
	}
	require.True(t, hasReferences(errorType))
}

func TestDemanded_AreTheArgumentsThatMayPanic(t *testing.T) {
	x, y := integer(1), &value.Unknown{Reason: "y"}
	call := func(name string, recv value.Value, args ...value.Value) []value.Value {
		fn := functionNamed(t, name)
		require.NotNil(t, fn, name)
		return Demanded(&value.Func{Obj: fn, Recv: recv, Bound: recv != nil}, args)
	}
	require.Equal(t, []value.Value{y}, call("strings.Repeat", nil, x, y))
	require.Empty(t, call("strings.Repeat", nil, x), "an argument that isn't there")
	require.Empty(t, call("strings.ToUpper", nil, y))
	require.Equal(t, []value.Value{y}, call("(net/http.Header).Set", y, x, x))
	require.Empty(t, call("(time.Time).Year", y), "a value is never nil")
	require.Equal(t, []value.Value{y}, call("(*regexp.Regexp).String", y))
	require.Empty(t, call("(*regexp.Regexp).String", &value.Unknown{NonNil: true}))
	require.Equal(t, []value.Value{y}, call("(io/fs.FileInfo).Name", y))
	require.Empty(t, call("(*regexp.Regexp).String", nil), "a method that isn't bound")
}

func TestNilable_AreTheArgumentsThatMayBeNil(t *testing.T) {
	pkg := typesOf(t, "p", `package p
type one interface { A() }
type two interface { A(); B() }
type T struct{}
func (*T) Method(p *int) {}
func (T) Value(c chan int) {}
func Function(p *int, f func(), c chan int, o one, t two, e error, a any, n int, s []int, m map[int]int, st struct{}) {}
`)
	u := func(reason string) *value.Unknown { return &value.Unknown{Reason: reason} }
	function := pkg.Scope().Lookup("Function").(*types.Func)
	p, f, c, o, two := u("p"), u("f"), u("c"), u("o"), u("t")
	rest := []value.Value{u("e"), u("a"), u("n"), u("s"), u("m"), u("st")}
	require.Equal(t, []value.Value{p, f, c, o, two}, Nilable(&value.Func{Obj: function}, append([]value.Value{p, f, c, o, two}, rest...)))
	require.Equal(t, []value.Value{p}, Nilable(&value.Func{Obj: function}, []value.Value{p}), "arguments that aren't there")
	held, known := &value.Unknown{Type: intType}, &value.Unknown{NonNil: true}
	require.Equal(t, []value.Value{held}, Nilable(&value.Func{Obj: function}, []value.Value{held, known, known, held, held}), "an interface that holds something")
	typ := pkg.Scope().Lookup("T").Type().(*types.Named)
	require.Equal(t, []value.Value{o, p}, Nilable(&value.Func{Obj: typ.Method(0), Recv: o, Bound: true}, []value.Value{p}))
	require.Equal(t, []value.Value{c}, Nilable(&value.Func{Obj: typ.Method(1), Recv: o, Bound: true}, []value.Value{c}))
	require.Empty(t, Nilable(&value.Func{Obj: typ.Method(0)}, nil), "a method that isn't bound")
	require.Empty(t, Nilable(&value.Func{Obj: function, Recv: o, Bound: true}, nil), "a function without a receiver")
}
