package model

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A RuntimeError is what a run-time panic of the evaluated program carries: an
// error of package runtime.
type RuntimeError struct {
	Text string // "" where it isn't known
	t    types.Type
}

// DynamicType implements [value.Atom].
func (e *RuntimeError) DynamicType() types.Type { return e.t }

// Known reports whether it is known what the error says.
func (e *RuntimeError) Known() bool { return e.Text != "" }

// NewRuntimeError returns the error of a run-time panic: the text is what follows
// "runtime error: ".
func NewRuntimeError(text string) *RuntimeError {
	switch {
	// A suffix for those of closed and nil channels.
	case text == "assignment to entry in nil map", strings.HasPrefix(text, "makechan: "), strings.HasSuffix(text, " channel"):
		return &RuntimeError{text, plainError}
	case strings.HasPrefix(text, "index out of range"), strings.HasPrefix(text, "slice bounds out of range"), strings.HasPrefix(text, "cannot convert slice"):
		return &RuntimeError{"runtime error: " + text, boundsError}
	default:
		return &RuntimeError{"runtime error: " + text, runtimeErrorString}
	}
}

// NewAssertionError returns the error of x.(T) where x, of the interface type
// static, has a value of the type dynamic: nil where it is nil.
func NewAssertionError(static, dynamic, wanted types.Type) *RuntimeError {
	e := &RuntimeError{t: types.NewPointer(assertionError)}
	to, ok := assertedName(wanted)
	if !ok {
		return e
	}
	from, ok := assertedName(static)
	if types.IsInterface(wanted) {
		from, ok = "interface", true // which one isn't said
	}
	if dynamic == nil {
		if ok {
			e.Text = "interface conversion: " + from + " is nil, not " + to
		}
		return e
	}
	has, known := assertedName(dynamic)
	switch iface, isInterface := wanted.Underlying().(*types.Interface); {
	case !known:
	case isInterface:
		if method := value.MissingMethod(dynamic, iface); method != nil {
			e.Text = "interface conversion: " + has + " is not " + to + ": missing method " + method.Name()
		}
	case ok && has != to:
		e.Text = "interface conversion: " + from + " is " + has + ", not " + to
	}
	return e
}

// NewComparisonError returns the error of comparing values of a type that can't be
// compared.
func NewComparisonError(t types.Type) *RuntimeError {
	name, ok := reflectName(t)
	if !ok {
		return &RuntimeError{t: runtimeErrorString}
	}
	return NewRuntimeError("comparing uncomparable type " + name)
}

// NewBoundsError returns the error of bounds that are out of range, of which it isn't known
// what it says of them.
func NewBoundsError() *RuntimeError { return &RuntimeError{t: boundsError} }

// NewHashError returns the error of hashing a value of a type that can't be compared. Its
// text hangs on the version of Go, and on whether the map is empty.
func NewHashError() *RuntimeError { return &RuntimeError{t: runtimeErrorString} }

// NilPanicError returns what panic(nil) panics with.
func NilPanicError() *RuntimeError {
	return &RuntimeError{"panic called with nil argument", types.NewPointer(nilError)}
}

// assertedName is the name of a type in the message of a failed assertion.
func assertedName(t types.Type) (string, bool) {
	if iface, ok := types.Unalias(t).(*types.Interface); ok && iface.Empty() {
		return "interface {}", true
	}
	return reflectName(t)
}

// CallMethod calls one of the error's methods.
func (e *RuntimeError) CallMethod(c *Call) value.Value {
	if c.Fn.Obj.Name() == "Error" && e.Known() {
		return value.NewConst(constant.MakeString(e.Text), types.Typ[types.String])
	}
	if c.Fn.Obj.Name() == "Error" {
		return value.UnknownResult(c.At)
	}
	return value.Tuple{}
}

// The types of package runtime whose values are run-time errors, as far as a
// program can tell them.
var (
	runtimePackage = types.NewPackage("runtime", "runtime")

	runtimeErrorString = runtimeErrorType("errorString", types.Typ[types.String])
	plainError         = runtimeErrorType("plainError", types.Typ[types.String])
	boundsError        = runtimeErrorType("boundsError", types.NewStruct(nil, nil))
	assertionError     = runtimeErrorType("TypeAssertionError", types.NewStruct(nil, nil))
	nilError           = runtimeErrorType("PanicNilError", types.NewStruct(nil, nil))
)

func runtimeErrorType(name string, underlying types.Type) *types.Named {
	obj := types.NewTypeName(token.NoPos, runtimePackage, name, nil)
	runtimePackage.Scope().Insert(obj)
	named := types.NewNamed(obj, underlying, nil)
	var recv types.Type = named
	if name == "TypeAssertionError" || name == "PanicNilError" {
		recv = types.NewPointer(named)
	}
	text := types.NewTuple(types.NewParam(token.NoPos, runtimePackage, "", types.Typ[types.String]))
	for method, results := range map[string]*types.Tuple{"Error": text, "RuntimeError": nil} {
		sig := types.NewSignatureType(types.NewParam(token.NoPos, runtimePackage, "e", recv), nil, nil, nil, results, false)
		named.AddMethod(types.NewFunc(token.NoPos, runtimePackage, method, sig))
	}
	return named
}
