package discover_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/runtime/protobuf"
)

const codecs = `package main

import (
	"context"
	"os"
	"reflect"

	"github.com/warrenmq/warren/runtime"
)

type methods = interface {
	ContentTypes() []string
	Takes(reflect.Type) error
	Marshal(any) ([]byte, error)
	Unmarshal([]byte, any) error
}

type plain struct{}

func (plain) ContentTypes() []string      { return []string{"application/x-plain"} }
func (plain) Takes(reflect.Type) error    { return nil }
func (plain) Marshal(any) ([]byte, error) { return nil, nil }
func (plain) Unmarshal([]byte, any) error { return nil }

type alsoPlain plain

func (alsoPlain) ContentTypes() []string      { return []string{"application/x-plain"} }
func (alsoPlain) Takes(reflect.Type) error    { return nil }
func (alsoPlain) Marshal(any) ([]byte, error) { return nil, nil }
func (alsoPlain) Unmarshal([]byte, any) error { return nil }

type set struct{ plain }

type text string

func (text) ContentTypes() []string      { return nil }
func (text) Takes(reflect.Type) error    { return nil }
func (text) Marshal(any) ([]byte, error) { return nil, nil }
func (text) Unmarshal([]byte, any) error { return nil }

type of[T any] struct{}

func (of[T]) ContentTypes() []string      { return nil }
func (of[T]) Takes(reflect.Type) error    { return nil }
func (of[T]) Marshal(any) ([]byte, error) { return nil, nil }
func (of[T]) Unmarshal([]byte, any) error { return nil }

type pointed struct{}

func (*pointed) ContentTypes() []string      { return nil }
func (*pointed) Takes(reflect.Type) error    { return nil }
func (*pointed) Marshal(any) ([]byte, error) { return nil, nil }
func (*pointed) Unmarshal([]byte, any) error { return nil }

func on(context.Context, string) error { return nil }

func main() {
	_ = os.Getpid
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Codec: CODEC, Handler: runtime.Consume(on)})
}
`

// A document that is made of source asks a codec's type of its content type: it has to have
// no state.
func TestRoutes_NameTheTypeOfTheirCodec(t *testing.T) {
	program := onefile.New(t, strings.Replace(codecs, "CODEC", "nil", 1))
	const (
		stateful = "a codec that isn't the value of a named struct type without fields"
		unknown  = "the result of os.Getpid()"
	)
	for codec, test := range map[string]struct{ name, why string }{
		"nil":                         {"", ""},
		"plain{}":                     {"plain", ""},
		"alsoPlain{}":                 {"alsoPlain", ""},
		"methods(plain{})":            {"plain", ""},
		"&plain{}":                    {"", stateful},
		"(*pointed)(nil)":             {"", stateful},
		"runtime.Codec(nil)":          {"", ""},
		"set{}":                       {"", stateful},
		`text("a")`:                   {"", stateful},
		"of[int]{}":                   {"", stateful},
		"[]runtime.Codec{plain{}}[0]": {"plain", ""},
		"[]runtime.Codec{plain{}, alsoPlain{}}[os.Getpid()&1]": {"", unknown},
	} {
		t.Run(codec, func(t *testing.T) {
			result := foundOf(t, program, strings.Replace(codecs, "CODEC", codec, 1))
			if test.why != "" {
				require.Len(t, result.Diagnostics, 1)
				require.Equal(t, []string{`the codec of the route "order" isn't known`, "it is " + test.why}, []string{result.Diagnostics[0].What, result.Diagnostics[0].Why})
				return
			}
			require.Empty(t, result.Diagnostics)
			route := result.Routes[0]
			require.Equal(t, test.name != "", route.Codec != nil)
			if test.name != "" {
				require.Equal(t, test.name, route.CodecType.Name())
			}
		})
	}
}

// askedCodecs are those of a program, which say what they take.
const askedCodecs = `
type Kept struct{}

type taking struct{}

func (taking) ContentTypes() []string      { return []string{"application/x-kept", "text/plain"} }
func (taking) Takes(reflect.Type) error    { return nil }
func (taking) Marshal(any) ([]byte, error) { return nil, nil }
func (taking) Unmarshal([]byte, any) error { return nil }

type choosy struct{}

func (choosy) ContentTypes() []string { return taking{}.ContentTypes() }

func (choosy) Takes(t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != reflect.TypeFor[Kept]() {
		return fmt.Errorf("%s isn't kept", t)
	}
	return nil
}
func (choosy) Marshal(any) ([]byte, error) { return nil, nil }
func (choosy) Unmarshal([]byte, any) error { return nil }

type untyped struct{}

func (untyped) ContentTypes() []string      { return nil }
func (untyped) Takes(reflect.Type) error    { return nil }
func (untyped) Marshal(any) ([]byte, error) { return nil, nil }
func (untyped) Unmarshal([]byte, any) error { return nil }

type moody struct{}

func (moody) ContentTypes() []string      { return []string{os.Getenv("TYPE")} }
func (moody) Takes(reflect.Type) error {
	if os.Getenv("KINDS") != "" {
		return io.EOF
	}
	return nil
}

func (moody) Marshal(any) ([]byte, error) { return nil, nil }
func (moody) Unmarshal([]byte, any) error { return nil }

type typedByOthers struct{}

func (typedByOthers) ContentTypes() []string      { return unknown[[]string]() }
func (typedByOthers) Takes(reflect.Type) error    { return nil }
func (typedByOthers) Marshal(any) ([]byte, error) { return nil, nil }
func (typedByOthers) Unmarshal([]byte, any) error { return nil }

func keep(context.Context, Kept) error                { return nil }
func keeping(context.Context, *Kept) (Kept, error)    { return Kept{}, nil }
func answering(context.Context, Kept) (string, error) { return "", nil }
func rawJSON(context.Context, json.RawMessage) error  { return nil }
`

// askingProgram returns a function that makes the program of a main.
func askingProgram(t *testing.T) (*onefile.Program, func(main string) string) {
	file := func(main string) string {
		return strings.Replace(declaringFile(main+"; serve(router)"), "import (", "import (\n\t\"reflect\"", 1) + askedCodecs
	}
	return onefile.New(t, file("")), file
}

// Register asks a codec whether it takes what the handler does.
func TestRoutes_AreRefusedByTheirCodec(t *testing.T) {
	program, file := askingProgram(t)
	for route, want := range map[string]string{
		`Codec: taking{}, Handler: runtime.Consume(on)`:        "",
		`Codec: choosy{}, Handler: runtime.Consume(keep)`:      "",
		`Codec: choosy{}, Handler: runtime.Respond(keeping)`:   "",
		`Codec: choosy{}, Handler: runtime.Consume(raw)`:       "",
		`Codec: untyped{}, Handler: runtime.Consume(raw)`:      "untyped has no content type",
		`Codec: choosy{}, Handler: runtime.Consume(on)`:        "choosy doesn't take string",
		`Codec: choosy{}, Handler: runtime.Consume(rawJSON)`:   "choosy doesn't take json.RawMessage",
		`Codec: choosy{}, Handler: runtime.Respond(answering)`: "choosy doesn't take string",
		`Codec: choosy{}, Handler: runtime.Dispatch(runtime.On("a", runtime.Consume(keep)), runtime.On("b", runtime.Consume(count)))`:     "choosy doesn't take int",
		`Codec: choosy{}, Handler: runtime.Dispatch(runtime.On("a", runtime.Consume(keep)), runtime.Otherwise(runtime.Consume(rawJSON)))`: "choosy doesn't take json.RawMessage",
		`Codec: choosy{}, Handler: runtime.Dispatch(runtime.On("a", runtime.Consume(keep)), runtime.Otherwise(runtime.Consume(raw)))`:     "",
	} {
		t.Run(route, func(t *testing.T) {
			result := foundOf(t, program, file(`router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, `+route+`})`))
			if want == "" {
				require.Empty(t, result.Diagnostics)
				require.Equal(t, []string{"application/x-kept"}, result.Routes[0].Codec.ContentTypes())
				return
			}
			require.Len(t, result.Diagnostics, 1)
			require.Equal(t, "Codec: main."+want, result.Diagnostics[0].Why)
		})
	}
}

// Whether a codec takes a type may not be known. Who ends where Register fails has the route.
func TestRoutes_AreSureWhereTheirCodecTakesThem(t *testing.T) {
	program, file := askingProgram(t)
	for codec, mayBeRefused := range map[string]bool{"taking{}": false, "moody{}": true, "typedByOthers{}": true} {
		for way, want := range map[string]string{ending: "", handing: "", must: "", logging: fails, ignoring: fails, rescuing: mayPanic} {
			result := foundOf(t, program, file(strings.Replace(way, "ROUTE", `runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Codec: `+codec+`, Handler: runtime.Consume(on)}`, 1)))
			if want == "" || !mayBeRefused {
				require.Empty(t, result.Diagnostics, way)
				require.Len(t, result.Routes, 1)
				continue
			}
			require.Len(t, result.Diagnostics, 1, way)
			require.Contains(t, want, result.Diagnostics[0].What, way)
		}
	}
}

// A codec of warren's takes the messages that protoc-gen-go has generated.
func TestRoutes_OfProtobufHaveItsMessages(t *testing.T) {
	own, err := os.ReadFile(filepath.Join(modtest.Root(t), "go.mod"))
	require.NoError(t, err)
	module := modtest.GoMod(t, "example.com/shop") + "require " + regexp.MustCompile(`google\.golang\.org/protobuf v\S+`).FindString(string(own)) + "\n"
	for handler, taken := range map[string]bool{
		"runtime.Consume(func(context.Context, *durationpb.Duration) error { return nil })": true,
		"runtime.Consume(func(context.Context, *own) error { return nil })":                 true,
		"runtime.Consume(func(context.Context, []byte) error { return nil })":               true,
		"runtime.Consume(func(context.Context, own) error { return nil })":                  false,
		"runtime.Consume(func(context.Context, **own) error { return nil })":                false,
		"runtime.Consume(func(context.Context, *other) error { return nil })":               false,
		"runtime.Consume(func(context.Context, *string) error { return nil })":              false,
		"runtime.Respond(func(context.Context, *own) (string, error) { return ``, nil })":   false,
	} {
		result := foundInModule(t, "-- go.mod --\n"+module+`-- main.go --
package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/protobuf"
	"google.golang.org/protobuf/types/known/durationpb"
)

type own struct{ *durationpb.Duration }

type other struct{}

func (*other) ProtoReflect() any { return nil }

func main() {
	runtime.NewRouter().MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Codec: protobuf.Codec{}, Handler: `+handler+`})
}
`)
		require.Equal(t, !taken, len(result.Diagnostics) > 0, handler)
		require.Equal(t, taken, result.Routes[0].Codec.ContentTypes()[0] == protobuf.Codec{}.ContentTypes()[0], handler)
	}
}

// A client names the type of the codec, and so commands have one.
func TestRoutes_OfCommandsWithOtherCodecs(t *testing.T) {
	program := onefile.New(t, strings.Replace(codecs, "CODEC", "nil", 1))
	for other, isOne := range map[string]bool{"plain{}": true, "alsoPlain{}": false} {
		source := strings.NewReplacer("_ = os.Getpid", `codec := runtime.Codec(plain{}); if os.Args[1] == "b" { codec = `+other+` }`, "CODEC", "codec").Replace(codecs)
		result := foundOf(t, program, source)
		require.Equal(t, isOne, len(result.Diagnostics) == 0, other)
		for _, d := range result.Diagnostics {
			require.Equal(t, diagnostic.SeveralCommands, d.Code)
		}
	}
}
