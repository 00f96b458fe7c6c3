package scaffold_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scaffold"
	"github.com/warrenmq/warren/internal/modtest"
)

// written returns the folder of a module that has asyncapigen as a tool.
func written(t *testing.T, files string) string {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	module := modtest.GoMod(t, "example.com/shop") + "\ntool github.com/warrenmq/warren/cmd/asyncapigen\n"
	return modtest.Write(t, &txtar.Archive{Files: append(txtar.Parse([]byte(files)).Files, txtar.File{Name: "go.mod", Data: []byte(module)})})
}

// added returns what is added to a package.
func added(t *testing.T, dir, title string) *scaffold.Scaffold {
	t.Helper()
	s, err := scaffold.New(t.Context(), scaffold.Options{Dir: dir, Title: title, File: "routes.go"})
	require.NoError(t, err)
	require.Len(t, s.Files, 2)
	return s
}

func TestNew_NamesTheServiceByThePackage(t *testing.T) {
	dir := written(t, "-- orders/orders.go --\npackage orders\n-- mail-sender/main.go --\npackage main\n\nfunc main() {}\n")
	for folder, c := range map[string]struct{ name, title, given string }{
		"orders":      {"orders", "-title Orders", ""},
		"mail-sender": {"mailsender", "-title Mailsender", ""},
		"./orders":    {"orders", `"-title=The Shop"`, "The Shop"},
	} {
		s := added(t, filepath.Join(dir, folder), c.given)
		require.Equal(t, c.name, s.Name)
		require.Contains(t, string(s.Files[0].Content), "//go:generate go tool asyncapigen "+c.title+"\n")
		require.False(t, s.Vendored)
	}
}

func TestNew_NamesTheServiceByTheFolderThatItIsIn(t *testing.T) {
	dir := written(t, "-- mail-sender/main.go --\npackage main\n\nfunc main() {}\n")
	t.Chdir(filepath.Join(dir, "mail-sender"))
	require.Equal(t, "mailsender", added(t, ".", "").Name)
}

func TestNew_RefusesFilesForOtherSystems(t *testing.T) {
	dir := written(t, "-- main.go --\npackage main\n\nfunc main() {}\n")
	_, err := scaffold.New(t.Context(), scaffold.Options{Dir: dir, File: "routes_plan9.go"})
	require.ErrorContains(t, err, "routes_plan9.go has the name of a file for another system, which the go command leaves out here: choose another by -o")
}

func TestNew_RefusesWhatTheFilesDoNotFitInto(t *testing.T) {
	const shop = "-- main.go --\npackage main\n\nfunc main() {}\n"
	for name, c := range map[string]struct{ files, want string }{
		"no Go file":           {"-- README --\n", "has no Go file"},
		"files of others":      {"-- main_plan9.go --\npackage main\n", "read the package in "},
		"two packages":         {shop + "-- other.go --\npackage other\n", "has several packages"},
		"a file with an error": {"-- main.go --\npackage main\n\nfunc {\n", "mend that first"},
		"routes already":       {"-- main.go --\npackage main\n\nimport _ \"github.com/warrenmq/warren/runtime\"\n\nfunc main() {}\n", "the package imports github.com/warrenmq/warren/runtime already, at "},
		"a directive already":  {shop + "\n//go:generate go tool asyncapigen\n", "has a go:generate directive of asyncapigen already"},
		"a file of the name":   {shop + "-- routes.go --\npackage main\n", "routes.go exists, and init overwrites nothing"},
		"a test of the name":   {shop + "-- routes_test.go --\npackage main\n", "routes_test.go exists, and init overwrites nothing"},
		"a name that is taken": {shop + "-- b.go --\npackage main\n\nfunc register() {}\n", "the package declares register already"},
		"a variable's name":    {shop + "-- b.go --\npackage main\n\nvar a, register = 1, 2\n", "the package declares register already"},
		"a type's name":        {shop + "-- b.go --\npackage main\n\ntype Greeting int\n", "the package declares Greeting already"},
		"a test's name":        {shop + "-- b_test.go --\npackage main\n\nfunc routes() {}\n", "the package declares routes already"},
		"a needed import":      {shop + "-- b.go --\npackage main\n\nfunc runtime() {}\n", "the package declares runtime already"},
		"a needed short name":  {shop + "-- b.go --\npackage main\n\nconst slog = 1\n", "the package declares slog already"},
		"an import's name":     {shop + "-- b.go --\npackage main\n\nimport \"example.com/register/v2\"\n\nvar _ = register.X\n", "imports another one as register"},
		"a dotted version":     {shop + "-- b.go --\npackage main\n\nimport \"example.com/register.v2\"\n\nvar _ = register.X\n", "imports another one as register"},
		"a name given":         {shop + "-- b.go --\npackage main\n\nimport register \"example.com/x\"\n\nvar _ = register.X\n", "imports another one as register"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := scaffold.New(t.Context(), scaffold.Options{Dir: written(t, c.files), File: "routes.go"})
			require.ErrorContains(t, err, c.want)
		})
	}
}

// A test of a package may use the runtime before the package does, and a package of
// another major version has the name that stands before it.
func TestNew_TakesPackagesThatOnlySeemToHaveTheNames(t *testing.T) {
	for name, files := range map[string]string{
		"the runtime in a test": "-- main.go --\npackage main\n\nfunc main() {}\n-- main_test.go --\npackage main\n\nimport _ \"github.com/warrenmq/warren/runtime\"\n",
		"a method":              "-- main.go --\npackage main\n\ntype shop int\n\nfunc (shop) register() {}\n\nfunc main() {}\n",
		"another name given":    "-- main.go --\npackage main\n\nimport x \"example.com/register\"\n\nfunc main() { x.Do() }\n",
		"a dot without version": "-- main.go --\npackage main\n\nimport \"example.com/register.x\"\n\nfunc main() { x.Do() }\n",
		"a word with a v":       "-- main.go --\npackage main\n\nimport \"example.com/register/va\"\n\nfunc main() { va.Do() }\n",
	} {
		t.Run(name, func(t *testing.T) { added(t, written(t, files), "") })
	}
}

func TestNew_RefusesModulesThatDoNotHaveTheTool(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	for want, module := range map[string]string{
		"doesn't name asyncapigen as a tool": modtest.GoMod(t, "example.com/shop"),
		"belongs to no module":               "",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600))
		if module != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600))
		}
		_, err := scaffold.New(t.Context(), scaffold.Options{Dir: dir, File: "routes.go"})
		require.ErrorContains(t, err, want)
	}
}

func TestWrite_WritesAllFilesOrNone(t *testing.T) {
	dir := written(t, "-- main.go --\npackage main\n\nfunc main() {}\n")
	s := added(t, dir, "")
	routes, test := filepath.Join(dir, "routes.go"), filepath.Join(dir, "routes_test.go")
	require.NoError(t, os.WriteFile(test, []byte("mine"), 0o600))
	require.ErrorContains(t, s.Write(), "routes_test.go: it exists, and init overwrites nothing")
	require.NoFileExists(t, routes)
	text, err := os.ReadFile(test)
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))

	require.NoError(t, os.Remove(test))
	require.NoError(t, s.Write())
	for _, file := range s.Files {
		text, err := os.ReadFile(file.Path)
		require.NoError(t, err)
		require.Equal(t, string(file.Content), string(text))
	}
	require.ErrorContains(t, s.Write(), "routes.go: it exists")
	require.FileExists(t, routes)
}

func TestCreate_SaysWhyItCannot(t *testing.T) {
	err := scaffold.Create(scaffold.File{Path: filepath.Join(t.TempDir(), "none", "routes.go")})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.False(t, strings.Contains(err.Error(), "overwrites"))
}

func TestNew_AddsAMainWhereThereIsNone(t *testing.T) {
	dir := written(t, "-- orders/orders.go --\npackage orders\n-- with/main.go --\npackage main\n\nfunc main() {}\n-- without/doc.go --\npackage main\n")
	for folder, c := range map[string]struct {
		main             string
		contains, leaves []string
	}{
		"orders":  {"", []string{"func Register("}, []string{"func consume(", "func main("}},
		"with":    {filepath.Join("with", "main.go") + ":3", []string{"func register(", "func consume("}, []string{"func main("}},
		"without": {"", []string{"func register(", "func consume(", "func main("}, nil},
	} {
		s := added(t, filepath.Join(dir, folder), "")
		require.True(t, strings.HasSuffix(s.Main, c.main) && (s.Main == "") == (c.main == ""), s.Main)
		for _, text := range c.contains {
			require.Contains(t, string(s.Files[0].Content), text, folder)
		}
		for _, text := range c.leaves {
			require.NotContains(t, string(s.Files[0].Content), text, folder)
		}
	}
}

func TestNew_WritesTitlesAsGoGenerateReadsThem(t *testing.T) {
	dir := written(t, "-- orders.go --\npackage orders\n")
	for title, want := range map[string]string{
		"Bestellung7":    "-title Bestellung7",
		"Éclair":         "-title Éclair",
		"The Shop":       `"-title=The Shop"`,
		`a "b"`:          `"-title=a \"b\""`,
		"$HOME and more": `"-title=${DOLLAR}HOME and more"`,
	} {
		require.Contains(t, string(added(t, dir, title).Files[0].Content), "//go:generate go tool asyncapigen "+want+"\n")
	}
}

func TestNew_SaysThatDependenciesAreVendored(t *testing.T) {
	dir := written(t, "-- orders/orders.go --\npackage orders\n-- vendor/modules.txt --\n")
	require.True(t, added(t, filepath.Join(dir, "orders"), "").Vendored)
}

func TestNew_SaysWhyTheFolderIsNone(t *testing.T) {
	_, err := scaffold.New(t.Context(), scaffold.Options{Dir: filepath.Join(t.TempDir(), "none"), File: "routes.go"})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "run go env GOMOD: ")
}

func TestCheckFile_RefusesNamesThatRoutesCannotHave(t *testing.T) {
	require.NoError(t, scaffold.CheckFile("routes.go"))
	for name, want := range map[string]string{
		"a/routes.go":    "isn't the name of a file in the package's folder",
		"routes":         "doesn't end with .go",
		"routes_test.go": "is the name of a test",
		"_routes.go":     "the go command ignores files",
		".routes.go":     "the go command ignores files",
	} {
		require.ErrorContains(t, scaffold.CheckFile(name), want)
	}
}
