package schema_test

//lint:file-ignore SA5008 the tag shows what encoding/json makes of it

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/internal/billing"
	dotted "github.com/warrenmq/warren/internal/schema/internal/dotted.v1"
	shipping "github.com/warrenmq/warren/internal/schema/internal/shipping/billing"
)

type (
	Order          struct{ ID string }
	Page[T any]    struct{ Items T }
	Pair[K, V any] struct {
		Key   K
		Value V
	}
	Page_Order struct{}
	Größe      int
	Gr_f6_ße   int
)

// keysOf is the keys of the types of the values, in any order of the values.
func keysOf(t *testing.T, values ...any) []string {
	t.Helper()
	var types []schema.Type
	for _, value := range values {
		types = append(types, schema.Reflect(reflect.TypeOf(value)))
	}
	set := schema.Build(types)
	require.Empty(t, set.Problems)
	for _, c := range set.Components {
		require.Equal(t, c.Key, c.Schema.Title, "the key is the title")
		require.Regexp(t, regexp.MustCompile(`^[A-Za-z0-9._-]+$`), c.Key)
	}
	return keys(set)
}

func TestComponentKey(t *testing.T) {
	const path = "github.com--warrenmq--warren--internal--schema--internal--"
	for name, c := range map[string]struct {
		values []any
		want   []string
	}{
		"type":          {[]any{Order{}}, []string{"Order"}},
		"package":       {[]any{Order{}, billing.Order{}}, []string{"billing.Order", "schema_test.Order"}},
		"path":          {[]any{shipping.Order{}, billing.Order{}}, []string{path + "billing.Order", path + "shipping--billing.Order"}},
		"path and type": {[]any{shipping.Order{}, billing.Order{}, Order{}}, []string{path + "billing.Order", path + "shipping--billing.Order", "schema_test.Order"}},
		"generic":       {[]any{Page[Order]{}}, []string{"Order", "Page_Order"}},
		"two arguments": {[]any{Pair[string, Page[int]]{}}, []string{"Page_int", "Pair_string_Page_int"}},
		"literals": {
			[]any{Page[[]int]{}, Page[*int]{}, Page[map[string]int]{}, Page[[3]int]{}, Page[any]{}, Page[struct{ X int }]{}},
			[]string{"Page_any", "Page_intArray3", "Page_intList", "Page_intPtr", "Page_stringIntMap", "Page_struct"},
		},
		"generic and type": {[]any{Page[Order]{}, Page_Order{}}, []string{
			"Order",
			"schema_test.Page_Order",
			"schema_test.Page_schema_test.Order",
		}},
		"generic's arguments": {[]any{Page[Order]{}, Page[billing.Order]{}}, []string{
			"billing.Order", "schema_test.Order",
			"schema_test.Page_billing.Order", "schema_test.Page_schema_test.Order",
		}},
		"generics": {[]any{Page[int]{}, billing.Page[int]{}}, []string{"billing.Page_int", "schema_test.Page_int"}},
		"arguments by path": {[]any{Page[shipping.Order]{}, Page[billing.Order]{}}, []string{
			path + "billing.Order", path + "shipping--billing.Order",
			"github.com--warrenmq--warren--internal--schema_test.Page-of-" + path + "billing.Order-end-",
			"github.com--warrenmq--warren--internal--schema_test.Page-of-" + path + "shipping--billing.Order-end-",
		}},
		"dotted path": {[]any{Page[dotted.Order]{}, Page[Order]{}}, []string{
			"dotted.Order", "schema_test.Order",
			"schema_test.Page_dotted.v1.Order", "schema_test.Page_schema_test.Order",
		}},
		"letters": {[]any{Größe(0), Gr_f6_ße(0)}, []string{"Gr-f6--df-e", "Gr_f6_-df-e"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.ElementsMatch(t, c.want, keysOf(t, c.values...))
			reversed := []any{}
			for _, value := range c.values {
				reversed = append([]any{value}, reversed...)
			}
			require.ElementsMatch(t, c.want, keysOf(t, reversed...), "the order of payloads doesn't matter")
		})
	}
}

func localOrder1() any { type Local struct{ A int }; return Local{} }
func localOrder2() any { type Local struct{ B int }; return Local{} }
func localPage1() any  { type Local struct{ A int }; return Page[Local]{} }
func localPage2() any  { type Local struct{ B int }; return Page[Local]{} }

func TestComponentKey_NumbersLocalTypesByFirstUse(t *testing.T) {
	build := func(values ...any) *schema.Set {
		var types []schema.Type
		for _, value := range values {
			types = append(types, schema.Reflect(reflect.TypeOf(value)))
		}
		return schema.Build(types)
	}
	set := build(localOrder2(), localOrder1(), localOrder2())
	require.Equal(t, []string{"B"}, names(component(t, set, "Local")))
	require.Equal(t, []string{"A"}, names(component(t, set, "Local_2")))

	set = build(localPage1(), localPage2())
	require.Equal(t, []string{"Local", "Local_2", "Page_Local", "Page_Local_2"}, keys(set))
	require.Equal(t, "#/components/schemas/Local_2", component(t, set, "Page_Local_2").Properties.Get("Items").Ref)
}

func TestReflect_NamesTypes(t *testing.T) {
	predeclared := func(ident string) schema.Arg { return schema.Arg{Name: schema.Name{Ident: ident}} }
	order := schema.Arg{Name: schema.Name{PkgPath: "github.com/warrenmq/warren/internal/schema_test", Ident: "Order"}}
	text := predeclared("string")
	for name, c := range map[string]struct {
		value any
		want  []schema.Arg
	}{
		"predeclared": {Pair[int, error]{}, []schema.Arg{predeclared("int"), predeclared("error")}},
		"defined":     {Page[Order]{}, []schema.Arg{order}},
		"any":         {Page[any]{}, []schema.Arg{predeclared("any")}},
		"pointer":     {Page[*Order]{}, []schema.Arg{{Kind: reflect.Pointer, Elem: &order}}},
		"slice":       {Page[[]Order]{}, []schema.Arg{{Kind: reflect.Slice, Elem: &order}}},
		"array":       {Page[[12]Order]{}, []schema.Arg{{Kind: reflect.Array, Len: 12, Elem: &order}}},
		"map":         {Page[map[string]Order]{}, []schema.Arg{{Kind: reflect.Map, Key: &text, Elem: &order}}},
		"struct": {Pair[struct {
			A map[string]Order `json:"a],{\"}"`
		}, Order]{}, []schema.Arg{{Kind: reflect.Struct}, order}},
		"func":      {Pair[func(int, ...Order) (string, error), Order]{}, []schema.Arg{{Kind: reflect.Func}, order}},
		"chan":      {Pair[<-chan []Order, chan<- int]{}, []schema.Arg{{Kind: reflect.Chan}, {Kind: reflect.Chan}}},
		"interface": {Pair[interface{ M(a, b int) }, Order]{}, []schema.Arg{{Kind: reflect.Interface}, order}},
		"nested": {Page[Pair[string, []Order]]{}, []schema.Arg{{Name: schema.Name{
			PkgPath: "github.com/warrenmq/warren/internal/schema_test", Ident: "Pair",
			Args: []schema.Arg{text, {Kind: reflect.Slice, Elem: &order}},
		}}}},
		"local": {localPage1(), []schema.Arg{{Name: schema.Name{PkgPath: order.Name.PkgPath, Ident: "Local"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := schema.Reflect(reflect.TypeOf(c.value)).Name()
			require.Equal(t, "schema_test", got.Pkg)
			require.Equal(t, c.want, got.Args)
		})
	}
}

func TestComponentKey_LeavesOutVersionsOfPaths(t *testing.T) {
	instance := func(path string) schema.Type {
		arg := schema.Arg{Name: schema.Name{PkgPath: path, Ident: "Order"}}
		return foreign{schema.Reflect(reflect.TypeFor[bool]()), schema.Name{
			PkgPath: "example.com/" + path, Pkg: "page", Ident: "Page", Args: []schema.Arg{arg},
		}}
	}
	set := schema.Build([]schema.Type{instance("shop/v2"), instance("stock"), instance("v3"), instance("shop/vendor"), instance("shop/7")})
	require.ElementsMatch(t, []string{"page.Page_shop.Order", "page.Page_stock.Order", "page.Page_v3.Order", "page.Page_vendor.Order", "page.Page_7.Order"}, keys(set))
}
