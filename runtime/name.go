package runtime

import (
	"reflect"
	"runtime"
	"strings"
)

// functionName returns the last identifier of a declared function or method
// value, "" for a function literal. asyncapigen derives the same name from the
// source, so it may depend on nothing that only the compiler knows.
func functionName(fn any) string {
	return lastIdentifier(runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name())
}

// lastIdentifier reads a symbol of the gc compiler: "path/pkg.Name",
// "path/pkg.Name[...]" for an instance of a generic function, and
// "path/pkg.(*T).Method-fm" for a method value. Every literal's symbol has the
// enclosing function before its own part: "path/pkg.Outer.func1".
func lastIdentifier(symbol string) string {
	if strings.HasPrefix(symbol, "reflect.") {
		return "" // made by reflection: all of these share a symbol or two
	}
	symbol = symbol[strings.LastIndexByte(symbol, '/')+1:]
	symbol = strings.ReplaceAll(symbol, "[...]", "")
	_, name, _ := strings.Cut(symbol, ".")
	if method, isMethodValue := strings.CutSuffix(name, "-fm"); isMethodValue {
		return method[strings.LastIndexByte(method, '.')+1:]
	}
	if strings.Contains(name, ".") {
		return ""
	}
	return name
}
