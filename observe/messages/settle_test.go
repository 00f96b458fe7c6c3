package messages_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/runtime"
)

func TestSettling_IsASpanOfItsOwn(t *testing.T) {
	lost := errors.New("the channel has gone")
	for _, test := range []struct {
		settlement runtime.Settlement
		err        error
		operation  string
		outcome    string
	}{
		{runtime.Ack, nil, "ack", "ack"},
		{runtime.Requeue, nil, "nack", "nack"},
		{runtime.Refuse, nil, "reject", "reject"},
		{runtime.Retry, nil, "ack", "retry"},
		{runtime.DeadLetter, nil, "ack", "dead-letter"},
		{runtime.Discard, nil, "ack", "discard"},
		{runtime.Ack, lost, "ack", "lost"},
	} {
		t.Run(test.outcome, func(t *testing.T) {
			metrics := messages.NewMetrics(messages.Limits{})
			s := start(t, messages.Options{})
			d := &runtime.Delivery{Queue: "orders", Exchange: "shop", RoutingKey: "created", Tag: 42}
			_, err := handle(context.Background(), messages.Options{Metrics: metrics}, d, nothing)
			require.NoError(t, err)
			d.Settled(test.settlement, test.err)
			s.stop(t)

			handled, span := s.spans.Named(t, "process shop:created:orders"), s.spans.Named(t, test.operation+" shop:created:orders")
			require.Equal(t, handled.ID(), span.Parent())
			require.EqualValues(t, 42, handled.Attributes()["messaging.rabbitmq.message.delivery_tag"])
			require.Equal(t, tracev1.Span_SPAN_KIND_CLIENT, span.Kind)
			want := map[string]any{
				"messaging.system": "rabbitmq", "messaging.operation.name": test.operation, "messaging.operation.type": "settle",
				"messaging.destination.name": "shop:created:orders", "messaging.rabbitmq.message.delivery_tag": int64(42),
			}
			if test.err != nil {
				want["error.type"] = "*errors.errorString"
			}
			require.Equal(t, want, span.Attributes())
			require.Equal(t, test.err != nil, span.Failed())
			require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_client_settled_messages_total Messages that were acknowledged, requeued or rejected.
# TYPE messaging_client_settled_messages_total counter
messaging_client_settled_messages_total{messaging_destination_name="orders",outcome="`+test.outcome+`"} 1
`), "messaging_client_settled_messages_total"))
		})
	}
}

func TestNoSettling_CountsWithoutASpan(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{})
	s := start(t, messages.Options{})
	d := carrying(nil)
	_, err := handle(context.Background(), messages.Options{Metrics: metrics, NoSettling: true}, d, nothing)
	require.NoError(t, err)
	d.Settled(runtime.Ack, nil)
	s.stop(t)

	require.Len(t, s.spans.Spans(), 1)
	require.Equal(t, 1, testutil.CollectAndCount(metrics, "messaging_client_settled_messages_total"))
}

// quotes answers by the handler.
func quotes(reply runtime.Address, handler func(context.Context, order) (order, error)) runtime.Route {
	return runtime.Route{Name: "quote", Queue: runtime.Queue{Name: "quotes"}, Reply: &reply, Handler: runtime.Respond(handler)}
}

// call asks for a quote.
func (s *service) call(options messages.Options) error {
	caller := runtime.NewCaller[order, order](s.broker, runtime.Endpoint{Route: "quote", To: runtime.Address{RoutingKey: "quotes"}},
		runtime.WithInterceptors(messages.Publish(options)))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	_, err := caller.Call(ctx, order{})
	return err
}

func TestPublish_MakesAReplyASpanBelowItsHandling(t *testing.T) {
	for name, handler := range map[string]func(context.Context, order) (order, error){
		"a reply":               func(_ context.Context, o order) (order, error) { return o, nil },
		"an error in its place": func(context.Context, order) (order, error) { return order{}, errors.New("sold out") },
	} {
		t.Run(name, func(t *testing.T) {
			metrics := messages.NewMetrics(messages.Limits{})
			s := start(t, messages.Options{}, quotes(runtime.Address{}, handler))
			err := s.call(messages.Options{Metrics: metrics})
			require.Equal(t, name != "a reply", err != nil)
			s.stop(t)

			call, handled, reply := s.spans.Named(t, "call quotes"), s.spans.Named(t, "process quotes"), s.spans.Named(t, "publish amq.rabbitmq.reply-to")
			require.Equal(t, handled.ID(), reply.Parent())
			require.Equal(t, tracev1.Span_SPAN_KIND_PRODUCER, reply.Kind)
			require.Equal(t, call.Trace(), reply.Trace())
			require.Len(t, call.Links, 1)
			require.Equal(t, reply.SpanId, call.Links[0].SpanId)

			attrs := reply.Attributes()
			require.Regexp(t, `^amq\.rabbitmq\.reply-to\..+`, attrs["messaging.destination.name"])
			require.Equal(t, "amq.rabbitmq.reply-to", attrs["messaging.destination.template"])
			require.Equal(t, true, attrs["messaging.destination.temporary"])
			require.Equal(t, true, attrs["messaging.destination.anonymous"])
		})
	}
}

func TestConsume_KeepsTheReplysOwnTrace(t *testing.T) {
	var sent map[string]any
	keep := func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			sent = s.Message.Headers
			return next(ctx, s)
		}
	}
	router := runtime.NewRouter()
	router.Use(messages.Consume(messages.Options{}), func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			reply, err := next(ctx, d)
			reply.Headers = map[string]any{"traceparent": traceparent}
			return reply, err
		}
	})
	router.Intercept(messages.Publish(messages.Options{}), keep)
	s := start(t, messages.Options{})
	router.MustRegister(quotes(runtime.Address{RoutingKey: "quoted"}, func(_ context.Context, o order) (order, error) { return o, nil }))
	route := router.Routes()[0]
	_ = runtime.Process(context.Background(), &route, &runtime.Delivery{
		Message: runtime.Message{Body: []byte(`{}`), Headers: map[string]any{"baggage": "tenant_id=acme"}},
	}, s.broker)
	s.stop(t)

	require.Equal(t, map[string]any{"traceparent": traceparent}, sent)
	require.Len(t, s.spans.Named(t, "publish quoted").Links, 1)
}

// With nothing sampled, the error of one message brings all of its trace: what
// comes before and after the error, and the settling last of all.
func TestTrace_OfAFailedMessageIsWhole(t *testing.T) {
	receiver := otlptest.GRPC(t)
	s := startWith(t, receiver, 0, messages.Options{}, quotes(runtime.Address{}, func(_ context.Context, o order) (order, error) {
		if o.ID == "bad" {
			return order{}, errors.New("sold out")
		}
		return o, nil
	}))
	caller := runtime.NewCaller[order, order](s.broker, runtime.Endpoint{Route: "quote", To: runtime.Address{RoutingKey: "quotes"}},
		runtime.WithInterceptors(messages.Publish(messages.Options{})))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for i := range 50 {
		_, err := caller.Call(ctx, order{ID: fmt.Sprint(i)})
		require.NoError(t, err)
	}
	ctx, span := observe.TraceSpan(ctx, "ask")
	_, err := caller.Call(ctx, order{ID: "bad"})
	require.Error(t, err)
	span.End(nil)
	s.stop(t)

	var names []string
	for _, span := range receiver.Spans() {
		names = append(names, span.Name)
	}
	require.ElementsMatch(t, []string{"ask", "call quotes", "process quotes", "publish amq.rabbitmq.reply-to", "ack quotes"}, names)
}

func TestErrorType_NamesErrorsByWords(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{runtime.ErrNacked, "nacked"},
		{fmt.Errorf("send: %w", runtime.ErrUnroutable), "unroutable"},
		{runtime.ErrNoExchange, "no_exchange"},
		{runtime.ErrUnknown, "unknown"},
		{runtime.ErrBlocked, "blocked"},
		{runtime.ErrClosed, "closed"},
		{runtime.ErrNoDeadline, "no_deadline"},
		{runtime.Reject(&runtime.DecodeError{Err: errors.New("no JSON")}), "decode"},
		{runtime.Reject(&testError{}), "*messages_test.testError"},
		{fmt.Errorf("reserve: %w", context.DeadlineExceeded), "timeout"},
		{(*wrapping)(nil), "*messages_test.wrapping"},
	} {
		s := start(t, messages.Options{})
		_, err := handle(context.Background(), messages.Options{}, carrying(nil), func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
			return nil, test.err
		})
		require.Equal(t, test.err, err)
		s.stop(t)
		require.Equal(t, test.want, s.spans.Named(t, "process q").Attributes()["error.type"], "%v", test.err)
	}
}

type testError struct{}

func (*testError) Error() string { return "failed" }

// wrapping is an error whose methods need more than a nil pointer.
type wrapping struct{ err error }

func (e *wrapping) Error() string { return e.err.Error() }
func (e *wrapping) Unwrap() error { return e.err }
