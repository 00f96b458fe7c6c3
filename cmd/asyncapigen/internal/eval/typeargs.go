package eval

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// typeArgs says what the type parameters of the functions being evaluated stand
// for.
type typeArgs struct {
	of        map[*types.TypeParam]types.Type
	instances *instances
}

// instances are types that are made of generic ones, each once: the methods of two that are
// identical would be two.
type instances struct {
	context *types.Context

	// Locals are the types that generic functions declare, as generic types: each
	// instance of the function has a type of its own.
	locals map[*types.TypeName]*types.Named

	lists typeutil.Map // of lists of types, each to itself
}

func newInstances() *instances {
	return &instances{context: types.NewContext(), locals: make(map[*types.TypeName]*types.Named)}
}

// list returns what stands for a list of types, and for those that are identical.
func (i *instances) list(of []types.Type) *types.Tuple {
	vars := make([]*types.Var, len(of))
	for i, t := range of {
		vars[i] = types.NewParam(token.NoPos, nil, "", t)
	}
	list := types.NewTuple(vars...)
	if known, ok := i.lists.At(list).(*types.Tuple); ok {
		return known
	}
	i.lists.Set(list, list)
	return list
}

// argumentsOf says what type parameters stand for.
func argumentsOf(params *types.TypeParamList, args []types.Type) map[*types.TypeParam]types.Type {
	if params.Len() == 0 || params.Len() != len(args) {
		return nil
	}
	of := make(map[*types.TypeParam]types.Type, len(args))
	for i, arg := range args {
		of[params.At(i)] = arg
	}
	return of
}

// subst replaces the type parameters in a type. It shares what has none. It is
// long but flat: a case for each kind of type.
func (t typeArgs) subst(typ types.Type) types.Type {
	if len(t.of) == 0 || typ == nil {
		return typ
	}
	switch typ := typ.(type) {
	case *types.TypeParam:
		if arg, ok := t.of[typ]; ok {
			return arg
		}
		return typ
	case *types.Alias:
		if obj := typ.Obj(); typ.TypeArgs().Len() == 0 && (obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope()) {
			return typ // one that a function declares may mention the function's type parameters
		}
		return t.subst(types.Unalias(typ))
	case *types.Named:
		return t.named(typ)
	case *types.Pointer:
		if elem := t.subst(typ.Elem()); elem != typ.Elem() {
			return types.NewPointer(elem)
		}
	case *types.Slice:
		if elem := t.subst(typ.Elem()); elem != typ.Elem() {
			return types.NewSlice(elem)
		}
	case *types.Array:
		if elem := t.subst(typ.Elem()); elem != typ.Elem() {
			return types.NewArray(elem, typ.Len())
		}
	case *types.Chan:
		if elem := t.subst(typ.Elem()); elem != typ.Elem() {
			return types.NewChan(typ.Dir(), elem)
		}
	case *types.Map:
		key, elem := t.subst(typ.Key()), t.subst(typ.Elem())
		if key != typ.Key() || elem != typ.Elem() {
			return types.NewMap(key, elem)
		}
	case *types.Signature:
		return t.signature(typ)
	case *types.Tuple:
		return t.tuple(typ)
	case *types.Struct:
		return t.structure(typ)
	case *types.Interface:
		return t.interfaceType(typ)
	}
	return typ
}

func (t typeArgs) named(typ *types.Named) types.Type {
	list := typ.TypeArgs()
	if list.Len() == 0 {
		return t.local(typ)
	}
	args := make([]types.Type, list.Len())
	changed := false
	for i := range args {
		args[i] = t.subst(list.At(i))
		changed = changed || args[i] != list.At(i)
	}
	if !changed {
		return typ
	}
	instance, err := types.Instantiate(t.instances.context, typ.Origin(), args, false)
	if err != nil {
		return typ
	}
	return instance
}

// local returns the instance of a type that a generic function declares.
func (t typeArgs) local(typ *types.Named) types.Type {
	params := t.around(typ.Obj())
	if len(params) == 0 {
		return typ
	}
	args := make([]types.Type, len(params))
	for i, param := range params {
		args[i] = t.of[param]
	}
	instance, err := types.Instantiate(t.instances.context, t.generalized(typ, params), args, false)
	if err != nil {
		return typ
	}
	return instance
}

// around returns the type parameters of the function that declares a type.
func (t typeArgs) around(obj *types.TypeName) []*types.TypeParam {
	if obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope() {
		return nil
	}
	for scope := obj.Parent(); scope != nil && scope != obj.Pkg().Scope(); scope = scope.Parent() {
		var params []*types.TypeParam
		for param := range t.of {
			if param.Obj().Parent() == scope {
				params = append(params, param)
			}
		}
		if len(params) > 0 {
			slices.SortFunc(params, func(a, b *types.TypeParam) int { return cmp.Compare(a.Index(), b.Index()) })
			return params
		}
	}
	return nil
}

// generalized returns typ with type parameters of its own in place of those of
// the function around it.
func (t typeArgs) generalized(typ *types.Named, params []*types.TypeParam) *types.Named {
	obj := typ.Obj()
	if generic, ok := t.instances.locals[obj]; ok {
		return generic
	}
	own := make([]*types.TypeParam, len(params))
	inner := typeArgs{of: make(map[*types.TypeParam]types.Type), instances: t.instances}
	for i, param := range params {
		name := types.NewTypeName(param.Obj().Pos(), obj.Pkg(), param.Obj().Name(), nil)
		own[i] = types.NewTypeParam(name, types.Universe.Lookup("any").Type())
		inner.of[param] = own[i]
	}
	generic := types.NewNamed(types.NewTypeName(obj.Pos(), obj.Pkg(), obj.Name(), nil), nil, nil)
	generic.SetTypeParams(own)
	t.instances.locals[obj] = generic
	generic.SetUnderlying(inner.subst(typ.Underlying()))
	return generic
}

func (t typeArgs) tuple(typ *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, typ.Len())
	changed := false
	for i := range vars {
		v := typ.At(i)
		vars[i] = v
		if substituted := t.subst(v.Type()); substituted != v.Type() {
			vars[i] = types.NewParam(v.Pos(), v.Pkg(), v.Name(), substituted)
			changed = true
		}
	}
	if !changed {
		return typ
	}
	return types.NewTuple(vars...)
}

func (t typeArgs) signature(typ *types.Signature) types.Type {
	params, results := t.tuple(typ.Params()), t.tuple(typ.Results())
	if params == typ.Params() && results == typ.Results() {
		return typ
	}
	return types.NewSignatureType(nil, nil, nil, params, results, typ.Variadic())
}

// interfaceType replaces the type parameters in the methods of an interface.
func (t typeArgs) interfaceType(typ *types.Interface) types.Type {
	changed := false
	var methods []*types.Func
	for method := range typ.Methods() {
		sig, _ := t.signature(method.Signature()).(*types.Signature)
		if sig != method.Signature() {
			changed = true
			method = types.NewFunc(method.Pos(), method.Pkg(), method.Name(), sig)
		}
		methods = append(methods, method)
	}
	if !changed || !typ.IsMethodSet() {
		return typ
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

func (t typeArgs) structure(typ *types.Struct) types.Type {
	fields := make([]*types.Var, typ.NumFields())
	tags := make([]string, typ.NumFields())
	changed := false
	for i := range fields {
		f := typ.Field(i)
		fields[i], tags[i] = f, typ.Tag(i)
		if substituted := t.subst(f.Type()); substituted != f.Type() {
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), substituted, f.Embedded())
			changed = true
		}
	}
	if !changed {
		return typ
	}
	return types.NewStruct(fields, tags)
}
