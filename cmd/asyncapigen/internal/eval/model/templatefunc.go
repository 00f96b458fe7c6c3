package model

import (
	"errors"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"text/template"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// maxFromTemplateFunc bounds the numbers and the lengths of what functions give to
// templates, which may range over them.
const maxFromTemplateFunc = 10_000

// templateFuncs is the model of Funcs, with functions whose types this program has, too.
// Copies of a template have the functions in common.
func templateFuncs(c *Call) (value.Value, bool) {
	t, s := templateAt(c.Fn.Recv)
	given, known := knownFunctions(c.Args[0])
	if t == nil || !known || !AreTemplateFuncs(c.Args[0]) {
		return nil, false
	}
	all, ok := templateFunctions(s).(*value.Map)
	if !ok {
		all = value.NewMap(c.Fn.Obj.Signature().Params().At(0).Type())
		c.Set(fieldNamed(s, "common"), all)
	}
	placeholders := make(template.FuncMap, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(templateBuiltins, name) || goFuncType(given[name]) == nil {
			return nil, false
		}
		placeholders[name] = func() string { return "" }
		c.SetEntry(all, text(name), given[name])
	}
	err := c.stepped(t, s, func(t *template.Template) (*template.Template, error) { return t.Funcs(placeholders), nil })
	return c.Fn.Recv, err == nil
}

// templateFunctions returns the functions that a template was given: as a map, or what
// isn't known.
func templateFunctions(s *value.Struct) value.Value {
	if s == nil {
		return value.Nil{}
	}
	if cell := fieldNamed(s, "common"); cell != nil {
		return cell.Load()
	}
	return value.Nil{}
}

// knownFunctions returns the functions of a map, if each is known.
func knownFunctions(v value.Value) (funcs map[string]*value.Func, known bool) {
	funcs = make(map[string]*value.Func)
	if value.IsNil(v) {
		return funcs, true
	}
	m, ok := v.(*value.Map)
	if !ok || !m.Complete() {
		return nil, false
	}
	for key, elem := range m.Sorted() {
		name, known := value.TextOf(key)
		fn, isFunc := elem.(*value.Func)
		if !known || !isFunc {
			return nil, false
		}
		funcs[name] = fn
	}
	return funcs, true
}

// templateBuiltins are the functions that templates have of themselves.
var templateBuiltins = []string{
	"and", "break", "call", "continue", "eq", "ge", "gt", "html", "index", "js", "le", "len", "lt", "ne", "not", "or",
	"print", "printf", "println", "slice", "urlquery",
}

// AreTemplateFuncs reports whether template.Funcs takes a map of functions, and doesn't
// panic.
func AreTemplateFuncs(v value.Value) bool {
	m, ok := v.(*value.Map)
	if !ok || !m.Complete() {
		return value.IsNil(v)
	}
	for key, elem := range m.In(value.Ascending) {
		name, known := value.TextOf(key)
		fn, isFunc := elem.(*value.Func)
		if !known || !token.IsIdentifier(name) || !isFunc || !isTemplateFunc(value.TypeOf(fn)) {
			return false
		}
	}
	return true
}

// isTemplateFunc reports whether a function of a type gives one result, or one with an error.
func isTemplateFunc(t types.Type) bool {
	sig := t.Underlying().(*types.Signature)
	n := sig.Results().Len()
	return n == 1 || n == 2 && types.Identical(sig.Results().At(1).Type(), types.Universe.Lookup("error").Type())
}

// goFuncType returns the type of a template's function in this program, nil where it takes
// or gives others than numbers, texts and lists of them.
func goFuncType(fn *value.Func) reflect.Type {
	sig := fn.Type.Underlying().(*types.Signature)
	var in []reflect.Type
	for param := range sig.Params().Variables() {
		in = append(in, sameGoType(param.Type()))
	}
	out := []reflect.Type{sameGoType(sig.Results().At(0).Type())}
	if slices.Contains(in, nil) || out[0] == nil {
		return nil
	}
	if sig.Results().Len() > 1 {
		out = append(out, reflect.TypeFor[error]())
	}
	return reflect.FuncOf(in, out, sig.Variadic())
}

// sameGoType returns the type of this program that is one of the evaluated program's, nil
// for another one.
func sameGoType(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return value.GoTypes[t.Kind()]
	case *types.Slice:
		if elem := sameGoType(t.Elem()); elem != nil {
			return reflect.SliceOf(elem)
		}
	}
	return nil
}

// functions returns functions of this program that call those of the evaluated one.
func (x *execution) functions(funcs map[string]*value.Func) template.FuncMap {
	made := make(template.FuncMap, len(funcs))
	for name, fn := range funcs {
		made[name] = reflect.MakeFunc(goFuncType(fn), func(in []reflect.Value) []reflect.Value { return x.call(fn, in) }).Interface()
	}
	return made
}

// errPanicked is the error of a function that has panicked: package template makes one of
// the panic.
var errPanicked = errors.New("the function panicked")

// call calls a function of the evaluated program. Package template recovers from whatever
// happens in it: what ends more than the function is kept.
func (x *execution) call(fn *value.Func, in []reflect.Value) []reflect.Value {
	defer func() {
		if v := recover(); v != nil {
			if v != errPanicked && v != errStopped {
				x.passing = v
			}
			panic(v)
		}
	}()
	args, lent := x.args(fn, in)
	var result value.Value
	var panicked value.Value
	var ended value.Answer
	keeps := x.following(lent, func() { panicked, ended = x.c.Recovered(func() { result = x.c.Call(x.c.At, fn, args) }) })
	switch {
	case keeps: // the copy, in the place of what the program may change later
		x.c.Lost(x.c.At, value.UnknownAt(x.c.At.Pos(), "a function of the template, which keeps a list that it is given"), "have it keep a copy")
		x.stop()
	case x.stopped:
		x.stop()
	case ended == value.No && panicked != nil:
		panic(errPanicked)
	case ended == value.No:
		x.c.Goexit()
	case ended == value.Perhaps:
		x.stop()
	}
	return x.results(goFuncType(fn), result)
}

// args returns the arguments of a function, and the elements of lists among them: those are copies.
// Nothing more is known where the function changes them or keeps them, and of their arrays not which
// capacity they have. The list of variadic arguments is made for the call.
func (x *execution) args(fn *value.Func, in []reflect.Value) (args []value.Value, lent []*value.Cell) {
	sig := fn.Type.Underlying().(*types.Signature)
	for i, r := range in {
		arg := x.c.fromGo(r, sig.Params().At(i).Type())
		args = append(args, arg)
		if sig.Variadic() && i == len(in)-1 {
			list, _ := elements(arg)
			for _, v := range list {
				lent = append(lent, lentOf(v)...)
			}
			continue
		}
		lent = append(lent, lentOf(arg)...)
	}
	return args, lent
}

func lentOf(v value.Value) (cells []*value.Cell) {
	s, isList := v.(*value.Slice)
	if !isList {
		return nil
	}
	s.Open = true
	for _, cell := range s.Elems[:cap(s.Elems)] {
		cells = append(append(cells, cell), lentOf(cell.Load())...)
	}
	return cells
}

// stop ends the execution, of which nothing more is known.
func (x *execution) stop() {
	x.stopped = true
	panic(errStopped)
}

// results turns the results of a function into those of this program.
func (x *execution) results(t reflect.Type, result value.Value) []reflect.Value {
	all, ok := result.(value.Tuple)
	if !ok {
		all = value.Tuple{result}
	}
	results := make([]reflect.Value, t.NumOut())
	for i := range results {
		if t.Out(i) == reflect.TypeFor[error]() {
			results[i] = x.errorToGo(all[i])
			continue
		}
		r, unknown := x.c.toGo(all[i], t.Out(i))
		if unknown != nil || isLarge(r) {
			x.stop()
		}
		results[i] = r
		x.shown = append(x.shown, reachOf(all[i])...)
	}
	return results
}

// isLarge reports whether a template that ranges over a value may take long.
func isLarge(r reflect.Value) bool {
	switch {
	case r.CanInt():
		return r.Int() > maxFromTemplateFunc
	case r.CanUint():
		return r.Uint() > maxFromTemplateFunc
	case r.Kind() == reflect.Slice:
		return r.Len() > maxFromTemplateFunc
	default:
		return false
	}
}

// errorToGo returns an error where the evaluated program has one.
func (x *execution) errorToGo(v value.Value) reflect.Value {
	err := reflect.New(reflect.TypeFor[error]()).Elem()
	switch {
	case isNilInterface(v):
	case value.IsNonNil(v):
		err.Set(reflect.ValueOf(errPanicked))
	default:
		x.stop()
	}
	return err
}
