package eval

import (
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The rules are those of "go help embed", as package embed's documentation has them.
func TestEmbeds_LeavesOutHiddenNamesOfFolders(t *testing.T) {
	for pattern, want := range map[string]string{
		"conf":           "conf/a.txt conf/sub/b.txt",
		"all:conf":       "conf/a.txt conf/.dot conf/_under conf/sub/b.txt conf/sub/.git/c",
		"conf/*":         "conf/a.txt conf/.dot conf/_under conf/sub/b.txt",
		"conf/*.txt":     "conf/a.txt",
		"conf/_under":    "conf/_under",
		"conf/sub/.git":  "conf/sub/.git/c",
		"*":              "conf/a.txt conf/sub/b.txt top.txt",
		"con":            "",
		"conf/[a-b].txt": "conf/a.txt",
	} {
		var got []string
		for _, name := range []string{"conf/a.txt", "conf/.dot", "conf/_under", "conf/sub/b.txt", "conf/sub/.git/c", "top.txt"} {
			if embeds(pattern, name) {
				got = append(got, name)
			}
		}
		require.Equal(t, want, strings.Join(got, " "), pattern)
	}
}

func TestEmbedPatterns_MayBeQuoted(t *testing.T) {
	require.Equal(t, []string{"a", "b c", "d e", "all:f"}, embedPatterns("//go:embed a \"b c\"\t`d e` all:f "))
}

func TestEmbeddedText_IsBounded(t *testing.T) {
	folder := t.TempDir()
	for name, n := range map[string]int{"fits": value.MaxText, "long": value.MaxText + 1} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), make([]byte, n), 0o600))
	}
	text, ok := embeddedText(folder, "fits")
	require.True(t, ok)
	require.Len(t, text, value.MaxText)
	_, ok = embeddedText(folder, "long")
	require.False(t, ok)
	_, ok = embeddedText(folder, "missing")
	require.False(t, ok)
}

const embedSource = `package p

import "embed"

//go:embed before.txt
var before string

// A comment, and an empty line.

//go:embed one.txt "two words.txt"

//go:embed dir
var files embed.FS // trailing

//go:embedded not.txt
var without string

var (
	//go:embed grouped.txt
	grouped []byte
	bare string
	//go:embed last.txt
	last string
)

func between() {}

var after string
`

func TestEmbedDirectives_AreThoseAboveTheVariable(t *testing.T) {
	pkg := checked(t, embedSource)
	for name, want := range map[string]string{
		"before": "before.txt", "files": `one.txt "two words.txt"|dir`, "without": "", "grouped": "grouped.txt", "bare": "", "last": "last.txt", "after": "",
	} {
		var got []string
		for _, directive := range embedDirectives(pkg, pkg.Types.Scope().Lookup(name).(*types.Var)) {
			got = append(got, strings.TrimPrefix(directive.Text, "//go:embed "))
		}
		require.Equal(t, want, strings.Join(got, "|"), name)
	}
}

func TestEmbeddedNames_AreThoseThatDirectivesName(t *testing.T) {
	folder := t.TempDir()
	pkg := checked(t, embedSource)
	for _, name := range []string{"one.txt", "two words.txt", "dir/a.txt", "dir/.hidden", "other.txt"} {
		pkg.Embedded = append(pkg.Embedded, filepath.Join(folder, name))
	}
	directives := embedDirectives(pkg, pkg.Types.Scope().Lookup("files").(*types.Var))
	require.Equal(t, []string{"one.txt", "two words.txt", "dir/a.txt"}, embeddedNames(pkg, folder, directives))
}

func TestWithFolders_SortsByFolderAndThenByName(t *testing.T) {
	require.Equal(t, []string{"a.txt", "d/", "e.txt", "d/b/", "d/x", "d/b/c", "d/b/d"}, withFolders([]string{"d/x", "d/b/d", "e.txt", "d/b/c", "a.txt"}))
}

func TestIsFileSystem_IsATypeOfPackageEmbed(t *testing.T) {
	pkg := checked(t, "package p\nimport \"embed\"\ntype own struct{}\nvar (\nfiles embed.FS\nerr error\nn int\no own\n)\n")
	for name, want := range map[string]bool{"files": true, "err": false, "n": false, "o": false} {
		require.Equal(t, want, isFileSystem(pkg.Types.Scope().Lookup(name).Type()), name)
	}
}

func TestFileSystem_HoldsFilesAndFolders(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "d"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "d", "a.txt"), []byte("text"), 0o600))
	of := checked(t, "package p\nimport \"embed\"\nvar files embed.FS\n").Types.Scope().Lookup("files").Type()
	unknown := &value.Unknown{Reason: "long"}
	fs := fileSystem(of, folder, []string{"d/a.txt", "d/missing.txt"}, unknown).(*value.Struct)
	var got []string
	for _, cell := range fs.Fields[0].Load().(value.Pointer).To.Load().(*value.Slice).Elems {
		file := cell.Load().(*value.Struct)
		name, data := constant.StringVal(file.Fields[0].Load().(value.Const).Value), "?"
		if c, ok := file.Fields[1].Load().(value.Const); ok {
			data = constant.StringVal(c.Value)
		} else {
			require.Same(t, unknown, file.Fields[1].Load())
		}
		got = append(got, name+"="+data)
	}
	require.Equal(t, []string{"d/=", "d/a.txt=text", "d/missing.txt=?"}, got)
}

func TestFileSystem_IsUnknownInAnotherLayout(t *testing.T) {
	unknown := &value.Unknown{Reason: "another layout"}
	for _, source := range []string{
		"package p\ntype FS struct{ other int }\ntype file struct{ name string; data string; hash [16]byte }\n",
		"package p\ntype FS struct{ files *[]int }\n",
	} {
		require.Same(t, unknown, fileSystem(checked(t, source).Types.Scope().Lookup("FS").Type(), t.TempDir(), []string{"a"}, unknown))
	}
}
