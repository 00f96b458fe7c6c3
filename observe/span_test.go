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

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/tenant"
)

func TestC16_TraceSpanYieldsASpanWithAttributes(t *testing.T) {
	o, receiver := traced(t)
	ctx, outer := observe.TraceSpan(context.Background(), "outer")
	_, inner := observe.TraceSpan(ctx, "inner")
	for key, value := range map[string]any{
		"s": "text", "b": true, "i": 7, "u8": uint8(8), "u": uint(9), "u64": uint64(math.MaxUint64), "f": 1.5, "f32": float32(0.5), "err": errTest, "d": time.Second,
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
		"s": "text", "b": true, "i": int64(7), "u8": int64(8), "u": int64(9), "u64": "18446744073709551615", "f": 1.5, "f32": 0.5, "err": "failed", "d": "1s", "other": "{1}",
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
