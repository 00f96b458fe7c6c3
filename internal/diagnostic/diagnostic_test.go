package diagnostic_test

import (
	"fmt"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
)

func ExampleDiagnostic() {
	d := diagnostic.Diagnostic{
		Code: diagnostic.EmptyObject, Severity: diagnostic.EmptyObject.Severity(),
		Pos:   token.Position{Filename: "orders.go", Line: 7, Column: 2},
		Route: "order.created", Path: "Order.Note", Type: "shop.Note",
		What: "it has no exported field", Why: "so it is always {}", Remedy: "export one",
	}
	fmt.Println(d)
	fmt.Println(d.Text())
	// Output:
	// orders.go:7:2: warning: route "order.created": Order.Note (shop.Note): it has no exported field: so it is always {}: export one [empty-object]
	// route "order.created": Order.Note (shop.Note): it has no exported field: so it is always {}: export one
}

func TestDiagnostic_LeavesOutWhatIsEmpty(t *testing.T) {
	require.Equal(t, "it failed [no-json]", diagnostic.Diagnostic{Code: diagnostic.NoJSON, What: "it failed"}.String())
	require.Equal(t, "Order: it failed", diagnostic.Diagnostic{Path: "Order", Type: "Order", What: "it failed"}.Text())
}

func TestCode_HasASeverity(t *testing.T) {
	require.Equal(t, "error", diagnostic.NoJSON.Severity().String())
	require.Equal(t, "warning", diagnostic.CustomJSON.Severity().String())
}

func TestList_AddsEachOnce(t *testing.T) {
	var list diagnostic.List
	for range 2 {
		list.Add(diagnostic.Diagnostic{What: "a"})
		list.Add(diagnostic.Diagnostic{What: "a", Route: "r"})
	}
	require.Len(t, list, 2)
}

func TestList_SortsByPosition(t *testing.T) {
	at := func(file string, line int) token.Position { return token.Position{Filename: file, Line: line} }
	list := diagnostic.List{
		{Pos: at("b.go", 1), What: "last"},
		{Pos: at("a.go", 10), What: "third"},
		{Pos: at("a.go", 9), What: "first"},
		{Pos: at("a.go", 10), Route: "s", What: "second"},
	}
	var order []string
	for _, d := range list.Sorted() {
		order = append(order, d.What)
	}
	require.Equal(t, []string{"first", "second", "third", "last"}, order, "at one position by their text")
	require.Equal(t, "last", list[0].What, "the list itself is unchanged")
}

func TestList_HasErrors(t *testing.T) {
	require.False(t, diagnostic.List{{Severity: diagnostic.Warning}}.HasErrors())
	require.True(t, diagnostic.List{{Severity: diagnostic.Warning}, {Severity: diagnostic.Error}}.HasErrors())
}
