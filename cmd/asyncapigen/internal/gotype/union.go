package gotype

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

const newUnion = load.RuntimePath + "/asyncapi.NewUnion"

// Unions returns the unions that variables of the packages, and of what they
// import, are set to by asyncapi.NewUnion, in the order of their positions. The
// problems are those of calls that aren't understood.
func (ts *Types) Unions(pkgs []*load.Package) ([]schema.Union, diagnostic.List) {
	u := unionSearch{types: ts, seen: map[*load.Package]bool{}}
	for _, pkg := range pkgs {
		u.visit(pkg)
	}
	slices.SortFunc(u.found, func(a, b schema.Union) int { return comparePositions(a.Position, b.Position) })
	return u.found, u.problems.Sorted()
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

type unionSearch struct {
	types    *Types
	seen     map[*load.Package]bool
	found    []schema.Union
	problems diagnostic.List
}

func (u *unionSearch) visit(pkg *load.Package) {
	if pkg == nil || u.seen[pkg] || pkg.Info == nil {
		return
	}
	u.seen[pkg] = true
	for _, imported := range pkg.Imports {
		u.visit(imported)
	}
	declared := map[*ast.CallExpr]bool{}
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			u.variables(pkg, decl, declared)
		}
	}
	for _, file := range pkg.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if ok && !declared[call] && calledUnion(pkg.Info, call) != nil {
				u.problem(call, "the union isn't that of a variable of the package, so it can't be known which one counts",
					"set a variable of the package to it")
			}
			return true
		})
	}
}

// variables looks at the values of a declaration of variables.
func (u *unionSearch) variables(pkg *load.Package, decl ast.Decl, declared map[*ast.CallExpr]bool) {
	group, ok := decl.(*ast.GenDecl)
	if !ok || group.Tok != token.VAR {
		return
	}
	for _, spec := range group.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, value := range spec.Values {
			call, ok := ast.Unparen(value).(*ast.CallExpr)
			if !ok {
				continue
			}
			if held := calledUnion(pkg.Info, call); held != nil {
				declared[call] = true
				u.union(pkg, call, held)
			}
		}
	}
}

// calledUnion returns the interface if call is one of asyncapi.NewUnion.
func calledUnion(info *types.Info, call *ast.CallExpr) types.Type {
	if calledName(info, call) != newUnion || len(call.Args) != 2 {
		return nil
	}
	pointer, ok := types.Unalias(info.TypeOf(call)).(*types.Pointer)
	if !ok {
		return nil
	}
	union, ok := types.Unalias(pointer.Elem()).(*types.Named)
	if !ok || union.TypeArgs().Len() != 1 {
		return nil
	}
	return union.TypeArgs().At(0)
}

func (u *unionSearch) union(pkg *load.Package, call *ast.CallExpr, held types.Type) {
	found := schema.Union{Interface: u.types.Of(held), Position: u.position(call)}
	var ok bool
	if found.Discriminator, ok = constantText(pkg.Info, call.Args[0]); !ok {
		u.problem(call.Args[0], "the union's discriminator isn't a constant", "write it as a constant")
		return
	}
	variants, ok := ast.Unparen(call.Args[1]).(*ast.CompositeLit)
	if !ok {
		u.problem(call.Args[1], "the union's variants aren't known", "write them as a map literal in the call")
		return
	}
	for _, element := range variants.Elts {
		variant, fault := u.variant(pkg, element)
		if fault != "" {
			u.problem(element, fault, `write it as "value": Type{}`)
			return
		}
		found.Variants = append(found.Variants, variant)
	}
	slices.SortFunc(found.Variants, func(a, b schema.Variant) int { return cmp.Compare(a.Value, b.Value) })
	u.found = append(u.found, found)
}

func (u *unionSearch) variant(pkg *load.Package, element ast.Expr) (variant schema.Variant, fault string) {
	pair, ok := element.(*ast.KeyValueExpr)
	if !ok {
		return variant, "the variant isn't known"
	}
	value := pkg.Info.Types[pair.Key].Value
	if value == nil || value.Kind() != constant.String {
		return variant, "the variant's name isn't a constant"
	}
	t := pkg.Info.TypeOf(pair.Value)
	if t == nil || types.IsInterface(t) || isNil(pair.Value) {
		return variant, fmt.Sprintf("the type of the variant %s isn't known", value)
	}
	return schema.Variant{Value: constant.StringVal(value), Type: u.types.Of(t)}, ""
}

func (u *unionSearch) position(node ast.Node) token.Position {
	if u.types.position == nil {
		return token.Position{}
	}
	return u.types.position(node.Pos())
}

func (u *unionSearch) problem(node ast.Node, what, remedy string) {
	u.problems.Add(diagnostic.Diagnostic{Code: diagnostic.UnknownUnion, Pos: u.position(node), What: what, Remedy: remedy})
}
