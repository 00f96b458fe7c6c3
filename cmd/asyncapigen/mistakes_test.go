package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/imports"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// A mistake is something that a new user gets wrong.
type mistake struct {
	name    string
	args    string // of the command, in one line
	env     string // a variable, NAME=VALUE
	program string // of main.go, without what is the same in all; see shopProgram
	files   string // others, as a txtar archive
	status  int
	says    string // in stdout or stderr
	never   string // what neither has
}

const shopRoute = `runtime.Route{Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(on)}`

// shopProgram is what a program is without a mistake.
const shopProgram = `
func on(context.Context, Order) error { return nil }

func main() {
	runtime.NewRouter().MustRegister(` + shopRoute + `)
}
`

func withRoute(route string) string { return strings.Replace(shopProgram, shopRoute, route, 1) }

// mistakes are those of an hour with asyncapigen, with the words that each gets.
var mistakes = []mistake{
	// The command line.
	{name: "a misspelt command", args: "chek", status: usage, says: "there is no command chek: did you mean asyncapigen check?"},
	{name: "a command of another tool", args: "build", status: usage, says: "asyncapigen help lists the commands"},
	{name: "a misspelt flag", args: "-titel Shop", status: usage, says: "there is no flag -titel: did you mean -title?"},
	{name: "a command as the flag of another", args: "list -check", status: usage, says: "it is a command of its own, asyncapigen check"},
	{name: "a flag that doesn't exist", args: "-nonsense", status: usage, says: "flag provided but not defined: -nonsense (asyncapigen -h lists the flags)"},
	{name: "two commands as flags", args: "-check -list", status: usage, says: "use one of -check, -list and -explain"},
	{name: "a flag after the packages", args: "list . -tags x", status: usage, says: "flag -tags: it comes after the packages: write flags before them"},
	{name: "a quote within a word", args: `-title=The 'Shop"`, status: usage, says: `write "-title=The Shop" rather than -title="The Shop"`},
	{name: "a topic that doesn't exist", args: "help chek", status: usage, says: "there is no topic chek: did you mean check?"},
	{name: "a shell that doesn't exist", args: "completion powershell", status: usage, says: "name a shell: bash, zsh, fish"},
	{name: "a document in TOML", args: "-o spec.toml", status: usage, says: "flag -o: the extension .toml of spec.toml is none of a document's: use .json or .yaml or .yml"},
	{name: "a path of Windows", args: `-o C:\specs\x.json`, status: usage, says: "is a path of Windows, and this isn't Windows"},
	{name: "a folder for the document", args: "-o api/", status: usage, says: "flag -o: api/ names a folder: name the document's file, such as api/asyncapi.json"},
	{name: "the client in the service's folder", args: "-client .", status: usage, says: "the client is a package of its own and needs a folder of its own"},
	{name: "a client that no package can be named after", args: "-client my-client", status: usage, says: `use a name such as "myclient"`},
	{name: "a package that doesn't exist", args: "./ordres", status: usage, says: "directory not found"},
	{name: "a module that isn't required", args: "example.com/other", status: usage, says: "no required module provides package example.com/other"},
	{name: "a watch in a directive", args: "-watch", env: "GOFILE=main.go", status: usage, says: "flag -watch: it doesn't end"},
	{name: "a wrong direction", args: "-direction both", status: usage, says: "it is encode or decode"},

	// Topology.
	{name: "a topology without a broker", args: "topology diff", status: usage, says: "flag -mgmt: it is needed"},
	{name: "a misspelt action", args: "topology aply", status: usage, says: `the action "aply" is neither diff nor apply: did you mean apply?`},
	{name: "a wrong password", args: "topology diff -mgmt $BROKER -user ops", status: findings, says: "flag -user names the user, and the variable RABBITMQ_PASSWORD has the password", never: "s3cret"},

	// Directives.
	{name: "a directive with a space", args: "check", program: "\n// go:generate go tool asyncapigen -title Shop\n" + shopProgram, status: findings, says: "a space stands after the slashes, so that go generate doesn't run it: write //go:generate [bad-directive]"},
	{name: "a directive with a wrong flag", args: "check", program: "\n//go:generate go tool asyncapigen -titel Shop\n" + shopProgram, status: usage, says: "the go:generate directive: there is no flag -titel: did you mean -title?"},
	{name: "files that were never generated", args: "check", status: findings, says: "asyncapi.json: is missing: run go generate and commit the result"},
	{name: "a file that isn't asyncapigen's", files: "-- asyncapi.json --\n{\"name\": \"mine\"}\n", status: findings, says: "asyncapigen didn't generate it"},
	{name: "two programs in one pattern", args: "./...", files: "-- bills/main.go --\npackage main\n\nimport \"github.com/warrenmq/warren/runtime\"\n\nfunc main() { runtime.NewRouter().MustRegister(runtime.Route{}) }\n", status: findings, says: "write one //go:generate directive in each [several-programs]"},

	// Routes.
	{name: "a package without routes", program: "\nfunc main() { fmt.Println(1) }\n", status: findings, says: "the packages register no route", never: "{}"},
	{name: "a route that is never reached", program: "\nfunc main() {}\n\nfunc unused(r *runtime.Router) { r.MustRegister(runtime.Route{}) }\n", status: findings, says: "there is no route"},
	{name: "an empty package with warnings as errors", args: "-werror", program: "\nfunc main() {}\n", status: findings, says: "[no-routes]"},
	{name: "a handler without a context", program: strings.Replace(shopProgram, "context.Context, Order", "Order", 1), status: findings, says: "does not match func(context.Context, T) error", never: "unknown-handler"},
	{name: "a handler without an error", program: strings.Replace(shopProgram, "error { return nil }", "{}", 1), status: findings, says: "[type-error]", never: "unknown-handler"},
	{name: "a function for a handler", program: withRoute(`runtime.Route{Queue: runtime.Queue{Name: "orders"}, Handler: on}`), status: findings, says: "as runtime.Handler value in struct literal [type-error]", never: "unknown-handler"},
	{name: "a handler without a name", program: withRoute(`runtime.Route{Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(func(context.Context, Order) error { return nil })}`), status: findings, says: "the handler is no declared function whose name could serve: name the route [refused-route]"},
	{name: "a queue from the environment", program: withRoute(`runtime.Route{Queue: runtime.Queue{Name: os.Getenv("QUEUE")}, Handler: runtime.Consume(on)}`), status: findings, says: `write runtime.Env("QUEUE", "default")`},
	{name: "a route of a configuration", program: `
type config struct{ Queue, Exchange, Key string }

func on(context.Context, Order) error { return nil }

func main() {
	var c config
	_ = json.NewDecoder(os.Stdin).Decode(&c)
	runtime.NewRouter().MustRegister(runtime.Route{
		Queue: runtime.Queue{Name: c.Queue}, Exchange: &runtime.Exchange{Name: c.Exchange, Type: runtime.Topic}, RoutingKeys: []string{c.Key},
		Handler: runtime.Consume(on),
	})
}
`, status: findings, says: `of the route "on" aren't known`, never: "a route isn't"},
	{name: "two routes of one variable", program: "\nfunc on(context.Context, Order) error { return nil }\n\nfunc main() {\n\tprefix := os.Getenv(\"PREFIX\")\n\tfor _, name := range []string{\"a\", \"b\"} {\n\t\truntime.NewRouter().MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: prefix + name}, Handler: runtime.Consume(on)})\n\t}\n}\n", status: findings, says: `the queue name of each of the routes "a" and "b" isn't known: it is the result of os.Getenv("PREFIX")`, never: `of the route "a"`},
	{name: "two routes on one queue", program: strings.Replace(withRoute(shopRoute+", "+strings.Replace(shopRoute, "(on)", "(other)", 1)), "func main", "func other(context.Context, Order) error { return nil }\n\nfunc main", 1), status: findings, says: `Queue: "orders" is consumed by route "on", and the broker gives each message to either of the two`},
	{name: "a handler that decodes", program: strings.Replace(shopProgram, "context.Context, Order) error { return nil }", "_ context.Context, body []byte) error { var o Order; return json.Unmarshal(body, &o) }", 1), status: done, says: "write runtime.Consume[main.Order] of a func(context.Context, main.Order) error [raw-body]"},
	{name: "a handler that decodes by a function", program: strings.Replace(shopProgram, "context.Context, Order) error { return nil }", "_ context.Context, body []byte) error { _, err := decoded[Order](body); return err }\n\nfunc decoded[T any](body []byte) (v T, err error) { err = unpack(string(body), &v); return v, err }\n\nfunc unpack(text string, into any) error { return json.NewDecoder(strings.NewReader(text)).Decode(into) }", 1), status: done, says: "main.go:15:59: warning: route \"on\": its handler decodes the messages itself: it takes []byte, so that the document can't say that they are main.Order"},
	{name: "keys without an exchange", program: withRoute(`runtime.Route{Queue: runtime.Queue{Name: "orders"}, RoutingKeys: []string{"a"}, Handler: runtime.Consume(on)}`), status: findings, says: "there is no Exchange to bind to"},
	{name: "a package that doesn't compile", program: strings.Replace(shopProgram, "func main() {", "func main() {\n\tvar queue int = \"orders\"", 1), status: findings, says: "as int value in variable declaration [type-error]"},
	{name: "a handler that doesn't compile", program: strings.Replace(shopProgram, "return nil", "return", 1), status: done, says: "warning: not enough return values, have (), want (error) [type-error]"},
}

func TestMistakes_GetTheirWords(t *testing.T) {
	broker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":"not_authorized","reason":"Login failed"}`))
	}))
	defer broker.Close()
	t.Setenv("RABBITMQ_PASSWORD", "s3cret")
	t.Setenv("GOFILE", "")
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Chdir(m.module(t))
			if name, value, ok := strings.Cut(m.env, "="); ok {
				t.Setenv(name, value)
			}
			before := filesBelow(t, ".")

			var stdout, stderr bytes.Buffer
			status := run(t.Context(), m.words(broker.URL), &stdout, &stderr)

			said := stdout.String() + stderr.String()
			require.Contains(t, said, m.says)
			require.Equal(t, m.status, status, said)
			if m.never != "" {
				require.NotContains(t, said, m.never)
			}
			if status != done {
				require.Equal(t, before, filesBelow(t, "."), "nothing is written")
			}
		})
	}
}

// words are the arguments: a flag, its = and its value may have a space.
func (m mistake) words(broker string) []string {
	if strings.Contains(m.args, "=") {
		return []string{strings.Fields(m.args)[0], strings.Fields(m.args)[1]}
	}
	return strings.Fields(strings.ReplaceAll(m.args, "$BROKER", broker))
}

// module writes the module in which the mistake is made.
func (m mistake) module(t *testing.T) string {
	t.Helper()
	program := m.program
	if program == "" {
		program = shopProgram
	}
	source, err := imports.Process("main.go", []byte("package main\n\nimport \"github.com/warrenmq/warren/runtime\"\n\nvar _ runtime.Route\n\ntype Order struct{ ID string }\n"+program), nil)
	require.NoError(t, err)
	archive := txtar.Parse([]byte(m.files))
	archive.Files = append(archive.Files, txtar.File{Name: "main.go", Data: source})
	return modtest.Write(t, archive)
}

// filesBelow returns the files below dir with their content.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	}))
	return files
}
