package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
)

func TestC8_TraceContextIsTheIDsOrEmpty(t *testing.T) {
	_, receiver := traced(t)
	require.Empty(t, observe.TraceContext(context.Background()))

	ctx, span := observe.TraceSpan(context.Background(), "work")
	ids := observe.TraceContext(ctx)
	span.End(nil)

	require.Len(t, ids, 2)
	require.Regexp(t, `^[0-9a-f]{32}$`, ids["trace_id"])
	require.Regexp(t, `^[0-9a-f]{16}$`, ids["span_id"])
	require.Empty(t, receiver.Spans(), "nothing is exported before it is time")
}

func TestC12_TraceContextIsOfTheActiveSpan(t *testing.T) {
	_, _ = traced(t)
	outer, span := observe.TraceSpan(context.Background(), "outer")
	defer span.End(nil)
	inner, child := observe.TraceSpan(outer, "inner")
	defer child.End(nil)

	require.Equal(t, observe.TraceContext(outer)["trace_id"], observe.TraceContext(inner)["trace_id"])
	require.NotEqual(t, observe.TraceContext(outer)["span_id"], observe.TraceContext(inner)["span_id"])
}

func TestC11_CorrelationIsAvailableWhileTracingIsSetUp(t *testing.T) {
	require.False(t, observe.TraceCorrelationAvailable())
	o, err := observe.Configure(context.Background(), observe.Config{})
	require.NoError(t, err)
	require.True(t, observe.TraceCorrelationAvailable())
	shutdown(t, o)
	require.False(t, observe.TraceCorrelationAvailable())
}

// OpenTelemetry's provider of a program that has set up nothing is seen in a
// process of its own only.
func TestC11_NothingIsAvailableInAFreshProcess(t *testing.T) {
	out, err := exec.Command(os.Args[0], "-test.v", "-test.run=^TestC11_CorrelationIsAvailableWhileTracingIsSetUp$").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestC11_CorrelationIsAvailableWhileTracingIsSetUp")
}

func TestC11_ProgramsOwnProviderCounts(t *testing.T) {
	before := otel.GetTracerProvider()
	defer otel.SetTracerProvider(before)
	otel.SetTracerProvider(sdktrace.NewTracerProvider())
	require.True(t, observe.TraceCorrelationAvailable())
	require.NoError(t, observe.Diagnose(context.Background()))
}

func TestC13_SetupTracingSendsToTheEndpoint(t *testing.T) {
	for _, start := range []func(testing.TB) *otlptest.Receiver{otlptest.GRPC, otlptest.HTTP} {
		receiver := start(t)
		shutdown, err := observe.SetupTracing(context.Background(), "orders", receiver.Endpoint)
		require.NoError(t, err)
		_, span := observe.TraceSpan(context.Background(), "work")
		span.End(nil)
		require.NoError(t, shutdown(context.Background()))

		require.Equal(t, "orders", receiver.Named(t, "work").Service)
	}
}

func TestSetupTracing_TakesOptions(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	shutdown, err := observe.SetupTracing(context.Background(), "orders", "", observe.WithExporter(exporter), observe.WithSampleRate(0))
	require.NoError(t, err)
	work(false)
	require.NoError(t, otel.GetTracerProvider().(*sdktrace.TracerProvider).ForceFlush(context.Background()))
	require.Empty(t, exporter.GetSpans())
	work(true)
	require.NoError(t, otel.GetTracerProvider().(*sdktrace.TracerProvider).ForceFlush(context.Background()))
	require.Len(t, exporter.GetSpans(), 3)
	require.NoError(t, shutdown(context.Background()))
}

func TestC14_ConfigureSetsUpTracingAndLogging(t *testing.T) {
	var out bytes.Buffer
	receiver := otlptest.GRPC(t)
	o := configure(t, observe.Config{ServiceName: "orders", OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1, LogWriter: &out})

	ctx, span := observe.TraceSpan(context.Background(), "work")
	observe.Logger("shop").InfoContext(ctx, "taken")
	span.End(nil)
	flush(t, o)

	var record map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &record))
	require.Equal(t, "orders", record["service"])
	require.Equal(t, "shop", record["logger"])
	require.Equal(t, receiver.Named(t, "work").Trace(), record["trace_id"])
	require.Equal(t, receiver.Named(t, "work").ID(), record["span_id"])
}

func TestC22_GoroutinesInheritTheTraceByTheirContext(t *testing.T) {
	_, _ = traced(t)
	ctx, span := observe.TraceSpan(context.Background(), "request")
	defer span.End(nil)
	detached, cancel := context.WithCancel(ctx)
	cancel()

	inherited := make(chan map[string]string, 2)
	go func() { inherited <- observe.TraceContext(ctx) }()
	go func() { inherited <- observe.TraceContext(context.WithoutCancel(detached)) }()

	require.Equal(t, observe.TraceContext(ctx), <-inherited)
	require.Equal(t, observe.TraceContext(ctx), <-inherited)
	none := make(chan map[string]string)
	go func() { none <- observe.TraceContext(context.Background()) }()
	require.Empty(t, <-none)
}

func TestC29_DiagnoseSaysWhyThereIsNoTrace(t *testing.T) {
	ctx := context.Background()
	require.ErrorIs(t, observe.Diagnose(ctx), observe.ErrNoProvider)
	_, none := observe.TraceSpan(ctx, "work")
	require.Equal(t, strings.Repeat("0", 32), none.Span().SpanContext().TraceID().String())

	o, err := observe.Configure(ctx, observe.Config{})
	require.NoError(t, err)
	require.ErrorIs(t, observe.Diagnose(ctx), observe.ErrNoExporter)
	shutdown(t, o)

	o, receiver := traced(t)
	require.NoError(t, observe.Diagnose(ctx))
	receiver.Break(status.Error(codes.PermissionDenied, "no"))
	_, span := observe.TraceSpan(ctx, "work")
	span.End(nil)
	var failed *observe.ExportError
	require.ErrorAs(t, observe.Diagnose(ctx), &failed)
	require.ErrorContains(t, failed, "PermissionDenied")
	require.EqualValues(t, 1, o.Stats().FailedExports)

	receiver.Break(nil)
	_, span = observe.TraceSpan(ctx, "work")
	span.End(nil)
	require.NoError(t, observe.Diagnose(ctx))
}

func TestConfigure_RefusesASecondUntilShutdown(t *testing.T) {
	ctx := context.Background()
	o, err := observe.Configure(ctx, observe.Config{})
	require.NoError(t, err)
	_, err = observe.Configure(ctx, observe.Config{})
	require.ErrorIs(t, err, observe.ErrConfigured)
	_, err = observe.SetupTracing(ctx, "orders", "localhost:4317")
	require.ErrorIs(t, err, observe.ErrConfigured)

	require.NoError(t, o.Shutdown(ctx))
	require.NoError(t, o.Shutdown(ctx))
	o, receiver := traced(t)
	_, span := observe.TraceSpan(ctx, "again")
	span.End(nil)
	flush(t, o)
	receiver.Named(t, "again")
}

func TestConfigure_SucceedsOnceOfMany(t *testing.T) {
	results := make(chan *observe.Observability, 16)
	var running sync.WaitGroup
	for range cap(results) {
		running.Go(func() {
			o, err := observe.Configure(context.Background(), observe.Config{Exporter: discarding{}})
			if err != nil && !errors.Is(err, observe.ErrConfigured) {
				panic(err)
			}
			results <- o
		})
	}
	running.Wait()
	close(results)
	var made []*observe.Observability
	for o := range results {
		if o != nil {
			made = append(made, o)
		}
	}
	require.Len(t, made, 1)
	shutdown(t, made[0])
}

func TestConfigure_SetsOpenTelemetrysGlobals(t *testing.T) {
	var out bytes.Buffer
	configure(t, observe.Config{LogWriter: &out})
	require.ElementsMatch(t, []string{"traceparent", "tracestate", "baggage"}, otel.GetTextMapPropagator().Fields())
	otel.Handle(errTest)
	require.Contains(t, out.String(), `"event":"telemetry","level":"warning"`)
	ctx, span := otel.Tracer("other").Start(context.Background(), "work")
	defer span.End()
	require.Len(t, observe.TraceContext(ctx), 2, "spans of others have ids")
}

func TestConfigure_Refuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		config observe.Config
		want   string
	}{
		{"a rate above 1", observe.Config{TraceSampleRate: 1.1}, "TraceSampleRate is 1.1"},
		{"a rate below 0", observe.Config{TraceSampleRate: -0.1}, "TraceSampleRate is -0.1"},
		{"a rate that is none", observe.Config{TraceSampleRate: math.NaN()}, "TraceSampleRate is NaN"},
		{"an endpoint without a port", observe.Config{OTLPEndpoint: "collector"}, "OTLPEndpoint: its forms are"},
		{"a port that is none", observe.Config{OTLPEndpoint: "collector:otlp"}, "its port isn't a number"},
		{"a port out of range", observe.Config{OTLPEndpoint: "http://collector:70000"}, "its port isn't a number"},
		{"a port just out of range", observe.Config{OTLPEndpoint: "http://collector:65536"}, "its port isn't a number"},
		{"port 0", observe.Config{OTLPEndpoint: "http://collector:0"}, "its port isn't a number"},
		{"another scheme", observe.Config{OTLPEndpoint: "ftp://collector"}, "its scheme is neither http nor https"},
		{"a user", observe.Config{OTLPEndpoint: "http://u:secret@collector:4318"}, "it holds a user"},
		{"a query", observe.Config{OTLPEndpoint: "http://collector?secret=1"}, "it has a query"},
		{"no host", observe.Config{OTLPEndpoint: "http://:4318"}, "it has no host"},
		{"what is no URL", observe.Config{OTLPEndpoint: "http://u:secret@[::1"}, "it isn't a URL"},
		{"an unknown mode", observe.Config{KeepErrors: 7}, "KeepErrors is 7"},
		{"a negative size", observe.Config{QueueSize: -1}, "negative"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := observe.Configure(context.Background(), test.config)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "secret")
			require.False(t, observe.TraceCorrelationAvailable())
		})
	}
}

func TestNew_TakesEveryPort(t *testing.T) {
	for _, port := range []string{"1", "65535"} {
		newObservability(t, observe.Config{OTLPEndpoint: "http://collector:" + port})
	}
}

func TestConfigure_FillsInFromTheEnvironment(t *testing.T) {
	receiver := otlptest.HTTP(t)
	t.Setenv("OTEL_SERVICE_NAME", "from-env")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.Endpoint)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=value")
	t.Setenv("OTEL_TRACES_SAMPLER", "parentbased_always_on")
	o := configure(t, observe.Config{})
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(nil)
	flush(t, o)

	require.Equal(t, "from-env", receiver.Named(t, "work").Service)
	require.Equal(t, "value", receiver.Header("X-Key"))
}

func TestConfigure_PrefersTheConfigToTheEnvironment(t *testing.T) {
	receiver := otlptest.GRPC(t)
	t.Setenv("OTEL_SERVICE_NAME", "from-env")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	o := configure(t, observe.Config{
		ServiceName: "orders", OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1,
		Headers: map[string]string{"x-key": "own"}, ResourceAttributes: []attribute.KeyValue{attribute.String("service.name", "no")},
	})
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(nil)
	flush(t, o)

	require.Equal(t, "orders", receiver.Named(t, "work").Service)
	require.Equal(t, "own", receiver.Header("x-key"))
}

func TestConfigure_RefusesAFaultyEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"OTEL_TRACES_SAMPLER": "sometimes", "OTEL_TRACES_SAMPLER_ARG": "2", "OTEL_EXPORTER_OTLP_ENDPOINT": "collector",
		"OTEL_EXPORTER_OTLP_PROTOCOL": "smoke",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_TRACES_SAMPLER", "traceidratio")
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4317")
			t.Setenv(name, value)
			_, err := observe.Configure(context.Background(), observe.Config{})
			require.Error(t, err)
		})
	}
}

func TestShutdown_KeepsItsDeadline(t *testing.T) {
	exporter := &stuck{release: make(chan struct{})}
	o, err := observe.Configure(context.Background(), observe.Config{Exporter: exporter, TraceSampleRate: 1, LogWriter: io.Discard})
	require.NoError(t, err)
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(nil)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()

	err = o.Shutdown(ctx)

	require.ErrorIs(t, err, context.DeadlineExceeded)
	close(exporter.release)
}

// The export of one that is shut down hangs, and neither another one nor the process waits.
func TestShutdown_LetsOthersGoOn(t *testing.T) {
	exporter := &stuck{release: make(chan struct{}), exporting: make(chan struct{}, 1)}
	first, err := observe.Configure(context.Background(), observe.Config{Exporter: exporter, TraceSampleRate: 1, LogWriter: io.Discard})
	require.NoError(t, err)
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(nil)
	ended := make(chan error)
	go func() { ended <- first.Shutdown(context.Background()) }()
	<-exporter.exporting

	other, err := observe.New(context.Background(), observe.Config{LogWriter: io.Discard})
	require.NoError(t, err)
	require.NoError(t, other.Shutdown(context.Background()))
	second, err := observe.Configure(context.Background(), observe.Config{LogWriter: io.Discard})
	require.NoError(t, err)
	require.NoError(t, second.Shutdown(context.Background()))
	close(exporter.release)
	require.NoError(t, <-ended)
}

// stuck exports until its context ends.
type stuck struct{ release, exporting chan struct{} }

func (s *stuck) ExportSpans(ctx context.Context, _ []sdktrace.ReadOnlySpan) error {
	select {
	case s.exporting <- struct{}{}:
	default:
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.release:
		return nil
	}
}

func (*stuck) Shutdown(context.Context) error { return nil }

// The test's own connection is the first that the listener gets.
func TestConfigure_NeverDials(t *testing.T) {
	for _, path := range []string{"", "/v1/traces"} { // gRPC, HTTP
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		endpoint := listener.Addr().String()
		if path != "" {
			endpoint = "http://" + endpoint + path
		}
		o, err := observe.Configure(context.Background(), observe.Config{OTLPEndpoint: endpoint})
		require.NoError(t, err)
		require.NoError(t, o.Shutdown(context.Background()))
		own, err := net.Dial("tcp", listener.Addr().String())
		require.NoError(t, err)
		first, err := listener.Accept()
		require.NoError(t, err)
		require.Equal(t, own.LocalAddr().String(), first.RemoteAddr().String())
		require.NoError(t, errors.Join(own.Close(), first.Close(), listener.Close()))
	}
}

func TestConfig_ShowsNoCredentials(t *testing.T) {
	c := observe.Config{ServiceName: "orders", Headers: map[string]string{"authorization": "hunter2"}, OTLPEndpoint: "http://u:hunter2@host"}
	text, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprintf("%v %+v %#v %s", c, c, c, text), "hunter2")
	require.Contains(t, c.String(), `"orders"`)
	require.Equal(t, c.String()+" "+c.String(), fmt.Sprintf("%v %d", c, c))
}
