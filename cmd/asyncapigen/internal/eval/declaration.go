package eval

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// declaration returns the body of a function, and the package that it is in;
// nil where there is none to read.
func (ev *Evaluator) declaration(fn *types.Func) (*load.Package, *ast.FuncDecl) {
	fn = fn.Origin()
	if fn.Pkg() == nil {
		return nil, nil
	}
	pkg := ev.source(fn.Pkg().Path())
	if pkg == nil {
		return nil, nil
	}
	decls := ev.Declarations(pkg)
	if decl := decls[fn]; decl != nil {
		return pkg, decl
	}
	if twin := twinFunc(pkg.Types, fn); twin != nil {
		return pkg, decls[twin]
	}
	return nil, nil
}

// Declarations returns the functions and methods of a package that have a body.
func (ev *Evaluator) Declarations(pkg *load.Package) map[types.Object]*ast.FuncDecl {
	if decls, ok := ev.decls[pkg]; ok {
		return decls
	}
	decls := make(map[types.Object]*ast.FuncDecl)
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				if obj := pkg.Info.Defs[decl.Name]; obj != nil {
					decls[obj] = decl
				}
			}
		}
	}
	ev.decls[pkg] = decls
	return decls
}

// twinFunc finds in pkg, which was checked from source, the function that was
// met in export data.
func twinFunc(pkg *types.Package, fn *types.Func) *types.Func {
	recv := fn.Signature().Recv()
	if recv == nil {
		twin, _ := pkg.Scope().Lookup(fn.Name()).(*types.Func)
		return twin
	}
	named := value.NamedOf(recv.Type())
	if named == nil {
		return nil
	}
	twinType, ok := pkg.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(twinType.Type()), false, pkg, fn.Name())
	twin, _ := obj.(*types.Func)
	return twin
}

// twinVar finds in pkg, which was checked from source, the variable that was met in export data,
// nil for none.
func twinVar(pkg *types.Package, v *types.Var) *types.Var {
	twin, _ := pkg.Scope().Lookup(v.Name()).(*types.Var)
	return twin
}
