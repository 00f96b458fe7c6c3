// Package red counts requests, errors and durations of a service for Prometheus
// (the RED method), in a bounded number of series.
//
//	m, err := red.New("orders")
//	if err != nil {
//		return err
//	}
//	mux.Handle("GET /metrics", m.Handler())
//
//	m.RecordRequest("GET", "/orders/{id}", 200, 12*time.Millisecond)
//	m.RecordError("GET", "/orders/{id}", "timeout")
//
// The middleware observe.HTTPMiddleware records each request by itself:
//
//	handler := observe.HTTPMiddleware(observe.WithRED(m))(mux)
//
// Package observe has New as NewREDMetrics and [Metrics] as REDMetrics. A program
// that only counts imports this package, and compiles the API of OpenTelemetry,
// for exemplars and tenants, but neither its SDK nor an exporter.
//
// It never registers a metric with Prometheus's global registry, never makes a
// series for a value beyond its limit, whatever callers invent, and never takes
// the path of a request for its endpoint: that is the caller's to give.
package red
