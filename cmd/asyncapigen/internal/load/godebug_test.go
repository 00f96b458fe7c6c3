package load

import (
	"go/ast"
	"go/parser"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// Go itself says what the settings of a program are.
func TestSetting_IsThatOfGo(t *testing.T) {
	const main = "package main\n\nimport _ \"os\"\n\nfunc main() {}\n"
	for name, files := range map[string]string{
		"of an old module":                          "-- go.mod --\nmodule example.com/a\n\ngo 1.21\n-- a.go --\n" + main,
		"of a release":                              "-- go.mod --\nmodule example.com/a\n\ngo 1.24.3\n-- a.go --\n" + main,
		"of this version of Go":                     "-- go.mod --\nmodule example.com/a\n\ngo 1.26.0\n-- a.go --\n" + main,
		"of a directive":                            "-- go.mod --\nmodule example.com/a\n\ngo 1.26.0\n-- a.go --\n//go:debug panicnil=1\n//go:debug  gotypesalias=0\n" + main,
		"of a directive that names another version": "-- go.mod --\nmodule example.com/a\n\ngo 1.26.0\n-- a.go --\n//go:debug default=go1.22\n//go:debug asynctimerchan=0\n" + main,
		"of a comment below the clause":             "-- go.mod --\nmodule example.com/a\n\ngo 1.26.0\n-- a.go --\npackage main\n\nimport _ \"os\"\n\n//go:debug panicnil=1\nfunc main() {}\n",
		"of go.mod":                                 "-- go.mod --\nmodule example.com/a\n\ngo 1.26.0\n\ngodebug (\n\tdefault=go1.21\n\tpanicnil=0\n)\n-- a.go --\n" + main,
		"of go.mod and of a directive":              "-- go.mod --\nmodule example.com/a\n\ngo 1.26.0\n\ngodebug panicnil=1\n-- a.go --\n//go:debug panicnil=0\n" + main,
		"of a workspace":                            "-- go.work --\ngo 1.26.0\n\nuse .\n\ngodebug panicnil=1\n-- go.mod --\nmodule example.com/a\n\ngo 1.21\n\ngodebug gotypesalias=0\n-- a.go --\n" + main,
	} {
		t.Run(name, func(t *testing.T) {
			dir := modtest.Write(t, txtar.Parse([]byte(files)))
			program, err := Packages(t.Context(), Config{Dir: dir, Patterns: []string{"."}})
			require.NoError(t, err)
			file, err := parser.ParseFile(program.Fset, filepath.Join(dir, "a.go"), nil, parser.ParseComments)
			require.NoError(t, err)
			settings := program.settingsOf([]*Package{{Path: "example.com/a", Files: []*ast.File{file}}})

			list := exec.Command("go", "list", "-f", "{{.DefaultGODEBUG}}", ".")
			list.Dir = dir
			told, err := list.Output()
			require.NoError(t, err)
			want := make(map[string]string)
			for pair := range strings.SplitSeq(strings.TrimSpace(string(told)), ",") {
				if key, set, ok := strings.Cut(pair, "="); ok {
					want[key] = set
				}
			}
			delete(settings, "default")
			require.Equal(t, want, settings)
		})
	}
}
