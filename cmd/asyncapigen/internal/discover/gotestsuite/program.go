package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// runnable is the line by which a program of GOROOT/test says that it is to be run
// without flags or files.
var runnable = regexp.MustCompile(`(?m)^// run$`)

// testPrograms returns the names of the programs in the folder test, sorted.
func testPrograms(test string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(test, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		built, err := build.Default.MatchFile(filepath.Dir(name), filepath.Base(name))
		if err != nil || !built {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		head, _, _ := bytes.Cut(text, []byte("\npackage "))
		if runnable.Match(head) {
			relative, err := filepath.Rel(test, name)
			names = append(names, filepath.ToSlash(relative))
			return err
		}
		return nil
	})
	return names, err
}

// registering is the main that the programs get.
const registering = `package main

import (
	suitecontext "context"
	suiteos "os"

	suiteruntime "github.com/warrenmq/warren/runtime"
)

func main() {
	suiteProgram()
	suiteruntime.NewRouter().MustRegister(suiteruntime.Route{
		Name:    "after",
		Queue:   suiteruntime.Queue{Name: "suite.after"},
		Handler: suiteruntime.Consume(func(suitecontext.Context, string) error { return nil }),
	})
	suiteos.Stdout.WriteString("suite: registered")
}
`

// layOut writes the programs of GOROOT/test into folders of the module in dir,
// each with the main that registers.
func layOut(dir, test, warren string, names []string) error {
	sums, err := os.ReadFile(filepath.Join(warren, "go.sum"))
	if err != nil {
		return err
	}
	module, err := os.ReadFile(filepath.Join(warren, "go.mod"))
	if err != nil {
		return err
	}
	module = bytes.Replace(module, []byte("module github.com/warrenmq/warren\n"), []byte("module suite\n"), 1)
	module = regexp.MustCompile(`(?m)^tool .*\n`).ReplaceAll(module, nil)
	module = fmt.Appendf(module, "\nrequire github.com/warrenmq/warren v0.0.0\n\nreplace github.com/warrenmq/warren => %s\n", warren)
	failed := errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), module, 0o644),
		os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644),
	)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(test, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		folder := filepath.Join(dir, folderOf(name))
		failed = errors.Join(failed,
			os.MkdirAll(folder, 0o755),
			os.WriteFile(filepath.Join(folder, "program.go"), renamed(text), 0o644),
			os.WriteFile(filepath.Join(folder, "register.go"), []byte(registering), 0o644),
		)
	}
	return failed
}

// folderOf returns the folder of a program in the module.
func folderOf(name string) string {
	return "p_" + strings.NewReplacer("/", "_", ".", "_").Replace(strings.TrimSuffix(name, ".go"))
}

// renamed returns a program whose main is called suiteProgram. What can't be
// parsed is left as it is: it doesn't compile, which is said of it.
func renamed(text []byte) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "program.go", text, 0)
	if err != nil {
		return text
	}
	var mains []int
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != "main" {
			continue
		}
		mains = append(mains, fset.Position(fn.Name.Pos()).Offset)
		ast.Inspect(file, func(node ast.Node) bool {
			if name, ok := node.(*ast.Ident); ok && name != fn.Name && name.Obj == fn.Name.Obj && name.Obj != nil {
				mains = append(mains, fset.Position(name.Pos()).Offset)
			}
			return true
		})
	}
	slices.SortFunc(mains, func(a, b int) int { return cmp.Compare(b, a) })
	for _, offset := range slices.Compact(mains) {
		text = slices.Concat(text[:offset], []byte("suiteProgram"), text[offset+len("main"):])
	}
	return text
}
