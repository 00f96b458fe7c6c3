package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
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
