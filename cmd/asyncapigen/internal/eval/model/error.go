package model

import (
	"errors"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The errors that the library makes are determined: each has an identity and,
// where its parts are known, a text.

var (
	toText    = method{name: "Error", results: []types.Type{stringType}}
	toError   = method{name: "Unwrap", results: []types.Type{errorType}}
	toErrors  = method{name: "Unwrap", results: []types.Type{errorsType}}
	msgField  = field{"msg", stringType}
	errsField = field{"errs", errorsType}

	errorString = newLibraryType("errors", "errorString", []field{{"s", stringType}}, toText)
	joinError   = newLibraryType("errors", "joinError", []field{errsField}, toText, toErrors)
	wrapError   = newLibraryType("fmt", "wrapError", []field{msgField, {"err", errorType}}, toText, toError)
	wrapErrors  = newLibraryType("fmt", "wrapErrors", []field{msgField, errsField}, toText, toErrors)
)

// errorFromGo turns an error of this program into one of the evaluated program.
func (c *Call) errorFromGo(err error) value.Value {
	switch err := err.(type) {
	case *strconv.NumError:
		if name, ok := c.Fn.Obj.Pkg().Scope().Lookup("NumError").(*types.TypeName); ok {
			fields := []value.Value{text(err.Func), text(err.Num), c.errorFromGo(err.Err)}
			return libraryType{named: name.Type().(*types.Named), pointer: types.NewPointer(name.Type())}.with(fields...)
		}
	default:
		if reflect.TypeOf(err) == reflect.TypeOf(errors.New("")) {
			return c.Held(c.Fn.Obj.Pkg().Path(), err)
		}
	}
	return &value.Unknown{Reason: "the error of " + value.Source(c.At), Pos: c.At.Pos(), NonNil: true, Library: isStandard(err)}
}

// isStandard reports whether an error is of a type of the standard library.
func isStandard(err error) bool {
	t := reflect.TypeOf(err)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	domain, _, _ := strings.Cut(t.PkgPath(), "/")
	return domain != "" && !strings.Contains(domain, ".")
}

// numErrorText is the model of the Error method of a strconv.NumError.
func numErrorText(c *Call) (value.Value, bool) {
	cell := c.fieldOf(2)
	if cell == nil {
		return nil, false
	}
	cause := c.callError(cell.Load(), "Error")
	why, known := value.TextOf(cause)
	function, alsoKnown := value.TextOf(c.fieldOf(0).Load())
	num, knownToo := value.TextOf(c.fieldOf(1).Load())
	if !known || !alsoKnown || !knownToo {
		return c.because(cause, c.fieldOf(0).Load(), c.fieldOf(1).Load()), true
	}
	return c.boundedText((&strconv.NumError{Func: function, Num: num, Err: errors.New(why)}).Error()), true
}

// HoldsText reports whether v is an error of errors.New or fmt.Errorf: its text is made
// already, so that Error calls no method of what it wraps.
func HoldsText(v value.Pointer) bool {
	switch types.TypeString(v.Type, nil) {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors":
		return true
	}
	return false
}

// errorsNew is the model of errors.New.
func errorsNew(c *Call) (value.Value, bool) { return errorString.with(c.Args[0]), true }

// errorf is the model of fmt.Errorf.
func errorf(c *Call) (value.Value, bool) {
	p := &printer{c: c, wrapErrs: true}
	message := p.printf(c.Args)
	operands, ok := elements(c.Args[1])
	if !ok || value.IsUnknown(c.Args[0]) { // it may wrap something
		return &value.Unknown{Reason: "the error " + value.Source(c.At), Pos: c.At.Pos(), NonNil: true}, true
	}
	switch len(p.wrapped) {
	case 0:
		return errorString.with(message), true
	case 1:
		return wrapError.with(message, asError(operands[p.wrapped[0]])), true
	}
	var errs []value.Value
	for _, n := range p.wrappedOnce() {
		v := asError(operands[n])
		if value.IsUnknown(v) { // it may be no error
			return wrapErrors.with(message, c.because(operands...)), true
		}
		if !isNilInterface(v) {
			errs = append(errs, v)
		}
	}
	return wrapErrors.with(message, newSlice(errorsType, errs...)), true
}

// asError is v.(error), nil where that fails.
func asError(v value.Value) value.Value {
	if value.HasType(v, errorType) == value.No {
		return value.Nil{Type: errorType}
	}
	return v
}

// errorsJoin is the model of errors.Join.
func errorsJoin(c *Call) (value.Value, bool) {
	all, ok := elements(c.Args[0])
	if !ok {
		return c.because(c.Args[0]), true
	}
	var errs []value.Value
	var unknown *value.Unknown
	for _, v := range all {
		if u, ok := v.(*value.Unknown); ok && !u.NonNil {
			unknown = u
		} else if !isNilInterface(v) {
			errs = append(errs, v)
		}
	}
	switch {
	case unknown != nil:
		joined := &value.Unknown{Reason: unknown.Reason, Pos: unknown.Pos, Unread: unknown.Unread, NonNil: len(errs) > 0}
		return joined.Of(all...), true
	case len(errs) == 0:
		return value.Nil{Type: errorType}, true
	default:
		return joinError.with(newSlice(errorsType, errs...)), true
	}
}

// joinErrorText is the model of the Error method of what errors.Join returns.
func joinErrorText(c *Call) (value.Value, bool) {
	cell := c.fieldOf(0)
	if cell == nil {
		return nil, false
	}
	errs, ok := elements(cell.Load())
	if !ok {
		return c.because(cell.Load()), true
	}
	lines := make([]string, len(errs))
	var unknown value.Value
	for i, err := range errs {
		if u, ok := err.(*value.Unknown); ok && !u.Library {
			c.mayAsk(u, "Error")
		}
		v := c.callError(err, "Error")
		line, known := value.TextOf(v)
		if !known && unknown == nil {
			unknown = c.because(v)
		}
		lines[i] = line
	}
	if unknown != nil {
		return unknown, true
	}
	return c.boundedText(strings.Join(lines, "\n")), true
}

// callError calls a method of an error, which panics where it is that of an interface which is nil.
func (c *Call) callError(err value.Value, name string, args ...value.Value) value.Value {
	result, ok := c.callMethod(err, name, args...)
	if !ok && !value.IsUnknown(err) {
		c.Risk(c.At)
	}
	return result
}

// errorsUnwrap is the model of errors.Unwrap.
func errorsUnwrap(c *Call) (value.Value, bool) {
	v := c.Args[0]
	if u, ok := v.(*value.Unknown); ok {
		c.mayAsk(u, "Unwrap")
		return c.because(v), true
	}
	if !hasMethod(v, "Unwrap", nil, []types.Type{errorType}) {
		return value.Nil{Type: errorType}, true
	}
	return c.callError(v, "Unwrap"), true
}

// errorsIs is the model of errors.Is.
func errorsIs(c *Call) (value.Value, bool) {
	err, target := c.Args[0], c.Args[1]
	if isNilInterface(err) && isNilInterface(target) {
		return boolean(true), true
	}
	if isNilInterface(target) && holdsValue(err) || isNilInterface(err) && holdsValue(target) {
		return boolean(false), true
	}
	t := value.TypeOf(target)
	if u, isUnknown := err.(*value.Unknown); t == nil && isUnknown {
		c.mayAsk(u, "Is", "Unwrap")
		return c.because(c.Args...), true
	}
	if t == nil {
		return nil, false
	}
	comparable := types.Comparable(t)
	matches := func(err value.Value) (value.Answer, *value.Unknown) {
		if comparable {
			switch c.compare(err, target) {
			case value.Yes:
				return value.Yes, nil
			case value.Perhaps:
				if value.MayBeUncomparable(err, errorType) && value.MayBeUncomparable(target, errorType) {
					c.Risk(c.At)
				}
				return value.Perhaps, c.because(err, target)
			}
		}
		return c.asks(err, "Is", errorType, target)
	}
	var is value.Value
	c.Giving(c.Args[1:], func() { is = c.firstError(err, c.IsOwnError(target), matches) })
	return is, true
}

// WalkedError returns the error whose tree a function walks, where it is one of several:
// they are walked one by one. It is nil else.
func WalkedError(fn *value.Func, args []value.Value) *value.Unknown {
	switch fn.Obj.FullName() {
	case "errors.As", "errors.Is", "errors.Unwrap":
		if u, ok := args[0].(*value.Unknown); ok && u.Among != nil {
			return u
		}
	}
	return nil
}

// mayAsk follows the methods of an error that isn't known, which may panic.
func (c *Call) mayAsk(err *value.Unknown, methods ...string) {
	if err.Among != nil && !slices.ContainsFunc(err.Among, func(v value.Value) bool { return !asksNothing(v) }) {
		return
	}
	c.MayCallAny(c.At, err, methods...)
	if !err.Library {
		c.Risk(c.At)
	}
}

// asksNothing reports whether an error is nil, or of errors.New.
func asksNothing(v value.Value) bool {
	p, ok := v.(value.Pointer)
	return ok && types.TypeString(p.Type, nil) == "*errors.errorString" || isNilInterface(v)
}

// holdsValue reports whether an interface is surely not nil: it may hold a nil
// pointer.
func holdsValue(v value.Value) bool {
	u, unknown := v.(*value.Unknown)
	return unknown && u.NonNil || !unknown && !isNilInterface(v)
}

// asks calls the method Is or As of an error, if it has one.
func (c *Call) asks(err value.Value, name string, param types.Type, arg value.Value) (value.Answer, *value.Unknown) {
	if !hasMethod(err, name, []types.Type{param}, []types.Type{boolType}) {
		return value.No, nil
	}
	v := c.callError(err, name, arg)
	switch holds, known := value.Truth(v); {
	case !known:
		return value.Perhaps, c.because(v)
	case holds:
		return value.Yes, nil
	}
	return value.No, nil
}

// firstError goes through the tree of err, depth first, and says whether one of its
// errors matches what is looked for: own says that no error of the standard library does.
func (c *Call) firstError(err value.Value, own bool, matches func(value.Value) (value.Answer, *value.Unknown)) value.Value {
	answer, why := c.walkErrors(err, own, matches, 0)
	if why != nil {
		return why
	}
	return boolean(answer == value.Yes)
}

const maxErrors = 1000 // an error may wrap itself

func (c *Call) walkErrors(err value.Value, own bool, matches func(value.Value) (value.Answer, *value.Unknown), depth int) (value.Answer, *value.Unknown) {
	for {
		u, isUnknown := err.(*value.Unknown)
		if isUnknown && u.Library && own {
			return value.No, nil
		}
		if c.Work(1); isUnknown && u.Type == nil {
			c.mayAsk(u, "Is", "As", "Unwrap")
		}
		if isUnknown && u.Type == nil || depth > maxErrors {
			return value.Perhaps, c.because(err)
		}
		if answer, why := matches(err); answer != value.No || why != nil {
			return answer, why
		}
		if hasMethod(err, "Unwrap", nil, []types.Type{errorType}) {
			if err = c.callError(err, "Unwrap"); isNilInterface(err) {
				return value.No, nil
			}
			depth++
			continue
		}
		if !hasMethod(err, "Unwrap", nil, []types.Type{errorsType}) {
			return value.No, nil
		}
		list := c.callError(err, "Unwrap")
		all, ok := elements(list)
		if !ok {
			return value.Perhaps, c.because(list)
		}
		for _, v := range all {
			if answer, why := c.walkErrors(v, own, matches, depth+1); answer != value.No || why != nil {
				return answer, why
			}
		}
		return value.No, nil
	}
}

// errorsAs is the model of errors.As.
func errorsAs(c *Call) (value.Value, bool) {
	err, target := c.Args[0], c.Args[1]
	if isNilInterface(err) {
		return boolean(false), true
	}
	p, ok := target.(value.Pointer)
	switch {
	case value.IsUnknown(target):
		c.Risk(c.At)
		c.Expose(c.At, c.Args, value.UnknownResult(c.At))
		return c.because(target), true
	case isNilInterface(target):
		return c.refusesTarget(err, "errors: target cannot be nil"), true
	case !ok:
		return c.refusesTarget(err, "errors: target must be a non-nil pointer"), true
	}
	t := value.Pointee(p.Type)
	if !types.IsInterface(t) && !types.Implements(t, errorType.Underlying().(*types.Interface)) {
		return c.refusesTarget(err, "errors: *target must be interface or implement error"), true
	}
	found := c.firstError(err, !c.IsOfLibrary(t), func(err value.Value) (value.Answer, *value.Unknown) {
		switch value.HasType(err, t) {
		case value.Yes:
			c.Store(p.To, value.Unboxed(err, t), t)
			return value.Yes, nil
		case value.Perhaps:
			return value.Perhaps, c.because(err)
		}
		return c.asks(err, "As", anyType, target)
	})
	if u, ok := found.(*value.Unknown); ok {
		c.Expose(c.At, []value.Value{target}, u)
		c.Store(p.To, c.because(p.Load(), err), t) // it may be any error of the tree
	}
	return found, true
}

// refusesTarget ends errors.As by a panic, unless there is no error: the target isn't
// looked at then.
func (c *Call) refusesTarget(err value.Value, why string) value.Value {
	if holdsValue(err) {
		c.panics(why)
	}
	c.Risk(c.At)
	return boolean(false)
}

// errorsAsType is the model of errors.AsType.
func errorsAsType(c *Call) (value.Value, bool) {
	if len(c.Fn.TArgs) != 1 {
		return nil, false
	}
	t := c.Fn.TArgs[0]
	found := value.NewCell(value.Zero(t))
	if isNilInterface(c.Args[0]) {
		return value.Tuple{found.Load(), boolean(false)}, true
	}
	holds := c.firstError(c.Args[0], !c.IsOfLibrary(t), func(err value.Value) (value.Answer, *value.Unknown) {
		switch value.HasType(err, t) {
		case value.Yes:
			c.Store(found, value.Unboxed(err, t), t)
			return value.Yes, nil
		case value.Perhaps:
			return value.Perhaps, c.because(err)
		}
		return c.asks(err, "As", anyType, value.Pointer{Type: types.NewPointer(t), To: found})
	})
	if u, ok := holds.(*value.Unknown); ok {
		return value.Tuple{c.because(u, c.Args[0], found.Load()), u}, true
	}
	if is, _ := value.Truth(holds); !is { // though a method As may have written to it
		return value.Tuple{value.Zero(t), holds}, true
	}
	return value.Tuple{found.Load(), holds}, true
}

// endProgram is the model of functions that end the program.
func endProgram(c *Call) (value.Value, bool) {
	c.Exit()
	return nil, false
}

// replaceProgram is the model of syscall.Exec, which returns only if it fails.
func replaceProgram(c *Call) (value.Value, bool) {
	c.MayExit(c.At)
	return nil, false
}

// endGoroutine is the model of runtime.Goexit.
func endGoroutine(c *Call) (value.Value, bool) {
	c.Goexit()
	return nil, false
}

// logPanic is the model of log.Panic, Panicf and Panicln: they panic with the
// text.
func logPanic(text func(*printer, []value.Value) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		c.Panic(c.At, text(&printer{c: c}, c.Args))
		return nil, false
	}
}
