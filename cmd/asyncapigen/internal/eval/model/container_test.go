package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// containerTypes declares functions over types that embed dig.In and dig.Out.
const containerTypes = `package p

import "go.uber.org/dig"

type (
	T struct{}
	U struct{}

	needs struct {
		dig.In
		A     T
		B     U   ` + "`name:\"b\"`" + `
		Group []T ` + "`group:\"g\"`" + `
		Inner innerNeeds
	}
	innerNeeds struct {
		dig.In
		N int
	}
	ignoring struct {
		dig.In ` + "`ignore-unexported:\"true\"`" + `
		A   T
		own string
	}
	hiding struct {
		dig.In
		own T
	}
	hidingWithin struct {
		dig.In
		Inner hiding
	}
	hidingInGroup struct {
		dig.In
		Inner []hiding ` + "`group:\"g\"`" + `
	}
	hidingGroup struct {
		dig.In
		Inner hiding ` + "`group:\"g\"`" + `
	}
	flatGroup struct {
		dig.In
		Group []T ` + "`group:\"g,flatten\"`" + `
	}
	softGroup struct {
		dig.In
		Group []T ` + "`group:\"g,soft\"`" + `
	}
	namedGroup struct {
		dig.In
		Group []T ` + "`group:\"g\" name:\"n\"`" + `
	}
	otherGroup struct {
		dig.In
		Group []T ` + "`group:\"g,other\"`" + `
	}
	givesFlat struct {
		dig.Out
		Group []T ` + "`group:\"g,flatten\"`" + `
	}
	givesSoft struct {
		dig.Out
		Group []T ` + "`group:\"g,soft\"`" + `
	}
	givesOptional struct {
		dig.Out
		Group T ` + "`group:\"g\" optional:\"true\"`" + `
	}
	givesNothing struct{ dig.Out }
	badTag struct {
		dig.In
		A T ` + "`optional:\"perhaps\"`" + `
	}
	gives struct {
		dig.Out
		A     T
		B     U   ` + "`name:\"b\"`" + `
		Group U   ` + "`group:\"g\"`" + `
		Inner innerGives
	}
	innerGives struct {
		dig.Out
		N int
	}
	givesHidden struct {
		dig.Out
		own T
	}
	givesHiddenWithin struct {
		dig.Out
		Inner givesHidden
	}
	givesError struct {
		dig.Out
		E failure
	}
	groupsError struct {
		dig.Out
		E failure ` + "`group:\"g\"`" + `
	}
	failure struct{ error }
	plain   struct{ T }
	pointed struct{ *dig.Out }
	deeper  struct{ needsIt }
	needsIt struct{ hiding }
	byName  struct{ In dig.In }
	within  struct{ *hiding }
)
`

func signatureIn(t *testing.T, function string) *types.Signature {
	t.Helper()
	fset := token.NewFileSet()
	check := func(path, source string, from types.Importer) *types.Package {
		file, err := parser.ParseFile(fset, "p.go", source, 0)
		require.NoError(t, err)
		pkg, err := (&types.Config{Importer: from}).Check(path, fset, []*ast.File{file}, nil)
		require.NoError(t, err)
		return pkg
	}
	dig := check(digPackage, "package dig\n\ntype In struct{ _ int }\n\ntype Out struct{ _ int }\n", nil)
	pkg := check("p", containerTypes+"\nvar _ dig.In\n\nvar f "+function+"\n", onePackage{dig})
	return pkg.Scope().Lookup("f").Type().(*types.Signature)
}

// onePackage imports one package.
type onePackage struct{ pkg *types.Package }

func (o onePackage) Import(string) (*types.Package, error) { return o.pkg, nil }

func TestRefusedNeeds_AreWhatDigDoesNotGive(t *testing.T) {
	const hidden = "the field own, which isn't exported and which the container refuses"
	for function, want := range map[string]string{
		"func()":                   "",
		"func(T, *U, needs)":       "",
		"func(ignoring)":           "",
		"func(hidingInGroup)":      "",
		"func(hidingGroup)":        "the tag of the field Inner, which the container refuses",
		"func(flatGroup)":          "the tag of the field Group, which the container refuses",
		"func(namedGroup)":         "the tag of the field Group, which the container refuses",
		"func(softGroup)":          "",
		"func(otherGroup)":         "the tag of the field Group, which the container refuses",
		"func(plain, byName)":      "",
		"func(within)":             "",
		"func(T, hiding)":          hidden,
		"func(hiding, T, badTag)":  hidden,
		"func(hidingWithin)":       hidden,
		"func(T, ...hiding)":       "",
		"func(badTag)":             "the tag of the field A, which the container refuses",
		"func(T, gives)":           "a parameter of the type p.gives, which the container doesn't take",
		"func(*needs)":             "a parameter of the type *p.needs, which the container doesn't take",
		"func(deeper)":             "a parameter of the type p.deeper, which the container doesn't take",
		"func(pointed)":            "a parameter of the type p.pointed, which the container doesn't take",
		"func(badTag, T, *hiding)": "the tag of the field A, which the container refuses",
	} {
		require.Equal(t, want, refusedNeeds(signatureIn(t, function)), function)
	}
}

func TestGivenBy_IsWhatDigTakesOfAConstructor(t *testing.T) {
	for function, test := range map[string]struct{ given, why string }{
		"func() T":                         {given: "p.T"},
		"func() (T, *U, error)":            {given: "p.T, *p.U"},
		"func() gives":                     {given: "p.T, p.U b, p.U in g, int"},
		"func() (gives, string, error)":    {given: "p.T, p.U b, p.U in g, int, string"},
		"func() groupsError":               {given: "p.failure in g"},
		"func() givesFlat":                 {given: "p.T in g"},
		"func() givesSoft":                 {why: "the field Group, which the container doesn't take for a group"},
		"func() givesOptional":             {why: "the field Group, which the container doesn't take for a group"},
		"func() givesNothing":              {why: "a constructor that gives nothing"},
		"func()":                           {why: "a constructor that gives nothing"},
		"func() error":                     {why: "a constructor that gives nothing"},
		"func() (error, T)":                {why: "a result of the type error, which the container doesn't take"},
		"func() (T, failure)":              {why: "a result of the type p.failure, which the container doesn't take"},
		"func() needs":                     {why: "a result of the type p.needs, which the container doesn't take"},
		"func() *gives":                    {why: "a result of the type *p.gives, which the container doesn't take"},
		"func() givesHidden":               {why: "the field own, which isn't exported and which the container refuses"},
		"func() givesHiddenWithin":         {why: "the field own, which isn't exported and which the container refuses"},
		"func() givesError":                {why: "a result of the type p.failure, which the container doesn't take"},
		"func() (T, givesError, U, error)": {why: "a result of the type p.failure, which the container doesn't take"},
	} {
		all, why := givenBy(signatureIn(t, function))
		require.Equal(t, test.why, why, function)
		given := ""
		for i, n := range all {
			if i > 0 {
				given += ", "
			}
			given += typeText(n.typ)
			if n.name != "" {
				given += " " + n.name
			}
			if n.group != "" {
				given += " in " + n.group
			}
		}
		require.Equal(t, test.given, given, function)
	}
}

func TestNeededBy_IsWhatAFunctionAsksFor(t *testing.T) {
	var all []string
	for _, n := range neededBy(signatureIn(t, "func(T, needs, ignoring, ...U)")) {
		all = append(all, typeText(n.typ)+n.name+n.group)
	}
	require.Equal(t, []string{"p.T", "p.T", "p.Ub", "p.Tg", "int", "p.T"}, all)
}

func TestProvider_GivesByTypesAndNames(t *testing.T) {
	sig := signatureIn(t, "func() (T, gives)")
	p := &provider{fn: &value.Func{Type: sig}}
	inner := sig.Results().At(1).Type().Underlying().(*types.Struct)
	typ, other := sig.Results().At(0).Type(), inner.Field(2).Type()
	require.Equal(t, []int{0}, p.gives(need{typ: typ}))
	require.Nil(t, p.gives(need{typ: typ, name: "b"}))
	require.Equal(t, []int{1, 2}, p.gives(need{typ: other, name: "b"}))
	require.Nil(t, p.gives(need{typ: other}), "a group, or another name")
	require.Nil(t, p.gives(need{typ: types.Typ[types.String]}))
	fails := &provider{fn: &value.Func{Type: signatureIn(t, "func() (T, error)")}}
	require.NotNil(t, fails.gives(need{typ: fails.fn.Type.(*types.Signature).Results().At(0).Type()}))
	require.Nil(t, fails.gives(need{typ: errorType}), "the error of a constructor")
	require.Equal(t, []int{0}, given(errorType, noError()).gives(need{typ: errorType}))
}

func TestContainer_HoldsItsConstructorsAndWhatTheyMade(t *testing.T) {
	literal, declared := &value.Func{Type: signatureIn(t, "func() T"), Closure: 1}, &value.Func{Obj: types.NewFunc(0, nil, "f", signatureIn(t, "func() U"))}
	d := newContainer(intType)
	d.providers = value.NewCell(newSlice(types.NewSlice(anyType),
		&provider{fn: literal, made: value.NewCell(value.Tuple{integer(1)})}, &provider{fn: declared, made: value.NewCell(value.Nil{})}, given(intType, integer(2))))
	d.hooks = value.NewCell(newSlice(types.NewSlice(anyType), text("hook")))
	require.Equal(t, []value.Value{literal, integer(1), declared, integer(2), text("hook")}, d.Held())
}
