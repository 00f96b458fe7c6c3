package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/redact"
)

func ExampleConfigure() {
	var logs bytes.Buffer
	o, err := observe.Configure(context.Background(), observe.Config{
		ServiceName: "orders",
		LogWriter:   &logs, // and OTLPEndpoint: "collector:4317"
	})
	if err != nil {
		panic(err)
	}
	defer o.Shutdown(context.Background())

	ctx, span := observe.TraceSpan(context.Background(), "import")
	defer span.End(nil)
	observe.Logger("importer").InfoContext(ctx, "order taken", "order", 7)

	var record map[string]any
	if err := json.Unmarshal(logs.Bytes(), &record); err != nil {
		panic(err)
	}
	fmt.Println(record["event"], record["service"], record["logger"], record["order"])
	fmt.Println(record["trace_id"] == observe.TraceContext(ctx)["trace_id"])
	// Output:
	// order taken orders importer 7
	// true
}

func ExampleSetupTracing() {
	exporter := tracetest.NewInMemoryExporter() // in place of an endpoint, as "collector:4317"
	shutdown, err := observe.SetupTracing(context.Background(), "orders", "", observe.WithExporter(exporter))
	if err != nil {
		panic(err)
	}
	defer shutdown(context.Background()) // exports what has ended

	ctx, span := observe.TraceSpan(context.Background(), "import")
	defer span.End(nil)
	fmt.Println(len(observe.TraceContext(ctx)["trace_id"]))
	// Output: 32
}

func ExampleDiagnose() {
	fmt.Println(errors.Is(observe.Diagnose(context.Background()), observe.ErrNoProvider))

	o, err := observe.Configure(context.Background(), observe.Config{ServiceName: "orders"})
	if err != nil {
		panic(err)
	}
	defer o.Shutdown(context.Background())
	fmt.Println(observe.Diagnose(context.Background()))
	// Output:
	// true
	// tracing has no exporter, so no span leaves the process: set an endpoint, by Config.OTLPEndpoint or OTEL_EXPORTER_OTLP_ENDPOINT
}

// A record that is logged with a context has the ids of the active span.
func ExampleLogger() {
	log := observe.Logger("orders") // before or after Configure

	take := func(ctx context.Context, id int) {
		log.InfoContext(ctx, "order taken", "order", id)
	}
	take(context.Background(), 7)
}

func ExampleContextWithFields() {
	log := slog.New(observe.NewHandler(os.Stdout, nil)).WithGroup("query")
	ctx := observe.ContextWithFields(context.Background(), slog.String("route", "order.created"))

	record := slog.Record{Level: slog.LevelInfo, Message: "row written"} // without a time
	record.Add("rows", 1)
	if err := log.Handler().Handle(ctx, record); err != nil {
		panic(err)
	}
	// Output:
	// {"event":"row written","level":"info","route":"order.created","query":{"rows":1}}
}

func ExampleNewHandler() {
	redactor, err := redact.New(redact.Config{})
	if err != nil {
		panic(err)
	}
	handler := observe.NewHandler(os.Stdout, &observe.HandlerOptions{Service: "orders", Redact: redactor})
	record := slog.Record{Level: slog.LevelWarn, Message: "mail from ann@example.com refused"} // without a time
	record.Add("order", 7, "apiKey", "hunter2")
	if err := handler.Handle(context.Background(), record); err != nil {
		panic(err)
	}
	// Output:
	// {"event":"mail from [REDACTED] refused","level":"warning","service":"orders","order":7,"apiKey":"[REDACTED]"}
}

// A goroutine belongs to the trace of the context that it is given.
func ExampleTraceContext() {
	o, err := observe.Configure(context.Background(), observe.Config{ServiceName: "orders"})
	if err != nil {
		panic(err)
	}
	defer o.Shutdown(context.Background())

	ctx, span := observe.TraceSpan(context.Background(), "import")
	defer span.End(nil)
	here := observe.TraceContext(ctx)

	var work sync.WaitGroup
	work.Go(func() {
		there := observe.TraceContext(ctx)
		fmt.Println(there["trace_id"] == here["trace_id"])
	})
	work.Wait()
	fmt.Println(observe.TraceContext(context.Background()))
	// Output:
	// true
	// map[]
}

func ExampleTraceSpan() {
	reserve := func(ctx context.Context, lines int) (err error) {
		_, span := observe.TraceSpan(ctx, "reserve", attribute.Int("lines", lines))
		defer span.End(&err)
		if lines == 0 {
			return errors.New("the order is empty")
		}
		return nil
	}
	fmt.Println(reserve(context.Background(), 0))
	// Output: the order is empty
}

func ExampleSpan_SetAttribute() {
	_, span := observe.TraceSpan(context.Background(), "reserve")
	defer span.End(nil)
	span.SetAttribute("lines", 3)
	span.SetAttribute("took", 2*time.Second)
}

func ExampleHTTPMiddleware() {
	red, err := observe.NewREDMetrics("orders")
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", red.Handler())
	mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		observe.Logger("orders").DebugContext(r.Context(), "asked for") // with trace_id and span_id
		w.WriteHeader(http.StatusNoContent)
	})
	handler := observe.HTTPMiddleware(
		observe.WithRED(red),
		observe.WithSkip(func(r *http.Request) bool { return r.URL.Path == "/metrics" }),
	)(mux)

	get := func(path string) string {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Body.String()
	}
	get("/orders/7")
	for line := range strings.Lines(get("/metrics")) {
		if strings.HasPrefix(line, "requests_total") {
			fmt.Print(line)
		}
	}
	// Output: requests_total{endpoint="/orders/{id}",method="GET",service="orders",status_code="204"} 1
}

func ExampleTransport() {
	o, err := observe.Configure(context.Background(), observe.Config{ServiceName: "orders", LogWriter: io.Discard})
	if err != nil {
		panic(err)
	}
	defer o.Shutdown(context.Background())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println(len(r.Header.Get("traceparent")))
	}))
	defer server.Close()

	client := &http.Client{Transport: observe.Transport(server.Client().Transport)}
	response, err := client.Get(server.URL)
	if err != nil {
		panic(err)
	}
	response.Body.Close()
	// Output: 55
}

func ExampleNewREDMetrics() {
	red, err := observe.NewREDMetrics("orders", observe.WithNamespace("shop"))
	if err != nil {
		panic(err)
	}
	red.RecordRequest("GET", "/orders/{id}", 200, 12*time.Millisecond)
	red.RecordError("GET", "/orders/{id}", "timeout")
	http.Handle("GET /metrics", red.Handler())
}

func ExampleNewSLOTracker() {
	slo, err := observe.NewSLOTracker("orders", 0.99, observe.Hour)
	if err != nil {
		panic(err)
	}
	for range 199 {
		slo.RecordSuccess()
	}
	slo.RecordFailure("timeout")
	report := slo.Report()
	fmt.Printf("sli %.3f, budget left %.2f\n", report.SLI, report.BudgetRemaining)
	// Output: sli 0.995, budget left 0.50
}
