package gotype_test

import (
	"encoding/json"
	"go/ast"
	"go/types"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype/internal/sample"
	"github.com/warrenmq/warren/internal/schema"
)

const samplePath = "github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype/internal/sample"

// loadSample type-checks the sample from source, its imports from export data.
func loadSample(t *testing.T) *packages.Package { return loadPath(t, samplePath) }

func loadPath(t *testing.T, path string) *packages.Package {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile,
	}, path)
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Empty(t, loaded[0].Errors)
	return loaded[0]
}

// payloads returns the types of the fields of sample.Payloads, and what the
// sample's functions return.
func payloads(t *testing.T, pkg *packages.Package, ts *gotype.Types) []schema.Type {
	t.Helper()
	var all []schema.Type
	structure := pkg.Types.Scope().Lookup("Payloads").Type().Underlying().(*types.Struct)
	for f := range structure.Fields() {
		all = append(all, ts.Of(f.Type()))
	}
	for _, name := range []string{"Second", "First"} {
		all = append(all, ts.Of(returned(t, pkg, name)))
	}
	return all
}

func returned(t *testing.T, pkg *packages.Package, function string) types.Type {
	t.Helper()
	var found types.Type
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok && f.Name.Name != function {
				return false
			}
			if r, ok := n.(*ast.ReturnStmt); ok {
				found = pkg.TypesInfo.TypeOf(r.Results[0])
			}
			return true
		})
	}
	require.NotNil(t, found, function)
	return found
}

func reflected() []schema.Type {
	var all []schema.Type
	for f := range reflect.TypeFor[sample.Payloads]().Fields() {
		all = append(all, schema.Reflect(f.Type))
	}
	for _, value := range []any{sample.Second(), sample.First()} {
		all = append(all, schema.Reflect(reflect.TypeOf(value)))
	}
	return all
}

func TestTypes_DescribeAsReflectionDoes(t *testing.T) {
	pkg := loadSample(t)
	fromSource := schema.Build(payloads(t, pkg, gotype.New(nil, pkg.Fset.Position)))
	fromProgram := schema.Build(reflected())
	require.Greater(t, len(fromProgram.Components), 40)
	require.Equal(t, indented(t, fromProgram.Payloads), indented(t, fromSource.Payloads))
	require.Equal(t, indented(t, byKey(fromProgram)), indented(t, byKey(fromSource)))

	require.Greater(t, len(fromProgram.Problems), 8)
	for i := range fromSource.Problems {
		require.True(t, fromSource.Problems[i].Pos.IsValid(), fromSource.Problems[i])
		fromSource.Problems[i].Pos = fromProgram.Problems[i].Pos
		fromSource.Problems[i].Type = fromProgram.Problems[i].Type
	}
	require.Equal(t, fromProgram.Problems, fromSource.Problems)
}

func byKey(set *schema.Set) schema.Properties {
	var all schema.Properties
	for _, c := range set.Components {
		all = append(all, schema.Property{Name: c.Key, Schema: c.Schema})
	}
	return all
}

func indented(t *testing.T, v any) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", "  ")
	require.NoError(t, err)
	return string(text)
}

// docs takes an object's name for its comment.
type docs struct{}

func (docs) TypeDoc(obj *types.TypeName) string { return "type " + obj.Name() + "\n" }
func (docs) FieldDoc(f *types.Var) string {
	if f.Pkg().Path() != samplePath {
		return ""
	}
	return "field " + f.Name() + "\n"
}

func TestDocSource_GivesDescriptions(t *testing.T) {
	pkg := loadSample(t)
	ts := gotype.New(docs{}, pkg.Fset.Position)
	set := schema.Build([]schema.Type{ts.Of(pkg.Types.Scope().Lookup("Order").Type())})
	require.Equal(t, "Order", set.Components[1].Key)
	order := set.Components[1].Schema
	require.Equal(t, "type Order", order.Description)
	require.Equal(t, "field ID", order.Properties.Get("id").Description)
	require.Equal(t, "field Lines", order.Properties.Get("lines").Description)
	require.Equal(t, "field Parent", order.Properties.Get("parent").Description)
	require.Equal(t, &schema.Schema{Ref: "#/components/schemas/Status"}, order.Properties.Get("status"),
		"nothing stands beside a $ref")
}

func TestDocSource_KeepsUnitsOfDurations(t *testing.T) {
	pkg := loadSample(t)
	ts := gotype.New(docs{}, pkg.Fset.Position)
	set := schema.Build([]schema.Type{ts.Of(pkg.Types.Scope().Lookup("Wait").Type())})
	require.Equal(t, "field For\n\nA duration in nanoseconds.", set.Components[0].Schema.Properties.Get("For").Description)
}

// recorder notes the objects that it is asked about.
type recorder struct{ fields []*types.Var }

func (*recorder) TypeDoc(*types.TypeName) string { return "" }
func (r *recorder) FieldDoc(f *types.Var) string {
	r.fields = append(r.fields, f)
	return ""
}

func TestDocSource_KnowsInstancesByGenericType(t *testing.T) {
	pkg := loadSample(t)
	record := &recorder{}
	page := pkg.Types.Scope().Lookup("AliasOfPage").Type()
	schema.Build([]schema.Type{gotype.New(record, pkg.Fset.Position).Of(page)})
	generic := pkg.Types.Scope().Lookup("Page").Type().Underlying().(*types.Struct)
	require.Contains(t, record.fields, generic.Field(0))
}

// A type may come once from source and once from export data.
func TestTypes_OfTwoUniversesAreOne(t *testing.T) {
	one, two := loadSample(t), loadSample(t)
	ts := gotype.New(nil, one.Fset.Position)
	other := gotype.New(nil, two.Fset.Position)
	for _, name := range []string{"Order", "AliasOfPage", "Generics", "Tree"} {
		a, b := one.Types.Scope().Lookup(name).Type(), two.Types.Scope().Lookup(name).Type()
		require.False(t, types.Identical(a, b))
		require.Equal(t, ts.Of(a).ID(), other.Of(b).ID(), name)
	}
	for _, function := range []string{"First", "Second"} {
		require.Equal(t, ts.Of(returned(t, one, function)).ID(), other.Of(returned(t, two, function)).ID())
	}
	require.NotEqual(t, ts.Of(returned(t, one, "First")).ID(), ts.Of(returned(t, one, "Second")).ID())

	fields := one.Types.Scope().Lookup("Generics").Type().Underlying().(*types.Struct)
	require.NotEqual(t, ts.Of(fields.Field(4).Type()).ID(), ts.Of(fields.Field(5).Type()).ID())
}

func TestTypes_OfSourceAndExportDataAreOne(t *testing.T) {
	importing, imported := loadSample(t), loadPath(t, samplePath+"/other")
	payloads := importing.Types.Scope().Lookup("Payloads").Type().Underlying().(*types.Struct)
	exported := gotype.New(nil, importing.Fset.Position).Of(payloads.Field(5).Type())
	fromSource := gotype.New(nil, imported.Fset.Position).Of(imported.Types.Scope().Lookup("Order").Type())
	require.Equal(t, "other.Order", exported.String())
	require.Equal(t, fromSource.ID(), exported.ID())
	require.Equal(t, fromSource.Name(), exported.Name())
}
