// Package frameworks_test holds what asyncapigen finds in services on the
// frameworks that people use against what the running services register. It is
// a module of its own: the frameworks are no dependencies of warren.
package frameworks_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warrenmq/warren/runtime/asyncapi"
)

// A service is a folder here, and how it is started to serve. Those in small
// show one rule each. One that is refused has the file want.txt.
type service struct {
	dir   string
	start string   // the arguments of the program
	flags []string // those of asyncapigen
	edits []string // remedies: texts in main.go and what replaces them, in pairs
}

// Each of its hooks may fail, and so end the program before the next one.
func TestServices_HaveSeveralRouters(t *testing.T) {
	stdout, stderr, status := run(t, filepath.Join(module(t), "small/fxrouters"), nil, build(t), "-list")
	if status != 0 || !strings.Contains(stdout, "orders") || !strings.Contains(stdout, "bills") {
		t.Fatalf("asyncapigen ends with %d:\n%s%s", status, stdout, stderr)
	}
}

func TestServices_RegisterWhatIsFound(t *testing.T) {
	found := []service{
		{dir: "chi"},
		{dir: "cobra", start: "serve"},
		{dir: "cobra", start: "serve", flags: []string{"-run", "serve"}},
		{dir: "cobraflag", start: "serve -q resize", edits: []string{
			`"queue to consume")`, `"queue to consume") //asyncapigen:value resize`,
			`"exchange to bind to")`, `"exchange to bind to") //asyncapigen:value images`,
		}},
		{dir: "cobraworkers", start: "invoices", flags: []string{"-run", "invoices"}},
		{dir: "cobraworkers", start: "reminders", flags: []string{"-run", "reminders"}},
		{dir: "caarlos0env"},
		{dir: "cleanenv"},
		{dir: "dig"},
		{dir: "envconfig"},
		{dir: "errgroup"},
		{dir: "fx"},
		{dir: "fxgroup"},
		{dir: "fxmodules"},
		{dir: "gin"},
		{dir: "koanf"},
		{dir: "kong", start: "serve"},
		{dir: "oklogrun"},
		{dir: "osargs", start: "work"},
		{dir: "osargs", start: "work", flags: []string{"-run", "work"}},
		{dir: "samberdo"},
		{dir: "urfavev2", start: "run"},
		{dir: "urfavev3", start: "serve"},
		{dir: "viper"},
		{dir: "wire"},
		{dir: "small/cleanenvfile", edits: []string{
			`env-default:"orders"` + "`", `env-default:"orders"` + "` //asyncapigen:value from-the-file",
			`env-default:"never"` + "`", `env-default:"never"` + "` //asyncapigen:value given",
		}},
		{dir: "small/cobrafollowed", start: "work", flags: []string{"-run", "work"}},
		{dir: "small/containersfollowed"},
		{dir: "small/digdouble"},
		{dir: "small/digerr"},
		{dir: "small/digfails"},
		{dir: "small/digfollowed"},
		{dir: "small/dofails"},
		{dir: "small/dopackages"},
		{dir: "small/dopanics"},
		{dir: "small/after", start: "serve", flags: []string{"-run", "serve"}},
		{dir: "small/cobraargs", start: "work invoices", flags: []string{"-run", "work invoices"}},
		{dir: "small/cobraargs", start: "work reminders", flags: []string{"-run", "work reminders"}},
		{dir: "small/cobracontext", start: "serve"},
		{dir: "small/cobraremoves", start: "reminders"},
		{dir: "small/cobrasteps", start: "work", flags: []string{"-run", "work"}},
		{dir: "small/cobraversion"},
		{dir: "small/embedded", start: "serve"},
		{dir: "small/envfields"},
		{dir: "small/envnested"},
		{dir: "small/fxdecorate"},
		{dir: "small/fxerr"},
		{dir: "small/fxfails"},
		{dir: "small/fxfollowed"},
		{dir: "small/fxgroups"},
		{dir: "small/fxhooks"},
		{dir: "small/fxin"},
		{dir: "small/fxover"},
		{dir: "small/fxorder"},
		{dir: "small/koanfdefaults"},
		{dir: "small/latepackage"},
		{dir: "small/kongalone", start: "plain", flags: []string{"-run", "plain"}},
		{dir: "small/kongalone", start: "default", flags: []string{"-run", "default usual"}},
		{dir: "small/kongfails", start: "version"},
		{dir: "small/loggersend"},
		{dir: "small/kongbinds", start: "serve", flags: []string{"-run", "serve"}},
		{dir: "small/kongflag", start: "serve"},
		{dir: "small/konghooks", start: "serve"},
		{dir: "small/kongflag", start: "serve --queue=q", edits: []string{"`default:\"q\"`", "//asyncapigen:value q"}},
		{dir: "small/kongnested", start: "jobs work"},
		{dir: "small/kongroot"},
		{dir: "small/kongtree", start: "x-http-serve", flags: []string{"-run", "x-http-serve"}},
		{dir: "small/kongtree", start: "x-v-2-serve", flags: []string{"-run", "x-v-2-serve"}},
		{dir: "small/kongtree", start: "x-former", flags: []string{"-run", "x-former"}},
		{dir: "small/kongtree", start: "jobs work a", flags: []string{"-run", "jobs work"}},
		{dir: "small/kongtree", start: "jobs 1 stop", flags: []string{"-run", "jobs <of> stop"}},
		{dir: "small/kongtree", start: "jobs 1 more z", flags: []string{"-run", "jobs <of> more"}},
		{dir: "small/kongusage", start: "work", flags: []string{"-run", `work ""`}},
		{dir: "small/kongusage", start: "work q", flags: []string{"-run", `work <queue> ""`}},
		{dir: "small/kongusage", start: "work q k", flags: []string{"-run", "work <queue> <kind>"}},
		{dir: "small/kongswitch", start: "serve", flags: []string{"-run", "serve"}},
		{dir: "small/kongswitch", start: "work x", flags: []string{"-run", "work"}},
		{dir: "small/oninit", start: "serve"},
		{dir: "small/panics", start: "serve"},
		{dir: "small/prerun", start: "serve"},
		{dir: "small/prerun", start: "serve", flags: []string{"-run", "serve"}},
		{dir: "small/same", start: "serve"},
		{dir: "small/sethvargo"},
		{dir: "small/settings"},
		{dir: "small/settingsnames"},
		{dir: "small/settingscommands", start: "orders", flags: []string{"-run", "orders"}},
		{dir: "small/settingsembedded"},
		{dir: "small/settingsfollowed"},
		{dir: "small/validated"},
		{dir: "small/viperglobal"},
		{dir: "small/yaml"},
		{dir: "small/urfave2after", start: "work", flags: []string{"-run", "work"}},
		{dir: "small/families", start: "second work", flags: []string{"-run", "second work"}},
		{dir: "small/scopes"},
		{dir: "small/typednil", flags: []string{"-run", "shop"}},
		{dir: "small/urfavepanics", flags: []string{"-run", "shop"}},
		{dir: "small/urfaveafter", start: "work", flags: []string{"-run", "work"}},
		{dir: "small/urfave2contexts", start: "work"},
		{dir: "small/urfave2exit", flags: []string{"-run", "shop"}},
		{dir: "small/urfave2runandexit"},
		{dir: "small/urfavebefore", start: "serve"},
		{dir: "small/urfaveexit", flags: []string{"-run", "shop"}},
		{dir: "small/urfavesteps", start: "work", flags: []string{"-run", "work"}},
	}
	asyncapigen := build(t)
	for _, s := range found {
		t.Run(strings.Join(append([]string{s.dir}, s.flags...), " "), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(module(t), s.dir)
			edit(t, filepath.Join(dir, "main.go"), s.edits)
			holds(t, dir, asyncapigen, s.flags, s.start)
		})
	}
}

// A module that is replaced by a folder is one of the user's own, and is read at once. Kit is
// vendored as if others published it.
func TestServices_WithAnotherModuleRegisterWhatIsFound(t *testing.T) {
	asyncapigen, root := build(t), module(t)
	if _, stderr, status := run(t, root, nil, "go", "mod", "vendor"); status != 0 {
		t.Fatal(stderr)
	}
	edit(t, filepath.Join(root, "go.mod"), []string{"\texample.com/kit => ./kit\n", ""})
	edit(t, filepath.Join(root, "vendor", "modules.txt"), []string{
		"# example.com/kit v0.0.0 => ./kit\n", "# example.com/kit v0.0.0\n",
		"# example.com/kit => ./kit\n", "",
	})
	holds(t, filepath.Join(root, "small/kitcobra"), asyncapigen, nil, "")
	holds(t, filepath.Join(root, "small/kiturfave"), asyncapigen, nil, "serve")
	holds(t, filepath.Join(root, "small/kitlevel"), asyncapigen, nil, "")
	holds(t, filepath.Join(root, "small/konghooks"), asyncapigen, nil, "serve")
	holds(t, filepath.Join(root, "small/kitkong"), asyncapigen, nil, "serve")
	holds(t, filepath.Join(root, "small/kitstores"), asyncapigen, nil, "")
	for service, want := range map[string]string{"small/kitsettings": "env.Parse", "small/kityaml": "yaml.Unmarshal"} {
		_, stderr, status := run(t, filepath.Join(root, service), nil, asyncapigen, "-client=")
		if status != 1 || !strings.Contains(stderr, want) {
			t.Fatalf("%s: asyncapigen ends with %d, and not of %s:\n%s", service, status, want, stderr)
		}
	}
}

// holds compares the document of a service with the one that it registers itself when it starts.
func holds(t *testing.T, dir, asyncapigen string, flags []string, start string) {
	t.Helper()
	stdout, stderr, status := run(t, dir, nil, asyncapigen, append([]string{"-client="}, flags...)...)
	if status != 0 || stderr != "" {
		t.Fatalf("asyncapigen ends with %d:\n%s%s", status, stdout, stderr)
	}
	document, err := os.ReadFile(filepath.Join(dir, "asyncapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "service")
	if _, stderr, status := run(t, dir, nil, "go", "build", "-o", program, "."); status != 0 {
		t.Fatal(stderr)
	}
	own, stderr, status := run(t, dir, []string{"DOCUMENT=1"}, program, strings.Fields(start)...)
	if status != 0 || !strings.Contains(own, `"subscribe"`) {
		t.Fatalf("the service ends with %d and registers nothing:\n%s", status, stderr)
	}
	if err := asyncapi.Drift(document, []byte(own)); err != nil {
		t.Fatal(err)
	}
}

func TestServices_AreRefusedAtTheirOwnLines(t *testing.T) {
	asyncapigen := build(t)
	services, err := filepath.Glob("*/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	small, err := filepath.Glob("small/*/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(services, small...) {
		dir := filepath.Dir(file)
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, stderr, status := run(t, filepath.Join(module(t), dir), nil, asyncapigen, "-client=")
			if status != 1 || stderr != string(want) {
				t.Fatalf("asyncapigen ends with %d:\n%s\nwanted:\n%s", status, stderr, want)
			}
		})
	}
}

// build builds asyncapigen from this checkout.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "asyncapigen")
	if _, stderr, status := run(t, "../..", nil, "go", "build", "-o", program, "./cmd/asyncapigen"); status != 0 {
		t.Fatal(stderr)
	}
	return program
}

// module returns a copy of this module, to be changed.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "go.mod"), []string{"=> ../..", "=> " + root})
	return dir
}

func edit(t *testing.T, file string, pairs []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !bytes.Contains(text, []byte(pairs[i])) {
			t.Fatalf("%s has no %q", file, pairs[i])
		}
		text = bytes.Replace(text, []byte(pairs[i]), []byte(pairs[i+1]), 1)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a program to its end and returns what it wrote, and its exit status.
func run(t *testing.T, dir string, env []string, name string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = append(os.Environ(), env...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}
