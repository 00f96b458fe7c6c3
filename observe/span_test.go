package observe_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/internal/scope"
	"github.com/warrenmq/warren/observe/tenant"
)

func TestC16_TraceSpanYieldsASpanWithAttributes(t *testing.T) {
	o, receiver := traced(t)
	ctx, outer := observe.TraceSpan(context.Background(), "outer")
	_, inner := observe.TraceSpan(ctx, "inner")
	for key, value := range map[string]any{
		"s": "text", "b": true, "i": 7, "u8": uint8(8), "u": uint(9), "u64": uint64(math.MaxUint64), "u63": uint64(math.MaxInt64), "f": 1.5, "f32": float32(0.5), "err": errTest, "d": time.Second,
		"list": []string{"a"}, "other": struct{ A int }{1}, "panics": panicking{},
	} {
		inner.SetAttribute(key, value)
	}
	inner.End(nil)
	outer.End(nil)
	flush(t, o)

	got := receiver.Named(t, "inner")
	require.Equal(t, receiver.Named(t, "outer").ID(), got.Parent())
	attrs := got.Attributes()
	require.Contains(t, attrs["list"], `string_value:"a"`)
	delete(attrs, "list")
	require.Equal(t, map[string]any{
		"s": "text", "b": true, "i": int64(7), "u8": int64(8), "u": int64(9), "u64": "18446744073709551615", "u63": int64(math.MaxInt64), "f": 1.5, "f32": 0.5, "err": "failed", "d": "1s", "other": "{1}",
		"panics": "!PANIC: a observe_test.panicking",
	}, attrs)
}

func TestTraceSpan_LeavesTheCallersAttributesAlone(t *testing.T) {
	_, _ = traced(t)
	ctx, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	attrs := make([]attribute.KeyValue, 1, 2)
	_, span := observe.TraceSpan(ctx, "work", attrs...)
	span.End(nil)
	require.Zero(t, attrs[:2][1])
}

type panicking struct{}

func (panicking) String() string { panic("no") }

func TestEnd_RecordsAPanicAndPanicsOn(t *testing.T) {
	o, receiver := traced(t)
	require.PanicsWithValue(t, "boom", func() {
		_, span := observe.TraceSpan(context.Background(), "work")
		defer span.End(nil)
		panic("boom")
	})
	flush(t, o)
	got := receiver.Named(t, "work")
	require.True(t, got.Failed())
	require.Equal(t, "panic: boom", got.Status.Message)
	require.Equal(t, "panic", got.Attributes()["error.type"])
	require.Len(t, got.Events, 1)
}

// A deferred function doesn't see the panic by End: it hands it over.
func TestRecover_RecordsAPanicOfADeferredFunction(t *testing.T) {
	o, receiver := traced(t)
	work := func(fails bool) (err error) {
		_, span := observe.TraceSpan(context.Background(), fmt.Sprint("fails ", fails))
		defer func() {
			span.Recover(recover())
			span.End(&err)
		}()
		if fails {
			panic("boom")
		}
		return nil
	}
	require.PanicsWithValue(t, "boom", func() { _ = work(true) })
	require.NoError(t, work(false))
	flush(t, o)
	got := receiver.Named(t, "fails true")
	require.Equal(t, "panic: boom", got.Status.Message)
	require.Len(t, got.Events, 1)
	require.False(t, receiver.Named(t, "fails false").Failed())
	require.PanicsWithValue(t, "boom", func() { (*observe.Span)(nil).Recover("boom") })
}

// failing has a stack, as the error of a panic that package runtime makes.
type failing struct{ Stack []byte }

func (e *failing) Error() string { return "failed" }

// traceable has the stack of package github.com/pkg/errors.
type traceable struct{ error }

func (traceable) StackTrace() frames { return nil }

type frames []uintptr

func (frames) Format(f fmt.State, _ rune) { fmt.Fprint(f, "main.go:7") }

// The event of an exception has what OpenTelemetry's RecordError writes: Go's type,
// the text, and the stack where one is known.
func TestEnd_RecordsAnExceptionByTheConventions(t *testing.T) {
	o, receiver := traced(t)
	for name, err := range map[string]error{
		"plain": errTest, "value": context.DeadlineExceeded, "wrapped": fmt.Errorf("work: %w", &failing{[]byte("goroutine 7")}), "traced": traceable{errTest},
	} {
		_, span := observe.TraceSpan(context.Background(), name)
		span.End(&err)
	}
	require.Panics(t, func() {
		_, span := observe.TraceSpan(context.Background(), "panics")
		defer span.End(nil)
		panic(&failing{})
	})
	flush(t, o)
	exception := func(name string) map[string]any {
		events := receiver.Named(t, name).Events
		require.Len(t, events, 1)
		require.Equal(t, "exception", events[0].Name)
		return otlptest.Values(events[0].Attributes)
	}
	require.Equal(t, map[string]any{"exception.type": "*errors.errorString", "exception.message": "failed"}, exception("plain"))
	require.Equal(t, "context.deadlineExceededError", exception("value")["exception.type"])
	require.Equal(t, map[string]any{"exception.type": "*fmt.wrapError", "exception.message": "work: failed", "exception.stacktrace": "goroutine 7"}, exception("wrapped"))
	require.Equal(t, "main.go:7", exception("traced")["exception.stacktrace"])
	panicked := exception("panics")
	require.Equal(t, "*observe_test.failing", panicked["exception.type"])
	require.Contains(t, panicked["exception.stacktrace"], "TestEnd_RecordsAnExceptionByTheConventions", "the stack is that of the panic")
}

func TestTraceSpan_NamesItsInstrumentation(t *testing.T) {
	o, receiver := traced(t)
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(nil)
	flush(t, o)
	require.Equal(t, otlptest.Scope{Name: "github.com/warrenmq/warren/observe", Version: scope.Version, SchemaURL: scope.SchemaURL}, receiver.Named(t, "work").Scope)
	require.NotEmpty(t, scope.Version)
}

func TestErrorType(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errTest, "*errors.errorString"},
		{fmt.Errorf("wrap: %w", &observe.ExportError{Err: errTest}), "*observe.ExportError"},
		{fmt.Errorf("wrap: %w", context.DeadlineExceeded), "timeout"},
		{context.Canceled, "canceled"},
		{errors.Join(errTest, errTest), "*errors.joinError"},
	} {
		require.Equal(t, test.want, observe.ErrorType(test.err))
	}
}

// nilled is an error whose methods need more than a nil pointer.
type nilled struct{ err error }

func (e *nilled) Error() string { return e.err.Error() }
func (e *nilled) Unwrap() error { return e.err }

func TestEnd_TakesANilPointerForAnError(t *testing.T) {
	o, receiver := traced(t)
	var failure error = (*nilled)(nil)
	require.Equal(t, "*observe_test.nilled", observe.ErrorType(failure))
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(&failure)
	flush(t, o)
	require.True(t, receiver.Named(t, "work").Failed())
}

func TestSpan_NilDoesNothing(t *testing.T) {
	var span *observe.Span
	span.SetAttribute("a", 1)
	span.End(nil)
	require.False(t, span.Span().IsRecording())
}

func TestEnd_CutsLongTexts(t *testing.T) {
	o, receiver := traced(t)
	failure := errors.New(strings.Repeat("x", 100_000))
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(&failure)
	flush(t, o)
	require.Len(t, receiver.Named(t, "work").Status.Message, 4096)
}
