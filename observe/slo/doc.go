// Package slo follows how well a service keeps its objectives, such as "99.9 % of
// the orders are taken", and tells Prometheus when to alert (service level
// objectives).
//
//	tracker, err := slo.New("orders", 0.999)
//	if err != nil {
//		return err
//	}
//	tracker.RecordSuccess()
//	tracker.RecordFailure("timeout")
//
//	tracker.Report().BudgetRemaining           // 0 to 1, over the last 30 days
//	mux.Handle("GET /metrics", metrics.Handler(tracker.Collector()))
//	os.WriteFile("rules.yml", tracker.Rules(), 0o644)
//
// The middleware observe.HTTPMiddleware records each request by itself:
//
//	handler := observe.HTTPMiddleware(observe.WithSLO(tracker))(mux)
//
// Package observe has New as NewSLOTracker, [Tracker] as SLOTracker, and the
// windows. A program that only tracks imports this package, and compiles nothing
// of OpenTelemetry.
//
// It never keeps single events: memory and time are the same at any rate. It never
// runs a goroutine, never writes a file, and never reports NaN or an infinity,
// which JSON has no form for.
package slo
