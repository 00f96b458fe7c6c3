// Package sends finds what a program sends: the calls of the publishers and callers
// of package runtime, and so of generated clients, that the program can come to, with
// the targets that these were made with.
//
//	result := discover.Routes(ctx, program, discover.Constructions())
//	all, problems := sends.Find(program, result, client.Sends(result.Routes))
//
// Three questions are answered one by one:
//
//	reach.go     which code can the program run? By type information, and more rather
//	             than less: what it refers to, and methods that are called through
//	             interfaces.
//	flow.go      where was the publisher made that is used there? By all that the
//	             variable or the field is set to; where that can't be told, any
//	             publisher of messages of that type may be meant.
//	target.go    where does it send? The evaluation knows the endpoints of publishers
//	             that are made at the start; else the code itself may say it.
//
// What can't be told is a warning, since the contract of what the service consumes
// holds all the same. See docs/decisions/0064.
package sends

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// Find returns what the program sends, in the order of the targets, and warns of what
// it sends to targets that aren't known. The result is one of discovery with
// discover.Constructions. Own has what the methods of the program's own client send, by
// their names: the client isn't read.
func Find(program *load.Program, result discover.Result, own map[string]registered.Send) ([]registered.Send, diagnostic.List) {
	linked := linkedWith(result.Entries())
	f := &finder{program: program, result: result, made: make(map[ast.Expr][]discover.Construction)}
	if slices.ContainsFunc(linked, func(pkg *load.Package) bool { return importsPath(pkg, program.ClientPath) }) {
		f.own = own
	}
	f.reach = newReach(program, linked)
	f.reach.visit, f.reach.promoted = f.visit, f.promoted
	f.reach.run(linked, result.Entries())
	f.flow = newFlow(f.reach, linked)
	for _, made := range result.Constructions() {
		f.made[made.At] = append(f.made[made.At], made)
	}
	f.constructInPassing()
	for _, s := range f.sendings {
		f.targets(s)
	}
	f.reportLost()
	for _, s := range f.transports {
		f.transport(s)
	}
	slices.SortStableFunc(f.found, compareSends)
	return f.found, f.problems
}

// finder finds the sends of a program.
type finder struct {
	program    *load.Program
	result     discover.Result
	reach      *reach
	flow       *flow
	made       map[ast.Expr][]discover.Construction // by the evaluation, by the call
	sites      []*site
	sendings   []sending
	transports []transportSend
	own        map[string]registered.Send // nil where the own client isn't used
	setsEnv    bool

	found    []registered.Send
	untold   []untold
	problems diagnostic.List
}

// An untold is something that is made with a target that isn't known, and who sends by it.
type untold struct {
	made            discover.Construction
	surely, perhaps []token.Pos
}

// A site is a call by which a publisher or a caller is made, in code that the program
// can run.
type site struct {
	place
	call   ast.Expr      // nil for a function that is taken as a value
	pkg    *load.Package // nil where only the evaluation knows the call
	isCall bool          // it makes a caller
	body   types.Type    // its type arguments, maybe with type parameters
	result types.Type    // nil of a publisher

	known []discover.Construction // nil until asked for
}

// A sending is a use of a method that sends.
type sending struct {
	place
	pkg      *load.Package
	receiver ast.Expr   // the publisher; nil where only its type is known
	field    *types.Var // within the receiver, where the method is promoted from it
	body     types.Type // of the publisher's type arguments; nil for any
	isCall   bool
	keyed    bool
	key      ast.Expr         // of PublishKey; nil where it isn't at hand
	through  *types.Interface // whose method is called; nil for none
}

// visit notes the calls that make publishers, and those that send.
func (f *finder) visit(in *function, pkg *load.Package, node ast.Node, around []ast.Node) {
	switch node := node.(type) {
	case *ast.CallExpr:
		if makes(pkg, node) {
			s := &site{place: place{node.Pos(), in}, call: node, pkg: pkg}
			s.typed(callee(pkg, node), instanceOf(pkg, node.Fun))
			f.sites = append(f.sites, s)
		}
	case *ast.Ident:
		fn, ok := pkg.Info.Uses[node].(*types.Func)
		switch {
		case !ok:
		case fn.FullName() == "os.Setenv":
			f.setsEnv = true
		case isMaker(fn) && !isCalled(node, around):
			s := &site{place: place{node.Pos(), in}, pkg: pkg}
			s.typed(fn, pkg.Info.Instances[node].TypeArgs)
			f.sites = append(f.sites, s)
		}
	case *ast.SelectorExpr:
		f.visitSelector(in, pkg, node, around)
	}
}

func (s *site) typed(fn *types.Func, args *types.TypeList) {
	s.isCall = fn.Name() == "NewCaller"
	if args.Len() > 0 {
		s.body = args.At(0)
	}
	if args.Len() > 1 {
		s.result = args.At(1)
	}
}

// instanceOf returns the type arguments of the function that is called.
func instanceOf(pkg *load.Package, fun ast.Expr) *types.TypeList {
	var ident *ast.Ident
	ast.Inspect(fun, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && ident == nil && pkg.Info.Instances[id].TypeArgs != nil {
			if fn, ok := pkg.Info.Uses[id].(*types.Func); ok && isMaker(fn) {
				ident = id
			}
		}
		return true
	})
	if ident == nil {
		return nil
	}
	return pkg.Info.Instances[ident].TypeArgs
}

// makes reports whether a call makes a publisher or a caller.
func makes(pkg *load.Package, call *ast.CallExpr) bool {
	fn := callee(pkg, call)
	return fn != nil && isMaker(fn)
}

func isMaker(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == load.RuntimePath && fn.Signature().Recv() == nil &&
		(fn.Name() == "NewPublisher" || fn.Name() == "NewCaller")
}

// senderOf returns the type of publishers or callers whose method sends, nil for other
// methods.
func senderOf(fn *types.Func) *types.Named {
	if fn.Pkg() == nil || fn.Pkg().Path() != load.RuntimePath {
		return nil
	}
	named := value.NamedOf(fn.Signature().Recv().Type())
	if named == nil {
		return nil
	}
	if name := named.Obj().Name(); name == "Publisher" || name == "Caller" {
		return named
	}
	return nil
}

func (f *finder) visitSelector(in *function, pkg *load.Package, node *ast.SelectorExpr, around []ast.Node) {
	fn, ok := pkg.Info.Uses[node.Sel].(*types.Func)
	if send, isOwn := f.own[node.Sel.Name]; isOwn && (pkg.Info.Uses[node.Sel] == nil || ok && isAbstract(fn)) {
		f.addSend(send, place{node.Sel.Pos(), in})
	}
	selection := pkg.Info.Selections[node]
	if !ok || selection == nil {
		return
	}
	s := sending{place: place{node.Sel.Pos(), in}, pkg: pkg}
	if call, ok := callAround(node, around); ok && len(call.Args) > 1 {
		s.key = call.Args[1]
	}
	if sender := senderOf(fn); sender != nil {
		s.of(sender, fn)
		if selection.Kind() == types.MethodVal {
			s.receiver, s.field = node.X, implicitField(selection)
		}
		f.sendings = append(f.sendings, s)
		return
	}
	if isTransport(fn) {
		if in == nil || in.obj == nil || !isTransport(in.obj) { // else it passes on what it gets
			f.transports = append(f.transports, transportSend{s.place, pkg, s.key, fn.Name() == "Call"})
		}
		return
	}
	if isAbstract(fn) && isSendingName(fn.Name()) {
		s.through, _ = fn.Signature().Recv().Type().Underlying().(*types.Interface)
		s.isCall, s.keyed = strings.HasPrefix(fn.Name(), "Call"), strings.HasSuffix(fn.Name(), "Key")
		f.sendings = append(f.sendings, s)
	}
}

// isAbstract reports whether fn is a method of an interface.
func isAbstract(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

func isSendingName(name string) bool {
	return slices.Contains([]string{"Publish", "PublishKey", "PublishWords", "Call", "CallKey", "CallWords"}, name)
}

// of notes what is sent by a method of a publisher or a caller.
func (s *sending) of(sender *types.Named, fn *types.Func) {
	s.isCall, s.keyed = sender.Obj().Name() == "Caller", strings.HasSuffix(fn.Name(), "Key")
	if args := sender.TypeArgs(); args.Len() > 0 {
		s.body = args.At(0)
	}
}

// promoted notes a method that is called through an interface, by a struct that embeds a
// publisher.
func (f *finder) promoted(fn *types.Func, from place) {
	if sender := senderOf(fn); sender != nil {
		s := sending{place: from}
		s.of(sender, fn)
		f.sendings = append(f.sendings, s)
	}
}

func callAround(fun ast.Expr, around []ast.Node) (*ast.CallExpr, bool) {
	for i := len(around) - 1; ; i-- { // a declaration is around all
		switch outer := around[i].(type) {
		case *ast.ParenExpr:
			fun = outer
		case *ast.CallExpr:
			return outer, outer.Fun == fun
		default:
			return nil, false
		}
	}
}

// implicitField returns the embedded field from which a method is promoted, nil where
// it is the receiver's own.
func implicitField(selection *types.Selection) *types.Var {
	index := selection.Index()
	t := selection.Recv()
	var field *types.Var
	for _, i := range index[:len(index)-1] {
		s, ok := structOf(t)
		if !ok {
			return nil
		}
		field = s.Field(i)
		t = field.Type()
	}
	if field == nil {
		return nil
	}
	return field.Origin()
}

// constructInPassing adds the calls that only the evaluation knows, by function values.
func (f *finder) constructInPassing() {
	seen := make(map[ast.Expr]bool)
	for _, s := range f.sites {
		seen[s.call] = true
	}
	for _, made := range f.result.Constructions() {
		if !seen[made.At] {
			seen[made.At] = true
			f.sites = append(f.sites, &site{place: place{pos: made.At.Pos()}, call: made.At, isCall: made.Result != nil, body: made.Body, result: made.Result})
		}
	}
}

// targets adds what is sent by a use of a method.
func (f *finder) targets(s sending) {
	sites, all := f.sitesOf(s)
	for _, at := range sites {
		for _, made := range f.constructions(at) {
			switch {
			case !s.takes(made):
			case made.Lost != nil:
				f.lose(s, made, all)
			default:
				f.add(s, made)
			}
		}
	}
}

// sitesOf returns the sites that make the publisher of a sending: those from which it
// surely comes, or all of its type, where all is false.
func (f *finder) sitesOf(s sending) (found []*site, all bool) {
	var calls []*ast.CallExpr
	switch {
	case s.receiver == nil:
	case s.field != nil:
		calls, all = f.flow.held(s.field, make(map[any]bool))
	default:
		calls, all = f.flow.made(s.pkg, s.receiver, 0, make(map[any]bool))
	}
	for _, at := range f.sites {
		isMade := slices.ContainsFunc(calls, func(call *ast.CallExpr) bool { return at.call == ast.Expr(call) })
		if (!all || isMade) && f.fits(s, at) {
			found = append(found, at)
		}
	}
	return found, all
}

// fits reports whether what is made at a site can be what sends.
func (f *finder) fits(s sending, at *site) bool {
	if s.isCall != at.isCall || s.through != nil && !f.implements(at, s.through) {
		return false
	}
	return sameUnlessGeneric(s.body, at.body)
}

// takes reports whether what was made is of the type that sends.
func (s sending) takes(made discover.Construction) bool { return sameUnlessGeneric(s.body, made.Body) }

func sameUnlessGeneric(a, b types.Type) bool {
	return a == nil || b == nil || value.HasTypeParam(a) || value.HasTypeParam(b) || types.Identical(a, b)
}

// implements reports whether what is made at a site implements an interface.
func (f *finder) implements(at *site, i *types.Interface) bool {
	if at.body == nil || value.HasTypeParam(at.body) || isGeneric(i) {
		return true
	}
	name, args := "Publisher", []types.Type{at.body}
	if at.isCall {
		name, args = "Caller", append(args, at.result)
	}
	pkg := f.program.Exported(load.RuntimePath)
	if pkg == nil {
		return true
	}
	obj := pkg.Scope().Lookup(name)
	if obj == nil {
		return true
	}
	sender, err := types.Instantiate(nil, obj.Type(), args, false)
	return err != nil || types.Implements(types.NewPointer(sender), i)
}

// add adds a send, once for each target and type of messages.
func (f *finder) add(s sending, made discover.Construction) {
	send := registered.Send{Endpoint: made.Endpoint, HeadersUnknown: made.HeadersUnknown, Body: made.Body, Result: made.Result}
	if s.keyed && s.key != nil {
		if key, ok := f.text(source{pkg: s.pkg, expr: s.key}); ok {
			send.To.RoutingKey, send.Keys, send.Patterns = key, nil, nil
		}
	}
	f.addSend(send, s.place)
}

func (f *finder) addSend(send registered.Send, at place) {
	send.Pos = f.program.Position(f.userPos(at))
	same := func(other registered.Send) bool {
		return reflect.DeepEqual(other.Endpoint, send.Endpoint) && other.HeadersUnknown == send.HeadersUnknown &&
			types.Identical(other.Body, send.Body) && (other.Result == nil) == (send.Result == nil) &&
			(send.Result == nil || types.Identical(other.Result, send.Result))
	}
	if !slices.ContainsFunc(f.found, same) {
		f.found = append(f.found, send)
	}
}

// lose notes who sends by what has no known target: surely, or perhaps.
func (f *finder) lose(s sending, made discover.Construction, surely bool) {
	i := slices.IndexFunc(f.untold, func(u untold) bool {
		return u.made.Lost.Pos == made.Lost.Pos && u.made.Lost.Why == made.Lost.Why && registered.TypeName(u.made.Body) == registered.TypeName(made.Body)
	})
	if i < 0 {
		i = len(f.untold)
		f.untold = append(f.untold, untold{made: made})
	}
	u := &f.untold[i]
	if pos := f.userPos(s.place); surely {
		u.surely = append(u.surely, pos)
	} else {
		u.perhaps = append(u.perhaps, pos)
	}
}

// reportLost warns once of each target that isn't known. Whoever may send by it, since
// it is of the right type, is named only where nobody surely does: a helper for all types
// may send by everything.
func (f *finder) reportLost() {
	for _, u := range f.untold {
		by, others := u.surely, ""
		if by == nil {
			by = u.perhaps
		}
		switch n := len(by) - 1; {
		case n == 1:
			others = " (and at 1 more place)"
		case n > 1:
			others = fmt.Sprintf(" (and at %d more places)", n)
		}
		d := *u.made.Lost
		d.Severity, d.Type = diagnostic.Warning, registered.TypeName(u.made.Body)
		d.What = fmt.Sprintf("where the messages of type %s go that are sent at %s%s isn't known", d.Type, f.program.Position(by[0]), others)
		f.problems.Add(d)
	}
}

// userPos returns a position, or where it is in generated code the one that led there.
func (f *finder) userPos(p place) token.Pos {
	seen := make(map[*function]bool)
	for p.in != nil && !seen[p.in] && isGenerated(p.in.pkg, p.pos) {
		seen[p.in] = true
		p = p.in.from
	}
	return p.pos
}

func isGenerated(pkg *load.Package, pos token.Pos) bool {
	file := pkg.FileAt(pos)
	return file != nil && ast.IsGenerated(file)
}

func compareSends(a, b registered.Send) int {
	return cmp.Or(
		strings.Compare(a.To.Exchange, b.To.Exchange),
		strings.Compare(a.To.RoutingKey, b.To.RoutingKey),
		strings.Compare(a.Route, b.Route),
		strings.Compare(a.Type, b.Type),
		slices.Compare(slices.Concat(a.Keys, a.Patterns), slices.Concat(b.Keys, b.Patterns)),
		strings.Compare(registered.TypeName(a.Body), registered.TypeName(b.Body)),
	)
}

// stringOf returns the text that a constant is.
func stringOf(v constant.Value) (string, bool) {
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}
