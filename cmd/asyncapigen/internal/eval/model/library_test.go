package model

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// library has the packages of the standard library, read from their source.
var library = importer.ForCompiler(token.NewFileSet(), "source", nil)

// A name that the library doesn't have would never be looked up.
func TestFunctions_NameFunctionsThatExist(t *testing.T) {
	for name := range functions {
		if functionNamed(t, name) == nil {
			t.Errorf("the standard library has no function %s", name)
		}
	}
}

func TestReaders_NameFunctionsThatExist(t *testing.T) {
	for name := range readers {
		if functionNamed(t, name) == nil {
			t.Errorf("the standard library has no function %s", name)
		}
	}
}

// A function that isn't known to panic for some arguments would be taken to go on.
func TestDemanding_NamesArgumentsOfModelledFunctions(t *testing.T) {
	for name, places := range demanding {
		require.NotNil(t, Lookup(name), name)
		sig := functionNamed(t, name).Signature()
		for _, place := range places {
			require.Less(t, place, sig.Params().Len(), name)
			require.True(t, place >= 0 || sig.Recv() != nil, name)
		}
	}
}

func TestVariables_HoldWhatTheirNamesSay(t *testing.T) {
	for name, held := range variables {
		dot := strings.LastIndexByte(name, '.')
		pkg, err := library.Import(name[:dot])
		require.NoError(t, err, name)
		v, ok := pkg.Scope().Lookup(name[dot+1:]).(*types.Var)
		require.True(t, ok, name)
		if err, isError := held.(error); isError {
			require.Equal(t, "*errors.errorString", fmt.Sprintf("%T", err), name)
			require.True(t, value.IsErrorType(v.Type()), name)
			continue
		}
		require.True(t, hostedTypes[reflect.TypeOf(held)], name)
		require.Equal(t, v.Type().String(), "*"+reflect.TypeOf(held).Elem().PkgPath()+"."+reflect.TypeOf(held).Elem().Name(), name)
	}
}

func TestEffectsOf_NamesTheMethodsThatAreCalled(t *testing.T) {
	pkg, err := library.Import("encoding/json")
	require.NoError(t, err)
	effects := EffectsOf(pkg.Scope().Lookup("Marshal").(*types.Func))
	require.Equal(t, Effects{Known: true, Methods: []string{"MarshalJSON", "MarshalText", "IsZero"}}, effects)
	method, _, _ := types.LookupFieldOrMethod(types.Universe.Lookup("error").Type(), false, nil, "Error")
	require.Equal(t, Effects{}, EffectsOf(method.(*types.Func)))
}

// functionNamed finds a function by its full name: pkg/path.Func,
// (pkg/path.Type).Method or (*pkg/path.Type).Method. It returns nil where there
// is none.
func functionNamed(t *testing.T, name string) *types.Func {
	t.Helper()
	qualified, method, isMethod := strings.Cut(strings.TrimLeft(name, "(*"), ").")
	dot := strings.LastIndexByte(qualified, '.')
	pkg, err := library.Import(qualified[:dot])
	require.NoError(t, err, name)
	typeName, _, _ := strings.Cut(qualified[dot+1:], "[")
	obj := pkg.Scope().Lookup(typeName)
	if isMethod && obj != nil {
		recv := types.Type(types.NewPointer(obj.Type()))
		if types.IsInterface(obj.Type()) {
			recv = obj.Type()
		}
		obj, _, _ = types.LookupFieldOrMethod(recv, true, pkg, method)
	}
	fn, ok := obj.(*types.Func)
	if !ok || fn.FullName() != name {
		return nil
	}
	return fn
}

func TestEffectsOf_KnowsNothingOfWhatWritesOrCalls(t *testing.T) {
	for name, want := range map[string]bool{
		"fmt.Println": true, "fmt.Sscanf": false, "errors.Is": true, "errors.As": false,
		"strings.ToUpper": true, "time.AfterFunc": false, "encoding/json.Unmarshal": false,
		"path/filepath.WalkDir": false, "strings.Map": false, "os.ReadFile": true, "os.Expand": false,
		"log.SetOutput": false, "net/http.HandleFunc": false, "time.Sleep": true, "fmt.Fprintln": true,
		"net/http.Header.Values": false, "net.IP.To4": false, "time.Time.AppendFormat": false, "net/http.Header.Get": true,
	} {
		slash := strings.LastIndexByte(name, '/') + 1
		parts := strings.Split(name[slash:], ".")
		pkg, err := library.Import(name[:slash] + parts[0])
		require.NoError(t, err)
		obj := pkg.Scope().Lookup(parts[1])
		if len(parts) == 3 {
			obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, pkg, parts[2])
		}
		require.Equal(t, want, EffectsOf(obj.(*types.Func)).Known, name)
	}
}

// What golang.org/x/sys/unix does to the environment is what syscall does.
func TestLookup_FindsTheEnvironmentOfUnix(t *testing.T) {
	for _, name := range []string{"Clearenv", "Getenv", "Setenv", "Unsetenv"} {
		require.NotNil(t, Lookup("golang.org/x/sys/unix."+name), name)
	}
}
