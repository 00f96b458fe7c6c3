// Package observe makes logs, traces, metrics and objectives of a service that
// agree with each other: a log record has the ids of the span that it was written
// in, a metric's exemplar leads to a trace that was kept, and an alert counts the
// same requests as the metric.
//
//	o, err := observe.Configure(ctx, observe.Config{
//		ServiceName:     "orders",
//		OTLPEndpoint:    "collector:4317",
//		TraceSampleRate: 0.1,
//	})
//	if err != nil {
//		return err
//	}
//	defer o.Shutdown(context.Background())
//
//	red, err := o.NewREDMetrics()
//	if err != nil {
//		return err
//	}
//	mux.Handle("GET /metrics", o.MetricsHandler())
//	handler := observe.HTTPMiddleware(observe.WithRED(red), observe.WithSkipPaths("/metrics"))(mux)
//
//	log := observe.Logger("orders")
//	log.InfoContext(ctx, "order taken", "order", 7) // with trace_id and span_id
//
// # Where to begin
//
//   - [Configure] sets up tracing, logging and metrics for the process, [New] beside
//     others; [Diagnose] says why traces don't arrive.
//   - [Logger] logs, [TraceSpan] begins a span, [TraceContext] has the ids of the
//     active one.
//   - [HTTPMiddleware] wraps a server, [Transport] a client.
//   - [Observability.NewREDMetrics] counts requests, [Observability.NewSLOTracker] follows
//     an objective, and [Observability.MetricsHandler] serves all metrics.
//
// Traces are sampled by their id, but a span with an error is always kept, with
// the part of its trace that is in this process: see [ErrorKeep].
//
// # Packages
//
//   - red has RED metrics with all their options, and slo has trackers with their
//     rules and dashboard for Prometheus.
//   - redact finds personal data, and tenant carries the tenant.
//   - messages is the middleware for package runtime.
//
// The first four can be used alone, and compile neither the SDK of OpenTelemetry
// nor an exporter. This package imports nothing else of the module.
//
// # Contexts and goroutines
//
// The active span and the tenant are in the context, and so is everything that
// derives from it. A goroutine belongs to the trace whose context it is given:
//
//	go func() {
//		log.InfoContext(ctx, "in the same trace")
//	}()
//
// Work that outlives the request takes the trace along without its deadline by
// context.WithoutCancel(ctx).
//
// # What it never does
//
// It never dials while it is configured, never blocks a request for telemetry,
// never keeps more than a bounded number of spans, series or values, and never
// writes personal data that it is configured to mask.
package observe
