package messages_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/observe/tenant"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// A service is a broker in memory, traced, with a receiver of its spans.
type service struct {
	*observe.Observability
	spans  *otlptest.Receiver
	broker *memory.Broker
	logs   *bytes.Buffer
}

// start samples everything.
func start(t *testing.T, options messages.Options, routes ...runtime.Route) *service {
	t.Helper()
	return startWith(t, otlptest.GRPC(t), 1, options, routes...)
}

func startWith(t *testing.T, receiver *otlptest.Receiver, rate float64, options messages.Options, routes ...runtime.Route) *service {
	t.Helper()
	s := &service{spans: receiver, broker: memory.New(memory.Config{}), logs: new(bytes.Buffer)}
	o, err := observe.Configure(context.Background(), observe.Config{
		ServiceName: "shop", OTLPEndpoint: s.spans.Endpoint, TraceSampleRate: rate, LogWriter: s.logs,
	})
	require.NoError(t, err)
	s.Observability = o
	router := runtime.NewRouter()
	router.Use(messages.Consume(options))
	router.Intercept(messages.Publish(options))
	router.MustRegister(routes...)
	require.NoError(t, s.broker.Start(context.Background(), router))
	t.Cleanup(func() {
		s.stop(t)
		jsonlog.SetDefault(nil)
	})
	return s
}

// stop waits for the handlers and exports their spans.
func (s *service) stop(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	require.NoError(t, s.broker.Shutdown(ctx))
	require.NoError(t, s.Shutdown(ctx))
}

type order struct {
	ID string `json:"id"`
}

func (s *service) publisher(options messages.Options) *runtime.Publisher[order] {
	return runtime.NewPublisher[order](s.broker, created, runtime.WithInterceptors(messages.Publish(options)))
}

var created = runtime.Endpoint{Route: "order.created", To: runtime.Address{Exchange: "shop", RoutingKey: "created"}}

// onCreated is a route of the exchange shop.
func onCreated(handler runtime.Handler) runtime.Route {
	return runtime.Route{
		Name: "order.created", Queue: runtime.Queue{Name: "orders"}, Exchange: &runtime.Exchange{Name: "shop", Type: runtime.Topic},
		RoutingKeys: []string{"created"}, Handler: handler,
	}
}

func TestTrace_GoesFromARequestToTheReply(t *testing.T) {
	done := make(chan struct{})
	s := start(t, messages.Options{},
		runtime.Route{
			Name: "price", Queue: runtime.Queue{Name: "prices"}, Reply: &runtime.Address{RoutingKey: "priced"},
			Handler: runtime.Respond(func(_ context.Context, o order) (order, error) { return o, nil }),
		},
		runtime.Route{
			Name: "priced", Queue: runtime.Queue{Name: "priced"},
			Handler: runtime.Consume(func(ctx context.Context, _ order) error {
				defer close(done)
				require.Equal(t, "acme", tenant.FromContext(ctx))
				observe.Logger("priced").InfoContext(ctx, "priced")
				return nil
			}),
		})
	publisher := runtime.NewPublisher[order](s.broker, runtime.Endpoint{Route: "price", To: runtime.Address{RoutingKey: "prices"}},
		runtime.WithInterceptors(messages.Publish(messages.Options{})))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(_ http.ResponseWriter, r *http.Request) {
		require.NoError(t, publisher.Publish(r.Context(), order{ID: "7"}, runtime.WithMessageID("m-1")))
	})
	r := httptest.NewRequest("POST", "/orders", nil)
	r.Header.Set("X-Tenant-ID", "acme")
	observe.HTTPMiddleware()(mux).ServeHTTP(httptest.NewRecorder(), r)
	<-done
	s.stop(t)

	chain := []string{"POST /orders", "publish prices", "process prices", "publish priced", "process priced"}
	parent := otlptest.Span{}
	for _, name := range chain {
		span := s.spans.Named(t, name)
		require.Equal(t, "acme", span.Attributes()["tenant.id"], name)
		if parent.Span != nil {
			require.Equal(t, parent.Trace(), span.Trace())
			require.Equal(t, parent.ID(), span.Parent())
		}
		parent = span
	}
	require.Contains(t, s.logs.String(), `"trace_id":"`+parent.Trace()+`"`)
	require.Contains(t, s.logs.String(), `"tenant_id":"acme","route":"priced","queue":"priced"`)
}

func TestSpans_AreNamedByTheConventions(t *testing.T) {
	done := make(chan struct{})
	s := start(t, messages.Options{ServerAddress: "rabbit", ServerPort: 5672}, onCreated(runtime.Consume(func(context.Context, order) error {
		defer close(done)
		return nil
	})))
	require.NoError(t, s.publisher(messages.Options{}).Publish(context.Background(), order{}, runtime.WithMessageID("m-1"), runtime.WithCorrelationID("c-1")))
	<-done
	s.stop(t)

	sent := s.spans.Named(t, "publish shop:created")
	require.Equal(t, tracev1.Span_SPAN_KIND_PRODUCER, sent.Kind)
	require.Equal(t, map[string]any{
		"messaging.system": "rabbitmq", "messaging.operation.name": "publish", "messaging.operation.type": "send",
		"messaging.destination.name": "shop:created", "messaging.rabbitmq.destination.routing_key": "created",
		"messaging.message.id": "m-1", "messaging.message.conversation_id": "c-1", "messaging.message.body.size": int64(9),
	}, sent.Attributes())
	handled := s.spans.Named(t, "process shop:created:orders")
	require.Equal(t, tracev1.Span_SPAN_KIND_CONSUMER, handled.Kind)
	require.Equal(t, map[string]any{
		"messaging.system": "rabbitmq", "messaging.operation.name": "process", "messaging.operation.type": "process",
		"messaging.destination.name": "shop:created:orders", "messaging.rabbitmq.destination.routing_key": "created",
		"messaging.message.id": "m-1", "messaging.message.conversation_id": "c-1", "messaging.message.body.size": int64(9),
		"server.address": "rabbit", "server.port": int64(5672),
	}, handled.Attributes())
}

func TestPublish_MakesACallTheParentOfItsHandling(t *testing.T) {
	s := start(t, messages.Options{}, quotes(runtime.Address{}, func(_ context.Context, o order) (order, error) { return o, nil }))
	require.NoError(t, s.call(messages.Options{}))
	s.stop(t)

	call, handled := s.spans.Named(t, "call quotes"), s.spans.Named(t, "process quotes")
	require.Equal(t, tracev1.Span_SPAN_KIND_CLIENT, call.Kind)
	require.Equal(t, call.ID(), handled.Parent())
}

// handle runs a delivery through the middleware, without a broker.
func handle(ctx context.Context, options messages.Options, d *runtime.Delivery, handler runtime.HandlerFunc) (*runtime.Message, error) {
	return messages.Consume(options)(handler)(ctx, d)
}

func nothing(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, nil }

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func carrying(headers map[string]any) *runtime.Delivery {
	return &runtime.Delivery{Message: runtime.Message{Headers: headers}, Queue: "q", RoutingKey: "q"}
}

// A message that waits hasn't been handled, and hasn't failed.
func TestConsume_TakesWhatIsPostponedForNoFailure(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{})
	objective, err := observe.NewSLOTracker("orders", 0.99)
	require.NoError(t, err)
	var log bytes.Buffer
	options := messages.Options{Metrics: metrics, SLO: objective, Logger: slog.New(slog.NewTextHandler(&log, nil))}
	s := start(t, messages.Options{})
	waits := func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
		return nil, runtime.Postpone(errors.New("not yet"), time.Second)
	}
	for _, settlement := range []runtime.Settlement{runtime.Retry, runtime.Requeue, runtime.DeadLetter} {
		d := carrying(nil)
		_, err := handle(context.Background(), options, d, waits)
		require.EqualError(t, err, "not yet")
		require.NoError(t, d.Settled(settlement, nil))
	}
	s.stop(t)
	for _, span := range s.spans.Spans() {
		require.False(t, span.Failed(), span.Name)
		require.NotContains(t, span.Attributes(), "error.type")
	}
	require.Zero(t, objective.Report().Total)
	require.Contains(t, log.String(), `level=INFO msg="message postponed"`)
	require.Contains(t, log.String(), `reason="not yet"`)
	require.NotContains(t, log.String(), "level=ERROR")
	require.Zero(t, testutil.CollectAndCount(metrics, "messaging_client_consumed_messages_total", "messaging_process_duration_seconds"))
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_client_settled_messages_total Messages that were acknowledged, requeued or rejected.
# TYPE messaging_client_settled_messages_total counter
messaging_client_settled_messages_total{messaging_destination_name="q",outcome="dead-letter"} 1
messaging_client_settled_messages_total{messaging_destination_name="q",outcome="postponed"} 2
# HELP messaging_process_active_messages Messages that are being handled.
# TYPE messaging_process_active_messages gauge
messaging_process_active_messages{messaging_destination_name="q"} 0
`), "messaging_client_settled_messages_total", "messaging_process_active_messages"))
}

func TestConsume_ParentsAndLinks(t *testing.T) {
	const remote = "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, test := range []struct {
		name      string
		ambient   bool
		headers   map[string]any
		linkOnly  bool
		continues bool
		links     int
	}{
		{"a trace in the message", false, map[string]any{"traceparent": traceparent}, false, true, 0},
		{"as bytes", false, map[string]any{"traceparent": []byte(traceparent)}, false, true, 0},
		{"and an active span", true, map[string]any{"traceparent": traceparent}, false, true, 1},
		{"linked only", false, map[string]any{"traceparent": traceparent}, true, false, 1},
		{"linked only, and an active span", true, map[string]any{"traceparent": traceparent}, true, false, 1},
		{"linked only, to nothing", true, nil, true, false, 0},
		{"none", false, nil, false, false, 0},
		{"none, and an active span", true, nil, false, false, 0},
		{"one that can't be read", false, map[string]any{"traceparent": "00-x", "baggage": 7}, false, false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, messages.Options{})
			ctx, parent := context.Background(), ""
			if test.ambient {
				var span *observe.Span
				ctx, span = observe.TraceSpan(ctx, "poll")
				defer span.End(nil)
				parent = observe.TraceContext(ctx)["span_id"]
			}
			if test.continues {
				parent = traceparent[36:52]
			}
			if test.linkOnly {
				parent = ""
			}
			_, err := handle(ctx, messages.Options{LinkOnly: test.linkOnly}, carrying(test.headers), nothing)
			require.NoError(t, err)
			s.stop(t)
			span := s.spans.Named(t, "process q")
			require.Equal(t, test.continues, span.Trace() == remote)
			require.Equal(t, parent, span.Parent())
			require.Len(t, span.Links, test.links)
		})
	}
}

func TestPublish_KeepsTheMessagesOwnTrace(t *testing.T) {
	s := start(t, messages.Options{})
	var sent *runtime.Message
	send := messages.Publish(messages.Options{})(func(_ context.Context, s *runtime.Sending) (*runtime.Message, error) {
		sent = s.Message
		return nil, nil
	})
	_, err := send(context.Background(), &runtime.Sending{Message: &runtime.Message{Headers: map[string]any{"traceparent": traceparent}}})
	require.NoError(t, err)
	s.stop(t)

	require.Equal(t, map[string]any{"traceparent": traceparent}, sent.Headers)
	require.Len(t, s.spans.Named(t, "publish amq.default").Links, 1)
}

func TestPublish_SendsTraceAndTenantInHeaders(t *testing.T) {
	start(t, messages.Options{})
	ctx, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	shared := map[string]any{"own": 1}
	message := &runtime.Message{Headers: shared}
	_, err = messages.Publish(messages.Options{})(func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })(
		ctx, &runtime.Sending{Message: message})
	require.NoError(t, err)

	require.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`, message.Headers["traceparent"])
	require.Equal(t, "tenant_id=acme", message.Headers["baggage"])
	require.Equal(t, map[string]any{"own": 1}, shared, "the caller's table isn't changed")
	require.Equal(t, 1, message.Headers["own"])
}

func TestConsume_TakesTheTenantOfTheMessageOnly(t *testing.T) {
	ctx, err := tenant.NewContext(context.Background(), "ambient")
	require.NoError(t, err)
	for headers, want := range map[string]string{"tenant_id=acme": "acme", "": "", "tenant_id=a%20b": ""} {
		var got string
		_, err := handle(ctx, messages.Options{}, carrying(map[string]any{"baggage": headers}), func(ctx context.Context, _ *runtime.Delivery) (*runtime.Message, error) {
			got = tenant.FromContext(ctx)
			return nil, nil
		})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestConsume_RecordsFailures(t *testing.T) {
	own := errors.New("out of stock")
	for _, test := range []struct {
		name    string
		handler runtime.HandlerFunc
		kind    string
		text    string
	}{
		{"an error", func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, own }, "*errors.errorString", "out of stock"},
		{"a panic", func(context.Context, *runtime.Delivery) (*runtime.Message, error) { panic(own) }, "panic", "panic: *errors.errorString"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, messages.Options{})
			func() {
				defer func() {
					if test.kind == "panic" {
						require.Equal(t, own, recover(), "it goes on")
					}
				}()
				_, err := handle(context.Background(), messages.Options{}, carrying(nil), test.handler)
				require.Equal(t, own, err)
			}()
			s.stop(t)
			span := s.spans.Named(t, "process q")
			require.True(t, span.Failed())
			require.Equal(t, test.kind, span.Attributes()["error.type"])
			require.Equal(t, test.text, span.Status.Message)
		})
	}
}

func TestConsume_TakesGoexitForAnError(t *testing.T) {
	s := start(t, messages.Options{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = handle(context.Background(), messages.Options{}, carrying(nil), func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
			goruntime.Goexit()
			return nil, nil
		})
	}()
	<-ended
	s.stop(t)
	require.Equal(t, "goexit", s.spans.Named(t, "process q").Attributes()["error.type"])
	require.True(t, s.spans.Named(t, "process q").Failed())
}

func TestPublish_RecordsAFailure(t *testing.T) {
	s := start(t, messages.Options{})
	metrics := messages.NewMetrics(messages.Limits{})
	err := s.publisher(messages.Options{Metrics: metrics}).Publish(context.Background(), order{})
	require.ErrorIs(t, err, runtime.ErrUnroutable)
	s.stop(t)
	require.True(t, s.spans.Named(t, "publish shop:created").Failed())
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_client_sent_messages_total Messages that were sent.
# TYPE messaging_client_sent_messages_total counter
messaging_client_sent_messages_total{error_type="no_exchange",messaging_destination_name="shop:created"} 1
`), "messaging_client_sent_messages_total"))
}

func TestMetrics_CountMessages(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{})
	options := messages.Options{Metrics: metrics}
	d := carrying(nil)
	d.Redelivered = true
	_, err := handle(context.Background(), options, d, func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
		require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_process_active_messages Messages that are being handled.
# TYPE messaging_process_active_messages gauge
messaging_process_active_messages{messaging_destination_name="q"} 1
`), "messaging_process_active_messages"))
		return nil, nil
	})
	require.NoError(t, err)
	_, err = handle(context.Background(), options, carrying(nil), func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
		return nil, context.DeadlineExceeded
	})
	require.Error(t, err)

	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_client_consumed_messages_total Messages that were handled.
# TYPE messaging_client_consumed_messages_total counter
messaging_client_consumed_messages_total{error_type="",messaging_destination_name="q"} 1
messaging_client_consumed_messages_total{error_type="timeout",messaging_destination_name="q"} 1
# HELP messaging_client_redelivered_messages_total Messages that were delivered again.
# TYPE messaging_client_redelivered_messages_total counter
messaging_client_redelivered_messages_total{messaging_destination_name="q"} 1
# HELP messaging_process_active_messages Messages that are being handled.
# TYPE messaging_process_active_messages gauge
messaging_process_active_messages{messaging_destination_name="q"} 0
`), "messaging_client_consumed_messages_total", "messaging_client_redelivered_messages_total", "messaging_process_active_messages"))
	require.Equal(t, 2, testutil.CollectAndCount(metrics, "messaging_process_duration_seconds"), "of successes and of timeouts")
}

func TestMetrics_AreLintCleanAndBounded(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{Destinations: 2})
	for _, key := range []string{"a", "b", "c", "d\xff"} {
		_, err := messages.Publish(messages.Options{Metrics: metrics})(func(context.Context, *runtime.Sending) (*runtime.Message, error) {
			return nil, nil
		})(context.Background(), &runtime.Sending{To: runtime.Address{RoutingKey: key}, Message: new(runtime.Message), Call: key == "b"})
		require.NoError(t, err)
	}
	problems, err := testutil.CollectAndLint(metrics)
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Equal(t, 3, testutil.CollectAndCount(metrics, "messaging_client_sent_messages_total"))
}

func TestOptions_LoggerLogsMessages(t *testing.T) {
	var out bytes.Buffer
	options := messages.Options{Logger: slog.New(observe.NewHandler(&out, nil))}
	d := carrying(nil)
	d.Route, d.MessageID = "r", "m-1"
	_, err := handle(context.Background(), options, d, nothing)
	require.NoError(t, err)
	_, err = messages.Publish(options)(func(context.Context, *runtime.Sending) (*runtime.Message, error) {
		return nil, runtime.ErrNacked
	})(context.Background(), &runtime.Sending{Route: "r", Message: new(runtime.Message)})
	require.Error(t, err)

	_, err = handle(context.Background(), options, d, func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, errors.New("sold out") })
	require.Error(t, err)

	lines := strings.Split(out.String(), "\n")
	require.Regexp(t, `"event":"message handled","level":"error".*,"error_type":"\*errors.errorString","error":"sold out"`, lines[2])
	d.MessageID = ""
	_, err = handle(context.Background(), options, d, nothing)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(out.String(), "message_id"), "those with one")
	require.Regexp(t, `"event":"message handled","level":"info".*"route":"r","queue":"q","message_id":"m-1","duration_ms":[0-9.]+,"redelivered":false`, lines[0])
	require.Regexp(t, `"event":"message sent","level":"error".*"route":"r","destination":"amq.default","duration_ms":[0-9.]+,"error_type":"nacked","error":"the broker refused the message"`, lines[1])
}

func TestOptions_LoggerLogsMilliseconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		_, err := handle(t.Context(), messages.Options{Logger: slog.New(observe.NewHandler(&out, nil))}, carrying(nil), func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
			time.Sleep(1500*time.Millisecond + 250*time.Microsecond)
			return nil, nil
		})
		require.NoError(t, err)
		require.Contains(t, out.String(), `"duration_ms":1500.25,`)
	})
}

func TestDestination_IsNamedByItsParts(t *testing.T) {
	for _, test := range []struct{ exchange, key, queue, want string }{
		{"shop", "created", "orders", "shop:created:orders"},
		{"", "orders", "orders", "orders"},
		{"shop", "", "", "shop"},
		{"shop", "created", "", "shop:created"},
		{"shop", "amq.gen-1", "", "shop:amq.gen-1"},
		{"", "", "", "amq.default"},
	} {
		s := start(t, messages.Options{})
		d := &runtime.Delivery{Queue: test.queue, Exchange: test.exchange, RoutingKey: test.key}
		_, err := handle(context.Background(), messages.Options{}, d, nothing)
		require.NoError(t, err)
		s.stop(t)
		s.spans.Named(t, "process "+test.want)
	}
}

// The default is the provider of the moment, which a program may set when it has begun.
func TestOptions_FollowTheProviderOfTheProgram(t *testing.T) {
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	consume := messages.Consume(messages.Options{})(nothing)
	for range 3 {
		recorder := tracetest.NewSpanRecorder()
		otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)))
		for range 2 {
			_, err := consume(context.Background(), carrying(nil))
			require.NoError(t, err)
		}
		require.Len(t, recorder.Ended(), 2)
	}
}

func TestOptions_TracerProviderMakesTheSpans(t *testing.T) {
	s := start(t, messages.Options{})
	other := context.Background()
	_, err := handle(other, messages.Options{TracerProvider: s.TracerProvider()}, carrying(nil), func(ctx context.Context, _ *runtime.Delivery) (*runtime.Message, error) {
		require.True(t, trace.SpanFromContext(ctx).IsRecording())
		return nil, nil
	})
	require.NoError(t, err)
}
