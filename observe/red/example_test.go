package red_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/warrenmq/warren/observe/red"
)

func ExampleNew() {
	m, err := red.New("orders", red.WithNamespace("shop"), red.WithLimits(red.Limits{Endpoints: 50}))
	if err != nil {
		panic(err)
	}
	m.RecordRequest("GET", "/orders/{id}", 200, 12*time.Millisecond)
	m.RecordError("GET", "/orders/{id}", "timeout")

	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "shop_requests_total") || strings.HasPrefix(line, "shop_errors_total") {
			fmt.Print(line)
		}
	}
	// Output:
	// shop_errors_total{endpoint="/orders/{id}",error_type="timeout",method="GET",service="orders"} 1
	// shop_requests_total{endpoint="/orders/{id}",method="GET",service="orders",status_code="200"} 1
}

// A handler of one route looks its series up once.
func ExampleMetrics_Endpoint() {
	m, err := red.New("orders")
	if err != nil {
		panic(err)
	}
	endpoint := m.Endpoint("GET", "/orders/{id}")
	start := time.Now()
	// ...
	endpoint.RecordRequest(200, time.Since(start))
}
