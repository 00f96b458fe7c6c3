package observe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/spantext"
	"github.com/warrenmq/warren/observe/tenant"
)

// A Span is a piece of work of a trace. It is safe for concurrent use. A nil Span
// does nothing.
type Span struct{ span trace.Span }

// TraceSpan starts a span below the active one, or a trace where none is active,
// and returns a context in which it is active. It has the tenant of the context
// as tenant.id. The caller ends it, or its trace is never complete:
//
//	func (s *Service) reserve(ctx context.Context, order Order) (err error) {
//		ctx, span := observe.TraceSpan(ctx, "reserve", attribute.Int("lines", len(order.Lines)))
//		defer span.End(&err)
//
// The name is one of a few, without ids: those are attributes. While tracing isn't
// set up the span does nothing.
func TraceSpan(ctx context.Context, name string, attrs ...attribute.KeyValue) (context.Context, *Span) {
	return startSpan(ctx, tracer(), name, attrs)
}

// TraceSpan is [TraceSpan] for o.
func (o *Observability) TraceSpan(ctx context.Context, name string, attrs ...attribute.KeyValue) (context.Context, *Span) {
	return startSpan(ctx, o.tracer, name, attrs)
}

func startSpan(ctx context.Context, tracer trace.Tracer, name string, attrs []attribute.KeyValue) (context.Context, *Span) {
	if id := tenant.FromContext(ctx); id != "" {
		attrs = append(attrs[:len(attrs):len(attrs)], attribute.String(tenant.Attribute, id))
	}
	ctx, span := tracer.Start(ctx, name, trace.WithAttributes(attrs...))
	return ctx, &Span{span}
}

// SetAttribute sets an attribute of the span: a string, bool, number, or a slice
// of string, bool, int, int64 or float64 as it is, an error or fmt.Stringer by its
// text, anything else as fmt prints it. A value that panics becomes a text that
// says so, and texts are cut at 4096 bytes. Of a span that isn't recorded, or has
// ended, nothing is set.
func (s *Span) SetAttribute(key string, value any) {
	if s != nil && s.span.IsRecording() {
		s.span.SetAttributes(toAttribute(key, value))
	}
}

// End ends the span. The error that err points to, if any, becomes the span's
// status and an event, so that its trace is kept; a nil err is no error. Deferred
// directly, as in defer span.End(&err), End records a panic too, and panics on. Called by
// a function that is deferred it doesn't see the panic: see [Span.Recover]. A second End
// does nothing.
func (s *Span) End(err *error) {
	if s == nil {
		return
	}
	if p := recover(); p != nil {
		s.panicked(p)
	}
	if err != nil && *err != nil {
		recordError(s.span, *err)
	}
	s.span.End()
}

// Recover records a panic, ends the span, and panics on. It is for a deferred function
// that does more than to end the span, and hands over what recover has returned, of
// which nil is no panic:
//
//	defer func() {
//		span.Recover(recover())
//		span.SetAttribute("rows", rows)
//		span.End(&err)
//	}()
func (s *Span) Recover(value any) {
	if value == nil {
		return
	}
	if s == nil {
		panic(value)
	}
	s.panicked(value)
}

// panicked is called while the stack of the panic is still there.
func (s *Span) panicked(value any) {
	recordPanic(s.span, value)
	s.span.End()
	panic(value)
}

// Span returns the span of OpenTelemetry, for events, links and what else isn't
// offered here; for a nil Span one that does nothing.
func (s *Span) Span() trace.Span {
	if s == nil {
		return trace.SpanFromContext(context.Background())
	}
	return s.span
}

// recordError makes err the status of the span: RecordError alone doesn't.
func recordError(span trace.Span, err error) {
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.String("error.type", ErrorType(err)))
	spantext.RecordError(span, err)
	span.SetStatus(codes.Error, spantext.Cut(spantext.Error(err)))
}

// recordPanic makes a panic the status of the span, with its stack: the deferred function
// that calls it runs on that. A span that is only ended keeps the status Unset (measured
// on the SDK, v1.47).
func recordPanic(span trace.Span, p any) {
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.String("error.type", "panic"))
	spantext.RecordPanic(span, p, debug.Stack())
	span.SetStatus(codes.Error, "panic: "+spantext.Panic(p))
}

// ErrorType names an error for a label of few values: the type of the first
// error in the chain that isn't made by fmt.Errorf, without its package's path, as
// "*net.OpError"; "timeout" and "canceled" for the errors of contexts; "" for nil.
// A nil pointer, whose methods may panic, has its type.
func ErrorType(err error) (name string) {
	if err == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			name = reflect.TypeOf(err).String()
		}
	}()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	for {
		inner := errors.Unwrap(err)
		name := reflect.TypeOf(err).String()
		if inner == nil || name != "*fmt.wrapError" {
			return name
		}
		err = inner
	}
}

// toAttribute makes a text of what has no type of an attribute, also if a method
// of the value panics.
func toAttribute(key string, value any) (kv attribute.KeyValue) {
	defer func() {
		if recover() != nil {
			kv = attribute.String(key, fmt.Sprintf("!PANIC: a %T", value))
		}
	}()
	switch v := value.(type) {
	case string:
		return attribute.String(key, spantext.Cut(v))
	case bool:
		return attribute.Bool(key, v)
	case int:
		return attribute.Int(key, v)
	case int64:
		return attribute.Int64(key, v)
	case float64:
		return attribute.Float64(key, v)
	case []string:
		return attribute.StringSlice(key, v)
	case []bool:
		return attribute.BoolSlice(key, v)
	case []int:
		return attribute.IntSlice(key, v)
	case []int64:
		return attribute.Int64Slice(key, v)
	case []float64:
		return attribute.Float64Slice(key, v)
	case attribute.Value:
		return attribute.KeyValue{Key: attribute.Key(key), Value: v}
	case error:
		return attribute.String(key, spantext.Cut(v.Error()))
	case fmt.Stringer:
		return attribute.String(key, spantext.Cut(v.String()))
	default:
		return kindAttribute(key, value)
	}
}

// kindAttribute is toAttribute by the kind of the value's type.
func kindAttribute(key string, value any) attribute.KeyValue {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int, reflect.Int64:
		return attribute.Int64(key, v.Int())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		if n := v.Uint(); n <= math.MaxInt64 {
			return attribute.Int64(key, int64(n))
		}
		return attribute.String(key, fmt.Sprint(value)) // OTLP has no form for it
	case reflect.Float32, reflect.Float64:
		return attribute.Float64(key, v.Float())
	case reflect.Bool:
		return attribute.Bool(key, v.Bool())
	case reflect.String:
		return attribute.String(key, spantext.Cut(v.String()))
	default:
		return attribute.String(key, spantext.Cut(fmt.Sprint(value)))
	}
}
