package discover

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// register notes the routes of a call of Register or MustRegister of a router.
func (f *finder) register(at ast.Expr, router any, args []value.Value, codecs []asked) {
	if len(args) != 1 {
		return
	}
	switch routes := args[0].(type) {
	case value.Nil:
	case *value.Slice:
		for i, cell := range routes.Elems {
			f.registerRoute(at, router, cell.Load(), codecs[i])
		}
	default:
		f.reportUnknown(diagnostic.UnknownRoute, at, "the routes of this call aren't known", routes)
	}
}

func (f *finder) registerRoute(at ast.Expr, router any, v value.Value, codec asked) {
	s, ok := v.(*value.Struct)
	if !ok {
		f.reportUnknown(diagnostic.UnknownRoute, at, "the route isn't known", v)
		return
	}
	if why := oneUnknown(s); why != nil {
		f.reportUnknown(diagnostic.UnknownRoute, at, "the route isn't known", why)
		return
	}
	cond := f.ev.Uncertain()
	way := f.ev.Way()
	made := registration{way: way, isIn: len(way) > 0, functions: functionsOf(fieldOf(s, "Handler"))}
	f.noteLate()
	unknown := f.apart(func() {
		r := reader{finder: f, at: at, route: s, asked: codec}
		made.route = r.read()
		made.route.Router, made.isLost = router, r.lost
		if !r.lost {
			f.checkOrder(at, made.route)
		}
	})
	if cond == nil {
		f.addAll(unknown)
	} else {
		f.ev.Decide(cond)
		made.unknown = unknown.diagnostics
	}
	if made.isLost && cond == nil || !made.isLost && cond != nil && f.repeats(repetition{made.route, cond}) {
		return
	}
	f.registrations = append(f.registrations, made)
}

func (f *finder) reportConditional(name string, cond *eval.Condition) {
	f.ev.Decide(cond)
	about := subject{route: "the route " + quoted(name), verb: "registered under a condition that isn't known"}
	d := diagnostic.Diagnostic{
		Code:   diagnostic.UnknownCondition,
		Remedy: "register it in every case, or decide by a constant",
	}
	if cond.Loop {
		d.Code = diagnostic.UnknownLoop
		about.verb = "registered in a loop whose rounds aren't known"
		d.Remedy = "loop over a table that the code determines"
	}
	if cond.Why != nil && cond.Why.CommandLine && !cond.Loop && !cond.Call {
		d.Remedy = "register it in every case, or give the value by " + valueDirective + " on this line"
	}
	d.Why = whyUnknown(cond)
	f.reportAbout(cmp.Or(cond.Own, cond.Pos), about, d)
}

// whyUnknown returns the text of a condition, with the reason why it isn't known.
func whyUnknown(cond *eval.Condition) string {
	if cond.Why == nil || cond.Why.Reason == "" {
		return cond.Text
	}
	if first, _, _ := strings.Cut(cond.Why.Reason, ", and so on "); first == "the result of "+cond.Text {
		return cond.Why.Reason
	}
	return cond.Text + " depends on " + cond.Why.Reason
}

func quoted(name string) string {
	if name == "" {
		return "(unnamed)"
	}
	return fmt.Sprintf("%q", name)
}

// reportUnknown says that something needed isn't known, at the place where the
// knowledge ended.
func (f *finder) reportUnknown(code diagnostic.Code, at ast.Expr, what string, v value.Value) {
	pos, d := f.unknown(code, at, v)
	d.What = what
	f.report(pos, d)
}

// unknown returns what there is to say about a value that isn't known, but for what
// needs it.
func (f *finder) unknown(code diagnostic.Code, at ast.Expr, v value.Value) (token.Pos, diagnostic.Diagnostic) {
	pos := at.Pos()
	d := diagnostic.Diagnostic{
		Code:   code,
		Why:    "the code that is analysed doesn't determine it",
		Remedy: remedies[code],
	}
	if u, ok := v.(*value.Unknown); ok {
		d.Why = "it is " + u.Reason
		if f.isOwnCode(u.Pos) {
			pos = u.Pos
		}
		if u.Field != nil && !isOfLibrary(u.Field) {
			d.Why = "it is " + f.partOf(u.Field, u.Reason)
		}
		if u.Foreign && f.isOwnField(u.Field) {
			pos = u.Field.Pos() // the place for its value
		}
		if code == diagnostic.UnknownValue || u.Env != "" { // what chooses it can be given
			d.Remedy = f.valueRemedy(u, pos)
		}
	}
	return pos, d
}

// partOf names a field of what a reason says. Who wrote the program doesn't know fields that
// others don't export, but the type that has one.
func (f *finder) partOf(field *types.Var, reason string) string {
	if field.Exported() || f.isOwnField(field) {
		return "the field " + field.Name() + " of " + reason
	}
	rest, isValue := strings.CutPrefix(reason, "a value ")
	if owner := exportedOwner(field); owner != nil && isValue {
		return "a value of type " + owner.Pkg().Name() + "." + owner.Name() + " " + rest
	}
	return reason
}

// exportedOwner returns the exported type of a package that has a field, nil where there is none.
func exportedOwner(field *types.Var) types.Object {
	scope := field.Pkg().Scope()
	for _, name := range scope.Names() {
		obj, isType := scope.Lookup(name).(*types.TypeName)
		if !isType || !obj.Exported() {
			continue
		}
		if u, isStruct := obj.Type().Underlying().(*types.Struct); isStruct && slices.Contains(slices.Collect(u.Fields()), field.Origin()) {
			return obj
		}
	}
	return nil
}

// isOwnField reports whether a struct's field is declared in the program's own
// code, so that a directive can stand there.
func (f *finder) isOwnField(field *types.Var) bool {
	return field != nil && field.Pkg() != nil && f.program.IsOwn(field.Pkg().Path()) && !isOfLibrary(field)
}

// isOwnCode reports whether pos is in the program's own code.
func (f *finder) isOwnCode(pos token.Pos) bool {
	return slices.ContainsFunc(f.program.Own(), func(pkg *load.Package) bool { return pkg.FileAt(pos) != nil })
}

// isOfLibrary reports whether a field is one of warren's own types.
func isOfLibrary(field *types.Var) bool {
	return field.Pkg() != nil && load.IsLibrary(field.Pkg().Path())
}

// valueRemedy says what to write in place of a value that isn't known, and where
// a directive can give it.
func (f *finder) valueRemedy(u *value.Unknown, pos token.Pos) string {
	remedy := remedies[diagnostic.UnknownValue]
	switch {
	case u.Remedy != "":
		remedy = u.Remedy
	case u.Env != "":
		fallback := "default"
		if u.Fallback.Text != "" && f.isOwnCode(u.Fallback.Pos) {
			fallback = u.Fallback.Text
		}
		remedy = fmt.Sprintf("write runtime.Env(%q, %q)", u.Env, fallback)
	}
	place := u.Place
	if f.isOwnField(u.Field) && takesDirective(u.Field.Type()) {
		place = u.Field.Pos()
	}
	if !place.IsValid() {
		return remedy
	}
	at, here := f.program.Position(place), f.program.Position(pos)
	where := " on this line"
	if at.Filename != here.Filename || at.Line != here.Line {
		where = fmt.Sprintf(" at %s:%d", at.Filename, at.Line)
	}
	return remedy + ", or give the value by " + valueDirective + where
}

var remedies = map[diagnostic.Code]string{
	diagnostic.UnknownValue:   "write it as a constant",
	diagnostic.UnknownRoute:   "build the routes from values that the code determines",
	diagnostic.UnknownHandler: "make it by runtime.Consume or runtime.Respond of a function with a concrete message type",
}

// report adds an error at pos.
func (f *finder) report(pos token.Pos, d diagnostic.Diagnostic) {
	d.Pos = f.program.Position(pos)
	f.diagnostics.Add(d)
}
