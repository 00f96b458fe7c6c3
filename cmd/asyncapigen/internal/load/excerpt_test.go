package load

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// What is read of a package doesn't grow with what nobody asks for.
func TestExcerpt_ReadsOnlyWhatIsAskedFor(t *testing.T) {
	few, many := readLarge(t, 3), readLarge(t, 24)
	require.Equal(t, few, many)
	require.Equal(t, []string{"Open", "closed", "helper"}, few.declared)
	require.Equal(t, 2, few.bodies, "that of the method, and an empty one of what it calls")
	require.Equal(t, 1, few.documented)
}

// amount is what was read of a package.
type amount struct {
	declared   []string // what was type-checked, the method aside
	bodies     int      // of functions
	documented int      // declarations that were read for their comments
}

// readLarge reads some of a package with n times as much beside it.
func readLarge(t *testing.T, n int) amount {
	t.Helper()
	var text strings.Builder
	text.WriteString(`package large

import "encoding/json"

type Status string

const Open, closed Status = "open", "closed"

// Order is written by a method.
type Order struct{ ID int }

func (o Order) MarshalJSON() ([]byte, error) { return json.Marshal(helper(o.ID)) }

func helper(id int) int { return unneeded0(id) }
`)
	for i := range n {
		fmt.Fprintf(&text, "\nfunc unneeded%d(id int) int { return len(table%d) }\n\nvar table%d = []int{1}\n\ntype Other%d struct{ A int }\n", i, i, i, i)
		fmt.Fprintf(&text, "\nfunc (Other%d) MarshalJSON() ([]byte, error) { return nil, nil }\n", i)
	}
	program, err := Packages(t.Context(), Config{
		Dir: modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "large/large.go", Data: []byte(text.String())}}}), Patterns: []string{"./large"},
	})
	require.NoError(t, err)
	const path = "example.com/shop/large"
	order := program.Exported(path).Scope().Lookup("Order")
	method, _, _ := types.LookupFieldOrMethod(order.Type(), true, order.Pkg(), "MarshalJSON")
	require.NotEmpty(t, program.TypeDoc(order.(*types.TypeName)))
	require.Same(t, program.Constants(path), program.Method(method.(*types.Func)))
	require.Empty(t, program.sources)
	return amountOf(program, program.Constants(path), order)
}

func amountOf(program *Program, pkg *Package, order types.Object) amount {
	var read amount
	for name, object := range pkg.Info.Defs {
		_, isFunc := object.(*types.Func)
		_, isConst := object.(*types.Const)
		if isConst || isFunc && name.Name != "_" {
			read.declared = append(read.declared, name.Name)
		}
	}
	for node := range pkg.Info.Scopes {
		if _, ok := node.(*ast.FuncType); ok {
			read.bodies++
		}
	}
	slices.Sort(read.declared)
	docs, _ := program.docsAt(order)
	read.documented = len(docs.read)
	return read
}
