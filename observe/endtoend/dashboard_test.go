package endtoend

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
)

// patience only ends a test that hangs.
const patience = 3 * time.Minute

// The example's dashboard is opened against a real Prometheus, which scrapes the running
// example and its RabbitMQ: each query of each panel gives a series. Before, orders are
// taken and asked for, one can't be handled and is tried again, and the broker is away for
// a while.
func TestExample_DashboardShowsItsSeries(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	metrics := freePort(t)
	node, err := rabbitnode.Start(ctx, rabbitnode.WithPlugins("rabbitmq_prometheus"),
		rabbitnode.WithSettings("prometheus.tcp.ip = 127.0.0.1", fmt.Sprint("prometheus.tcp.port = ", metrics), "prometheus.return_per_object_metrics = true"))
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	path := buildExample(t)
	rules, err := exec.Command(path, "-rules").Output()
	require.NoError(t, err)
	address := serveExample(t, path, node.URL())
	prometheus := startPrometheus(t, address+"', '127.0.0.1:"+fmt.Sprint(metrics), rules)

	taken := func(sku string) bool {
		return ask(t, "http://"+address+"/orders", `{"order_id":"`+sku+`","customer":{"id":"c-1"},"lines":[{"sku":"`+sku+`","quantity":1}]}`) == http.StatusAccepted
	}
	awaitScraped := func(query string) {
		t.Helper()
		require.Eventually(t, func() bool { return len(prometheus.series(query)) > 0 }, patience, 50*time.Millisecond, "%s", query)
	}
	awaitScraped(`slo_requests_total{name="answered"}`)
	require.True(t, taken("tea"))
	require.Equal(t, http.StatusOK, ask(t, "http://"+address+"/customers/c-1/orders", ""))
	require.True(t, taken("nothing"), "it is taken, and can't be handled")
	awaitScraped(`messaging_client_settled_messages_total{outcome="dead-letter"}`)
	node.Kill()
	require.False(t, taken("tea"))
	require.NoError(t, node.Restart(ctx))
	require.Eventually(t, func() bool { return taken("tea") }, patience, 50*time.Millisecond, "the service goes on")

	output, err := exec.Command(path, "-dashboard").Output()
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Type, Title string
			Targets     []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(output, &dashboard))
	asked := 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			query := strings.ReplaceAll(target.Expr, "$__rate_interval", "10m")
			require.Eventually(t, func() bool {
				// More traffic, so that rates have two points however late it is.
				return len(prometheus.series(query)) > 0 || taken("tea") && ask(t, "http://"+address+"/customers/c-1/orders", "") < 0
			}, patience, 100*time.Millisecond, "%s: %s", panel.Title, query)
			asked++
		}
		require.Equal(t, panel.Type == "row", len(panel.Targets) == 0, panel.Title)
	}
	require.Greater(t, asked, 15)
	prometheus.requireHealthyRules(t)
}

// ask posts the body, or gets where there is none, as a tenant, and returns the status.
func ask(t *testing.T, address, body string) int {
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	request, err := http.NewRequest(method, address, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("X-Tenant-ID", "acme")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// series returns the series that are the answer to the query.
func (s *server) series(expr string) []map[string]string {
	var answer struct {
		Data struct {
			Result []struct{ Metric map[string]string }
		}
	}
	if err := json.Unmarshal([]byte(s.get("/api/v1/query?query="+url.QueryEscape(expr))), &answer); err != nil {
		return nil
	}
	var found []map[string]string
	for _, result := range answer.Data.Result {
		found = append(found, result.Metric)
	}
	return found
}
