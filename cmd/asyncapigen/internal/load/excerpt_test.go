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

// methodOf returns a method of a type of a package that is known by its export data.
func methodOf(t *testing.T, program *Program, path, of, name string) *types.Func {
	t.Helper()
	object := program.Exported(path).Scope().Lookup(of)
	method, _, _ := types.LookupFieldOrMethod(object.Type(), true, object.Pkg(), name)
	require.NotNil(t, method)
	return method.(*types.Func)
}

// bodyOf returns the declaration of a method of a package, and how many there are.
func bodyOf(pkg *Package, name string) (found *ast.FuncDecl, number int) {
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == name {
				found = f
				number++
			}
		}
	}
	return found, number
}

func TestMethod_HasItsBody(t *testing.T) {
	const path = "example.com/shop/events"
	for name, c := range map[string]struct {
		source string
		whole  bool // all of the package is read for it
	}{
		"alone":                       {"type T struct{ n int }\n\nfunc (t T) M() int { return helper(t.n) }\n\nfunc helper(n int) int { return n }\n", false},
		"by a pointer":                {"type T struct{ n int }\n\nfunc (t *T) M() int { return t.n }\n", false},
		"without a name":              {"type T struct{ n int }\n\nfunc (T) M(n int, _ string) int { return n }\n", false},
		"of what has no name":         {"type T struct{ n int }\n\nfunc (t T) M(int, string) int { return t.n }\n", false},
		"by imports":                  {"import (\n\t\"strconv\"\n\t\"strings\"\n)\n\nvar _ = strings.ToUpper\n\ntype T struct{ n int }\n\nfunc (t T) M() string { return strconv.Itoa(t.n) }\n", false},
		"by an import of all":         {"import . \"strconv\"\n\ntype T struct{ n int }\n\nfunc (t T) M() string { return Itoa(t.n) }\n", false},
		"by another name":             {"import c \"strconv\"\n\ntype T struct{ n int }\n\nfunc (t T) M() string { return c.Itoa(t.n) }\n", false},
		"by variables":                {"type T struct{ n int }\n\nvar a, B = 1, 2\n\nfunc (t T) M() int { return a + B }\n", false},
		"by types":                    {"type T struct{ n int }\n\ntype (\n\tu struct{ v v }\n\tv int\n)\n\nfunc (v) method() int { return 1 }\n\nfunc (t T) M() int { return u{}.v.method() }\n", false},
		"of what is generic":          {"type T[A any] struct{ a A }\n\nfunc (t T[A]) M() A { return t.a }\n", true},
		"of two that are":             {"type T[A, B any] struct{ a A; b B }\n\nfunc (t *T[A, B]) M() A { return t.a }\n", true},
		"in a file that isn't parted": {"type /* T */ T struct{ n int }\n\nfunc (t T) M() int { return t.n }\n", true},
		"two on a line":               {"type T struct{ n int }\n\nfunc (t T) M() int { return t.n }; func (t T) N() int { return t.n }\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			program, err := Packages(t.Context(), Config{
				Dir: modtest.Write(t, txtar.Parse([]byte("-- events/events.go --\npackage events\n\n"+c.source))), Patterns: []string{"./events"},
			})
			require.NoError(t, err)
			method := methodOf(t, program, path, "T", "M")
			for range 2 {
				pkg := program.Method(method)
				decl, number := bodyOf(pkg, "M")
				require.Equal(t, 1, number)
				require.NotNil(t, pkg.Info.TypeOf(decl.Body.List[0].(*ast.ReturnStmt).Results[0]))
				require.Equal(t, c.whole, program.sources[path] == pkg)
			}
		})
	}
}

func TestConstants_AreOfTheSourceThatWasRead(t *testing.T) {
	const path = "example.com/shop/events"
	program, err := Packages(t.Context(), Config{
		Dir: modtest.Write(t, txtar.Parse([]byte("-- events/events.go --\npackage events\n\nimport _ \"github.com/warrenmq/warren/runtime\"\n\nconst A, b = 1, 2\n"+
			"-- other/other.go --\npackage other\n\nconst C = 1\n"))), Patterns: []string{"./events", "./other"},
	})
	require.NoError(t, err)
	require.Same(t, program.Source(path), program.Constants(path))
	require.NotSame(t, program.Constants("example.com/shop/other"), program.Source("example.com/shop/other"))
	require.Same(t, program.Constants("example.com/shop/other"), program.Source("example.com/shop/other"))
	for _, none := range []string{RuntimePath, "example.com/none"} {
		require.Nil(t, program.Constants(none), none)
	}
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
