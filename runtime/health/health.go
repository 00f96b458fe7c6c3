// Package health answers the probes of an orchestrator with the state of a broker.
//
//	mux.Handle("GET /livez", health.Live(broker))
//	mux.Handle("GET /readyz", health.Ready(broker))
//
// As the probes of a container of Kubernetes:
//
//	livenessProbe:  {httpGet: {path: /livez, port: 8080}, periodSeconds: 10, failureThreshold: 3}
//	readinessProbe: {httpGet: {path: /readyz, port: 8080}, periodSeconds: 5}
//
// Readiness fails while a connection or a route is missing, which ends by itself; a
// service that only consumes needs no readiness probe, unless a rollout is to wait for
// it. Liveness fails only where a restart helps.
//
// The status is 200 or 503. The body is "ok" or a line for each reason; where the
// request accepts application/json, it is an object:
//
//	{"ok": false, "problems": [{"route": "order.created", "queue": "orders", "reason": "..."}]}
//
// Reasons name hosts, queues and routes, and no credentials: serve them on a port that
// only the orchestrator reaches.
package health

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/warrenmq/warren/runtime"
)

// Live returns a handler that asks [runtime.HealthChecker.Live] for each request. It
// is safe for concurrent use, and returns at once.
func Live(broker runtime.HealthChecker) http.Handler { return handler(broker.Live) }

// Ready returns a handler that asks [runtime.HealthChecker.Ready] for each request. It
// is safe for concurrent use, and returns at once.
func Ready(broker runtime.HealthChecker) http.Handler { return handler(broker.Ready) }

// handler answers with what a check returns.
type handler func() error

// A report is the answer as JSON.
type report struct {
	OK       bool      `json:"ok"`
	Problems []problem `json:"problems"`
}

type problem struct {
	Connection string `json:"connection,omitempty"`
	Route      string `json:"route,omitempty"`
	Queue      string `json:"queue,omitempty"`
	Reason     string `json:"reason"`
}

func (check handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := check()
	w.Header().Set("Cache-Control", "no-store")
	isJSON := strings.Contains(r.Header.Get("Accept"), "application/json")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if isJSON {
		w.Header().Set("Content-Type", "application/json")
	}
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	switch {
	case isJSON:
		_ = json.NewEncoder(w).Encode(report{OK: err == nil, Problems: problems(err)}) // whoever asked has gone
	case err != nil:
		_, _ = io.WriteString(w, err.Error()+"\n")
	default:
		_, _ = io.WriteString(w, "ok\n")
	}
}

func problems(err error) []problem {
	all := []problem{}
	var missing *runtime.NotReadyError
	switch {
	case errors.As(err, &missing):
		for _, p := range missing.Problems {
			all = append(all, problem{p.Connection, p.Route, p.Queue, p.Err.Error()})
		}
	case err != nil:
		all = append(all, problem{Reason: err.Error()})
	}
	return all
}
