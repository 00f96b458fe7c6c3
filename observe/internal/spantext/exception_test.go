package spantext_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/warrenmq/warren/observe/internal/spantext"
)

// A recorder keeps the attributes of its last event.
type recorder struct {
	noop.Span
	name       string
	attributes map[string]string
}

func (r *recorder) AddEvent(name string, options ...trace.EventOption) {
	r.name, r.attributes = name, map[string]string{}
	config := trace.NewEventConfig(options...)
	for _, a := range config.Attributes() {
		r.attributes[string(a.Key)] = a.Value.AsString()
	}
}

// withStack has a stack as runtime.PanicError has it.
type withStack struct{ Stack []byte }

func (*withStack) Error() string { return "panicked" }

// withText has a field of that name that is no stack.
type withText struct{ Stack string }

func (*withText) Error() string { return "failed" }

// A frames prints what it is besides its text, as errors of github.com/pkg/errors do.
type frames string

func (f frames) Format(s fmt.State, _ rune) { fmt.Fprint(s, string(f)) }

type traced struct{ stack frames }

func (traced) Error() string        { return "traced" }
func (t traced) StackTrace() frames { return t.stack }

// tracedByLine has a method of that name that asks for something.
type tracedByLine struct{}

func (tracedByLine) Error() string           { return "by line" }
func (tracedByLine) StackTrace(line int) int { return line }

// tracedInParts has a method of that name that returns two values.
type tracedInParts struct{}

func (tracedInParts) Error() string             { return "in parts" }
func (tracedInParts) StackTrace() (int, string) { return 1, "" }

// tracePanics has a method that panics.
type tracePanics struct{}

func (tracePanics) Error() string      { return "panics" }
func (tracePanics) StackTrace() string { panic("no stack") }

// Errors of other kinds than a pointer to a struct may wrap one that has a stack.
type (
	wrapper  struct{ error }
	wrapping func() error
	wrappers []error
)

func (w wrapper) Unwrap() error   { return w.error }
func (wrapping) Error() string    { return "wrapping" }
func (w wrapping) Unwrap() error  { return w() }
func (*wrappers) Error() string   { return "wrappers" }
func (w *wrappers) Unwrap() error { return (*w)[0] }

type text string

func (t text) Error() string { return string(t) }

func TestRecordError_HasTheStackOfThePanicItComesFrom(t *testing.T) {
	long := strings.Repeat("a", 16<<10)
	for name, test := range map[string]struct {
		err   error
		stack string
	}{
		"a field":                    {&withStack{[]byte("goroutine 7")}, "goroutine 7"},
		"a wrapped field":            {fmt.Errorf("work: %w", &withStack{[]byte("goroutine 7")}), "goroutine 7"},
		"a longer one":               {&withStack{[]byte(long + "b")}, long},
		"a method":                   {traced{"main.go:7"}, "main.go:7"},
		"a wrapped method":           {fmt.Errorf("work: %w", traced{"main.go:7"}), "main.go:7"},
		"a field of another type":    {&withText{"text"}, ""},
		"a nil pointer":              {(*withStack)(nil), ""},
		"a method that takes a line": {tracedByLine{}, ""},
		"a method with two results":  {tracedInParts{}, ""},
		"a method that panics":       {tracePanics{}, ""},
		"within a struct":            {wrapper{&withStack{[]byte("goroutine 7")}}, "goroutine 7"},
		"within a function":          {wrapping(func() error { return &withStack{[]byte("goroutine 7")} }), "goroutine 7"},
		"within a list":              {&wrappers{&withStack{[]byte("goroutine 7")}}, "goroutine 7"},
		"none":                       {errors.New("failed"), ""},
		"none of a text":             {text("failed"), ""},
	} {
		var r recorder
		spantext.RecordError(&r, test.err)
		require.Equal(t, "exception", r.name, name)
		stack, ok := r.attributes["exception.stacktrace"]
		require.Equal(t, test.stack != "", ok, name)
		require.Equal(t, test.stack, stack, name)
	}
}

// The types are named as the SDK's RecordError names them.
func TestRecordError_NamesTheType(t *testing.T) {
	const here = "github.com/warrenmq/warren/observe/internal/spantext_test."
	for want, err := range map[string]error{
		"*errors.errorString":      errors.New("failed"),
		"*spantext_test.withStack": new(withStack),
		here + "text":              text("failed"),
	} {
		var r recorder
		spantext.RecordError(&r, err)
		require.Equal(t, want, r.attributes["exception.type"])
		require.Equal(t, err.Error(), r.attributes["exception.message"])
	}
}

func TestRecordPanic_HasTheValueAndTheStack(t *testing.T) {
	for _, test := range []struct {
		value         any
		kind, message string
	}{
		{"failed", "string", "failed"},
		{7, "int", "7"},
		{[]int{7}, "[]int", "[7]"},
		{nil, "", "<nil>"},
	} {
		var r recorder
		spantext.RecordPanic(&r, test.value, []byte("goroutine 7"))
		require.Equal(t, map[string]string{
			"exception.type": test.kind, "exception.message": test.message, "exception.stacktrace": "goroutine 7",
		}, r.attributes)
	}
}
