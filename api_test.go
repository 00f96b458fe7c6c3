package warren_test

import (
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

var update = flag.Bool("update", false, "write the files of testdata/api anew")

const modulePath = "github.com/warrenmq/warren"

// What users can write against is in testdata/api, a file for each public package, so
// that a change of it is seen in review. RELEASING.md says what counts as breaking.
func TestPublicPackages_ExportWhatIsListed(t *testing.T) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile,
	}, "./runtime/...", "./mgmt/...", "./observe/...", "./cmd/asyncapigen/analyzer")
	require.NoError(t, err)
	folder := filepath.Join("testdata", "api")
	listed, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	require.NoError(t, err)
	var exist []string
	for _, p := range loaded {
		require.Empty(t, p.Errors)
		path := strings.TrimPrefix(p.PkgPath, modulePath+"/")
		if p.Name == "main" || strings.Contains(path, "internal") {
			continue
		}
		text := strings.Join(exports(p.Types), "\n") + "\n"
		if text == "\n" {
			continue // it has tests only
		}
		file := filepath.Join(folder, strings.ReplaceAll(path, "/", ".")+".txt")
		exist = append(exist, file)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			continue
		}
		was, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(was), text, "go test . -update writes %s anew", file)
	}
	if *update {
		for _, file := range listed {
			if !slices.Contains(exist, file) {
				require.NoError(t, os.Remove(file))
			}
		}
		return
	}
	require.ElementsMatch(t, listed, exist)
}

// exports returns a line for everything that an importer can name.
func exports(p *types.Package) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	text := func(t types.Type) string { return types.TypeString(t, types.RelativeTo(p)) }
	for _, name := range p.Scope().Names() {
		if !token.IsExported(name) {
			continue
		}
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Const:
			add("const %s %s = %s", name, text(o.Type()), o.Val().ExactString())
		case *types.TypeName:
			add("type %s", declared(o, text))
			for _, line := range members(o, text) {
				add("%s", line)
			}
		default:
			add("%s", types.ObjectString(o, types.RelativeTo(p)))
		}
	}
	return lines
}

// declared returns what a type is, without its fields and methods.
func declared(o *types.TypeName, text func(types.Type) string) string {
	if o.IsAlias() {
		return o.Name() + " = " + text(types.Unalias(o.Type()))
	}
	named := text(o.Type())
	switch under := o.Type().Underlying().(type) {
	case *types.Struct:
		return named + " struct"
	case *types.Interface:
		return named + " interface"
	default:
		return named + " " + text(under)
	}
}

// members returns the fields and methods of a type that importers see.
func members(o *types.TypeName, text func(types.Type) string) []string {
	var lines []string
	add := func(kind, name, of string) {
		lines = append(lines, fmt.Sprintf("%s %s.%s %s", kind, o.Name(), name, of))
	}
	if s, ok := o.Type().Underlying().(*types.Struct); ok && !o.IsAlias() {
		for field := range s.Fields() {
			if field.Exported() {
				add("field", field.Name(), text(field.Type()))
			}
		}
		hidden := slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return !f.Exported() })
		if hidden {
			add("field", "_", "unexported")
		}
	}
	if i, ok := o.Type().Underlying().(*types.Interface); ok {
		for method := range i.Methods() {
			add("method", method.Name(), strings.TrimPrefix(text(method.Signature()), "func"))
		}
		return lines
	}
	methods := types.NewMethodSet(types.NewPointer(o.Type()))
	for selection := range methods.Methods() {
		method := selection.Obj()
		if !method.Exported() {
			continue
		}
		kind := "method"
		if types.NewMethodSet(o.Type()).Lookup(method.Pkg(), method.Name()) == nil {
			kind = "pointer method"
		}
		add(kind, method.Name(), strings.TrimPrefix(text(selection.Type()), "func"))
	}
	return lines
}
