package red_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
)

func newMetrics(t testing.TB, options ...red.Option) *red.Metrics {
	t.Helper()
	m, err := red.New("shop", options...)
	require.NoError(t, err)
	return m
}

// scrape asks for metrics as Prometheus does, in OpenMetrics where accept says
// so.
func scrape(t testing.TB, handler http.Handler, accept ...string) string {
	t.Helper()
	r := httptest.NewRequest("GET", "/metrics", nil)
	r.Header.Set("Accept", strings.Join(accept, ","))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String()
}

const openMetrics = "application/openmetrics-text;version=1.0.0"

func TestC17_RequestsErrorsAndDurationsInSeconds(t *testing.T) {
	m := newMetrics(t, red.WithNamespace("web"))
	m.RecordRequest("GET", "/u/{id}", 200, 250*time.Millisecond)
	m.RecordRequest("GET", "/u/{id}", 200, 750*time.Millisecond)
	m.RecordError("GET", "/u/{id}", "timeout")

	text := scrape(t, m.Handler())
	for _, line := range []string{
		`web_requests_total{endpoint="/u/{id}",method="GET",service="shop",status_code="200"} 2`,
		`web_request_duration_seconds_sum{endpoint="/u/{id}",method="GET",service="shop",status_code="200"} 1`,
		`web_request_duration_seconds_bucket{endpoint="/u/{id}",method="GET",service="shop",status_code="200",le="0.25"} 1`,
		`web_errors_total{endpoint="/u/{id}",error_type="timeout",method="GET",service="shop"} 1`,
	} {
		require.Contains(t, text, line)
	}
}

func TestMetrics_AreLintClean(t *testing.T) {
	m := newMetrics(t, red.WithTenants())
	m.RecordRequest("GET", "/", 200, time.Second)
	m.RecordError("GET", "/", "e")
	problems, err := testutil.CollectAndLint(m)
	require.NoError(t, err)
	require.Empty(t, problems)
}

func TestNew_Refuses(t *testing.T) {
	for name, make := range map[string]func() (*red.Metrics, error){
		"an empty service":    func() (*red.Metrics, error) { return red.New("") },
		"invalid UTF-8":       func() (*red.Metrics, error) { return red.New("\xff") },
		"a namespace":         func() (*red.Metrics, error) { return red.New("s", red.WithNamespace("a-b")) },
		"no buckets":          func() (*red.Metrics, error) { return red.New("s", red.WithBuckets()) },
		"falling buckets":     func() (*red.Metrics, error) { return red.New("s", red.WithBuckets(2, 1)) },
		"a bucket of nothing": func() (*red.Metrics, error) { return red.New("s", red.WithBuckets(0)) },
		"a negative limit": func() (*red.Metrics, error) {
			return red.New("s", red.WithLimits(red.Limits{Series: -1}))
		},
	} {
		_, err := make()
		require.Error(t, err, name)
	}
}

func TestRecordRequest_MakesLabelsValid(t *testing.T) {
	m := newMetrics(t)
	m.RecordRequest("BREW", "/\xff", 99, -time.Second)
	text := scrape(t, m.Handler())
	require.Contains(t, text, `requests_total{endpoint="/`+"\ufffd"+`",method="_OTHER",service="shop",status_code="0"} 1`)
	require.Contains(t, text, `request_duration_seconds_sum{endpoint="/`+"\ufffd"+`",method="_OTHER",service="shop",status_code="0"} 0`)
}

func TestLimits_BoundEachLabel(t *testing.T) {
	m := newMetrics(t, red.WithTenants(), red.WithLimits(red.Limits{Endpoints: 5, Tenants: 3, ErrorTypes: 2}))
	var running sync.WaitGroup
	for w := range 4 {
		running.Go(func() {
			for i := range 500 {
				ctx, err := tenant.NewContext(context.Background(), fmt.Sprintf("t%d-%d", w, i))
				require.NoError(t, err)
				m.RecordRequestContext(ctx, fmt.Sprint("M", i), fmt.Sprintf("/%d/%d", w, i), 200, 0)
				m.RecordErrorContext(ctx, "GET", "/", fmt.Sprint("e", i))
			}
		})
	}
	running.Wait()
	series := testutil.CollectAndCount(m, "requests_total")
	require.LessOrEqual(t, series, 6*4)
	text := scrape(t, m.Handler())
	require.Contains(t, text, `endpoint="_other",method="_OTHER"`)
	require.Contains(t, text, `label_values_rejected_total{label="endpoint",service="shop"} 19`)
	require.Contains(t, text, `error_type="_other"`)
}

func TestLimits_HaveDefaults(t *testing.T) {
	for label, test := range map[string]struct {
		most   int
		record func(m *red.Metrics, i int)
	}{
		"endpoint":   {500, func(m *red.Metrics, i int) { m.RecordRequest("GET", fmt.Sprint("/", i), 200, 0) }},
		"error_type": {100, func(m *red.Metrics, i int) { m.RecordError("GET", "/", fmt.Sprint("e", i)) }},
	} {
		t.Run(label, func(t *testing.T) {
			m := newMetrics(t, red.WithoutNativeHistograms(), red.WithBuckets(1))
			rejected := func(n int) bool {
				return strings.Contains(scrape(t, m.Handler()), fmt.Sprintf("label_values_rejected_total{label=%q,service=\"shop\"} %d\n", label, n))
			}
			for i := range test.most {
				test.record(m, i)
			}
			require.True(t, rejected(0))
			test.record(m, test.most)
			require.True(t, rejected(1))
		})
	}
}

// TestLimits_HoldForInventedLabels has a thousand goroutines that invent labels: every request
// is counted once, nothing is lost but what tenants had that made room, and the number of
// series stays bounded. Each tenant has one request and one error, and may make room before,
// between or after them. As many as the limit make room, for in the bubble no time passes.
func TestLimits_HoldForInventedLabels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const goroutines, each = 1000, 50
		limits := red.Limits{Endpoints: 20, Tenants: 10, ErrorTypes: 5, Series: 300}
		m := newMetrics(t, red.WithTenants(), red.WithLimits(limits))
		begin := make(chan struct{})
		var running sync.WaitGroup
		for g := range goroutines {
			running.Go(func() {
				<-begin
				for i := range each {
					ctx, err := tenant.NewContext(context.Background(), fmt.Sprintf("t%d-%d", g, i))
					if err != nil {
						panic(err)
					}
					m.RecordRequestContext(ctx, fmt.Sprint("M\xff", i), fmt.Sprintf("/%d/%d\xff", g, i), 200+i%5, time.Duration(i))
					m.RecordErrorContext(ctx, []string{"GET", "PUT"}[i%2], fmt.Sprintf("/%d", i), fmt.Sprint("e", i))
				}
			})
		}
		close(begin)
		running.Wait()
		require.LessOrEqual(t, testutil.CollectAndCount(m, "requests_total"), 300+5)
		require.LessOrEqual(t, testutil.CollectAndCount(m, "errors_total"), 300+2*6)
		for _, name := range []string{"requests_total", "request_duration_seconds", "errors_total"} {
			counted := sum(t, m, name)
			require.LessOrEqual(t, counted, float64(goroutines*each), name)
			require.GreaterOrEqual(t, counted, float64(goroutines*each-limits.Tenants), name)
		}
		require.Positive(t, sum(t, m, "label_values_rejected_total"))
	})
}

// sum adds a metric's series up: the counts of a histogram.
func sum(t *testing.T, m *red.Metrics, name string) float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)
	families, err := registry.Gather()
	require.NoError(t, err)
	total := 0.0
	for _, family := range families {
		for _, metric := range family.Metric {
			if family.GetName() == name {
				total += metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount())
			}
		}
	}
	return total
}

// Making a series costs the same however many there are: a table that is copied
// for each would cost four times the memory for twice as many.
func TestRecordRequest_MakesSeriesInLinearTime(t *testing.T) {
	made := func(n int) uint64 {
		m := newMetrics(t, red.WithLimits(red.Limits{Endpoints: 1, Series: n}), red.WithoutNativeHistograms(), red.WithBuckets(1))
		record := func() {
			for status := range n {
				m.RecordRequest([]string{"GET", "PUT", "HEAD", "POST", "PATCH"}[status%5], "/", 100+status/5, 0)
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		record()
		record()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := made(500), made(2000)
	require.Less(t, large, 8*small)
}

// What the limit lets through is found without a lock, and so is what it
// doesn't.
func TestLimits_AllocateNothingWhenReached(t *testing.T) {
	m := newMetrics(t, red.WithLimits(red.Limits{Series: 2}))
	for i := range 4 {
		m.RecordRequest("GET", fmt.Sprint("/", i), 200, 0)
		m.RecordError("GET", fmt.Sprint("/", i), "e")
	}
	for _, endpoint := range []string{"/0", "/1", "/2", "/3"} {
		require.Zero(t, testing.AllocsPerRun(100, func() { m.RecordRequest("GET", endpoint, 200, 0) }), endpoint)
		require.Zero(t, testing.AllocsPerRun(100, func() { m.RecordError("GET", endpoint, "e") }), endpoint)
	}
}

// recordFor counts a request of each tenant.
func recordFor(t *testing.T, m *red.Metrics, tenants ...string) {
	t.Helper()
	for _, id := range tenants {
		ctx, err := tenant.NewContext(context.Background(), id)
		require.NoError(t, err)
		m.RecordRequestContext(ctx, "GET", "/", 200, 0)
		m.RecordErrorContext(ctx, "GET", "/", "timeout")
	}
}

// tenants returns the tenants that have series.
func tenants(t *testing.T, m *red.Metrics) map[string]int {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)
	families, err := registry.Gather()
	require.NoError(t, err)
	found := make(map[string]int)
	for _, family := range families {
		for _, metric := range family.Metric {
			for _, label := range metric.Label {
				if label.GetName() == "tenant" {
					found[label.GetValue()]++
				}
			}
		}
	}
	return found
}

func TestLimits_DontCountNoTenantAndKnownOnes(t *testing.T) {
	m := newMetrics(t, red.WithTenants("acme", "shop"), red.WithLimits(red.Limits{Tenants: 1}))
	recordFor(t, m, "first", "acme", "shop")
	m.RecordRequest("GET", "/", 200, 0)
	require.Equal(t, map[string]int{"": 2, "first": 3, "acme": 3, "shop": 3}, tenants(t, m), "no failure without a tenant was counted")
}

// The tenant that was used least recently makes room, with all of its series, and comes
// back where there is room again.
func TestWithTenants_MakesRoomForANewOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, red.WithTenants("known"), red.WithLimits(red.Limits{Tenants: 2}))
		for _, id := range []string{"known", "a", "b", "a", "c"} {
			time.Sleep(time.Second)
			recordFor(t, m, id)
		}
		require.Equal(t, map[string]int{"known": 3, "a": 3, "c": 3}, tenants(t, m))
		text := scrape(t, m.Handler())
		require.Contains(t, text, `requests_total{endpoint="/",method="GET",service="shop",status_code="200",tenant="a"} 2`)

		time.Sleep(time.Second)
		recordFor(t, m, "b")
		require.Equal(t, map[string]int{"known": 3, "b": 3, "c": 3}, tenants(t, m))
	})
}

// The counts of a tenant that comes back begin at 0, and say when: to Prometheus that is what
// a restart is, which increase and rate count rightly.
func TestWithTenants_CountFromZeroWhenTheyComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, red.WithTenants(), red.WithLimits(red.Limits{Tenants: 1}))
		for _, id := range []string{"a", "a", "b", "a"} {
			time.Sleep(time.Hour) // so that one may change places again
			recordFor(t, m, id)
		}
		registry := prometheus.NewRegistry()
		registry.MustRegister(m)
		families, err := registry.Gather()
		require.NoError(t, err)
		seen := 0
		for _, family := range families {
			for _, metric := range family.Metric {
				switch family.GetName() {
				case "requests_total", "errors_total":
					require.Equal(t, 1.0, metric.Counter.GetValue())
					require.Equal(t, time.Now().UTC(), metric.Counter.GetCreatedTimestamp().AsTime())
				case "request_duration_seconds":
					require.EqualValues(t, 1, metric.Histogram.GetSampleCount())
					require.Equal(t, time.Now().UTC(), metric.Histogram.GetCreatedTimestamp().AsTime())
				default:
					continue
				}
				seen++
			}
		}
		require.Equal(t, 3, seen)
	})
}

// A tenant that has the name of those without room has no place of its own: it would make room
// with their counts.
func TestWithTenants_KeepsTheCountsOfTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, red.WithTenants(), red.WithLimits(red.Limits{Tenants: 1}))
		for i := range 10 {
			time.Sleep(time.Second)
			recordFor(t, m, "_other", fmt.Sprint("t", i)) // of these one has a place, and one has changed with it
		}
		require.Contains(t, scrape(t, m.Handler()), `requests_total{endpoint="/",method="GET",service="shop",status_code="200",tenant="_other"} 18`)
		require.Equal(t, map[string]int{"_other": 3, "t1": 3}, tenants(t, m))
	})
}

// A request is a use, and so is an error alone.
func TestWithTenants_CountsEachKindOfUse(t *testing.T) {
	for name, use := range map[string]func(m *red.Metrics, ctx context.Context){
		"request": func(m *red.Metrics, ctx context.Context) { m.RecordRequestContext(ctx, "GET", "/", 200, 0) },
		"error":   func(m *red.Metrics, ctx context.Context) { m.RecordErrorContext(ctx, "GET", "/", "timeout") },
		"another series": func(m *red.Metrics, ctx context.Context) {
			m.RecordErrorContext(ctx, "GET", "/", time.Now().String())
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newMetrics(t, red.WithTenants(), red.WithLimits(red.Limits{Tenants: 2}))
			for _, id := range []string{"a", "a", "a", "b", "b", "a", "c"} { // of a the series is readable
				time.Sleep(time.Second)
				ctx, err := tenant.NewContext(context.Background(), id)
				require.NoError(t, err)
				use(m, ctx)
			}
			require.Contains(t, tenants(t, m), "a", name)
			require.NotContains(t, tenants(t, m), "b", name)
		})
	}
}

// Who invents tenants doesn't have series made and deleted for each: as many as the limit
// change places in ten minutes.
func TestWithTenants_ChangesPlacesSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, red.WithTenants(), red.WithLimits(red.Limits{Tenants: 2}))
		for i := range 100 {
			time.Sleep(time.Nanosecond) // so that one is used before the other
			recordFor(t, m, fmt.Sprint("invented", i))
		}
		require.Equal(t, map[string]int{"invented2": 3, "invented3": 3, "_other": 3}, tenants(t, m))
		require.EqualValues(t, 2*96, sum(t, m, "label_values_rejected_total"))
		time.Sleep(5 * time.Minute)
		recordFor(t, m, "late", "later")
		require.Contains(t, tenants(t, m), "late")
		require.NotContains(t, tenants(t, m), "later")
	})
}

// Tenants come and go while others record: no series stays that no tenant has.
func TestWithTenants_ForgetsUnderLoad(t *testing.T) {
	m := newMetrics(t, red.WithTenants(), red.WithLimits(red.Limits{Tenants: 100}))
	var running sync.WaitGroup
	for g := range 8 {
		running.Go(func() {
			for i := range 300 {
				recordFor(t, m, fmt.Sprint("t", (i*7+g)%250))
			}
		})
	}
	running.Wait()
	require.LessOrEqual(t, len(tenants(t, m)), 100+1)
}

// A tenant that is personal data is masked, and needs no place.
func TestWithRedactor_MasksTenants(t *testing.T) {
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	m := newMetrics(t, red.WithTenants(), red.WithRedactor(redactor), red.WithLimits(red.Limits{Tenants: 1}))
	recordFor(t, m, "acme", "ann@example.com", "bob@example.com", "acme")
	require.Equal(t, map[string]int{"acme": 3, "[REDACTED]": 3}, tenants(t, m))
}

func TestWithConventions_CountsUnderTheirNames(t *testing.T) {
	m := newMetrics(t, red.WithConventions(), red.WithLimits(red.Limits{Endpoints: 1}))
	for _, r := range []red.Request{
		{Method: "GET", Endpoint: "/orders/{id}", StatusCode: 200, Duration: time.Second, Scheme: "https"},
		{Method: "BREW", Endpoint: "/invented", StatusCode: 502, Duration: -1, ErrorType: "502"},
	} {
		m.Record(context.Background(), r)
	}
	text := scrape(t, m.Handler())
	require.Contains(t, text, `http_server_request_duration_seconds_sum{error_type="",http_request_method="GET",http_response_status_code="200",http_route="/orders/{id}",url_scheme="https"} 1`)
	require.Contains(t, text, `http_server_request_duration_seconds_count{error_type="502",http_request_method="_OTHER",http_response_status_code="502",http_route="_other",url_scheme="http"} 1`)
	require.Contains(t, text, `requests_total{endpoint="/orders/{id}",method="GET",service="shop",status_code="200"} 1`)
	require.Contains(t, text, `errors_total{endpoint="_other",error_type="502",method="_OTHER",service="shop"} 1`)
	require.Empty(t, testutil.CollectAndCount(newMetrics(t), "http_server_request_duration_seconds"))
	problems, err := testutil.CollectAndLint(m)
	require.NoError(t, err)
	require.Empty(t, problems)
}

func TestLimits_BoundAllSeries(t *testing.T) {
	m := newMetrics(t, red.WithLimits(red.Limits{Series: 3}))
	for i := range 20 {
		m.RecordRequest("GET", fmt.Sprint("/", i), 200, 0)
		m.RecordError("GET", fmt.Sprint("/", i), "e")
	}
	require.Equal(t, 4, testutil.CollectAndCount(m, "requests_total"))
	require.Equal(t, 4, testutil.CollectAndCount(m, "errors_total"))
	require.Contains(t, scrape(t, m.Handler()), `requests_total{endpoint="_other",method="GET",service="shop",status_code="200"} 17`)
	require.Contains(t, scrape(t, m.Handler()), `label_values_rejected_total{label="all",service="shop"} 34`)
}

func TestEndpoint_CountsTheSameSeries(t *testing.T) {
	m := newMetrics(t)
	e := m.Endpoint("GET", "/u")
	e.RecordRequest(200, time.Second)
	e.RecordRequest(200, time.Second)
	e.RecordRequest(500, time.Second)
	e.RecordRequest(9999, time.Second)
	e.RecordError("timeout")
	m.RecordRequest("GET", "/u", 200, time.Second)

	text := scrape(t, m.Handler())
	require.Contains(t, text, `requests_total{endpoint="/u",method="GET",service="shop",status_code="200"} 3`)
	require.Contains(t, text, `requests_total{endpoint="/u",method="GET",service="shop",status_code="0"} 1`)
	require.Contains(t, text, `errors_total{endpoint="/u",error_type="timeout",method="GET",service="shop"} 1`)
}

func TestEndpoint_CountsTenants(t *testing.T) {
	m := newMetrics(t, red.WithTenants())
	ctx, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	m.Endpoint("GET", "/u").RecordRequestContext(ctx, 200, time.Second)
	m.Endpoint("GET", "/u").RecordErrorContext(ctx, "timeout")
	text := scrape(t, m.Handler())
	require.Contains(t, text, `status_code="200",tenant="acme"} 1`)
	require.Contains(t, text, `errors_total{endpoint="/u",error_type="timeout",method="GET",service="shop",tenant="acme"} 1`)
}

// inSpan returns a context in which the span is active.
func inSpan(id byte, flags trace.TraceFlags) (context.Context, trace.SpanContext) {
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{15: id}, SpanID: trace.SpanID{7: id}, TraceFlags: flags})
	return trace.ContextWithSpanContext(context.Background(), span), span
}

func TestExemplars_LeadToTracesThatAreKept(t *testing.T) {
	for _, test := range []struct {
		name   string
		flags  trace.TraceFlags
		status int
		want   bool
	}{
		{"sampled", trace.FlagsSampled, 200, true},
		{"not sampled", 0, 200, false},
		{"not sampled, failed", 0, 503, false}, // by nobody who is known here, see package observe
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMetrics(t)
			ctx, span := inSpan(1, test.flags)
			m.RecordRequestContext(ctx, "GET", "/", test.status, 30*time.Millisecond)
			text := scrape(t, m.Handler(), openMetrics)
			require.Equal(t, test.want, strings.Contains(text, `trace_id="`+span.TraceID().String()+`"`))
			require.Equal(t, test.want, strings.Contains(text, `span_id="`+span.SpanID().String()+`"`))
		})
	}
}

func TestExemplars_AreThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t)
		record := func(id byte) string {
			ctx, span := inSpan(id, trace.FlagsSampled)
			m.RecordRequestContext(ctx, "GET", "/", 200, 30*time.Millisecond)
			return span.TraceID().String()
		}
		record(1)
		second := record(2)
		time.Sleep(101 * time.Millisecond)
		third := record(3)
		registry := prometheus.NewRegistry()
		registry.MustRegister(m)
		families, err := registry.Gather()
		require.NoError(t, err)
		text := fmt.Sprint(families)
		require.NotContains(t, text, second, "it came too soon")
		require.Contains(t, text, third)
	})
}

func TestWithoutNativeHistograms_KeepsClassicBuckets(t *testing.T) {
	for _, without := range []bool{false, true} {
		var options []red.Option
		if without {
			options = append(options, red.WithoutNativeHistograms())
		}
		m := newMetrics(t, options...)
		m.RecordRequest("GET", "/", 200, time.Second)
		classic, _, isNative := bucketsOf(t, m)
		require.NotZero(t, classic)
		require.Equal(t, !without, isNative)
	}
}

// bucketsOf returns how many buckets of each kind the first series of request_duration_seconds
// has, and whether it is a native histogram, too.
func bucketsOf(t *testing.T, m prometheus.Collector) (classic, native int, isNative bool) {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == "request_duration_seconds" {
			h := family.Metric[0].Histogram
			return len(h.Bucket), len(h.PositiveDelta), h.Schema != nil
		}
	}
	require.FailNow(t, "there are no durations")
	return 0, 0, false
}

// A native histogram of durations that are far apart has a bounded number of buckets.
func TestMetrics_HaveBoundedNativeBuckets(t *testing.T) {
	m := newMetrics(t)
	for d := time.Nanosecond; d < 1000*time.Hour; d += d/20 + 1 {
		m.RecordRequest("GET", "/", 200, d)
	}
	_, native, _ := bucketsOf(t, m)
	require.NotZero(t, native)
	require.LessOrEqual(t, native, 160)
}

func TestMetrics_AllocateNothingToRecord(t *testing.T) {
	m := newMetrics(t)
	e := m.Endpoint("GET", "/u/{id}")
	m.RecordError("GET", "/u/{id}", "timeout")
	for name, record := range map[string]func(){
		"RecordRequest":           func() { m.RecordRequest("GET", "/u/{id}", 200, time.Millisecond) },
		"RecordError":             func() { m.RecordError("GET", "/u/{id}", "timeout") },
		"Endpoint, RecordRequest": func() { e.RecordRequest(200, time.Millisecond) },
	} {
		require.Zero(t, testing.AllocsPerRun(1000, record), name)
	}
}
