package model

import (
	"go/types"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What options of kong say, and what it binds for the methods Run.

// kongConfiguration is the model of Configuration. A loader that isn't kong's may give each
// flag a value, whatever its file holds.
func kongConfiguration(c *Call) (value.Value, bool) {
	loader, ok := c.Args[0].(*value.Func)
	if !ok || loader.Obj == nil || loader.Obj.Pkg() == nil || !isOfKong(loader.Obj.Pkg().Path()) {
		c.Set(c.Variable(kongChanged), boolean(true))
	}
	return newKongOption(c)
}

// isOfKong reports whether a package is kong, or one of its loaders.
func isOfKong(path string) bool {
	return path == kongPackage || strings.HasPrefix(path, kongPackage+"-")
}

// kongExit is the model of Exit.
func kongExit(c *Call) (value.Value, bool) {
	c.Set(c.Variable(kongReturns), boolean(true))
	return newKongOption(c)
}

var (
	// kongOptions are those that don't change how a default is read.
	kongOptions = []string{
		"Bind", "BindSingletonProvider", "BindTo", "BindToProvider", "Configuration", "ConfigureHelp", "DefaultEnvars", "Description",
		"Exit", "ExplicitGroups", "FlagNamer", "Groups", "Help", "HelpFormatter", "Name", "NoDefaultHelp", "ShortHelp",
		"ShortUsageOnError", "UsageOnError", "ValueFormatter", "Vars", "Writers",
	}

	// kongSettled are those that neither bind anything nor call functions with what is bound.
	kongSettled = []string{
		"ConfigureHelp", "DefaultEnvars", "Description", "Exit", "ExplicitGroups", "FlagNamer", "Groups", "Help", "HelpFormatter", "Name",
		"NoDefaultHelp", "ShortHelp", "ShortUsageOnError", "UsageOnError", "ValueFormatter", "Vars", "Writers",
	}

	// kongNaming are those that may change what the commands are, or their names.
	kongNaming = []string{"DynamicCommand", "Embed", "FlagNamer", "IgnoreFields", "OptionFunc", "PostBuild"}
)

// kongOption is an option that a function of kong has made.
type kongOption struct {
	name  string
	typ   types.Type
	binds value.Value // the list that Bind was given, the kongBound of BindTo, nil for others
}

// DynamicType implements [value.Atom].
func (o kongOption) DynamicType() types.Type { return o.typ }

// Held implements [value.Holder].
func (o kongOption) Held() []value.Value {
	switch bound := o.binds.(type) {
	case nil:
		return nil
	case kongBound:
		return []value.Value{bound.v}
	default:
		return []value.Value{bound}
	}
}

// kongOptionOf returns the option that a function of kong makes.
func kongOptionOf(c *Call, binds value.Value) kongOption {
	return kongOption{c.Fn.Obj.Name(), c.Fn.Obj.Signature().Results().At(0).Type(), binds}
}

// boundBy returns what the options of a call bind, and the other options. Those that aren't
// known, or call functions, may bind values of any types, after all others.
func boundBy(c *Call) (binds *kongBinds, others []value.Value) {
	options, known := elements(c.Args[1])
	binds = new(kongBinds)
	for _, v := range options {
		o, _ := v.(kongOption)
		switch bound := o.binds.(type) {
		case nil:
			others = append(others, v)
			known = known && slices.Contains(kongSettled, optionName(v))
		case kongBound:
			binds.all = append(binds.all, bound)
		default:
			list, isKnown := elements(bound)
			known = known && isKnown
			for _, v := range list {
				binds.all = append(binds.all, kongBound{value.TypeOf(v), v})
			}
		}
	}
	if !known {
		others = append(append(others, c.Args[1]), binds.values()...)
		binds.all = append(binds.all, kongBound{nil, value.UnknownAt(c.At.Pos(), "a value that kong binds")})
	}
	return binds, others
}

// kongBindOption is the model of Bind, whose list is looked at when the parser is made.
func kongBindOption(c *Call) (value.Value, bool) { return kongOptionOf(c, c.Args[0]), true }

// kongBindToOption is the model of BindTo, whose second argument is a pointer to the interface.
func kongBindToOption(c *Call) (value.Value, bool) {
	t := value.TypeOf(c.Args[1])
	if t == nil || value.Pointee(t) == nil {
		return newKongOption(c)
	}
	return kongOptionOf(c, kongBound{value.Pointee(t), c.Args[0]}), true
}

// newKongOption is the model of a function that makes an option, and gets functions for later.
func newKongOption(c *Call) (value.Value, bool) {
	c.Expose(c.At, c.Args, value.UnknownResult(c.At))
	return kongOptionOf(c, nil), true
}

// optionsOf returns the names of the options of a call, which follow its first argument. It reports
// false where one isn't known.
func optionsOf(c *Call) (names []string, ok bool) {
	options, known := elements(c.Args[1])
	for _, v := range options {
		name := optionName(v)
		if name == "" {
			return nil, false
		}
		names = append(names, name)
	}
	return names, known
}

// optionName returns the name of the function of kong that has made an option, or of its type; ""
// for others.
func optionName(v value.Value) string {
	if o, isMade := v.(kongOption); isMade {
		return o.name
	}
	named, isNamed := types.Unalias(value.TypeOf(v)).(*types.Named)
	if value.IsUnknown(v) || !isNamed || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != kongPackage {
		return ""
	}
	return named.Obj().Name()
}

// kongBind is the model of Context.Bind.
func kongBind(c *Call) (value.Value, bool) {
	g, ok := c.Fn.Recv.(kongGrammar)
	values, known := elements(c.Args[0])
	if !ok || !known {
		why := value.Because(c.At, c.Fn.Recv, c.Args[0])
		lostCommand(c, why)
		return value.Tuple{}, why.Unread == ""
	}
	for _, v := range values {
		extend(c, g.bound, nil, kongBound{value.TypeOf(v), v})
	}
	return value.Tuple{}, true
}

// kongBindTo is the model of Context.BindTo, whose second argument is a pointer to the
// interface.
func kongBindTo(c *Call) (value.Value, bool) {
	g, ok := c.Fn.Recv.(kongGrammar)
	t := value.TypeOf(c.Args[1])
	if !ok || t == nil || value.Pointee(t) == nil {
		why := value.Because(c.At, c.Fn.Recv, c.Args[1])
		lostCommand(c, why)
		return value.Tuple{}, why.Unread == ""
	}
	extend(c, g.bound, nil, kongBound{value.Pointee(t), c.Args[0]})
	return value.Tuple{}, true
}

// kongBound is a value that methods Run get for their parameters of a type.
type kongBound struct {
	typ types.Type
	v   value.Value
}

// DynamicType implements [value.Atom].
func (b kongBound) DynamicType() types.Type { return b.typ }

// boundByKong are the values that kong itself binds after what options do.
func boundByKong(c *Call) (binds []kongBound) {
	unknown := value.UnknownAt(c.At.Pos(), "a value that kong binds")
	for _, name := range []string{"Kong", "Vars"} {
		if obj := c.Fn.Obj.Pkg().Scope().Lookup(name); obj != nil { // older versions have no Vars
			binds = append(binds, kongBound{obj.Type(), unknown}, kongBound{types.NewPointer(obj.Type()), unknown})
		}
	}
	return binds
}

// takesBound reports whether kong calls methods of a grammar with what is bound, or methods Validate with
// its context, by which they may have functions called with that.
func takesBound(grammar types.Type) bool {
	return hasInGrammar(grammar, append([]string{"Validate"}, kongHooksOfParse...), func(fn *types.Func) bool {
		return fn.Signature().Params().Len() > 0
	})
}

// takesContext reports whether methods that kong calls while it parses the command line get its context,
// to which they may bind values.
func takesContext(grammar types.Type) bool {
	return hasInGrammar(grammar, kongHooksOfParse, func(fn *types.Func) bool {
		for v := range fn.Signature().Params().Variables() {
			if named := value.NamedOf(v.Type()); named != nil && named.Obj().Name() == "Context" {
				return true
			}
		}
		return false
	})
}

// hasInGrammar reports whether a type of a grammar, or one in it, has a method of one of some names for
// which is holds, or may have one.
func hasInGrammar(grammar types.Type, names []string, is func(*types.Func) bool) bool {
	seen := make(map[types.Type]bool)
	var visit func(t types.Type) bool
	visit = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		for _, name := range names {
			obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, nil, name)
			if fn, isMethod := obj.(*types.Func); isMethod && is(fn) {
				return true
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for i := range u.NumFields() {
				isSeen := u.Field(i).Exported() || u.Field(i).Embedded()
				if isSeen && !kongTag(u.Tag(i))["-"] && visit(u.Field(i).Type()) {
					return true
				}
			}
		case *types.Map:
			return visit(u.Key()) || visit(u.Elem())
		case interface{ Elem() types.Type }:
			return visit(u.Elem())
		case *types.Interface:
			return true // it may hold a value that does
		}
		return false
	}
	return visit(grammar)
}

// kongBinds are what options bind.
type kongBinds struct{ all []kongBound }

func (b *kongBinds) values() (values []value.Value) {
	if b == nil {
		return nil
	}
	for _, bound := range b.all {
		values = append(values, bound.v)
	}
	return values
}
