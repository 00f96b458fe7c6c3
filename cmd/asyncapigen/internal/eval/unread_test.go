package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// unreadDeclarations are types whose methods change a variable, and values of interfaces of
// which nothing is known but that they are the program's own.
const unreadDeclarations = `
var _ http.Header
var _ = reflect.ValueOf
var _ sql.DB

var by string

type both struct{}

func (both) Open(string) (driver.Conn, error) { return nil, nil }

func (both) ServeHTTP(http.ResponseWriter, *http.Request) { by = "both" }

type using struct{}

func (using) ServeHTTP(http.ResponseWriter, *http.Request) {}

func (using) Use(using) { by = "using" }

type handling struct{}

func (handling) ServeHTTP(http.ResponseWriter, *http.Request) { by = "handling" }

type naming struct{}

func (naming) String() string { return "" }

func (naming) rename() { by = "rename" }

type changing struct{}

func (changing) Change() { by = "changing" }

var woken = make(chan bool)

func wake(http.ResponseWriter, *http.Request) { woken <- true }

func handler(n int) http.Handler {
	if os.Getpid() == n {
		return handler(n + 1)
	}
	return nil
}

func stringer(n int) fmt.Stringer {
	if os.Getpid() == n {
		return stringer(n + 1)
	}
	return nil
}
`

// Of an interface of which nothing is known, code that isn't read may call the exported
// methods of each type that may be in it.
func TestUnread_CallsTheMethodsOfWhatAnInterfaceMayHold(t *testing.T) {
	const changed = "unknown: a value that depends on the condition "
	for _, test := range []struct{ name, body, want string }{
		{"an interface that a type implements", `http.Handle("/", handler(1))`, changed + "http.Handle calls the method ServeHTTP of a value that it is given"},
		{"an interface by reflection", `reflect.ValueOf(handler(1))`, changed + "reflect.ValueOf calls the method ServeHTTP of a value that it is given"},
		{"a function that wakes another", `http.HandleFunc("/", wake); c := make(chan bool); func() { <-c }()`, ""},
		{"one whose type has no other exported method", `reflect.ValueOf(struct{ S fmt.Stringer }{stringer(1)})`, ""},
		{"one in a map by reflection", `reflect.ValueOf(map[string]http.Handler{"a": nil, "b": handler(1)})`, changed + "reflect.ValueOf calls the method ServeHTTP of a value that it is given"},
		{"a result of a function that is called", `reflect.ValueOf(func() http.Handler { return handler(1) })`, changed + "reflect.ValueOf calls the method ServeHTTP of a value that it is given"},
		{"a method that the code could not call which got the value", `http.Handle("/", using{}); http.DefaultServeMux.Handler(nil)`, ""},
		{"the same by reflection of what that code returns", `http.Handle("/", using{}); h, _ := http.DefaultServeMux.Handler(nil); reflect.ValueOf(h)`, changed + "reflect.ValueOf calls the method Use of a value that it is given"},
		{"a method of a type that is told to what could not call it", `sql.Named("x", reflect.TypeOf(using{}))`, ""},
		{"the same by reflection of what unread code returns", `sql.Named("x", reflect.TypeOf(using{})); h, _ := http.DefaultServeMux.Handler(nil); reflect.ValueOf(h)`, changed + "reflect.ValueOf calls the method Use of a value that it is given"},
		{"a method that the code could not name which got the value", `sql.Register("x", both{}); db, _ := sql.Open("x", ""); db.Driver()`, ""},
		{"the same by a method of what that code returns", `sql.Register("x", both{}); db, _ := sql.Open("x", ""); db.Driver().Open("x")`, changed + "db.Driver().Open calls the method ServeHTTP of a value that it is given"},
		{"none", `reflect.ValueOf(1)`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := libraryProgram([]string{"database/sql", "database/sql/driver", "fmt", "net/http", "os", "reflect"}, unreadDeclarations, []struct{ name, body string }{{test.name, test.body + "; show(by)"}}, 0, 1)
			require.Equal(t, []string{"# " + test.name, test.want}, evaluate(t, source).shown)
		})
	}
}
