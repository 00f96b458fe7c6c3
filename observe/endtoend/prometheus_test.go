package endtoend

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/observe/slo"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// tool returns the path of a program of the package prometheus.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err, "the end-to-end tests of observe need %s: install the system's package prometheus", name)
	return path
}

func TestRules_PassPromtool(t *testing.T) {
	for i, name := range []string{"orders", `it's "quoted" {{x}}`} {
		tracker, err := observe.NewSLOTracker(name, []float64{0.999, 1}[i])
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "rules.yml")
		require.NoError(t, os.WriteFile(file, tracker.Rules(), 0o644))
		out, err := exec.Command(tool(t, "promtool"), "check", "rules", file).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// The expressions of the dashboard are checked as recording rules.
func TestDashboard_PassesPromtool(t *testing.T) {
	tracker, err := observe.NewSLOTracker(`it's "quoted"`, 0.999)
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	require.NoError(t, json.Unmarshal(tracker.Dashboard(), &dashboard))
	rules := "groups:\n- name: dashboard\n  rules:\n"
	for i, panel := range dashboard.Panels {
		for j, target := range panel.Targets {
			expr, err := json.Marshal(target.Expr) // a YAML string
			require.NoError(t, err)
			rules += fmt.Sprintf("  - record: dashboard:panel%d:target%d\n    expr: %s\n", i, j, expr)
		}
	}
	file := filepath.Join(t.TempDir(), "dashboard.yml")
	require.NoError(t, os.WriteFile(file, []byte(rules), 0o644))
	out, err := exec.Command(tool(t, "promtool"), "check", "rules", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// unit is a test of the rules for promtool, of an objective of 0.99.
const unit = `
rule_files: [rules.yml]
evaluation_interval: 1m
tests:
  - name: half of the requests fail
    interval: 1m
    input_series:
      - {series: 'slo_requests_total{name="orders"}', values: '0+100x180'}
      - {series: 'slo_failed_requests_total{name="orders"}', values: '0+50x180'}
    alert_rule_test:
      - eval_time: 2h
        alertname: SLOBurnRate
        exp_alerts:
          - exp_labels: {slo: orders, severity: page, window: 5m}
            exp_annotations: &text
              summary: The error budget of orders burns too fast
              description: The ratio of errors is 50%; the objective allows 1%.
          - exp_labels: {slo: orders, severity: page, window: 30m}
            exp_annotations: *text
          - exp_labels: {slo: orders, severity: ticket, window: 2h}
            exp_annotations: *text
          - exp_labels: {slo: orders, severity: ticket, window: 6h}
            exp_annotations: *text
    promql_expr_test:
      - expr: slo:sli_error:ratio_rate1h
        eval_time: 2h
        exp_samples: [{labels: 'slo:sli_error:ratio_rate1h{slo="orders",window="1h"}', value: 0.5}]
      - expr: slo:current_burn_rate:ratio
        eval_time: 2h
        exp_samples: [{labels: 'slo:current_burn_rate:ratio{slo="orders"}', value: 50}]
      - expr: slo:error_budget:ratio
        eval_time: 2h
        exp_samples: [{labels: 'slo:error_budget:ratio{slo="orders"}', value: 0.01}]
  - name: nothing fails
    interval: 1m
    input_series:
      - {series: 'slo_requests_total{name="orders"}', values: '0+100x180'}
      - {series: 'slo_failed_requests_total{name="orders"}', values: '0x180'}
      - {series: 'slo_requests_total{name="orders",service="other"}', values: '0+100x180'}
      - {series: 'slo_failed_requests_total{name="orders",service="other"}', values: '0+100x180'}
    alert_rule_test:
      - {eval_time: 2h, alertname: SLOBurnRate, exp_alerts: []}
      - {eval_time: 2h, alertname: SLOAbsent, exp_alerts: []}
    promql_expr_test:
      - expr: slo:period_error_budget_remaining:ratio
        eval_time: 2h
        exp_samples: [{labels: 'slo:period_error_budget_remaining:ratio{slo="orders"}', value: 1}]
  - name: the first failures come all at once
    interval: 1m
    input_series:
      - {series: 'slo_requests_total{name="orders"}', values: '0+10x180'}
      - {series: 'slo_failed_requests_total{name="orders"}', values: '0x100 50x80'}
      - {series: 'slo_failures_total{name="orders",error_type="timeout"}', values: '_x100 50x80'}
    promql_expr_test:
      - expr: slo:sli_error:ratio_rate1h > bool 0.08
        eval_time: 2h
        exp_samples: [{labels: '{slo="orders",window="1h"}', value: 1}]
  - name: nothing is counted
    interval: 1m
    input_series:
      - {series: 'other', values: '0+1x60'}
    alert_rule_test:
      - eval_time: 30m
        alertname: SLOAbsent
        exp_alerts:
          - exp_labels: {slo: orders, name: orders, severity: ticket}
            exp_annotations: {summary: Nothing counts the events of orders}
`

// TestRules_FireAsPromtoolEvaluatesThem gives the counters a history, and asks which
// alerts fire.
func TestRules_FireAsPromtoolEvaluatesThem(t *testing.T) {
	tracker, err := observe.NewSLOTracker("orders", 0.99)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rules.yml"), tracker.Rules(), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "unit.yml"), []byte(unit), 0o644))
	out, err := exec.Command(tool(t, "promtool"), "test", "rules", filepath.Join(dir, "unit.yml")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// unitOfLatency is a test of the rules of two objectives of latency: 80 of 100 requests within
// 300 ms and all within a second, where 99 were wanted.
const unitOfLatency = `
rule_files: [rules.yml]
evaluation_interval: 1m
tests:
  - name: some requests are slow
    interval: 1m
    input_series:
      - {series: 'request_duration_seconds_count{service="shop",endpoint="/orders"}', values: '0+100x180'}
      - {series: 'request_duration_seconds_bucket{service="shop",endpoint="/orders",le="0.3"}', values: '0+80x180'}
      - {series: 'request_duration_seconds_bucket{service="shop",endpoint="/orders",le="1"}', values: '0+100x180'}
      - {series: 'request_duration_seconds_count{service="shop",endpoint="/other"}', values: '0+100x180'}
    alert_rule_test:
      - eval_time: 10m
        alertname: SLOBurnRate
        exp_alerts:
          - exp_labels: {slo: fast, service: shop, severity: page, window: 5m}
            exp_annotations: &text
              summary: The error budget of shop/fast burns too fast
              description: The ratio of errors is 20%; the objective allows 1%.
          - exp_labels: {slo: fast, service: shop, severity: page, window: 30m}
            exp_annotations: *text
          - exp_labels: {slo: fast, service: shop, severity: ticket, window: 2h}
            exp_annotations: *text
          - exp_labels: {slo: fast, service: shop, severity: ticket, window: 6h}
            exp_annotations: *text
      - eval_time: 30m
        alertname: SLOAbsent
        exp_alerts: # no bucket has the bound
          - exp_labels: {slo: wrong, service: shop, endpoint: /orders, le: "0.7", severity: ticket}
            exp_annotations: {summary: Nothing counts the events of shop/wrong}
    promql_expr_test:
      - expr: slo:current_burn_rate:ratio{slo="fast"}
        eval_time: 10m
        exp_samples: [{labels: 'slo:current_burn_rate:ratio{slo="fast",service="shop"}', value: 20}]
      - expr: slo:current_burn_rate:ratio{slo="second"}
        eval_time: 10m
        exp_samples: [{labels: 'slo:current_burn_rate:ratio{slo="second",service="shop"}', value: 0}]
`

// The rules of an objective of latency read the histogram. A bound of whole seconds is written
// in two ways.
func TestRules_ReadTheHistogram(t *testing.T) {
	dir := t.TempDir()
	var trackers []*slo.Tracker
	for name, bound := range map[string]time.Duration{"fast": 300 * time.Millisecond, "second": time.Second, "wrong": 700 * time.Millisecond} {
		tracker, err := slo.New(name, 0.99, slo.WithService("shop"), slo.WithLatency(bound),
			slo.WithHistogram("request_duration_seconds", map[string]string{"endpoint": "/orders"}))
		require.NoError(t, err)
		trackers = append(trackers, tracker)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rules.yml"), slo.Rules(trackers...), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "unit.yml"), []byte(unitOfLatency), 0o644))
	out, err := exec.Command(tool(t, "promtool"), "test", "rules", filepath.Join(dir, "unit.yml")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(slo.Rules(trackers...)), `le=~"1(\\.0)?"`)
}

// unitOfServices is a test of the rules of two trackers of one name.
const unitOfServices = `
rule_files: [shop.yml, depot.yml]
evaluation_interval: 1m
tests:
  - name: the orders of one service fail
    interval: 1m
    input_series:
      - {series: 'slo_requests_total{name="orders",service="shop"}', values: '0+100x180'}
      - {series: 'slo_failed_requests_total{name="orders",service="shop"}', values: '0+50x180'}
      - {series: 'slo_requests_total{name="orders",service="depot"}', values: '0+100x180'}
      - {series: 'slo_failed_requests_total{name="orders",service="depot"}', values: '0x180'}
    alert_rule_test:
      - eval_time: 10m
        alertname: SLOBurnRate
        exp_alerts:
          - exp_labels: {slo: orders, service: shop, severity: page, window: 5m}
            exp_annotations: &text
              summary: The error budget of shop/orders burns too fast
              description: The ratio of errors is 50%; the objective allows 1%.
          - exp_labels: {slo: orders, service: shop, severity: page, window: 30m}
            exp_annotations: *text
          - exp_labels: {slo: orders, service: shop, severity: ticket, window: 2h}
            exp_annotations: *text
          - exp_labels: {slo: orders, service: shop, severity: ticket, window: 6h}
            exp_annotations: *text
    promql_expr_test:
      - expr: slo:current_burn_rate:ratio
        eval_time: 10m
        exp_samples:
          - {labels: 'slo:current_burn_rate:ratio{slo="orders",service="shop"}', value: 50}
          - {labels: 'slo:current_burn_rate:ratio{slo="orders",service="depot"}', value: 0}
`

func TestRules_KeepServicesApart(t *testing.T) {
	dir := t.TempDir()
	for _, service := range []string{"shop", "depot"} {
		tracker, err := observe.NewSLOTracker("orders", 0.99, observe.WithService(service))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, service+".yml"), tracker.Rules(), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "unit.yml"), []byte(unitOfServices), 0o644))
	out, err := exec.Command(tool(t, "promtool"), "test", "rules", filepath.Join(dir, "unit.yml")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

type order struct{ ID string }

// serve runs a service whose requests publish messages, and returns its address.
func serve(t *testing.T) (address string, tracker *observe.SLOTracker) {
	t.Helper()
	ctx := context.Background()
	o, err := observe.Configure(ctx, observe.Config{ServiceName: "shop", TraceSampleRate: 1, LogWriter: io.Discard, Exporter: tracetest.NewNoopExporter()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, o.Shutdown(ctx)) })
	red, err := observe.NewREDMetrics("shop", observe.WithTenants())
	require.NoError(t, err)
	tracker, err = observe.NewSLOTracker("orders", 0.99)
	require.NoError(t, err)
	metrics := messages.NewMetrics(messages.Limits{})
	options := messages.Options{Metrics: metrics}

	router := runtime.NewRouter()
	router.Use(messages.Consume(options))
	router.MustRegister(runtime.Route{
		Name: "created", Queue: runtime.Queue{Name: "orders"},
		Handler: runtime.Consume(func(context.Context, order) error { return nil }),
	})
	broker := memory.New(memory.Config{})
	require.NoError(t, broker.Start(ctx, router))
	t.Cleanup(func() { require.NoError(t, broker.Shutdown(ctx)) })
	publisher := runtime.NewPublisher[order](broker, runtime.Endpoint{Route: "created", To: runtime.Address{RoutingKey: "orders"}},
		runtime.WithInterceptors(messages.Publish(options)))

	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		if err := publisher.Publish(r.Context(), order{}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("GET /broken", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadGateway) })
	mux.Handle("GET /metrics", red.Handler(metrics, tracker.Collector()))
	server := httptest.NewServer(observe.HTTPMiddleware(observe.WithRED(red), observe.WithSLO(tracker),
		observe.WithSkip(func(r *http.Request) bool { return r.URL.Path == "/metrics" }))(mux))
	t.Cleanup(server.Close)
	for range 9 {
		post(t, server.URL+"/orders")
	}
	response, err := http.Get(server.URL + "/broken")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return server.Listener.Addr().String(), tracker
}

func post(t *testing.T, address string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, address, nil)
	require.NoError(t, err)
	request.Header.Set("X-Tenant-ID", "acme")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
}

func TestService_IsScrapedAndItsRulesEvaluated(t *testing.T) {
	target, tracker := serve(t)
	prometheus := startPrometheus(t, target, tracker.Rules())

	for _, test := range []struct {
		query, want string
	}{
		{`requests_total{service="shop",method="POST",endpoint="/orders",status_code="200",tenant="acme"}`, "9"},
		{`errors_total{error_type="502"}`, "1"},
		{`request_duration_seconds_count{endpoint="/orders"}`, "9"},
		{`messaging_client_sent_messages_total{messaging_destination_name="orders"}`, "9"},
		{`messaging_client_consumed_messages_total{messaging_destination_name="orders"}`, "9"},
		{`slo_requests_total{name="orders"}`, "10"},
		{`slo_sli{name="orders",window="hour"}`, "0.9"},
		{`slo:objective:ratio{slo="orders"}`, "0.99"},
		{`count(ALERTS{alertname="SLOAbsent"}) or vector(0)`, "0"},
	} {
		require.Eventually(t, func() bool { return prometheus.query(test.query) == test.want }, patience, 50*time.Millisecond,
			"%s is %s, last %s", test.query, test.want, prometheus.query(test.query))
	}
	prometheus.requireExemplars(t, "requests_total")
	prometheus.requireHealthyRules(t)
}

// A server that stores native histograms takes no classic ones unless it is told to: the rules
// on the buckets then have nothing to read, and say so.
func TestRules_MissClassicBuckets(t *testing.T) {
	target, _ := serve(t)
	tracker, err := slo.New("fast", 0.99, slo.WithService("shop"), slo.WithLatency(time.Second), slo.WithHistogram("request_duration_seconds", nil))
	require.NoError(t, err)
	prometheus := startPrometheus(t, target, tracker.Rules(), "native-histograms")
	for query, want := range map[string]string{
		`histogram_count(request_duration_seconds{endpoint="/orders"})`:        "9",
		`count(request_duration_seconds_bucket) or vector(0)`:                  "0",
		`count(ALERTS{alertname="SLOAbsent",slo="fast",alertstate="pending"})`: "1",
		`count(slo:sli_error:ratio_rate5m{slo="fast"}) or vector(0)`:           "0",
		`count({__name__=~"slo:.*burn_rate:ratio",slo="fast"}) or vector(0)`:   "0",
	} {
		require.Eventually(t, func() bool { return prometheus.query(query) == want }, patience, 50*time.Millisecond,
			"%s is %s, last %s", query, want, prometheus.query(query))
	}
}

type server struct{ address string }

// startPrometheus runs a server for the test's time, which scrapes the target, with features
// of its flag --enable-feature besides exemplars.
func startPrometheus(t *testing.T, target string, rules []byte, features ...string) *server {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rules.yml"), rules, 0o644))
	config := fmt.Sprintf("global: {scrape_interval: 200ms, evaluation_interval: 200ms}\nrule_files: [rules.yml]\n"+
		"scrape_configs: [{job_name: shop, static_configs: [{targets: ['%s']}]}]\n", target)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o644))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	cmd := exec.Command(tool(t, "prometheus"), "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address, "--enable-feature="+strings.Join(append(features, "exemplar-storage"), ","))
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		_ = cmd.Wait()
		_ = log.Close()
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("%s", text)
		}
	})
	s := &server{address}
	require.Eventually(t, func() bool { return s.get("/-/ready") != "" }, patience, 50*time.Millisecond, "Prometheus is ready")
	return s
}

// requireExemplars waits for exemplars of the metric that lead to traces.
func (s *server) requireExemplars(t *testing.T, metric string) {
	t.Helper()
	require.Eventually(t, func() bool {
		return strings.Contains(s.get("/api/v1/query_exemplars?"+url.Values{
			"query": {metric}, "start": {fmt.Sprint(time.Now().Add(-time.Hour).Unix())}, "end": {fmt.Sprint(time.Now().Add(time.Hour).Unix())},
		}.Encode()), "trace_id")
	}, patience, 50*time.Millisecond, "exemplars lead to traces")
}

// requireHealthyRules waits until all rules have been evaluated, without errors.
func (s *server) requireHealthyRules(t *testing.T) {
	t.Helper()
	var rules string
	require.Eventually(t, func() bool {
		rules = s.get("/api/v1/rules")
		return strings.Contains(rules, `"health":"ok"`) && !strings.Contains(rules, `"health":"unknown"`)
	}, patience, 50*time.Millisecond, "the rules are evaluated")
	require.NotContains(t, rules, `"health":"err"`)
}

// get returns the body of an answer of 200, "" for any other.
func (s *server) get(path string) string {
	response, err := http.Get("http://" + s.address + path)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return ""
	}
	return string(body)
}

// query returns the value of the only series, "" for any other result.
func (s *server) query(expr string) string {
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	if err := json.Unmarshal([]byte(s.get("/api/v1/query?query="+url.QueryEscape(expr))), &answer); err != nil || len(answer.Data.Result) != 1 {
		return ""
	}
	value, _ := answer.Data.Result[0].Value[1].(string)
	return value
}
