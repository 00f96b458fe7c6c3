package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// An entry is where the evaluation begins: main, or a function that nothing leads to.
type entry struct {
	pkg  *load.Package
	main bool
	fn   *types.Func
}

// A site is where code consumes: a call of a client's function or of an interface's
// method, or a function that is referred to, for others to call.
type site struct {
	pos  token.Pos
	kind siteKind
	name string // of the function
	pkg  *load.Package
	in   *types.Func    // the declared function around it; nil for none
	body *ast.BlockStmt // of that function
}

type siteKind int

const (
	calls      siteKind = iota
	dispatches          // a call of a method of an interface
	refers              // a function without a call
)

// enter evaluates the program from an entry point.
func (s *scanner) enter(e entry) {
	if s.ev.Caught(func() { s.ev.Initialize(e.pkg) }) != nil {
		return
	}
	if e.main {
		if main, ok := e.pkg.Types.Scope().Lookup("main").(*types.Func); ok {
			s.ev.Survives(func() { s.ev.EnterMain(ast.NewIdent("main"), &value.Func{Type: main.Type(), Obj: main}) })
		}
		return
	}
	s.ev.Survives(func() {
		sig := e.fn.Signature()
		target := &value.Func{Type: e.fn.Type(), Obj: e.fn}
		if recv := sig.Recv(); recv != nil {
			target.Recv, target.Bound = parameter(recv, "the receiver "+recv.Name()+" of "+e.fn.Name()), true
		}
		args := make([]value.Value, sig.Params().Len())
		for i := range args {
			param := sig.Params().At(i)
			args[i] = parameter(param, "the parameter "+param.Name()+" of "+e.fn.Name())
		}
		s.ev.Enter(ast.NewIdent(e.fn.Name()), target, args)
	})
}

// parameter is the value of an entry point's parameter.
func parameter(v *types.Var, reason string) value.Value {
	return &value.Unknown{Reason: reason + ", which the callers decide", Pos: v.Pos(), NonNil: !value.IsErrorType(v.Type())}
}

// sites returns where the packages of the service consume.
func (s *scanner) sites() []site {
	var all []site
	s.ownPackages(func(pkg *load.Package) {
		for _, file := range pkg.Files {
			for _, decl := range file.Decls {
				around := site{pkg: pkg}
				if fn, ok := decl.(*ast.FuncDecl); ok {
					around.in, _ = pkg.Info.Defs[fn.Name].(*types.Func)
					around.body = fn.Body
				}
				all = append(all, s.sitesIn(decl, around)...)
			}
		}
	})
	return all
}

// sitesIn returns where a declaration consumes. Each is like around.
func (s *scanner) sitesIn(decl ast.Decl, around site) []site {
	var all []site
	called := make(map[*ast.Ident]bool)
	add := func(pos token.Pos, kind siteKind, fn *types.Func) {
		around.pos, around.kind, around.name = pos, kind, fn.Name()
		all = append(all, around)
	}
	ast.Inspect(decl, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			if name := calledName(node); name != nil {
				called[name] = true
			}
			fn, _ := typeutil.Callee(around.pkg.Info, node).(*types.Func)
			switch {
			case fn == nil:
			case consumes(fn.Origin().FullName()) || s.isRouted(around.pkg, node, fn):
				add(node.Pos(), calls, fn)
			case mayConsume(fn):
				add(node.Pos(), dispatches, fn)
			}
		case *ast.Ident:
			if fn, ok := around.pkg.Info.Uses[node].(*types.Func); ok && !called[node] && (consumes(fn.Origin().FullName()) || mayConsume(fn)) {
				add(node.Pos(), refers, fn)
			}
		}
		return true
	})
	return all
}

// calledName returns the name of the function that a call calls, nil for none.
func calledName(call *ast.CallExpr) *ast.Ident {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// reach notes that a call which consumes was evaluated.
func (s *scanner) reach(call *model.Call) {
	s.reached[call.At.Pos()] = true
	if kind, ok := s.kinds[call.At.Pos()]; !ok || kind != calls {
		s.consumed[call.Fn.Obj.Name()] = true
	}
}

// isReached reports whether what a site consumes was evaluated. For a function that is
// referred to, this is so where the code around was evaluated and a function of that
// name was called.
func (s *scanner) isReached(at site) bool {
	if at.kind == refers {
		return s.consumed[at.name] && (at.body == nil || s.wasEntered(at.body))
	}
	return s.reached[at.pos]
}

// ownPackages calls f for each package of the service's modules that was read.
func (s *scanner) ownPackages(f func(*load.Package)) {
	var all []*load.Package
	for _, pkg := range s.program.Checked() {
		if pkg != nil && pkg.Info != nil && s.program.IsOfService(pkg.Path) {
			all = append(all, pkg)
		}
	}
	slices.SortFunc(all, func(a, b *load.Package) int { return strings.Compare(a.Path, b.Path) })
	for _, pkg := range all {
		f(pkg)
	}
}

// entriesTo returns the functions from which to evaluate what leads to the sites
// that weren't reached: those that no other such function calls, or the functions
// around the sites themselves.
func (s *scanner) entriesTo(sites []site, outermost bool) []entry {
	var entries []entry
	add := func(pkg *load.Package, fn *types.Func) {
		same := func(e entry) bool { return e.fn == fn }
		if pkg != nil && fn.Signature().TypeParams().Len() == 0 && fn.Signature().RecvTypeParams().Len() == 0 && !slices.ContainsFunc(entries, same) {
			entries = append(entries, entry{pkg: pkg, fn: fn})
		}
	}
	var users map[types.Object][]user
	for _, at := range sites {
		if s.isReached(at) || at.in == nil {
			continue
		}
		if !outermost {
			add(at.pkg, at.in)
			continue
		}
		if users == nil {
			users = s.users()
		}
		seen := map[*types.Func]bool{at.in: true}
		for queue := []user{{at.pkg, at.in}}; len(queue) > 0; queue = queue[1:] {
			next := users[queue[0].fn]
			if len(next) == 0 {
				add(queue[0].pkg, queue[0].fn)
			}
			for _, u := range next {
				if !seen[u.fn] {
					seen[u.fn] = true
					queue = append(queue, u)
				}
			}
		}
	}
	return entries
}

// A user is a function that refers to another one, and wasn't evaluated.
type user struct {
	pkg *load.Package
	fn  *types.Func
}

// users returns by function who refers to it.
func (s *scanner) users() map[types.Object][]user {
	users := make(map[types.Object][]user)
	s.ownPackages(func(pkg *load.Package) {
		for obj, decl := range s.declarations(pkg) {
			fn, ok := obj.(*types.Func)
			if !ok || s.wasEntered(decl.Body) {
				continue
			}
			for _, used := range eval.UsedObjects(pkg, decl.Body) {
				if used != obj {
					users[used] = append(users[used], user{pkg, fn})
				}
			}
		}
	})
	for _, list := range users {
		slices.SortFunc(list, func(a, b user) int { return int(a.fn.Pos() - b.fn.Pos()) })
	}
	return users
}

func (s *scanner) declarations(pkg *load.Package) map[types.Object]*ast.FuncDecl {
	decls := make(map[types.Object]*ast.FuncDecl)
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil && pkg.Info.Defs[decl.Name] != nil {
				decls[pkg.Info.Defs[decl.Name]] = decl
			}
		}
	}
	return decls
}

func (s *scanner) wasEntered(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(s.entered, func(ev *eval.Evaluator) bool { return ev.Entered(body) })
}
