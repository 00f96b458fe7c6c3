package messages

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/internal/spantext"
	"github.com/warrenmq/warren/observe/tenant"
	"github.com/warrenmq/warren/runtime"
)

// Consume returns middleware that wraps the handling of each message in a span. The
// handler's context has the span, the tenant, and the fields route, queue and
// message_id for log records. A reply carries the trace on, and so does an error
// that is sent in its place: Consume adds the trace's headers to the delivery's
// ReplyHeaders. Another span below it lasts until the message is settled, see
// [Options].NoSettling.
//
// It returns what the handler returns, and lets its panic go on, recorded as an
// error of type "panic". It is safe for concurrent use. Use it first, so that what
// other middleware does is in the span:
//
//	router.Use(messages.Consume(options))
//
// See docs/decisions/0018.
func Consume(options Options) runtime.Middleware {
	options.tracers = new(tracers)
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			p := processing{options: &options, delivery: d, start: time.Now()}
			ctx = p.begin(ctx)
			defer p.end()
			p.reply, p.err = next(ctx, d)
			p.returned = true
			return p.reply, p.err
		}
	}
}

// A processing is a delivery while it is handled.
type processing struct {
	options  *Options
	delivery *runtime.Delivery
	from     destination
	ctx      context.Context
	span     trace.Span
	start    time.Time
	reply    *runtime.Message
	err      error
	returned bool // the handler did, without a panic
	waits    bool // the message can't be handled yet, see runtime.Postpone
}

// begin starts the span, and returns the context of the handler.
func (p *processing) begin(ctx context.Context) context.Context {
	d := p.delivery
	ambient := trace.SpanContextFromContext(ctx)
	ctx = extract(tenant.Without(ctx), &d.Message)
	parent := trace.SpanContextFromContext(ctx)
	p.from = joined(d.Exchange, d.RoutingKey, d.Queue)
	attrs := describe(p.options.common("process", "process", p.from), &d.Message, d.RoutingKey)
	attrs = appendTag(attrs, d)
	ctx, id := deliveryTenant(ctx)
	if id != "" {
		attrs = append(attrs, attribute.String(tenant.Attribute, id))
	}
	starting := []trace.SpanStartOption{
		trace.WithSpanKind(trace.SpanKindConsumer), trace.WithTimestamp(p.start), trace.WithAttributes(attrs...),
	}
	carried := parent.IsValid() && !parent.Equal(ambient)
	switch {
	case p.options.LinkOnly && carried:
		starting = append(starting, trace.WithNewRoot(), trace.WithLinks(trace.Link{SpanContext: parent}))
	case p.options.LinkOnly:
		starting = append(starting, trace.WithNewRoot())
	case carried && ambient.IsValid():
		starting = append(starting, trace.WithLinks(trace.Link{SpanContext: ambient}))
	}
	ctx, p.span = p.options.tracer().Start(ctx, "process "+p.from.label(), starting...)
	fields := []slog.Attr{slog.String(logkey.Route, d.Route), slog.String(logkey.Queue, d.Queue)}
	if d.MessageID != "" {
		fields = append(fields, slog.String(logkey.MessageID, d.MessageID))
	}
	p.ctx = observe.ContextWithFields(ctx, fields...)
	p.options.Metrics.started(d.Queue)
	return p.ctx
}

// deliveryTenant returns the tenant of the message's baggage.
func deliveryTenant(ctx context.Context) (context.Context, string) {
	id := tenant.FromBaggage(ctx)
	if id == "" {
		return tenant.Without(ctx), ""
	}
	with, err := tenant.NewContext(ctx, id)
	if err != nil {
		return ctx, ""
	}
	return with, id
}

// end records how the handling ended. It is deferred, and lets a panic go on: the
// runtime makes an error of it.
func (p *processing) end() {
	var panicked any
	if !p.returned {
		panicked = recover()
	}
	p.waits = p.returned && postpones(p.delivery, p.err)
	failure, text := p.failure(panicked)
	p.carryOn(failure)
	p.settle()
	p.span.End()
	took := time.Since(p.start)
	p.options.Metrics.ended(p.delivery)
	if !p.waits {
		p.options.Metrics.processed(p.ctx, p.delivery, failure, took)
		if p.options.SLO != nil {
			p.options.SLO.Record(took, failure)
		}
	}
	p.log(failure, text, took)
	if panicked != nil {
		panic(panicked)
	}
}

// postpones reports whether err has d wait. The methods of an error may panic.
func postpones(d *runtime.Delivery, err error) (waits bool) {
	defer func() { _ = recover() }()
	return d.Postpones(err)
}

// failure makes the error the span's, and returns its type and text, "" for none. It
// runs on the stack of a panic.
func (p *processing) failure(panicked any) (kind, text string) {
	switch {
	case panicked != nil:
		kind, text = "panic", fmt.Sprintf("panic: %T", panicked)
		if p.span.IsRecording() {
			spantext.RecordPanic(p.span, panicked, debug.Stack())
		}
		fail(p.span, kind, text)
	case !p.returned:
		kind, text = "goexit", "the handler ended its goroutine"
		fail(p.span, kind, text)
	case p.waits:
		return "", spantext.Error(p.err)
	case p.err != nil:
		kind, text = errorType(p.err), spantext.Error(p.err)
		failError(p.span, kind, p.err)
	}
	return kind, text
}

// carryOn puts the trace into the reply, unless it has one of its own, or into
// the error that is sent in its place.
func (p *processing) carryOn(failure string) {
	if p.reply == nil && failure == "" || p.reply != nil && creation(p.reply).IsValid() {
		return
	}
	p.delivery.ReplyHeaders = injected(p.ctx, p.delivery.ReplyHeaders)
}

func (p *processing) log(failure, reason string, took time.Duration) {
	if p.options.Logger == nil {
		return
	}
	attrs := []slog.Attr{slog.Float64(logkey.DurationMS, milliseconds(took)), slog.Bool(logkey.Redelivered, p.delivery.Redelivered)}
	level, text := slog.LevelInfo, "message handled"
	switch {
	case p.waits:
		text, attrs = "message postponed", append(attrs, slog.String("reason", reason))
	case failure != "":
		level = slog.LevelError
		attrs = append(attrs, slog.String(logkey.ErrorType, failure), slog.String(logkey.Error, reason))
	}
	p.options.Logger.LogAttrs(p.ctx, level, text, attrs...)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// failError makes an error the status of the span, and an event of it.
func failError(span trace.Span, kind string, err error) {
	if span.IsRecording() {
		spantext.RecordError(span, err)
		fail(span, kind, spantext.Error(err))
	}
}

// fail makes a failure the status of the span, so that its trace is kept.
func fail(span trace.Span, kind, text string) {
	if span.IsRecording() {
		span.SetAttributes(attribute.String("error.type", kind))
		span.SetStatus(codes.Error, spantext.Cut(text))
	}
}
