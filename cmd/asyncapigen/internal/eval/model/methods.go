package model

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// methods prints a value by the method that package fmt chooses, and reports
// whether it has one (handleMethods in fmt's print.go).
func (p *printer) methods(v value.Value, verb rune) bool {
	if p.erroring {
		return false
	}
	if verb == 'w' {
		if !p.wrapErrs || value.HasType(v, errorType) != value.Yes {
			p.badVerb(v, verb, func() { p.value(v, nil, 'v', true, callable) })
			return true
		}
		verb = 'v'
	}
	if t, ok := v.(typeValue); ok {
		return p.reflectType(t, verb)
	}
	if p.c.isFormatter(v) {
		p.calling(v, verb, "Format", func() { p.formatBy(v, verb) })
		return true
	}
	names := []string{"Error", "String"}
	printedAs := verb
	switch {
	case p.sharpV:
		names, printedAs = []string{"GoString"}, 's'
	case !strings.ContainsRune("vsxXq", verb):
		return false
	}
	for _, name := range names {
		if hasMethod(v, name, nil, []types.Type{stringType}) {
			p.calling(v, verb, name, func() {
				text, _ := p.c.callMethod(v, name)
				p.printed(text, printedAs)
			})
			return true
		}
	}
	return false
}

// reflectType prints a reflect.Type by its String method.
func (p *printer) reflectType(v typeValue, verb rune) bool {
	name, ok := reflectName(v.t)
	if !ok || p.sharpV || !strings.ContainsRune("vsxXq", verb) {
		return false
	}
	p.printed(text(name), verb)
	return true
}

// printed prints the result of a method.
func (p *printer) printed(v value.Value, verb rune) {
	text, known := value.TextOf(v)
	if !known {
		p.giveUp(p.c.because(v))
	}
	sharpV, plusV := p.sharpV, p.plusV
	p.sharpV, p.plusV = false, false
	p.leaf(text, verb)
	p.sharpV, p.plusV = sharpV, plusV
}

// calling calls a method by f. Its panics are printed.
func (p *printer) calling(v value.Value, verb rune, name string, f func()) {
	d, sharpV, plusV := p.d, p.sharpV, p.plusV
	panicked, ended := p.c.Recovered(f)
	switch p.d, p.sharpV, p.plusV = d, sharpV, plusV; {
	case ended == value.Yes:
		return
	case ended == value.Perhaps:
		p.mayHavePanicked(v, panicked)
		return
	case panicked == nil:
		p.c.Goexit()
	}
	if n, isNil := v.(value.Nil); isNil && value.Pointee(n.Type) != nil {
		p.write("<nil>")
		return
	}
	if p.panicking {
		p.c.Panic(p.c.At, panicked)
	}
	p.d, p.sharpV, p.plusV = directive{}, false, false
	p.write("%!" + string(verb) + "(PANIC=" + name + " method: ")
	p.panicking = true
	p.operand(panicked, 'v')
	p.panicking = false
	p.write(")")
	p.d, p.sharpV, p.plusV = d, sharpV, plusV
}

// mayHavePanicked goes on after a method of v that may have panicked. What it panicked with
// is printed, too.
func (p *printer) mayHavePanicked(v, with value.Value) {
	if p.panicking {
		p.c.Risk(p.c.At)
	}
	why := p.c.because(v)
	p.c.MayCallAny(p.c.At, why, strings.Fields(printing)...)
	for _, one := range with.(value.Tuple) {
		p.c.MayCall(p.c.At, one, strings.Fields(printing)...)
	}
	p.giveUp(why)
}

// The State that a Format method writes to.
var formatState = newLibraryType("fmt", "pp",
	[]field{{"buf", stringType}, {"flags", stringType}, {"wid", intType}, {"prec", intType}},
	method{"Write", []types.Type{bytesType}, []types.Type{intType, errorType}},
	method{"WriteString", []types.Type{stringType}, []types.Type{intType, errorType}},
	method{"Width", nil, []types.Type{intType, boolType}},
	method{"Precision", nil, []types.Type{intType, boolType}},
	method{"Flag", []types.Type{intType}, []types.Type{boolType}},
)

// isFormatter reports whether a value formats itself.
func (c *Call) isFormatter(v value.Value) bool {
	fn := lookupMethod(v, "Format")
	if fn == nil {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 2 && sig.Results().Len() == 0 && !sig.Variadic() &&
		types.TypeString(sig.Params().At(0).Type(), nil) == "fmt.State" &&
		types.Identical(sig.Params().At(1).Type(), types.Typ[types.Int32])
}

// formatBy calls a Format method.
func (p *printer) formatBy(v value.Value, verb rune) {
	number := func(n int, set bool) value.Value {
		if !set {
			return value.Nil{Type: intType}
		}
		return integer(n)
	}
	d := p.d
	d.sharp, d.plus = d.sharp || p.sharpV, d.plus || p.plusV
	state := formatState.with(text(""), text(d.flags()), number(d.width, d.hasWidth), number(d.precision, d.hasPrecision))
	buf := state.Load().(*value.Struct).Fields[0]
	letter := value.NewConst(constant.MakeInt64(int64(verb)), types.Typ[types.Int32])
	panicked, ended := p.c.Recovered(func() { p.c.callMethod(v, "Format", state, letter) })
	written, known := value.TextOf(buf.Load())
	if !known {
		p.giveUp(p.c.because(buf.Load()))
	}
	p.write(written)
	switch {
	case ended == value.Perhaps:
		p.mayHavePanicked(v, panicked)
	case ended == value.No && panicked == nil:
		p.c.Goexit()
	case ended == value.No:
		p.c.Panic(p.c.At, panicked)
	}
}

// AnyState returns the State that package fmt gives a Format method, of which nothing
// else is known.
func AnyState(why *value.Unknown) value.Value {
	return formatState.with(why, why, why, why)
}

// stateWrite is the model of the Write and WriteString methods of a State.
func stateWrite(c *Call) (value.Value, bool) {
	buf := c.fieldOf(0)
	if buf == nil {
		return nil, false
	}
	return c.writeText(buf, c.Args[0]), true
}

// stateNumber is the model of the Width and Precision methods of a State.
func stateNumber(i int) Function {
	return func(c *Call) (value.Value, bool) {
		cell := c.fieldOf(i)
		if cell == nil {
			return nil, false
		}
		switch n := cell.Load().(type) {
		case value.Nil:
			return value.Tuple{integer(0), boolean(false)}, true
		case *value.Unknown:
			return value.Tuple{n, n}, true
		default:
			return value.Tuple{n, boolean(true)}, true
		}
	}
}

// stateFlag is the model of the Flag method of a State.
func stateFlag(c *Call) (value.Value, bool) {
	cell := c.fieldOf(1)
	n, known := value.IntOf(c.Args[0])
	if cell == nil || !known {
		return c.because(c.Args...), true
	}
	flags, known := value.TextOf(cell.Load())
	if !known {
		return c.because(cell.Load()), true
	}
	return boolean(slices.ContainsFunc([]byte(flags), func(flag byte) bool { return int(flag) == n })), true
}

// lookupMethod returns a method of a value's dynamic type, nil where it has none
// with the name.
func lookupMethod(v value.Value, name string) *types.Func {
	t := value.TypeOf(v)
	if t == nil || isNilInterface(v) {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	fn, _ := obj.(*types.Func)
	return fn
}

// hasMethod reports whether a value's dynamic type has a method with the
// signature.
func hasMethod(v value.Value, name string, params, results []types.Type) bool {
	fn := lookupMethod(v, name)
	return fn != nil && sameTuple(fn.Signature().Params(), params) && sameTuple(fn.Signature().Results(), results) && !fn.Signature().Variadic()
}

func sameTuple(have *types.Tuple, want []types.Type) bool {
	if have.Len() != len(want) {
		return false
	}
	for i, t := range want {
		if !value.SameType(have.At(i).Type(), t) {
			return false
		}
	}
	return true
}

// callMethod calls the method with a name and reports whether the value is known
// to have it. The result of what isn't known isn't.
func (c *Call) callMethod(v value.Value, name string, args ...value.Value) (value.Value, bool) {
	fn := c.Method(c.At, v, name)
	if fn == nil {
		return c.because(v), false
	}
	return c.Call(c.At, fn, args), true
}
