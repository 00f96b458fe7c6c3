package client

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// FuzzGenerate_Compiles has names of routes, keys, types, fields and packages that come
// from anywhere. Whatever is generated compiles.
func FuzzGenerate_Compiles(f *testing.F) {
	importer := newImporter(f)
	for _, seed := range [][5]string{
		{"order.created", "order created id", "Order ID URL", "shop.*.x.#", "events"},
		{"a aFunc aCalls aCalls2", "what msg", "Fake Client New client", "*.#", "client"},
		{"type func 2fa _", "type string opts", "Message Request Reply", "a b", "runtime"},
		{"Order-Created", "ctx c f", "FakePublishOrder RouteOrder KeyOrder", "a.* b", "sync"},
		{"日本 ключ", "日本", "日本 ключ Ключ", "*.日本", "日本"},
		{"x */ // y", "a", "A", "x */ `y` \"z\\ \x00", "slices"},
		{"error any nil true", "error any nil", "Error Any Nil error any nil", "#.#.#", "fmt"},
		{"order Order2 order2", "order", "T T2 t", "k1 k-1 k.1 k_1", "order"},
		{"a b c d e", "events errors", "Order", "shop.*.#", "events"},
		{"keyA A", "words word", "KeyA KeyA1 KeyB", "a 1 #", "json"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4])
	}
	f.Fuzz(func(t *testing.T, names, words, typeNames, keys, pkgName string) {
		pkg := types.NewPackage("example.com/"+pkgName, pkgName)
		if !token.IsIdentifier(pkgName) || pkgName == "main" || pkgName == "_" || strings.Contains(pkgName, "_test") {
			pkg = types.NewPackage("example.com/main", "main")
		}
		declared := declareStructs(pkg, strings.Fields(typeNames))
		routes := namedRoutes(strings.Fields(names), words, keys, declared)
		for _, cfg := range []Config{
			{PackageName: "shopclient", PackagePath: "example.com/shop/shopclient", Title: names, Version: keys},
			{PackageName: "shopclient", PackagePath: "example.com/shop/shopclient", Copied: func(string) bool { return true }},
		} {
			source := generateSome(t, cfg, routes)
			require.NoError(t, importer.compile(pkg, source), "%s", source)
		}
	})
}

// generateSome generates a client of those of the routes that aren't refused.
func generateSome(t *testing.T, cfg Config, routes []registered.Route) []byte {
	for {
		source, problems, err := Generate(cfg, routes)
		require.NoError(t, err)
		if source != nil {
			return source
		}
		refused := make(map[string]bool)
		for _, problem := range problems {
			refused[problem.Route] = true
		}
		rest := slices.DeleteFunc(slices.Clone(routes), func(r registered.Route) bool { return refused[r.Name] })
		require.Less(t, len(rest), len(routes))
		routes = rest
	}
}

// namedRoutes makes a route of each name, of all kinds that have names in the client.
func namedRoutes(names []string, words, keys string, bodies []types.Type) []registered.Route {
	var routes []registered.Route
	for i, name := range names {
		body := bodies[i%len(bodies)]
		r := route(name, body)
		r.Description = words + "\n\n" + keys
		r.KeyWords = strings.Fields(words)
		r.RoutingKeys = strings.Fields(keys)
		r.Exchange = &runtime.Exchange{Name: words, Type: runtime.Topic}
		switch i % 5 {
		case 1:
			r.Exchange.Type, r.Reply, r.Result = runtime.Direct, new(runtime.Address), bodies[(i+1)%len(bodies)]
		case 2:
			r.Exchange.Type, r.BindingArguments = runtime.Headers, map[string]any{keys: words, words: int64(i)}
		case 3:
			r.Body, r.DispatchedBy = nil, runtime.Discriminator{}
			for _, c := range strings.Fields(words) {
				r.Cases = append(r.Cases, registered.Case{Name: c, Body: body})
			}
			if r.Cases == nil {
				r.Body = body
			}
		case 4:
			r.Reply, r.Result = new(runtime.Address), bodies[(i+1)%len(bodies)]
		}
		routes = append(routes, r)
	}
	return routes
}

// declareStructs declares structs with fields of all names, and returns them with an
// anonymous one.
func declareStructs(pkg *types.Package, names []string) []types.Type {
	all := []types.Type{types.Typ[types.String]}
	for _, name := range names {
		if !token.IsIdentifier(name) || name == "_" || pkg.Scope().Lookup(name) != nil {
			continue
		}
		var fields []*types.Var
		taken := map[string]bool{}
		for _, field := range names {
			if token.IsIdentifier(field) && field != "_" && !taken[field] {
				taken[field] = true
				fields = append(fields, types.NewField(0, pkg, field, all[len(all)-1], false))
			}
		}
		obj := types.NewTypeName(0, pkg, name, nil)
		named := types.NewNamed(obj, types.NewStruct(fields, nil), nil)
		pkg.Scope().Insert(obj)
		all = append(all, named, types.NewSlice(types.NewStruct(fields, nil)))
	}
	return all
}

// An importer has the packages that generated code imports.
type imported struct{ packages map[string]*types.Package }

func newImporter(t testing.TB) imported {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps},
		"github.com/warrenmq/warren/runtime", "context", "encoding/json", "errors", "slices", "sync", "time")
	require.NoError(t, err)
	all := imported{make(map[string]*types.Package)}
	for _, pkg := range loaded {
		require.Empty(t, pkg.Errors)
		all.packages[pkg.PkgPath] = pkg.Types
	}
	return all
}

// compile type-checks source, which may also import pkg.
func (all imported) compile(pkg *types.Package, source []byte) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "client.go", source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg.MarkComplete()
	config := types.Config{Importer: importerFunc(func(path string) (*types.Package, error) {
		if path == pkg.Path() {
			return pkg, nil
		}
		return all.packages[path], nil
	})}
	_, err = config.Check("example.com/shop/shopclient", fset, []*ast.File{file}, nil)
	return err
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
