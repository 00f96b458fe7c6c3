package messages

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/internal/spantext"
	"github.com/warrenmq/warren/observe/tenant"
	"github.com/warrenmq/warren/runtime"
)

// Publish returns an interceptor that wraps the sending of each message in a
// span, and puts its trace, the baggage and with it the tenant into the message's
// headers. The span lasts until the broker has confirmed the message, that of a
// call until its reply, to whose span it has a link. It is for clients, and for
// the replies of a router:
//
//	router.Intercept(messages.Publish(options))
//
// The span of a reply is a child of that of its request's handling.
//
// A message that has a valid traceparent keeps it and gets no baggage; the span
// has a link to the span that made it. The headers of any other are replaced by a
// copy with those of the trace. Publish returns what the sending returns, and lets
// a panic go on. It is safe for concurrent use.
func Publish(options Options) runtime.Interceptor {
	options.tracers = new(tracers)
	return func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			start := time.Now()
			ctx, span := options.startSending(ctx, s, start)
			failure, text := "panic", "the sending panicked" // unless it returns
			defer func() {
				if failure == "panic" {
					fail(span, failure, text)
				}
				span.End()
				took := time.Since(start)
				options.Metrics.sent(ctx, s, failure, took)
				options.logSending(ctx, s, failure, text, took)
			}()
			reply, err := next(ctx, s)
			failure, text = errorType(err), ""
			if err != nil {
				text = spantext.Error(err)
				failError(span, failure, err)
			}
			if reply != nil {
				linkReply(span, reply)
			}
			return reply, err
		}
	}
}

// startSending starts the span, and puts it into the message.
func (o *Options) startSending(ctx context.Context, s *runtime.Sending, start time.Time) (context.Context, trace.Span) {
	operation, kind := "publish", trace.SpanKindProducer
	if s.Call {
		operation, kind = "call", trace.SpanKindClient
	}
	made := creation(s.Message)
	ofRequest := made.IsValid() && carriesOn(s)
	if ofRequest {
		ctx = extract(ctx, s.Message)
	}
	to := joined(s.To.Exchange, s.To.RoutingKey, "")
	attrs := describe(o.common(operation, "send", to), s.Message, s.To.RoutingKey)
	if id := tenant.FromContext(ctx); id != "" {
		attrs = append(attrs, attribute.String(tenant.Attribute, id))
	}
	starting := []trace.SpanStartOption{trace.WithSpanKind(kind), trace.WithTimestamp(start), trace.WithAttributes(attrs...)}
	foreign := made.IsValid() && !ofRequest // the message has a trace of its own
	if foreign {
		starting = append(starting, trace.WithLinks(trace.Link{SpanContext: made}))
	}
	ctx, span := o.tracer().Start(ctx, operation+" "+to.label(), starting...)
	if !foreign {
		s.Message.Headers = injected(ctx, s.Message.Headers)
	}
	return ctx, span
}

// carriesOn reports whether the message is a reply that has its trace from
// [Consume].
func carriesOn(s *runtime.Sending) bool {
	return s.Request != nil && headers(s.Message.Headers).Get("traceparent") == headers(s.Request.ReplyHeaders).Get("traceparent")
}

// linkReply links the span of a call to that of its reply. The reply of a handler
// that isn't traced has none.
func linkReply(span trace.Span, reply *runtime.Message) {
	if made := creation(reply); made.IsValid() && made.SpanID() != span.SpanContext().SpanID() {
		span.AddLink(trace.Link{SpanContext: made})
	}
}

func (o *Options) logSending(ctx context.Context, s *runtime.Sending, failure, text string, took time.Duration) {
	if o.Logger == nil {
		return
	}
	attrs := []slog.Attr{
		slog.String(logkey.Route, s.Route), slog.String(logkey.Destination, joined(s.To.Exchange, s.To.RoutingKey, "").name),
		slog.Float64(logkey.DurationMS, milliseconds(took)),
	}
	level := slog.LevelInfo
	if failure != "" {
		level = slog.LevelError
		attrs = append(attrs, slog.String(logkey.ErrorType, failure), slog.String(logkey.Error, text))
	}
	o.Logger.LogAttrs(ctx, level, "message sent", attrs...)
}
