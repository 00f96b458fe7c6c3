package docpage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/internal/docpage"
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// clientMethods are the methods of the example's generated client, with the names of
// their parameters but for the options.
func clientMethods(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(modtest.Root(t), "examples", "orders", "ordersclient", "ordersclient.go"), nil, 0)
	require.NoError(t, err)
	var methods []string
	ast.Inspect(file, func(n ast.Node) bool {
		in, ok := n.(*ast.InterfaceType)
		if !ok {
			return true
		}
		for _, m := range in.Methods.List {
			of, isMethod := m.Type.(*ast.FuncType)
			if !isMethod || len(m.Names) == 0 {
				continue
			}
			var parameters []string
			for _, p := range of.Params.List[:len(of.Params.List)-1] {
				for _, name := range p.Names {
					parameters = append(parameters, name.Name)
				}
			}
			methods = append(methods, "client."+m.Names[0].Name+"("+strings.Join(parameters, ", ")+")")
		}
		return true
	})
	return methods
}

var shownCall = regexp.MustCompile(`:= (client\.\w+\(.*?\))<`)

// The page shows the calls that the generated client has, from either form of an
// extended document, and from the exact one those that it can be sure of.
func TestRender_ShowsTheCallsOfTheClient(t *testing.T) {
	router := new(runtime.Router)
	require.NoError(t, orders.Register(router, nil))
	extended, err := asyncapi.Generate(router.Routes(), nil, asyncapi.Extended)
	require.NoError(t, err)
	two, err := extended.JSON(2)
	require.NoError(t, err)
	made, err := asyncapi3.Generate(router.Routes(), nil)
	require.NoError(t, err)
	three, err := made.JSON(2)
	require.NoError(t, err)
	exact, err := os.ReadFile(filepath.Join(modtest.Root(t), "examples", "orders", "asyncapi.json"))
	require.NoError(t, err)
	want := clientMethods(t)
	require.Len(t, want, 7)
	// The sender chooses its key, by a parameter that no document has.
	want = slices.DeleteFunc(want, func(m string) bool { return strings.Contains(m, "PublishOrderCancelled(") })
	require.Len(t, want, 6)
	for _, form := range []struct {
		text []byte
		want []string
	}{{two, want}, {three, want}, {exact, []string{"client.PublishPriceChanged(ctx, msg)", "client.PublishOrderShip(ctx, msg)"}}} {
		root, err := jsontree.Parse("a.json", form.text)
		require.NoError(t, err)
		page, err := docpage.Render(root, docpage.Options{})
		require.NoError(t, err)
		var calls []string
		for _, match := range shownCall.FindAllStringSubmatch(html.UnescapeString(string(page)), -1) {
			calls = append(calls, match[1])
		}
		require.Equal(t, form.want, calls)
	}
}
