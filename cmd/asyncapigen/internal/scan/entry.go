package scan

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// An entry is where the evaluation begins: main, or a function that nothing leads to.
type entry struct {
	pkg  *load.Package
	main bool
	fn   *types.Func
}

// A site is a call that consumes.
type site struct {
	call *ast.CallExpr
	pkg  *load.Package
	in   *types.Func // the declared function around it; nil for none
}

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

// sites returns the calls that consume in the packages of the service.
func (s *scanner) sites() []site {
	var all []site
	s.ownPackages(func(pkg *load.Package) {
		for _, file := range pkg.Files {
			var in *types.Func
			ast.Inspect(file, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.FuncDecl:
					in, _ = pkg.Info.Defs[node.Name].(*types.Func)
				case *ast.CallExpr:
					if fn := typeutil.StaticCallee(pkg.Info, node); fn != nil && consumes(fn.Origin().FullName()) {
						all = append(all, site{node, pkg, in})
					}
				}
				return true
			})
		}
	})
	return all
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
		if s.reached[at.call.Pos()] || at.in == nil {
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
