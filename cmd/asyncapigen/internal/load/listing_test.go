package load_test

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

const several = `-- a/a.go --
package a

import _ "example.com/shop/events"
-- a/testdata/t.go --
package t
-- a/sub/_old/o.go --
package o
-- events/events.go --
package events

import _ "embed"

//go:embed files
var Text string
-- events/files/text.txt --
text
-- other/other.go --
package other

import _ "fmt"
`

func TestListing_NamesPackagesByTheirFolders(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(several)))
	listing, err := load.List(t.Context(), load.Config{Dir: dir, Patterns: []string{"./..."}})
	require.NoError(t, err)
	for _, c := range []struct {
		dir      string
		patterns []string
		folders  []string // of the user's packages, nil where none is named
	}{
		{dir, []string{"./..."}, []string{"a", "events", "other"}},
		{dir, []string{"./a"}, []string{"a", "events"}},
		{filepath.Join(dir, "a"), []string{"."}, []string{"a", "events"}},
		{filepath.Join(dir, "a"), []string{"../other"}, []string{"other"}},
		{filepath.Join(dir, "a"), []string{"../..."}, []string{"a", "events", "other"}},
		{dir, []string{filepath.Join(dir, "events")}, []string{"events"}},
		{dir, []string{"./events", "./other"}, []string{"events", "other"}},
		{dir, []string{"./none", "./a/..."}, []string{"a", "events"}},
		{dir, []string{"./none"}, nil},
		{dir, []string{"."}, nil},
	} {
		cfg := load.Config{Dir: c.dir, Patterns: c.patterns}
		require.Equal(t, c.folders != nil, listing.Names(cfg), c.patterns)
		var got []string
		folders, _ := listing.Sources(cfg)
		for _, folder := range folders {
			within, err := filepath.Rel(dir, folder)
			require.NoError(t, err)
			got = append(got, within)
		}
		slices.Sort(got)
		require.Equal(t, c.folders, got, c.patterns)
	}
}

func TestListing_DependsOnFilesOfItsPackages(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(several)))
	cfg := load.Config{Dir: dir, Patterns: []string{"./a"}}
	listing, err := load.List(t.Context(), cfg)
	require.NoError(t, err)
	for name, want := range map[string]bool{
		"a/a.go": true, "a/new.txt": true, "a/sub/b.go": false, "events/events.go": true, "other/other.go": false, "c.go": false,
		"events/files/text.txt": true, "events/files/more/text.txt": true, // embedded, perhaps
		"go.mod": true, "other/go.sum": true, "go.work": true, "go.work.sum": true, "vendor/modules.txt": true,
	} {
		require.Equal(t, want, listing.MayDependOn(cfg, []string{filepath.Join(dir, "none.go"), filepath.Join(dir, filepath.FromSlash(name))}), name)
	}
	require.False(t, listing.MayDependOn(cfg, nil))
	library := filepath.Join(build.Default.GOROOT, "src", "embed", "embed.go")
	require.FileExists(t, library)
	require.False(t, listing.MayDependOn(cfg, []string{library}))
}

func TestIsFolder_OfPatterns(t *testing.T) {
	for pattern, want := range map[string]bool{
		".": true, "..": true, "./a": true, "../a/...": true, filepath.Join(t.TempDir(), "a"): true,
		"a": false, "example.com/a": false, "...": false, ".a": false, "all": false,
	} {
		require.Equal(t, want, load.IsFolder(pattern), pattern)
	}
}

func TestPackages_TakeTheModuleOfAClient(t *testing.T) {
	for file, fault := range map[string]string{
		"": "",
		"-- shopclient/go.mod --\nmodule example.com/mine\n":  "",
		"-- shopclient/go.mod --\nmodule example.com/other\n": "is example.com/other, and not example.com/mine: change its go.mod, or -client-module",
		"-- shopclient/go.mod --\nmodul\n":                    "find the module of the client in ",
	} {
		dir := modtest.Write(t, txtar.Parse([]byte(shop+file)))
		program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}, ClientDir: filepath.Join(dir, "shopclient"), ClientModule: "example.com/mine"})
		if fault != "" {
			require.ErrorContains(t, err, fault)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "example.com/mine", program.ClientPath)
		require.Equal(t, "shopclient", program.ClientName)
	}
}

func TestErrors_OfParsingHaveTheirPlaces(t *testing.T) {
	program := loadShop(t, "-- a.go --\npackage a\n\nimport _ \""+load.RuntimePath+"\"\n\nfunc {\n", load.Config{Patterns: []string{"."}})
	require.NotEmpty(t, program.Errors())
	require.Equal(t, "a.go:5:6: expected 'IDENT', found '{'", program.Errors()[0].Error())
}

// A package of another module can only import what is the user's where that is vendored
// or published.
func TestImportedByOthers_AreTheUsersPackages(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(`-- go.mod --
module example.com/shop

go 1.25

require example.com/lib v1.0.0
-- main.go --
package main

import (
	_ "example.com/lib"
	_ "example.com/shop/own"
)

func init() { println() }

func main() {}
-- hooks/hooks.go --
package hooks
-- own/own.go --
package own

import _ "example.com/shop/hooks"

var n = count()

func count() int { return 1 }
-- vendor/modules.txt --
# example.com/lib v1.0.0
## explicit; go 1.25
example.com/lib
-- vendor/example.com/lib/lib.go --
package lib

import (
	_ "example.com/shop/hooks"
	_ "fmt"
)
`)))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}, Env: append(os.Environ(), "GOFLAGS=-mod=vendor", "GOWORK=off")})
	require.NoError(t, err)
	for range 2 {
		require.Equal(t, []string{"example.com/shop/hooks"}, program.ImportedByOthers())
	}
	const main, own, hooks, lib, none = "example.com/shop", "example.com/shop/own", "example.com/shop/hooks", "example.com/lib", "example.com/none"
	for path, is := range map[string]struct{ byOthers, own, importsOwn, registers, reachesHooks bool }{
		main:  {false, true, true, true, true},
		own:   {false, true, true, true, true},
		hooks: {true, true, false, false, true},
		lib:   {false, false, true, false, true},
		none:  {false, false, false, false, false},
		"fmt": {true, false, false, true, false},
	} {
		require.Equal(t, is.byOthers, program.ImportedByOtherModule(path), path)
		require.Equal(t, is.own, program.IsOwn(path), path)
		require.Equal(t, is.importsOwn, program.ImportsOwn(path), path)
		for range 2 {
			require.Equal(t, is.registers, program.Registers(path), path)
		}
		require.Equal(t, is.reachesHooks, program.Reaches(path, hooks), path)
		require.False(t, program.IsChecked(path), path)
	}
}

func TestIsChecked_WhatCanRegister(t *testing.T) {
	program := loadShop(t, shop, shopConfig())
	for path, want := range map[string]bool{
		"example.com/shop": true, "example.com/shop/orders": true, "example.com/shop/events": false, "example.com/shop/shopclient": false, "example.com/none": false, load.RuntimePath: false,
	} {
		require.Equal(t, want, program.IsChecked(path), path)
	}
	require.Len(t, program.Checked(), 2)
}

func TestInitChangers_AreWhoseCodeMentions(t *testing.T) {
	program := loadShop(t, `-- a.go --
package a

import (
	_ "example.com/shop/b"
	_ "example.com/shop/c"
)
-- b/b.go --
package b

import "example.com/shop/c"

func init() { c.Add() }
-- c/c.go --
package c

func Add() {}
`, load.Config{Patterns: []string{"."}})
	require.Equal(t, []string{"example.com/shop/b"}, program.InitChangers("example.com/shop/c"))
	require.Empty(t, program.InitChangers("example.com/shop/b"))
}
