package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/goldens"
	"github.com/warrenmq/warren/internal/modtest"
)

var update = flag.Bool("update", false, "rewrite the files that the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"asyncapigen": asyncapigenOfScripts})
}

// asyncapigenOfScripts is asyncapigen for scripts: where one of the goldens has it
// write its document, it writes all other forms as well.
func asyncapigenOfScripts() {
	if forms := os.Getenv("WARREN_FORMS"); forms != "" {
		os.Args = append(os.Args[:1], goldens.WithForms(os.Args[1:], forms, hasDirective())...)
	}
	main()
}

// hasDirective reports whether a directive in this folder says where documents are written.
func hasDirective() bool {
	found := false
	err := filepath.WalkDir(".", func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		source, err := os.ReadFile(name)
		found = found || bytes.Contains(source, []byte("go:generate"))
		return err
	})
	return found || err != nil
}

// Each golden is a module and a script that runs the command on it. It shows one
// form of a route that is found, or one diagnostic. What package service checks in its own
// process isn't run again, unless the goldens are rewritten.
func TestGoldens(t *testing.T) {
	dir := "../../testdata/golden"
	if !*update {
		dir = otherGoldens(t)
	}
	runScripts(t, dir, withoutRaceDetector(t), ".tmp/forms")
}

// otherGoldens returns a folder of those that need a command: they aren't among
// goldens.OneFiles.
func otherGoldens(t *testing.T) string {
	dir := t.TempDir()
	inProcess := make(map[string]bool)
	for _, g := range goldens.OneFiles(t) {
		inProcess[g.Name] = true
	}
	for _, file := range modtest.Programs(t) {
		if name := filepath.Base(file); !inProcess[strings.TrimSuffix(name, ".txtar")] {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
		}
	}
	return dir
}

// The scripts show the command itself: flags, files, exit statuses.
func TestScripts(t *testing.T) { runScripts(t, "testdata/script", os.Getenv("PATH"), "") }

// The go command starts its tool for each package that a program is built of.
func TestVet(t *testing.T) { runScripts(t, "testdata/vet", withoutRaceDetector(t), "") }

// withoutRaceDetector returns a PATH whose asyncapigen has no race detector. The
// evaluation of goldens, which has no goroutines, would take three times as long, and so would
// what go vet starts, which mostly begins and ends. The scripts and the tests of package main
// have it.
func withoutRaceDetector(t *testing.T) string {
	if !isRace {
		return os.Getenv("PATH")
	}
	bin := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-buildvcs=false", "-o", filepath.Join(bin, "asyncapigen"), ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return bin + string(os.PathListSeparator) + os.Getenv("PATH")
}

// runScripts runs those of a folder. Forms is where the goldens write other forms of
// documents, seen from the script's; "" for nowhere.
func runScripts(t *testing.T, dir, path, forms string) {
	environment := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOSUMDB", "GONOSUMDB", "GOTOOLCHAIN")
	testscript.Run(t, testscript.Params{
		Dir:                dir,
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			for name, value := range environment {
				env.Setenv(name, value)
			}
			for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR"} {
				env.Setenv(name, os.Getenv(name))
			}
			env.Setenv("WARREN", modtest.Root(t))
			if forms != "" {
				env.Setenv("GOGC", "400") // the commands are short: they would spend a third of their time on garbage
				env.Setenv("WARREN_FORMS", filepath.Join(env.WorkDir, filepath.FromSlash(forms)))
			}
			env.Setenv("PATH", path)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // each command would wait a second
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"dead":       deadLetters,
			"module":     module(t),
			"running":    running,
			"valid":      valid,
			"status":     status,
			"unreplace":  unreplace,
			"output":     printed(t, "output.schema.json"),
			"difference": printed(t, "diff.schema.json"),
			"map":        printed(t, "map.schema.json"),
			"yaml":       valueOfYAML(t),
			"vet":        vet,
		},
	})
}

// goEnv asks the go command for variables.
func goEnv(t *testing.T, names ...string) map[string]string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"env", "-json"}, names...)...).Output()
	require.NoError(t, err)
	values := make(map[string]string)
	require.NoError(t, json.Unmarshal(out, &values))
	return values
}

// module PATH [DIR] writes a go.mod that uses this checkout, and the package
// PATH/show, by which a program prints the document of its own routes.
func module(t *testing.T) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) == 0 || len(args) > 2 {
			ts.Fatalf("usage: module PATH [DIR]")
		}
		dir := ts.MkAbs(".")
		if len(args) == 2 {
			dir = ts.MkAbs(args[1])
		}
		ts.Check(os.MkdirAll(filepath.Join(dir, "show"), 0o777))
		ts.Check(os.WriteFile(filepath.Join(dir, "go.mod"), []byte(modtest.GoMod(t, args[0])), 0o666))
		ts.Check(os.WriteFile(filepath.Join(dir, "go.sum"), modtest.GoSum(t), 0o666))
		ts.Check(os.WriteFile(filepath.Join(dir, "show", "show.go"), []byte(modtest.Show), 0o666))
	}
}

// running PACKAGE FILE [ARGS] runs a main package with arguments, which prints the
// document of its routes, and compares it with the file. It adds the file's line to that of
// [modtest.DocumentSums].
func running(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: running PACKAGE FILE [ARGS]")
	}
	ts.Check(ts.Exec("go", append([]string{"run", args[0]}, args[2:]...)...))
	ts.Check(goldens.SameAsRunning([]byte(ts.ReadFile(args[1])), ts.ReadFile("stdout"), formsDir(ts)))
	sums, err := os.OpenFile(ts.MkAbs(modtest.DocumentSums), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	_, err = sums.WriteString(modtest.DocumentSum(args[1], ts.ReadFile(args[1])))
	ts.Check(errors.Join(err, sums.Close()))
}

// formsDir is where a golden's documents are, in a folder that the go command ignores.
func formsDir(ts *testscript.TestScript) string {
	return filepath.Join(ts.Getenv("WORK"), ".tmp", "forms")
}

// status N COMMAND... runs a command that ends with the exit status N and says
// one line.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARGS...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("the exit status is %d, not %s", got, args[0])
	}
}

// valid FILE checks a document, and those of all forms.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: valid FILE")
	}
	ts.Check(goldens.Valid(ts.Name(), []byte(ts.ReadFile(args[0])), formsDir(ts)))
}

// output FILE, difference FILE and map FILE check what -format json has printed against
// its schema.
func printed(t *testing.T, name string) func(ts *testscript.TestScript, neg bool, args []string) {
	compiler := jsonschema.NewCompiler()
	schema, err := compiler.Compile(filepath.Join(modtest.Root(t), "docs", "reference", name))
	require.NoError(t, err)
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 1 {
			ts.Fatalf("usage: output FILE")
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
		ts.Check(err)
		ts.Check(schema.Validate(value))
	}
}

// yaml FILE PATH TO writes the string at a path of a YAML file of this repository.
func valueOfYAML(t *testing.T) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 3 {
			ts.Fatalf("usage: yaml FILE PATH TO")
		}
		text, err := os.ReadFile(filepath.Join(modtest.Root(t), args[0]))
		ts.Check(err)
		var value any
		ts.Check(yaml.Unmarshal(text, &value))
		for key := range strings.SplitSeq(args[1], ".") {
			switch in := value.(type) {
			case map[string]any:
				value = in[key]
			case []any:
				i, err := strconv.Atoi(key)
				ts.Check(err)
				value = in[i]
			}
		}
		script, ok := value.(string)
		if !ok {
			ts.Fatalf("%s of %s is no string", args[1], args[0])
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(script), 0o666))
	}
}

// vet ARGS runs go vet with asyncapigen as its tool.
func vet(ts *testscript.TestScript, neg bool, args []string) {
	tool := ""
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), string(os.PathListSeparator)) {
		name := filepath.Join(dir, "asyncapigen")
		if _, err := os.Stat(name); err == nil && tool == "" {
			tool = name
		}
	}
	err := ts.Exec("go", append([]string{"vet", "-vettool=" + tool}, args...)...)
	if (err != nil) != neg {
		ts.Fatalf("go vet: %v", err)
	}
}

// unreplace MODULE makes a module, which was vendored from a folder that
// replaces it, one of the versions that others publish.
func unreplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unreplace MODULE")
	}
	for _, file := range []string{"go.mod", filepath.Join("vendor", "modules.txt")} {
		var kept []string
		for line := range strings.Lines(ts.ReadFile(file)) {
			module, _, isReplaced := strings.Cut(line, " => ./")
			switch {
			case !isReplaced || !strings.Contains(line, args[0]):
				kept = append(kept, line)
			case strings.Contains(module, args[0]+" v") && !strings.HasPrefix(line, "replace"):
				kept = append(kept, module+"\n")
			}
		}
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(strings.Join(kept, "")), 0o666))
	}
}
