package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	httpAddress = regexp.MustCompile(`http://([0-9.]+:[0-9]+)`)
	timing      = regexp.MustCompile(`at \S+ +for \S+ +`)
)

// The traces of both requests are printed as trees, and nothing that was started is left.
func TestRun_PrintsTracesAndEndsAll(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, "127.0.0.1:0", true), "%s", &out)
	text := out.String()
	require.NotContains(t, text, "none: ", "tests have RabbitMQ and Prometheus")
	traces := timing.ReplaceAllString(text, "")
	for _, trace := range []string{`
  POST /orders                                         server    tenant acme
    publish shop:order.created                         producer  tenant acme
      process shop:order.created:orders.created        consumer  tenant acme
        ack shop:order.created:orders.created          client    tenant acme
`, `
  GET /customers/{id}/orders                           server    tenant acme
    call orders.find                                   client    tenant acme
      process orders.find                              consumer  tenant acme
`} {
		require.Contains(t, traces, trace)
	}
	addresses := httpAddress.FindAllStringSubmatch(text, -1)
	require.GreaterOrEqual(t, len(addresses), 3, text)
	for _, address := range addresses {
		_, err := net.Dial("tcp", address[1])
		require.Error(t, err, "nothing listens at %s", address[1])
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "warren-up-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	http.DefaultClient.CloseIdleConnections()
}

// Otherwise the spans of a trace that come with the next export aren't printed.
func TestSettled_IsLongerThanTheIntervalOfExports(t *testing.T) {
	require.Contains(t, environment("", ""), "OTEL_BSP_SCHEDULE_DELAY=200")
	require.Greater(t, settled, 2*exportInterval)
}

func TestReceiver_KeepsATraceUntilItSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{traces: make(map[string]*spans)}
		r.add(&trace.Span{TraceId: []byte("1")})
		time.Sleep(settled)
		r.add(&trace.Span{TraceId: []byte("1")})
		r.add(&trace.Span{TraceId: []byte("2")})
		require.Empty(t, r.settled())
		time.Sleep(settled / 2)
		r.add(&trace.Span{TraceId: []byte("2")})
		time.Sleep(settled/2 + 1)
		traces := r.settled()
		require.Len(t, traces, 1)
		require.Len(t, traces[0], 2)
		require.Len(t, r.traces, 1)
		require.Equal(t, []string{"2"}, r.order)
		require.Empty(t, r.settled())
	})
}

func TestRun_EndsAllWhereTheServiceDoesNotServe(t *testing.T) {
	t.Setenv("RABBITMQ_URL", "no URL")
	var out strings.Builder
	require.ErrorContains(t, run(t.Context(), &out, "127.0.0.1:0", true), "the service doesn't serve")
}
