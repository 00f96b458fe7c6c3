package client

import (
	"go/types"
	"strings"
)

// unreachable says why the client can't name a declared type, "" where it can.
func (g *generator) unreachable(obj *types.TypeName) string {
	pkg := obj.Pkg()
	switch {
	case pkg == nil: // error, comparable, any
		return ""
	case isLocal(obj):
		return "it is declared inside a function"
	case pkg.Path() == g.cfg.PackagePath:
		return ""
	case g.cfg.Copied != nil && g.cfg.Copied(pkg.Path()):
		return "the client imports nothing of the service"
	case pkg.Name() == "main":
		return "package main can't be imported"
	case !obj.Exported():
		return "it is unexported"
	case pkg.Path() == "command-line-arguments", strings.HasSuffix(pkg.Name(), "_test"):
		return "its package can't be imported"
	case !mayImport(g.cfg.PackagePath, pkg.Path()):
		return "its package is internal to another part of the tree"
	case g.cfg.ImportsClient != nil && g.cfg.ImportsClient(pkg.Path()):
		return "its package imports this one"
	}
	return ""
}

// isLocal reports whether a type is declared in a function.
func isLocal(obj *types.TypeName) bool {
	return obj.Pkg() != nil && obj.Pkg().Scope().Lookup(obj.Name()) != types.Object(obj)
}

// mayImport applies the go command's rule: a path with an element "internal"
// is for those whose path begins as it does before that element. The standard
// library's own copies of others are under "vendor/".
func mayImport(importer, imported string) bool {
	if strings.HasPrefix(imported, "vendor/") {
		return false
	}
	slashed := "/" + imported + "/"
	i := strings.LastIndex(slashed, "/internal/")
	if i < 0 {
		return true
	}
	if i == 0 {
		return false
	}
	parent := imported[:i-1]
	return importer == parent || strings.HasPrefix(importer, parent+"/")
}

// within reports whether all of t can be written in the client as it stands,
// so that it is the user's own type.
func (g *generator) within(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return isJSON(t)
	case *types.Alias:
		return g.takesAlias(t) || g.within(types.Unalias(t))
	case *types.Named:
		return g.unreachable(t.Obj()) == "" && g.allWithin(t.TypeArgs())
	case *types.Pointer:
		return g.within(t.Elem())
	case *types.Slice:
		return g.within(t.Elem())
	case *types.Array:
		return g.within(t.Elem())
	case *types.Map:
		return g.within(t.Key()) && g.within(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if !field.Exported() || !g.within(field.Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		return t.Empty()
	}
	return false
}

func (g *generator) allWithin(args *types.TypeList) bool {
	for arg := range args.Types() {
		if !g.within(arg) {
			return false
		}
	}
	return true
}

// takesAlias reports whether t can be called by its alias, which may be the only
// way to a type.
func (g *generator) takesAlias(t *types.Alias) bool {
	return g.unreachable(t.Obj()) == "" && g.allWithin(t.TypeArgs())
}

// takesName reports whether t can be called by its name, if need be with copies
// of the type arguments that are out of reach. Copies have no methods, so they
// serve only where nothing is asked of the parameter.
func (g *generator) takesName(t *types.Named) bool {
	if g.unreachable(t.Obj()) != "" {
		return false
	}
	params := t.Origin().TypeParams()
	for i := range t.TypeArgs().Len() {
		constraint, ok := params.At(i).Constraint().Underlying().(*types.Interface)
		if !g.within(t.TypeArgs().At(i)) && (!ok || !constraint.Empty()) {
			return false
		}
	}
	return true
}
