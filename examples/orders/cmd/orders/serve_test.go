package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/examples/orders/events"
	"github.com/warrenmq/warren/internal/otlptest"
)

// A service is the command at work.
type service struct {
	address string
	lines   chan string   // that it prints
	logs    *bytes.Buffer // to be read when it has stopped
	spans   *otlptest.Receiver
	stop    func()
}

// begin runs the command until it serves.
func begin(t *testing.T, url string) *service {
	t.Helper()
	s := &service{lines: make(chan string, 100), logs: new(bytes.Buffer), spans: otlptest.GRPC(t)}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+s.spans.Endpoint)
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	ctx, interrupt := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, writer, options{url: url, serve: true, http: "127.0.0.1:0", log: s.logs})
		_ = writer.Close()
	}()
	go func() {
		defer close(s.lines)
		for lines := bufio.NewScanner(reader); lines.Scan(); {
			s.lines <- lines.Text()
		}
	}()
	s.stop = sync.OnceFunc(func() {
		interrupt()
		require.NoError(t, <-ended)
		for range s.lines { // until there are no more
		}
	})
	t.Cleanup(s.stop)
	s.address = strings.TrimSuffix(s.awaitLine(t, "serving  "), ", until interrupted")
	return s
}

// awaitLine returns the rest of the next line with the prefix.
func (s *service) awaitLine(t *testing.T, prefix string) string {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case line, more := <-s.lines:
			require.True(t, more, "the command has ended without the line %q", prefix)
			if rest, found := strings.CutPrefix(line, prefix); found {
				return rest
			}
		case <-late:
			require.Fail(t, "the line doesn't come", "%q", prefix)
		}
	}
}

const (
	traceID     = "4bf92f3577b34da6a3ce929d0e0e4736"
	traceparent = "00-" + traceID + "-00f067aa0ba902b7-01"
)

// ask sends a request as the tenant acme, in a trace of its own.
func (s *service) ask(t *testing.T, method, path, body string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.address+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Traceparent", traceparent)
	r.Header.Set("X-Tenant-ID", "acme")
	client := &http.Client{Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	response, err := client.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

const orderOfBob = `{"order_id":"7","customer":{"id":"c-7","name":"Bob"},"lines":[{"sku":"tea","quantity":2}]}`

// onBothBrokers runs the test on the broker in memory and on RabbitMQ.
func onBothBrokers(t *testing.T, test func(t *testing.T, url string)) {
	t.Run("memory", func(t *testing.T) { test(t, "") })
	t.Run("RabbitMQ", func(t *testing.T) { test(t, rabbitMQ(t)) })
}

func TestServe_TakesOrdersUntilInterrupted(t *testing.T) {
	s := begin(t, "")
	status, _ := s.ask(t, "POST", "/orders", orderOfBob)
	require.Equal(t, http.StatusAccepted, status)
	require.Contains(t, s.awaitLine(t, "handled  OrderCreated"), `"order_id":"7"`)

	status, answer := s.ask(t, "GET", "/customers/c-7/orders", "")
	require.Equal(t, http.StatusOK, status)
	var page events.Page[events.Order]
	require.NoError(t, json.Unmarshal([]byte(answer), &page))
	require.Len(t, page.Items, 1)
	require.Equal(t, events.Money{Amount: 900, Currency: events.EUR}, page.Items[0].Total)

	status, _ = s.ask(t, "POST", "/orders", "no order")
	require.Equal(t, http.StatusBadRequest, status)
	s.stop()
}

// One trace leads from the request through the broker to the handler, and for a
// question back again.
func TestServe_IsOneTrace(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, url string) {
		s := begin(t, url)
		status, _ := s.ask(t, "POST", "/orders", orderOfBob)
		require.Equal(t, http.StatusAccepted, status)
		s.awaitLine(t, "handled  OrderCreated")
		status, _ = s.ask(t, "GET", "/customers/c-7/orders", "")
		require.Equal(t, http.StatusOK, status)
		s.stop()

		spans := make(map[string]otlptest.Span)
		for _, span := range s.spans.Spans() {
			if span.Trace() == traceID {
				require.NotContains(t, spans, span.Name, "it is delivered once")
				spans[span.Name] = span
			}
		}
		for child, parent := range map[string]string{
			"publish shop:order.created":                "POST /orders",
			"process shop:order.created:orders.created": "publish shop:order.created",
			"ack shop:order.created:orders.created":     "process shop:order.created:orders.created",

			"call orders.find":              "GET /customers/{id}/orders",
			"process orders.find":           "call orders.find",
			"publish amq.rabbitmq.reply-to": "process orders.find",
			"ack orders.find":               "process orders.find",
		} {
			require.Contains(t, spans, child)
			require.Equal(t, spans[parent].ID(), spans[child].Parent(), "%s is below %s", child, parent)
			require.Equal(t, "orders", spans[child].Service)
		}
		for _, name := range []string{"POST /orders", "process shop:order.created:orders.created", "process orders.find"} {
			require.Equal(t, "acme", spans[name].Attributes()["tenant.id"], name)
		}
		require.Equal(t, "00f067aa0ba902b7", spans["POST /orders"].Parent())
		require.Len(t, spans, 9)
		require.Equal(t, spans["publish amq.rabbitmq.reply-to"].SpanId, spans["call orders.find"].Links[0].SpanId)

		logged := 0
		for line := range strings.Lines(s.logs.String()) {
			var record map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &record))
			if record["trace_id"] == traceID {
				require.Equal(t, "acme", record["tenant_id"], "%s", line)
				logged++
			}
		}
		require.Equal(t, 7, logged, "two requests, two messages sent and handled, and a reply: %s", s.logs)
		require.NotContains(t, s.logs.String(), `"level":"error"`)
	})
}

func TestServe_CountsWhatItDoes(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, url string) {
		s := begin(t, url)
		_, _ = s.ask(t, "POST", "/orders", orderOfBob)
		s.awaitLine(t, "handled  OrderCreated")
		for _, line := range []string{
			`requests_total{endpoint="/orders",method="POST",service="orders",status_code="202",tenant="acme"} 1`,
			`messaging_client_sent_messages_total{error_type="",messaging_destination_name="shop:order.created",service="orders",tenant=""} 2`,
			`messaging_client_sent_messages_total{error_type="",messaging_destination_name="shop:order.created",service="orders",tenant="acme"} 1`,
			`messaging_client_consumed_messages_total{error_type="",messaging_destination_name="orders.created",service="orders",tenant="acme"} 1`,
			`slo_requests_total{name="answered",service="orders"} 1`,
			`slo_requests_total{name="fast",service="orders"} 1`,
			`messaging_broker_ready{service="orders"} 1`,
		} {
			// What is counted comes after what is printed.
			require.Eventually(t, func() bool {
				_, text := s.ask(t, "GET", "/metrics", "")
				return strings.Contains(text, line)
			}, 20*time.Second, 10*time.Millisecond, "%s", line)
		}
	})
}

// Prometheus and the orchestrator ask every few seconds: that is neither traffic nor a trace.
func TestServe_SkipsScrapesAndProbes(t *testing.T) {
	s := begin(t, "")
	var text string
	for range 3 {
		for _, path := range []string{"/healthz", "/livez", "/readyz", "/metrics"} {
			_, text = s.ask(t, "GET", path, "")
		}
	}
	require.Contains(t, text, `slo_requests_total{name="answered",service="orders"} 0`)
	require.NotContains(t, text, "\nrequests_total{")
	s.stop()
	for _, span := range s.spans.Spans() {
		require.NotEqual(t, traceID, span.Trace(), "%s", span.Name)
	}
	require.NotContains(t, s.logs.String(), `"event":"request"`)
}

func TestServe_AnswersProbes(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, url string) {
		s := begin(t, url)
		for _, path := range []string{"/healthz", "/livez", "/readyz"} {
			status, answer := s.ask(t, "GET", path, "")
			require.Equal(t, http.StatusOK, status, answer)
		}
	})
}

func TestServe_AnswersASendThatFails(t *testing.T) {
	s := begin(t, "")
	status, answer := s.ask(t, "POST", "/orders", `{"order_id":"8","lines":[{"sku":"nothing","quantity":1}]}`)
	require.Equal(t, http.StatusAccepted, status, answer)
	require.Contains(t, s.awaitLine(t, "failed   OrderCreated"), `article "nothing" has no price yet`)
}

// The contract that the running service shows is the committed one, and says more.
func TestServe_ShowsItsContract(t *testing.T) {
	s := begin(t, "")
	status, shown := s.ask(t, "GET", "/asyncapi/asyncapi.json", "")
	require.Equal(t, http.StatusOK, status)
	committed, err := os.ReadFile("../../asyncapi.json")
	require.NoError(t, err)
	var ours, theirs struct {
		Channels map[string]any `json:"channels"`
	}
	require.NoError(t, json.Unmarshal(committed, &ours))
	require.NoError(t, json.Unmarshal([]byte(shown), &theirs))
	require.ElementsMatch(t, slices.Collect(maps.Keys(ours.Channels)), slices.Collect(maps.Keys(theirs.Channels)))
	status, page := s.ask(t, "GET", "/asyncapi/", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, page, "orders.payments")
}
