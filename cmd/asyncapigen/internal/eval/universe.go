package eval

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// typeUniverse is the types that values of the program can have: those that its
// own packages declare, and those that expressions in them and in the other modules'
// packages have that are read.
type typeUniverse struct {
	read            int                   // the packages that were read
	types           map[string]types.Type // defined types, by their keys
	implementations map[types.Type]types.Type
}

// universe collects the types when an interface value isn't known, again when more
// packages are read.
func (ev *Evaluator) universe() *typeUniverse {
	if read := len(ev.foreign.needed); ev.types == nil || ev.types.read != read {
		c := typeCollector{program: ev.program, named: make(map[string]types.Type), seen: make(map[*types.Package]bool), read: make(map[*load.Package]bool)}
		for _, root := range ev.program.Roots {
			c.source(root)
		}
		for path := range ev.foreign.needed {
			if pkg := ev.source(path); pkg != nil && !ev.program.InStandardLibrary(path) {
				c.source(pkg)
			}
		}
		ev.types = &typeUniverse{read: read, types: c.named, implementations: make(map[types.Type]types.Type)}
	}
	return ev.types
}

// Implementation returns the type of warren's, such as a router, that is the only one of the
// program which implements the interface t, nil where there is none. Whether another one is the
// only one isn't known: packages that have no part in the routes may have types that aren't read.
// An [Explorer] gets it all the same.
func (ev *Evaluator) Implementation(t types.Type) types.Type {
	only := ev.universe().implementation(t)
	if _, explores := ev.user.(Explorer); explores || only == nil {
		return only
	}
	if named := value.NamedOf(only); named.Obj().Pkg() == nil || !load.IsLibrary(named.Obj().Pkg().Path()) {
		return nil
	}
	return only
}

type typeCollector struct {
	program *load.Program
	named   map[string]types.Type
	seen    map[*types.Package]bool
	read    map[*load.Package]bool
}

// source adds the types of a package's expressions.
func (c *typeCollector) source(pkg *load.Package) {
	if c.read[pkg] || pkg.Types == nil {
		return
	}
	c.read[pkg] = true
	for _, tv := range pkg.Info.Types {
		c.add(tv.Type)
	}
	c.declared(pkg.Types)
	for _, imported := range pkg.Imports {
		c.source(imported)
	}
}

// declared adds the types that the user's packages declare.
func (c *typeCollector) declared(pkg *types.Package) {
	if c.seen[pkg] || !c.program.IsOwn(pkg.Path()) {
		return
	}
	c.seen[pkg] = true
	for _, name := range pkg.Scope().Names() {
		if obj, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !obj.IsAlias() {
			c.add(obj.Type())
		}
	}
	for _, imported := range pkg.Imports() {
		c.declared(imported)
	}
}

func (c *typeCollector) add(t types.Type) {
	named := value.NamedOf(t)
	if t == nil || named == nil || types.IsInterface(named) || value.HasTypeParam(named) {
		return
	}
	if named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0 {
		return
	}
	if key := value.TypeKey(named); c.named[key] == nil {
		c.named[key] = named
	}
}

// implementation returns the one type that implements the interface t, nil
// where there is none or are several.
func (u *typeUniverse) implementation(t types.Type) types.Type {
	if only, ok := u.implementations[t]; ok {
		return only
	}
	var only types.Type
	iface, ok := t.Underlying().(*types.Interface)
	for _, candidate := range u.types {
		if !ok || iface.NumMethods() == 0 {
			break
		}
		found := candidate
		if !value.Implements(candidate, iface) {
			if found = types.NewPointer(candidate); !value.Implements(found, iface) {
				continue
			}
		}
		if only != nil {
			only = nil
			break
		}
		only = found
	}
	u.implementations[t] = only
	return only
}
