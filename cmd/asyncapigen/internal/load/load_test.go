package load_test

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

const shop = `
-- main.go --
package main

import (
	"example.com/shop/events"
	"example.com/shop/orders"
	"example.com/shop/shopclient"
	"github.com/warrenmq/warren/runtime"
)

var client = shopclient.New(nil)

func main() {
	orders.Register(runtime.NewRouter(), events.Order{})
	client.Publish(client)
}
-- orders/orders.go --
package orders

import (
	"example.com/shop/events"
	"github.com/warrenmq/warren/runtime"
)

func Register(r *runtime.Router, first events.Order) {}
-- events/events.go --
package events

import "time"

// Order is what a customer wants.
type Order struct {
	// ID tells orders apart.
	ID   string
	When time.Time // it came
	Note string
}

type (
	// Grouped stands in a group.
	Grouped int
	Plain   int // after it
)

func Queue() string { return "orders" }
-- events/undivided.go --
package events

// Undivided stands in a file that isn't read in parts.
type /* for its comment */ Undivided int
`

func loadShop(t *testing.T, files string, cfg load.Config) *load.Program {
	t.Helper()
	cfg.Dir = modtest.Write(t, txtar.Parse([]byte(files)))
	if cfg.ClientDir != "" {
		cfg.ClientDir = filepath.Join(cfg.Dir, cfg.ClientDir)
	}
	program, err := load.Packages(t.Context(), cfg)
	require.NoError(t, err)
	return program
}

func shopConfig() load.Config {
	return load.Config{Patterns: []string{"."}, ClientDir: "shopclient"}
}

func TestPackages_ReadFromSourceWhatReachesRuntime(t *testing.T) {
	program := loadShop(t, shop, shopConfig())
	root := program.Roots[0]

	require.Equal(t, "example.com/shop", root.Path)
	require.Len(t, root.Imports, 1)
	require.Equal(t, "example.com/shop/orders", root.Imports[0].Path)
	require.NotEmpty(t, root.Imports[0].Files)
}

func TestPackages_RootsCanRegister(t *testing.T) {
	cfg := shopConfig()
	cfg.Patterns = []string{"./..."}
	program := loadShop(t, shop, cfg)

	var paths []string
	for _, root := range program.Roots {
		paths = append(paths, root.Path)
	}
	require.Equal(t, []string{"example.com/shop", "example.com/shop/orders"}, paths)
}

func TestPackages_ShareTypesOfDependencies(t *testing.T) {
	program := loadShop(t, shop, shopConfig())
	var seen []types.Type
	for _, pkg := range append(program.Roots, program.Roots[0].Imports...) {
		for _, imported := range pkg.Types.Imports() {
			if imported.Path() == "example.com/shop/events" {
				seen = append(seen, imported.Scope().Lookup("Order").Type())
			}
		}
	}

	require.Len(t, seen, 2)
	require.Same(t, seen[0], seen[1])
}

func TestPackages_NeedNoClient(t *testing.T) {
	program := loadShop(t, shop, shopConfig())

	require.Empty(t, program.Errors())
	require.Equal(t, "example.com/shop/shopclient", program.ClientPath)
	require.Equal(t, "shopclient", program.ClientName)
}

func TestPackages_TakeBrokenClient(t *testing.T) {
	program := loadShop(t, shop+"-- shopclient/client.go --\npackage shopclient\nfunc New( {\n", shopConfig())

	require.Empty(t, program.Errors())
}

func TestPackages_LeaveOutClient(t *testing.T) {
	cfg := shopConfig()
	cfg.Patterns = []string{"./..."}
	program := loadShop(t, shop+"-- shopclient/client.go --\npackage shopclient\nfunc New(any) any { return 0 }\n", cfg)

	for _, root := range program.Roots {
		require.NotEqual(t, program.ClientPath, root.Path)
	}
}

func TestPackages_FindClientInNestedModule(t *testing.T) {
	cfg := shopConfig()
	cfg.ClientDir = "clients/go/shopclient"
	program := loadShop(t, shop+"-- clients/go.mod --\nmodule \"example.com/clients\" // for others\n", cfg)

	require.Equal(t, "example.com/clients/go/shopclient", program.ClientPath)
	require.Equal(t, "shopclient", program.ClientName)
}

func TestPackages_FindClientAtRootOfModule(t *testing.T) {
	program := loadShop(t, shop+"-- shopclient/go.mod --\nmodule example.com/shop/shopclient\n", shopConfig())

	require.Equal(t, "example.com/shop/shopclient", program.ClientPath)
}

// Whether the client's folder is there already or not.
func TestPackages_FindClientBelowASymbolicLink(t *testing.T) {
	for _, client := range []string{"", "-- clients/shopclient/client.go --\npackage shopclient\n"} {
		cfg, link := shopConfig(), filepath.Join(t.TempDir(), "link")
		cfg.Dir = modtest.Write(t, txtar.Parse([]byte(shop+"-- clients/doc.go --\npackage clients\n"+client)))
		require.NoError(t, os.Symlink(filepath.Join(cfg.Dir, "clients"), link))
		cfg.ClientDir = filepath.Join(link, "shopclient")
		program, err := load.Packages(t.Context(), cfg)
		require.NoError(t, err)
		require.Equal(t, "example.com/shop/clients/shopclient", program.ClientPath)
	}
}

func TestPackages_RefuseUnreadableModuleOfClient(t *testing.T) {
	for _, test := range []struct{ name, text, message string }{
		{"no path", "go 1.26\n", "go.mod has no module path: add one, or choose another folder for the client"},
		{"no go.mod's form", "modul x\n", "read the module's path: errors parsing go.mod"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := modtest.Write(t, txtar.Parse([]byte(shop+"-- shopclient/go.mod --\n"+test.text)))
			_, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}, ClientDir: filepath.Join(dir, "shopclient")})
			require.ErrorContains(t, err, test.message)
			require.ErrorContains(t, err, "find the import path of the client in ")
		})
	}
}

func TestErrors_AreNamedFromWorkingDirectory(t *testing.T) {
	const broken = "-- a.go --\npackage a\n\nvar x int = \"one\"\n\nvar y = undefined\n"
	program := loadShop(t, broken, load.Config{Patterns: []string{"."}})

	var texts []string
	for _, e := range program.Errors() {
		texts = append(texts, e.Error())
	}
	require.Equal(t, []string{
		`a.go:3:13: cannot use "one" (untyped string constant) as int value in variable declaration`,
		`a.go:5:9: undefined: undefined`,
	}, texts)
}

func TestErrors_IncludeDependenciesWithoutExportData(t *testing.T) {
	const files = "-- a.go --\npackage a\n\nimport _ \"example.com/shop/b\"\n-- b/b.go --\npackage b\n\nfunc F() int { return true }\n"
	program := loadShop(t, files, load.Config{Patterns: []string{"."}})

	require.Len(t, program.Errors(), 1)
	require.Equal(t, filepath.Join("b", "b.go"), program.Errors()[0].Pos.Filename)
}

func TestErrors_SayWhyAnImportIsNotRead(t *testing.T) {
	const files = "-- a.go --\npackage a\n\nimport \"example.com/nowhere\"\n\nvar x = nowhere.X\n"
	program := loadShop(t, files, load.Config{Patterns: []string{"."}})

	require.Len(t, program.Errors(), 1)
	require.Equal(t, "a.go:3:8: could not import example.com/nowhere (no required module provides package example.com/nowhere; to add it: go get example.com/nowhere)", program.Errors()[0].Error())
	require.False(t, program.Errors()[0].Missing)
}

func TestErrors_KnowAPackageOfTheModuleThatIsMissing(t *testing.T) {
	for files, missing := range map[string]bool{
		"": true,
		"-- mailclient/client.go --\npackage mailclient\n\nimport \"example.com/nowhere\"\n\nvar x = nowhere.X\n": false,
	} {
		program := loadShop(t, "-- a.go --\npackage a\n\nimport \"example.com/shop/mailclient\"\n\nvar x = mailclient.New()\n"+files, load.Config{Patterns: []string{"."}})

		require.NotEmpty(t, program.Errors())
		for _, e := range program.Errors() {
			require.Equal(t, missing, e.Missing, e)
		}
	}
}

func TestTypeDoc_OfDependencies(t *testing.T) {
	program := loadShop(t, shop, shopConfig())
	var events *types.Package
	for _, imported := range program.Roots[0].Types.Imports() {
		if imported.Name() == "events" {
			events = imported
		}
	}
	typeDoc := func(name string) string { return program.TypeDoc(events.Scope().Lookup(name).(*types.TypeName)) }
	order := events.Scope().Lookup("Order").Type().Underlying().(*types.Struct)

	require.Equal(t, "Order is what a customer wants.", typeDoc("Order"))
	require.Equal(t, "Grouped stands in a group.", typeDoc("Grouped"))
	require.Equal(t, "after it", typeDoc("Plain"))
	require.Equal(t, "Undivided stands in a file that isn't read in parts.", typeDoc("Undivided"))
	require.Equal(t, "ID tells orders apart.", program.FieldDoc(order.Field(0)))
	require.Equal(t, "it came", program.FieldDoc(order.Field(1)))
	require.Empty(t, program.FieldDoc(order.Field(2)))
}

func TestDirectives_StandInComments(t *testing.T) {
	const files = `-- a.go --
package a

import (
	"example.com/shop/events"
	_ "github.com/warrenmq/warren/runtime"
)

// Local has one, too.
//asyncapigen:example 7
type Local events.Order
-- events/events.go --
package events

// Order is wanted.
//
//asyncapigen:schema {"type": "object"}
//asyncapigen:deprecated
// asyncapigen:none
type Order struct {
	//asyncapigen:example A1
	ID string //asyncapigen:value x

	// Note has none.
	Note string
}
`
	program := loadShop(t, files, load.Config{Patterns: []string{"."}})
	said := func(all []load.Directive) (texts []string) {
		for _, d := range all {
			texts = append(texts, d.Position.String()+" "+d.Name+" "+d.Text)
		}
		return texts
	}
	scope := program.Exported("example.com/shop/events").Scope()
	order := scope.Lookup("Order").Type().Underlying().(*types.Struct)
	file := filepath.Join("events", "events.go")
	require.Equal(t, []string{file + `:5:1 schema {"type": "object"}`, file + ":6:1 deprecated "}, said(program.TypeDirectives(scope.Lookup("Order").(*types.TypeName))))
	require.Equal(t, []string{file + ":9:2 example A1", file + ":10:12 value x"}, said(program.FieldDirectives(order.Field(0))))
	require.Empty(t, program.FieldDirectives(order.Field(1)))
	require.Equal(t, "Order is wanted.\n\nasyncapigen:none", program.TypeDoc(scope.Lookup("Order").(*types.TypeName)))
	local := program.Roots[0].Types.Scope().Lookup("Local").(*types.TypeName)
	require.Equal(t, []string{"a.go:9:1 example 7"}, said(program.TypeDirectives(local)))
	require.Empty(t, program.TypeDirectives(types.Universe.Lookup("error").(*types.TypeName)))
}

// Builds with -trimpath record packages' paths in place of folders.
func TestPositions_OfTrimmedBuildsAreOfFiles(t *testing.T) {
	cfg := shopConfig()
	cfg.Env = append(os.Environ(), "GOFLAGS=-trimpath")
	cfg.Dir = modtest.Write(t, txtar.Parse([]byte(shop)))
	cfg.ClientDir = filepath.Join(cfg.Dir, cfg.ClientDir)
	program, err := load.Packages(t.Context(), cfg)
	require.NoError(t, err)
	positionOf := func(pkgPath, name string) (recorded, found token.Position) {
		imports := program.Roots[0].Types.Imports()
		at := slices.IndexFunc(imports, func(imported *types.Package) bool { return imported.Path() == pkgPath })
		pos := imports[at].Scope().Lookup(name).Pos()
		return program.Fset.Position(pos), program.FilePosition(pos)
	}

	recorded, found := positionOf("example.com/shop/events", "Order")
	require.Equal(t, "example.com/shop/events/events.go", recorded.Filename)
	require.Equal(t, filepath.Join(cfg.Dir, "events", "events.go"), found.Filename)
	recorded, found = positionOf(load.RuntimePath, "Route")
	require.Regexp(t, `^github.com/warrenmq/warren@v[^/]*/runtime/`, recorded.Filename)
	require.FileExists(t, found.Filename)
}

func TestSource_OfDependency(t *testing.T) {
	program := loadShop(t, shop, shopConfig())
	pkg := program.Source("example.com/shop/events")

	require.NotEmpty(t, pkg.Files)
	require.NotNil(t, pkg.Types.Scope().Lookup("Queue"))
	require.Same(t, pkg, program.Source("example.com/shop/events"))
	require.Nil(t, program.Source("example.com/none"))
	require.Nil(t, program.Source(load.RuntimePath), "the runtime is known without its source")
}

func TestFileAt_IsTheFileThatHasThePosition(t *testing.T) {
	pkg := loadShop(t, shop, shopConfig()).Source("example.com/shop/events")
	file := pkg.Files[0]
	require.Same(t, file, pkg.FileAt(file.FileStart))
	require.Same(t, file, pkg.FileAt(file.FileEnd-1))
	require.Nil(t, pkg.FileAt(file.FileStart-1))
	require.Nil(t, pkg.FileAt(file.FileEnd))
}

func TestOwn_AreThePackagesOfTheUserThatWereRead(t *testing.T) {
	program := loadShop(t, shop, shopConfig())
	own := func() (paths []string) {
		for _, pkg := range program.Own() {
			paths = append(paths, pkg.Path)
		}
		return paths
	}
	read := []string{"example.com/shop", "example.com/shop/orders"}
	require.ElementsMatch(t, read, own())
	program.Source("time")
	require.ElementsMatch(t, read, own())
	program.Source("example.com/shop/events")
	require.ElementsMatch(t, append(read, "example.com/shop/events"), own())
}

// What initialises a package may change another one by code that mentions it, or one that
// imports it.
func TestInitChanges_WhatItsCodeMentions(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		want bool
	}{
		"in init":                       {`import "example.com/shop/events"; func init() { events.Add() }`, true},
		"by another name":               {`import e "example.com/shop/events"; func init() { e.Add() }`, true},
		"by no name":                    {`import . "example.com/shop/events"; func init() { Add() }`, true},
		"in a variable":                 {`import "example.com/shop/events"; var n = events.Add()`, true},
		"in a function that init calls": {`import "example.com/shop/events"; func init() { add() }; func add() { events.Add() }`, true},
		"through another package":       {`import "example.com/shop/orders"; func init() { orders.Place() }`, true},
		"in a function that is unused":  {`import "example.com/shop/events"; func init() {}; func add() { events.Add() }`, false},
		"nowhere":                       {`import _ "example.com/shop/events"; func init() {}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			program := loadShop(t, "-- a.go --\npackage a\n\n"+strings.ReplaceAll(c.code, "; ", "\n\n")+`
-- events/events.go --
package events

func Add() int { return 1 }
-- orders/orders.go --
package orders

import "example.com/shop/events"

func Place() { events.Add() }
`, load.Config{Patterns: []string{"."}})
			require.Empty(t, program.Errors())
			require.Equal(t, c.want, program.InitChanges("example.com/shop", "example.com/shop/events"))
		})
	}
}

func TestInitMentions_NamesOfWhatRuns(t *testing.T) {
	isSetenv := func(path, name string) bool { return path == "os" && (name == "" || name == "Setenv") }
	for name, c := range map[string]struct {
		code string
		want bool
	}{
		"in init":                       {`import "os"; func init() { os.Setenv("A", "b") }`, true},
		"by another name":               {`import system "os"; func init() { system.Setenv("A", "b") }`, true},
		"by no name":                    {`import . "os"; func init() { Setenv("A", "b") }`, true},
		"in a variable":                 {`import "os"; var _ = os.Setenv("A", "b")`, true},
		"in a function that init calls": {`import "os"; func init() { set() }; func set() { os.Setenv("A", "b") }`, true},
		"in a value":                    {`import "os"; var set = os.Setenv; func init() { set("A", "b") }`, true},
		"another name":                  {`import "os"; func init() { os.Getenv("A") }`, false},
		"of another package":            {`import _ "os"; import os "example.com/shop/events"; func init() { os.Setenv() }`, false},
		"in a function that is unused":  {`import "os"; func init() {}; func set() { os.Setenv("A", "b") }`, false},
		"without code that runs":        {`import "os"; const Setenv = 1; var n = Setenv; func set() { os.Setenv("A", "b") }`, false},
		"without the import":            {`func init() {}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			program := loadShop(t, "-- a.go --\npackage a\n\n"+strings.ReplaceAll(c.code, "; ", "\n\n")+"\n-- events/events.go --\npackage events\n\nfunc Setenv() {}\n",
				load.Config{Patterns: []string{"."}})
			require.Empty(t, program.Errors())
			require.Equal(t, c.want, program.InitMentions("example.com/shop", isSetenv))
		})
	}
}

// What a function of another module may call is told by names, over its packages.
func TestMentions_NamesOfWhatAFunctionMayCall(t *testing.T) {
	for name, c := range map[string]struct {
		code, of string
		want     bool
	}{
		"in the function":                 {`import "os"; func Load() { os.Args = nil }`, "Load", true},
		"an element":                      {`import "os"; func Load() { os.Args[0] = "a" }`, "Load", true},
		"by its address":                  {`import "os"; func Load() { p := &os.Args; *p = nil }`, "Load", true},
		"an element by another name":      {`import "os"; func Load() { args := os.Args[1:]; args[0] = "a" }`, "Load", true},
		"elements by copy":                {`import "os"; func Load() { copy(os.Args[1:], []string{"a"}) }`, "Load", true},
		"elements by append":              {`import "os"; func Load() { _ = append(os.Args[:1], "a") }`, "Load", true},
		"elements in another function":    {`import "os"; func Load() { change(os.Args) }; func change(list []string) { list[0] = "a" }`, "Load", true},
		"as a value to append":            {`import "os"; func Load() { _ = append([]string{}, os.Args...) }`, "Load", false},
		"to another package":              {`import "os"; import "strings"; func Load() { _ = strings.Join(os.Args, " ") }`, "Load", false},
		"an element of another list":      {`import "os"; func Load() { args := os.Args; list := []string{args[0], ""}; list[1] = "a" }`, "Load", false},
		"its length":                      {`import "os"; func Load() { _ = len(os.Args) }`, "Load", false},
		"in a function that it calls":     {`import "os"; func Load() { load() }; func load() { os.Args = nil }`, "Load", true},
		"in a variable that it calls":     {`import "os"; var load = func() { os.Args = nil }; func Load() { load() }`, "Load", true},
		"in a method of a type":           {`import "os"; type T struct{}; func (T) load() { os.Args = nil }; func Load() { var t T; _ = t }`, "Load", true},
		"in a method":                     {`import "os"; type T struct{}; func (T) Load() { os.Args = nil }`, "Load", true},
		"in a method of what is embedded": {`import "os"; type base struct{}; func (base) load() { os.Args = nil }; type T struct{ base }; func Load() { _ = T{} }`, "Load", true},
		"of an embedded pointer":          {`import "os"; type base struct{}; func (*base) load() { os.Args = nil }; type T struct{ *base }`, "T", true},
		"of a type by another name":       {`import "os"; type base struct{}; func (base) load() { os.Args = nil }; type T = base; func Load() { _ = T{} }`, "Load", true},
		"of what another package embeds":  {`import "example.com/others/words"; type T struct{ words.Taker }`, "T", true},
		"of a field's type":               {`import "os"; type base struct{}; func (base) load() { os.Args = nil }; type T struct{ b base }; func Load() { _ = T{} }`, "Load", true},
		"of an element's type":            {`import "os"; type base struct{}; func (base) load() { os.Args = nil }; type T []base; func Load() { _ = T{} }`, "Load", true},
		"of a type that an interface has": {`import "os"; type base struct{}; func (base) load() { os.Args = nil }; type T interface{ take(base) }; func Load(T) {}`, "Load", false},
		"of another type's method":        {`import "os"; type t struct{}; func (t) load() { os.Args = nil }; type T struct{}; func (T) load() {}`, "T", false},
		"in another package":              {`import "example.com/others/words"; func Load() { words.Take() }`, "Load", true},
		"in a function that isn't called": {`import "os"; func Load() {}; func load() { os.Args = nil }`, "Load", false},
		"behind a blank name":             {`import "os"; var _ = func() { os.Args = nil }; func Load() { _ = 1 }`, "Load", false},
		"of another package's, unused":    {`import "example.com/others/words"; func Load() { words.Ask() }`, "Load", false},
		"read alone":                      {`import "os"; func Load() { _ = os.Args[0] }`, "Load", false},
		"of another name":                 {`import "os"; func Load() { os.Stdout = nil }; func Words() { _ = os.Args }`, "Load", false},
		"when it is initialised":          {`import "os"; func init() { os.Args = nil }; func Load() {}`, "", true},
		"not when it is initialised":      {`import "os"; func init() { Load() }; func Load() {}; func load() { os.Args = nil }`, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			program := loadShop(t, `-- go.mod --
module example.com/shop

go 1.26.0

require example.com/others v1.0.0
-- vendor/modules.txt --
# example.com/others v1.0.0
## explicit; go 1.26.0
example.com/others
example.com/others/words
-- vendor/example.com/others/words/words.go --
package words

import "os"

func Take() { os.Args = nil }

type Taker struct{}

func (Taker) Take() { Take() }

func Ask() int { return len(os.Args) }
-- vendor/example.com/others/others.go --
package others

`+strings.ReplaceAll(c.code, "; ", "\n\n")+`
-- a.go --
package a

import (
	_ "example.com/others"
	_ "example.com/others/words"
)
`, load.Config{Patterns: []string{"."}})
			require.Empty(t, program.Errors())
			changes := &load.Names{Is: func(path, name string) bool { return path == "os" && name == "Args=" }, Texts: map[string]string{"os": ".Args"}}
			for range 2 { // what has been looked at is remembered
				require.Equal(t, c.want, program.Mentions("example.com/others", c.of, changes))
			}
			require.False(t, program.Mentions("example.com/shop", c.of, changes), "the program's own is read")
			require.False(t, program.Mentions("example.com/none", c.of, changes))
		})
	}
}

func TestSource_HasTheGoVersionOfItsModule(t *testing.T) {
	const files = "-- go.mod --\nmodule example.com/a\n\ngo 1.26.0\n\nrequire example.com/old v0.0.0\n\nreplace example.com/old => ./old\n" +
		"-- a.go --\npackage a\n\nimport _ \"example.com/old\"\n" +
		"-- old/go.mod --\nmodule example.com/old\n\ngo 1.21\n" +
		"-- old/old.go --\npackage old\n-- old/new.go --\n//go:build go1.22\n\npackage old\n"
	program := loadShop(t, files, load.Config{Patterns: []string{"."}})
	old := program.Source("example.com/old")

	require.Len(t, old.Files, 2)
	require.Len(t, old.Older, 1)
	require.Equal(t, "old.go", filepath.Base(program.Position(old.Older[0].Pos()).Filename))
	require.Empty(t, program.Source("example.com/a").Older)
}

func TestIsOwn_OfPackagesWithoutAModule(t *testing.T) {
	path := t.TempDir()
	dir := filepath.Join(path, "src", "example.com", "shop")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "events"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nimport _ \"example.com/shop/events\"\n\nfunc main() {}\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "events", "events.go"), []byte("package events\n\nimport _ \"time\"\n"), 0o644))
	program, err := load.Packages(t.Context(), load.Config{
		Dir: dir, Patterns: []string{"."}, Env: append(os.Environ(), "GO111MODULE=off", "GOFLAGS=", "GOPATH="+path),
	})
	require.NoError(t, err)

	require.True(t, program.IsOwn("example.com/shop"))
	require.True(t, program.IsOwn("example.com/shop/events"))
	require.False(t, program.IsOwn("time"))
}

func TestIsOfService_OfEachKindOfPackage(t *testing.T) {
	program := loadShop(t, shop, shopConfig())
	for path, want := range map[string]string{
		program.Roots[0].Path: "example.com/shop", "fmt": "", "example.com/none": "", load.RuntimePath: "github.com/warrenmq/warren",
	} {
		module, version := program.Module(path)
		require.Equal(t, want, module, path)
		require.Equal(t, want != "", version != "", path)
		require.Equal(t, want == "example.com/shop", program.IsOfService(path), path)
	}
	unversioned, version := program.Module(program.Roots[0].Path)
	require.Equal(t, "example.com/shop v0.0.0", unversioned+" "+version)
}

func TestGoVersion_IsThatOfTheModule(t *testing.T) {
	program := loadShop(t, "-- go.mod --\nmodule example.com/a\n\ngo 1.25.3\n-- a.go --\npackage a\n\nimport _ \"fmt\"\n", load.Config{Patterns: []string{"."}})
	for path, want := range map[string]string{"example.com/a": "1.25.3", "fmt": "", "example.com/none": ""} {
		require.Equal(t, want, program.GoVersion(path), path)
	}
}

// What is initialised has its imports initialised, and is the first by its path of what
// could be next.
// A package that has nothing to do when it is initialised holds up no other.
// Of each package b that has an init function, and package a that has one too and imports c,
// Go initialises b first only where c has something to do.
func TestInitOrder_IsThatOfGo(t *testing.T) {
	bodies := []string{
		// Nothing to do.
		"", "const n = 1", "type T struct{ init int }\n\ntype U int\n\nfunc (U) init() {}", "func f() { var n = f2(); _ = n }\n\nfunc f2() int { return 1 }",
		"var a, b = \"init\", -1\nvar (\n\tl = []string{`\nvar x = f()\n`}\n\tn int\n\tp = &T{N: 1, L: [2]string{0: `x`}}\n)\n\ntype T struct{ N int; L [2]string }",
		"const c = 2\n\nvar X = c + 1\nvar Y, Z = [2]int{c, c * 2}, len(`abc`)", "type T string\n\nvar X, Y = T(`a`), []byte(`b`)", "var a = 1\nvar b = a", "var a = 1\nvar b = []int{a}",
		"var f = func() int { return 1 }", "type T struct{}\n\nfunc (T) M() {}\n\nvar f = T.M\nvar _ interface{ M() } = (*T)(nil)", "var a = 1\nvar p = &(a)", "type T []T\n\nvar x = T{{}, {}}",
		"import \"unicode/utf8\"\n\nfunc F(s string) bool { return utf8.ValidString(s) }", "type T struct{ M map[int]int }\n\nvar x, b = T{}, !true", "func init() {}",
		"func F(l ...string) T { return T{l} }\n\ntype T struct{ l []string }\n\nvar V = F(`a`, `b`)", "var l = [3]int{}\nvar n = len(l)", "type O func(*int)\n\nfunc W() O { return func(i *int) { *i = 1 } }\n\nvar V = W()",
		"var a = []int{1}\n\ntype T struct{ l []int }\n\nfunc New(l []int) T { return T{l} }\n\nvar V = New(a)", "var a = 1\n\ntype T struct{ l *int }\n\nfunc New() T { return T{&a} }\n\nvar V = New()",
		"type L[T any] struct{ v T }\n\nfunc Of[T any](v T) L[T] { return L[T]{v} }\n\nvar V = Of(3)", "type T struct{ f func() }\n\nfunc New(f func()) *T { return &T{f} }\n\nfunc g() {}\n\nvar V = New(g)",
		"type T struct{ a, b string }\n\nfunc f(n string) T { return T{n, n + `x`} }\n\nvar V = f(`q`)", "type T struct{ n int }\n\nvar U = T{}\nvar V = &U.n",
		"type H interface{ M() }\n\ntype h struct{}\n\nfunc (*h) M() {}\n\nvar _ H = new(h)", "var _ = map[int]int{1: 2}", "func init() {\n\tif false {\n\t\tprintln()\n\t}\n}",
		"var l = [2]int{1}\nvar p = &l[0]", "type T struct{ a struct{ b int } }\n\nvar t T\nvar p = &t.a.b", "var n = len([2]int{})", "func f[T any](v T) T { return v }\n\nvar g = f[int]", "type L[T any] struct{}\n\nfunc (L[T]) M() {}\n\nvar m = L[int].M",
		"func f(n int) int { return n }\n\nvar V = f(2) * 3",
		// Something to do.
		"var g = `a`\n\nfunc f() string { return g }\n\nvar V = f()", "func ptr(n int) *int { return &n }\n\nvar V = ptr(3)", "type T struct{ f func() }\n\nfunc New(f func()) *T { return &T{f} }\n\nvar V = New(func() {})",
		"func two() (int, int) { return 1, 2 }\n\nvar A, B = two()", "func f(n int) int { if n == 0 { return 0 }; return f(n-1) }\n\nvar V = f(3)", "var l = []int{1}\nvar n = len(l)",
		"type T struct{ m map[string]int }\n\nfunc New() *T { return &T{m: map[string]int{}} }\n\nvar V = New()", "func f() (n int) { n = 3; return }\n\nvar V = f()",
		"func f(int) int { return 1 }\n\nvar V = f(g())\n\nfunc g() int { return len(l) }\n\nvar l []int",
		"func init() { println() }", "import \"math\"\n\nconst Max = math.MaxInt64", "var n = f()\n\nfunc f() int { return len(k) }\n\nvar k []int", "var m = map[int]int{1: 2}", "var m = []map[int]int{{1: 2}}", "type M map[int]int\n\nvar m = []M{{}}",
		"var n = <-closed()\n\nfunc closed() chan int {\n\tc := make(chan int)\n\tclose(c)\n\treturn c\n}", "import \"strings\"\n\nvar n strings.Builder", "var l = []int{1}\nvar n = l[0]",
		"var p = new(int)\nvar n = *p", "var a = 1\nvar b = 2 / a", "var a = 1\nvar b = 2 % a", "var a = 1\nvar b = 1 + a", "var a = `x`\nvar b = a + `y`", "var a = 1\nvar b = -a",
		"var a = 1\nvar (\n\tb = a == 1\n)", "type T struct{}\n\nfunc (T) M() {}\n\nvar f = T{}.M", "import \"errors\"\n\nvar E = errors.New(`x`)", "var s = make([]int, 3)", "var l = []int{1, 2}[1:]",
		"var V = string([]byte(`x`))", "type O func() int\n\nfunc W(n int) O { return func() int { return n } }\n\nvar o = W(3)", "var V = `abc`[1]", "var V = f(g)\n\nvar g = []int{1}\n\nfunc f(l []int) int { return l[0] }",
		"type T struct{ n int }\n\nvar U = &T{}\nvar V = &U.n", "//go:noinline\nfunc f() int { return 3 }\n\nvar V = f()", "func f(n ...int) int { return len(n) }\n\nvar V = f(1)",
		"import . \"unicode\"\n\nvar l = Letter",
		"var Default = `orders`\nvar Queue = Default", "var f = func() {}\nvar g = f", "var e error\nvar x = e", "var a = 2\nvar b = float64(a)", "func f(n int) int { return n + 1 }\n\nvar v = 1\nvar V = f(v)",
		"func f(n int) (m int) { return n }\n\nvar V = f(1)", "type M[K comparable] map[K]int\n\nvar m = M[int]{1: 2}", "var m = []*map[int]int{{1: 2}}", "func max(a, b int) int { println(); return a }\n\nvar n = max(1, 2)",
	}
	shop, imports := new(strings.Builder), new(strings.Builder)
	shop.WriteString("-- names/plug/a.go --\npackage plug\n\nfunc init() { println(`names/plug`) }\n-- names/plug-extra/a.go --\npackage extra\n\nfunc init() { println(`names/plug-extra`) }\n")
	shop.WriteString("-- dots/q.x/a.go --\npackage q\n\nfunc init() { println(`dots/q.x`) }\n-- dots/q-x/a.go --\npackage q\n\nfunc init() { println(`dots/q-x`) }\n")
	imports.WriteString("import _ \"example.com/shop/names/plug\"\nimport _ \"example.com/shop/names/plug-extra\"\nimport _ \"example.com/shop/dots/q.x\"\nimport _ \"example.com/shop/dots/q-x\"\n")
	for i, body := range bodies {
		fmt.Fprintf(shop, "-- p%02d/c/c.go --\npackage c\n\n%s\n", i, body)
		fmt.Fprintf(shop, "-- p%02d/a/a.go --\npackage a\n\nimport _ \"example.com/shop/p%02d/c\"\n\nfunc init() { println(`p%02d/a`) }\n", i, i, i)
		fmt.Fprintf(shop, "-- p%02d/b/b.go --\npackage b\n\nfunc init() { println(`p%02d/b`) }\n", i, i)
		fmt.Fprintf(imports, "import _ \"example.com/shop/p%02d/a\"\nimport _ \"example.com/shop/p%02d/b\"\n", i, i)
	}
	config := load.Config{Patterns: []string{"."}}
	config.Dir = modtest.Write(t, txtar.Parse([]byte("-- main.go --\npackage main\n\n"+imports.String()+"\nfunc main() {}\n"+shop.String())))
	program, err := load.Packages(t.Context(), config)
	require.NoError(t, err)
	require.Empty(t, program.InitOrder("example.com/none"))

	run := exec.CommandContext(t.Context(), "go", "run", ".")
	run.Dir = config.Dir
	printed, err := run.CombinedOutput()
	require.NoError(t, err, "%s", printed)

	want, first := strings.Fields(string(printed)), make(map[string]string)
	for _, path := range want {
		if of, _, _ := strings.Cut(path, "/"); first[of] == "" {
			first[of] = path
		}
	}
	for _, path := range program.InitOrder("example.com/shop") {
		name, _ := strings.CutPrefix(path, "example.com/shop/")
		of, _, isOne := strings.Cut(name, "/")
		if isOne && slices.Contains(want, name) && first[of] != "" {
			why := of
			if i, err := strconv.Atoi(of[1:]); err == nil {
				why = bodies[i]
			}
			assert.Equal(t, first[of], name, why)
			delete(first, of)
		}
	}
	require.Empty(t, first)
}

// The go command lists no file of the runtime that says which processor it is, where a
// package imports nothing.
func TestPackages_AreOfAProcessorOf64Bits(t *testing.T) {
	const source = "-- a.go --\npackage a\n\nimport \"unsafe\"\n\nconst Size = unsafe.Sizeof(uintptr(0))\n"
	of := func(arch string) load.Config {
		return load.Config{Patterns: []string{"."}, Env: append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")}
	}
	program := loadShop(t, source, of("amd64"))
	require.Equal(t, "8", program.Source("example.com/shop").Types.Scope().Lookup("Size").(*types.Const).Val().String())

	small := of("386")
	small.Dir = modtest.Write(t, txtar.Parse([]byte(source)))
	_, err := load.Packages(t.Context(), small)
	require.ErrorContains(t, err, "GOARCH is a processor of 32 bits, as which programs aren't followed: set it to one of 64 bits")
}

func TestImports(t *testing.T) {
	program := loadShop(t, shop, shopConfig())

	require.True(t, program.Imports("example.com/shop", "example.com/shop/events"))
	require.True(t, program.Imports("example.com/shop/orders", load.RuntimePath))
	require.False(t, program.Imports("example.com/shop/events", load.RuntimePath))
	require.False(t, program.Imports("example.com/none", load.RuntimePath))
}

func TestInStandardLibrary(t *testing.T) {
	program := loadShop(t, shop, shopConfig())

	require.True(t, program.InStandardLibrary("time"))
	require.True(t, program.InStandardLibrary("os/signal"))
	require.False(t, program.InStandardLibrary("example.com/shop/events"))
	require.False(t, program.InStandardLibrary(load.RuntimePath))
}

func TestPackages_TakeBuildTags(t *testing.T) {
	const files = "-- a.go --\npackage a\n\nimport _ \"" + load.RuntimePath + "\"\n-- b.go --\n//go:build special\n\npackage a\n\nconst Special = true\n"
	special := func(tags string) types.Object {
		return loadShop(t, files, load.Config{Patterns: []string{"."}, Tags: tags}).Roots[0].Types.Scope().Lookup("Special")
	}

	require.Nil(t, special(""))
	require.NotNil(t, special("special"))
}

func TestPackages_RefuseNothingToLoad(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte("-- a.go --\npackage a\n")))
	tests := []struct {
		name    string
		cfg     load.Config
		message string
	}{
		{"no folder", load.Config{Dir: filepath.Join(dir, "none"), Patterns: []string{"."}}, "is not a directory"},
		{"no package", load.Config{Dir: dir, Patterns: []string{"./none"}}, "load package ./none: stat"},
		{"no match", load.Config{Dir: dir, Patterns: []string{"example.com/shop/none/..."}}, "load packages example.com/shop/none/...: no packages match"},
		{"warren alone", load.Config{Dir: dir, Patterns: []string{load.RuntimePath}}, "no packages match"},
		{"the client alone", load.Config{Dir: dir, Patterns: []string{"."}, ClientDir: dir}, "no packages match"},
		{"another module", load.Config{Dir: dir, Patterns: []string{"example.com/other"}}, "load package example.com/other: no required module provides package"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := load.Packages(t.Context(), test.cfg)
			require.ErrorContains(t, err, test.message)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestPackages_RefuseOutdatedModule(t *testing.T) {
	archive := txtar.Parse([]byte("-- go.mod --\n-- a.go --\npackage a\n\nimport _ \"" + load.RuntimePath + "\"\n"))
	archive.Files[0].Data = []byte("module example.com/old\n\ngo 1.25\n\nrequire github.com/warrenmq/warren v0.0.0\n\nreplace github.com/warrenmq/warren => " + modtest.Root(t) + "\n")
	_, err := load.Packages(t.Context(), load.Config{Dir: modtest.Write(t, archive), Patterns: []string{"."}})

	require.ErrorContains(t, err, "updates to go.mod needed")
	require.ErrorContains(t, err, "go mod tidy")
}

func TestPackages_EndWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := load.Packages(ctx, load.Config{Patterns: []string{"."}})

	require.Error(t, err)
}

const callable = `
-- main.go --
package main

import (
	"net/http"

	"example.com/shop/byname"
	"example.com/shop/calls"
	"example.com/shop/named"
)

type Own interface{ Register() }

type T struct{}

func (T) Error() string { return "" }
func (T) Register()          {}
func (T) ServeHTTP(w, r any) {}
func (T) Serve(w, r any)     {}
func (T) Unwrap() []error    { return nil }
func (T) Is(error) bool      { return false }
func (T) String()            {}

var _ http.Handler

func main() {
	calls.Any(T{})
	byname.Any(T{}, "Register")
	named.One(T{})
}
-- calls/calls.go --
package calls

import "reflect"

func Any(v any) { reflect.ValueOf(v).Method(0) }
-- byname/byname.go --
package byname

import "reflect"

func Any(v any, name string) { reflect.ValueOf(v).MethodByName(name) }
-- named/named.go --
package named

import "reflect"

func One(v any) { reflect.ValueOf(v).MethodByName("Setup") }
`

// The methods are those of interface types of others than the user, wherever the types
// stand.
func TestMayBeOfInterface_OfOthers(t *testing.T) {
	program := loadShop(t, callable, load.Config{Patterns: []string{"."}})
	source := program.Source("example.com/shop")
	require.Empty(t, program.Errors())
	found := map[string]bool{}
	for selection := range types.NewMethodSet(source.Types.Scope().Lookup("T").Type()).Methods() {
		found[selection.Obj().Name()] = program.MayBeOfInterface(selection.Obj().(*types.Func))
	}
	require.Equal(t, map[string]bool{
		"Error":     true, // of the language
		"ServeHTTP": true, // of net/http
		"Unwrap":    true, // of a type within a function of errors
		"Is":        true,
		"Register":  false, // the user's own
		"Serve":     false,
		"String":    false, // others have a result
	}, found)
}

func TestCallsByReflection_AlsoOfWhatIsImported(t *testing.T) {
	program := loadShop(t, callable, load.Config{Patterns: []string{"."}})
	for path, want := range map[string]bool{
		"example.com/shop/calls":  true,
		"example.com/shop/byname": true,
		"example.com/shop/named":  false,
		"example.com/shop":        true,
		"net/http":                false,
		"reflect":                 true,
		"fmt":                     false,
		"example.com/unknown":     true,
	} {
		require.Equal(t, want, program.CallsByReflection(path), path)
	}
}

func TestCallsByReflection_OfAnyPackage(t *testing.T) {
	for _, c := range []struct {
		imported string
		want     bool
	}{{"net/http", false}, {"reflect", false}, {"text/template", true}} {
		program := loadShop(t, "-- main.go --\npackage main\n\nimport _ \""+c.imported+"\"\n\nfunc main() {}\n", load.Config{Patterns: []string{"."}})
		require.Equal(t, c.want, program.CallsByReflection(""), c.imported)
	}
}

// A plugin has interface types that no package of the program has.
func TestMayBeOfInterface_OfAPlugin(t *testing.T) {
	program := loadShop(t, "-- main.go --\npackage main\n\nimport _ \"plugin\"\n\ntype T struct{}\n\nfunc (T) Register() {}\n\nfunc main() {}\n", load.Config{Patterns: []string{"."}})
	source := program.Source("example.com/shop")
	require.True(t, program.MayBeOfInterface(types.NewMethodSet(source.Types.Scope().Lookup("T").Type()).At(0).Obj().(*types.Func)))
}

// What can't be read may have any interface type.
func TestMayBeOfInterface_OfAFileThatHasGone(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(`-- go.mod --
module example.com/shop

go 1.25

require example.com/lib v1.0.0
-- main.go --
package main

import _ "example.com/lib"

type T struct{}

func (T) Register() {}

func main() {}
-- vendor/modules.txt --
# example.com/lib v1.0.0
## explicit; go 1.25
example.com/lib
-- vendor/example.com/lib/lib.go --
package lib
`)))
	for _, gone := range []bool{false, true} {
		program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}, Env: append(os.Environ(), "GOFLAGS=-mod=vendor", "GOWORK=off")})
		require.NoError(t, err)
		if gone {
			require.NoError(t, os.Remove(filepath.Join(dir, "vendor/example.com/lib/lib.go")))
		}
		source := program.Source("example.com/shop")
		register := types.NewMethodSet(source.Types.Scope().Lookup("T").Type()).At(0).Obj().(*types.Func)
		require.Equal(t, gone, program.MayBeOfInterface(register))
	}
}
