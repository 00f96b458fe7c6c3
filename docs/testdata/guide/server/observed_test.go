package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// The guide's service counts the requests of its users, and not those of Prometheus and of
// the orchestrator.
func TestObserve_SkipsScrapesAndProbes(t *testing.T) {
	ctx := context.Background()
	mux := http.NewServeMux()
	traced := make(map[string]bool)
	for _, path := range []string{"/livez", "/readyz", "/orders"} {
		mux.HandleFunc("GET "+path, func(_ http.ResponseWriter, r *http.Request) {
			traced[path] = len(observe.TraceContext(r.Context())) > 0
		})
	}
	_, handler, shutdown, err := Observe(ctx, runtime.NewRouter(), memory.New(memory.Config{}), mux)
	if err != nil {
		t.Fatal(err)
	}
	defer shutdown(ctx)
	scraped := ""
	for range 3 {
		for _, path := range []string{"/livez", "/readyz", "/orders", "/metrics"} {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
			scraped = w.Body.String()
		}
	}
	for _, line := range []string{
		`requests_total{endpoint="/orders",method="GET",service="orders",status_code="200"} 3`,
		`slo_requests_total{name="orders",service="orders"} 3`, `messaging_label_values_rejected_total{label="all",service="orders"} 0`,
	} {
		if !strings.Contains(scraped, line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
	if n := strings.Count(scraped, "\nrequests_total{"); n != 1 {
		t.Errorf("%d routes are counted, want /orders alone", n)
	}
	for path, is := range traced {
		if is != (path == "/orders") {
			t.Errorf("%s is traced: %v", path, is)
		}
	}
}
