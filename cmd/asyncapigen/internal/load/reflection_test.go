package load

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTakesAnyMethod_InAllForms(t *testing.T) {
	for text, want := range map[string]bool{
		`v.Method(i).Call(nil)`:                                  true,
		"v.\n\tMethod(i)":                                        true,
		`v.MethodByName("Setup")`:                                false, // that one, see MayBeOfInterface
		"v.MethodByName(`Setup`)":                                false,
		`v.MethodByName("Setup" + name)`:                         true,
		`v.MethodByName(name)`:                                   true,
		`m := v.MethodByName; m(name)`:                           true,
		"m := v.Method\nm(0).Call(nil)":                          true,
		"m := r.Method\nif m == \"GET\" {":                       false, // a field
		`for _, m := range v.Methods() { m.Call(nil) }`:          true,
		`slices.Collect(reflect.TypeOf(v).Methods())`:            true,
		`for i := range service.Methods().Len() {`:               true,
		`attribute{service.Methods(), "Methods"}`:                false,
		`r.HandleFunc("/", get).Methods("GET")`:                  false,
		`if t.NumMethod() == 0 {`:                                false, // any value is of such an interface
		"// v.MethodByName(name)":                                false,
		`func (t *T) MethodByName(name string) reflect.Method {`: false,
	} {
		require.Equal(t, want, takesAnyMethod([]byte(text+"\n"), true), text)
	}
	for text, want := range map[string]bool{
		`indirect(v).MethodByName(name)`: true,
		`r.Method("GET", "/", get)`:      false, // of another type, as the package doesn't import reflect
		`for i := range indirect(v).NumMethod() { indirect(v).Method(i).Call(nil) }`: true,
		`r.Methods()`: false,
	} {
		require.Equal(t, want, takesAnyMethod([]byte(text+"\n"), false), text)
	}
}
