package endtoend

import (
	"bufio"
	"bytes"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/otlptest"
)

// buildExample returns the path of the example's command.
func buildExample(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "orders")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", path, "github.com/warrenmq/warren/examples/orders/cmd/orders").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// serveExample runs the command for the test's time, on the broker of the URL, "" for one
// in memory, and returns its address.
func serveExample(t *testing.T, path, broker string) string {
	t.Helper()
	cmd := exec.Command(path, "-serve", "-http", "127.0.0.1:0")
	cmd.Env = append(cmd.Environ(), "RABBITMQ_URL="+broker, "OTEL_EXPORTER_OTLP_ENDPOINT="+otlptest.GRPC(t).Endpoint)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var logs bytes.Buffer
	cmd.Stderr = &logs
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, cmd.Wait(), "it ends in order when it is interrupted: %s", &logs)
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if address, found := strings.CutPrefix(lines.Text(), "serving  http://"); found {
			return strings.TrimSuffix(address, ", until interrupted")
		}
	}
	require.Fail(t, "the example doesn't serve", "%s", &logs)
	return ""
}

func TestExample_IsScrapedAndItsRulesEvaluated(t *testing.T) {
	path := buildExample(t)
	rules, err := exec.Command(path, "-rules").Output()
	require.NoError(t, err)
	address := serveExample(t, path, "")
	prometheus := startPrometheus(t, address, rules)

	require.Eventually(t, func() bool { return prometheus.query(`slo_requests_total{name="answered"}`) == "0" }, patience, 50*time.Millisecond,
		"counters are there before they count, so that nothing of their growth is missed")

	const order = `{"order_id":"7","customer":{"id":"c-1"},"lines":[{"sku":"tea","quantity":1}]}`
	for range 9 {
		require.Equal(t, http.StatusAccepted, ask(t, "http://"+address+"/orders", order))
	}
	for query, want := range map[string]string{
		`requests_total{service="orders",method="POST",endpoint="/orders",status_code="202",tenant="acme"}`:  "9",
		`request_duration_seconds_count{endpoint="/orders"}`:                                                 "9",
		`sum(messaging_client_sent_messages_total{messaging_destination_name="shop:order.created"})`:         "11",
		`messaging_client_settled_messages_total{messaging_destination_name="orders.created",outcome="ack"}`: "11",
		`slo_requests_total{name="answered"}`:                                                                "9",
		`slo_sli{name="answered",window="hour"}`:                                                             "1",
		`slo:objective:ratio{slo="fast"}`:                                                                    "0.99",
		`slo:objective:ratio{slo="answered"}`:                                                                "0.999",
		`slo:sli_error:ratio_rate5m{slo="answered"}`:                                                         "0",
		`count(ALERTS{alertname=~"SLO.*"}) or vector(0)`:                                                     "0",
	} {
		require.Eventually(t, func() bool { return prometheus.query(query) == want }, patience, 50*time.Millisecond,
			"%s is %s, last %s", query, want, prometheus.query(query))
	}
	prometheus.requireExemplars(t, "requests_total")
	prometheus.requireHealthyRules(t)

	// A histogram has no series before its first request: what comes then is its growth.
	require.Equal(t, http.StatusAccepted, ask(t, "http://"+address+"/orders", order))
	const fast = `slo:sli_error:ratio_rate5m{slo="fast"}`
	require.Eventually(t, func() bool { return prometheus.query(fast) == "0" }, patience, 50*time.Millisecond, "%s is 0, last %s", fast, prometheus.query(fast))
}
