package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/diagnostic"
)

func TestFolders_AreThoseOfThePatternsOnce(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/testdata/c", "a/_old", "b/sub", ".git"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for _, c := range []struct{ patterns, want []string }{
		{[]string{"./..."}, []string{".", "a", "b", "b/sub"}},
		{[]string{"./b", "./a", "./..."}, []string{".", "a", "b", "b/sub"}},
		{[]string{"./b/...", "./a"}, []string{"a", "b", "b/sub"}},
		{[]string{"./a/testdata/..."}, []string{"a/testdata", "a/testdata/c"}},
		{[]string{"./a/_old"}, []string{"a/_old"}},
		{[]string{filepath.Join(dir, "a"), "./a"}, []string{"a"}},
		{[]string{"example.com/a", "./none", "./none/...", "./file"}, nil},
	} {
		all, err := folders(dir, c.patterns)
		require.NoError(t, err)
		var got []string
		for _, f := range all {
			require.Equal(t, filepath.Join(dir, f.seen), f.dir)
			got = append(got, filepath.ToSlash(f.seen))
		}
		require.Equal(t, c.want, got, "%q", c.patterns)
	}
}

// unpacked writes the files of an archive into a folder.
func unpacked(t *testing.T, files string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(files)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, f.Data, 0o600))
	}
	return dir
}

func TestFind_TakesTheDirectivesOfTheFolders(t *testing.T) {
	dir := unpacked(t, `-- a/a.go --
package a

//go:generate asyncapigen -title A -tags x ./...
//go:generate asyncapigen -title Second -client=
-- b/b.go --
package b

//go:generate asyncapigen -title B
-- c/c.go --
package c
-- d/d.go --
package d

// go:generate asyncapigen -title D
-- here.go --
package here

//go:generate asyncapigen -title Here ./sub
`)
	type service struct{ folder, title, patterns, at string }
	for _, c := range []struct {
		args string
		want []service
	}{
		{"./a", []service{{"a", "A", "./...", "a/a.go:3"}, {"a", "Second", ".", "a/a.go:4"}}},
		{"./b", []service{{"b", "B", ".", "b/b.go:3"}}},
		{"./a ./b", []service{{"a", "A", "./...", "a/a.go:3"}, {"a", "Second", ".", "a/a.go:4"}, {"b", "B", ".", "b/b.go:3"}}},
		{"-title Mine ./b", []service{{"b", "Mine", ".", "b/b.go:3"}}},
		{"", []service{{".", "Here", "./sub", "here.go:3"}}},
		{"./c", []service{{".", "Here", "./c", "here.go:3"}}}, // the working directory's, with the packages of the command line
		{"example.com/c", []service{{".", "Here", "example.com/c", "here.go:3"}}},
		{"./...", []service{{".", "Here", "./sub", "here.go:3"}, {"a", "A", "./...", "a/a.go:3"}, {"a", "Second", ".", "a/a.go:4"}, {"b", "B", ".", "b/b.go:3"}}},
		{"-V ./a", []service{{".", "", "./a", ":0"}}},
	} {
		found, _, err := Find(t.Context(), dir, Unnamed, append([]string{"-check"}, strings.Fields(c.args)...))
		require.NoError(t, err, c.args)
		var got []service
		for _, o := range found {
			require.Equal(t, Check, o.Mode)
			within, err := filepath.Rel(dir, o.Dir)
			require.NoError(t, err)
			got = append(got, service{filepath.ToSlash(within), o.Config.Title, strings.Join(o.Patterns, " "), filepath.ToSlash(LineAt(o.At))})
		}
		require.Equal(t, c.want, got, c.args)
	}
}

func TestFind_WithoutDirectivesIsTheCommandLine(t *testing.T) {
	dir := unpacked(t, "-- a/a.go --\npackage a\n\n// go:generate asyncapigen -title A\n")
	found, warnings, err := Find(t.Context(), dir, List, []string{"-title", "Mine", "./a"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "Mine", found[0].Config.Title)
	require.Equal(t, dir, found[0].Dir)
	require.Equal(t, []string{"./a"}, found[0].Patterns)
	require.Empty(t, warnings)

	_, warnings, err = Directed(t.Context(), filepath.Join(dir, "a"), Write)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
	require.Equal(t, diagnostic.BadDirective, warnings[0].Code)
	require.Equal(t, diagnostic.Warning, warnings[0].Severity)
	require.Equal(t, "a.go:3", LineAt(warnings[0].Pos))
}

func TestFind_CalledByGoGenerateIsTheCommandLine(t *testing.T) {
	dir := unpacked(t, "-- a.go --\npackage a\n\n//go:generate asyncapigen -title A\n")
	t.Setenv("GOFILE", "a.go")
	found, _, err := Find(t.Context(), dir, Unnamed, nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Empty(t, found[0].Config.Title)
	_, _, err = Find(t.Context(), dir, Unnamed, []string{"-watch"})
	require.ErrorContains(t, err, "flag -watch: it doesn't end")
}

func TestFind_SaysWhichDirectiveIsWrong(t *testing.T) {
	dir := unpacked(t, "-- a/a.go --\npackage a\n\n//go:generate asyncapigen -titel A\n-- b/b.go --\npackage b\n\n//go:generate asyncapigen -o a.txt\n-- c/c.go --\npackage c\n\n//go:generate asyncapigen \"\n")
	for args, want := range map[string]string{
		"./a\x00...":   "look for go:generate directives: ",
		"./a":          filepath.Join("a", "a.go") + ":3: the go:generate directive: there is no flag -titel: did you mean -title?",
		"./b":          filepath.Join("b", "b.go") + ":3: the go:generate directive: flag -o: the extension .txt of a.txt",
		"./c":          filepath.Join("c", "c.go") + ":3: the go:generate directive can't be read: ",
		"-titel A":     "there is no flag -titel",
		"-o a.txt ./a": "flag -o: the extension .txt of a.txt",
	} {
		_, _, err := Find(t.Context(), dir, Check, strings.Fields(args))
		require.ErrorContains(t, err, want, args)
		require.True(t, strings.HasPrefix(err.Error(), want), err)
	}
}

func TestBatches_AreOfOneModuleAndItsTags(t *testing.T) {
	dir := unpacked(t, "-- go.mod --\nmodule a\n-- b/go.mod --\nmodule b\n-- a1/a.go --\n-- a2/a.go --\n-- b/c/a.go --\n")
	of := func(folder string, args ...string) *Options {
		o := NewOptions(filepath.Join(dir, filepath.FromSlash(folder)))
		require.NoError(t, o.Parse(Write, args))
		return o
	}
	a1, a2, tagged, named, b, other := of("a1"), of("a2", "./..."), of("a1", "-tags", "x"), of("a1", "example.com/x", "."), of("b"), of("b/c")
	require.Equal(t, [][]*Options{{a1, a2}, {tagged}, {named}, {b, other}}, batches([]*Options{a1, tagged, named, b, a2, other}))
	require.Equal(t, filepath.Join(dir, "b"), ModuleOf(filepath.Join(dir, "b", "c")))
	require.Equal(t, dir, ModuleOf(filepath.Join(dir, "a1")))
	require.Empty(t, ModuleOf(filepath.VolumeName(dir)+string(filepath.Separator)))
}

func TestSeenFrom_IsWithinTheFolderOrWhole(t *testing.T) {
	dir := t.TempDir()
	require.Equal(t, filepath.Join("a", "b"), seenFrom(dir, filepath.Join(dir, "a", "b")))
	require.Equal(t, ".", seenFrom(dir, dir))
	require.Equal(t, filepath.Dir(dir), seenFrom(dir, filepath.Dir(dir)))
}
