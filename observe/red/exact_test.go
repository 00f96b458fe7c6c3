package red_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/red"
	"github.com/warrenmq/warren/observe/tenant"
)

// The bounds are those of OpenTelemetry's conventions (http.server.request.duration).
func TestDefaultBuckets_AreThoseOfTheConventions(t *testing.T) {
	require.Equal(t, []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10}, red.DefaultBuckets())
}

func TestRecordRequest_KnowsTheStatusesOfHTTP(t *testing.T) {
	m := newMetrics(t)
	e := m.Endpoint("GET", "/")
	for _, status := range []int{99, 100, 599, 600} {
		m.RecordRequest("GET", "/", status, 0)
		e.RecordRequest(status, 0)
	}
	text := scrape(t, m.Handler())
	for status, count := range map[string]string{"0": "4", "100": "2", "599": "2"} {
		require.Contains(t, text, `status_code="`+status+`"} `+count+"\n")
	}
	require.Equal(t, 3, testutil.CollectAndCount(m, "requests_total"))
}

func TestWithConventions_BoundsErrorTypesAndSeries(t *testing.T) {
	m := newMetrics(t, red.WithConventions(), red.WithLimits(red.Limits{ErrorTypes: 1, Series: 3}))
	for _, failure := range []string{"", "first", "second"} {
		m.Record(context.Background(), red.Request{Method: "GET", Endpoint: "/", StatusCode: 500, ErrorType: failure})
	}
	text := scrape(t, m.Handler())
	for _, failure := range []string{"", "first", "_other"} {
		require.Contains(t, text, `http_server_request_duration_seconds_count{error_type="`+failure+`",http_request_method="GET"`)
	}
	require.NotContains(t, text, `error_type="second"`)
	before := sum(t, m, "label_values_rejected_total")
	m.Record(context.Background(), red.Request{Method: "GET", Endpoint: "/", StatusCode: 200, Scheme: "https"})
	require.Contains(t, scrape(t, m.Handler()), `http_route="_other",url_scheme="https"} 1`)
	require.Equal(t, before+1, sum(t, m, "label_values_rejected_total"), "one series of the conventions")
}

func TestWithConventions_HasExemplars(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, red.WithConventions(), red.WithoutNativeHistograms())
		ctx, span := inSpan(1, trace.FlagsSampled)
		m.Record(ctx, red.Request{Method: "GET", Endpoint: "/", StatusCode: 200, Duration: time.Second})
		ctx, soon := inSpan(2, trace.FlagsSampled)
		m.Record(ctx, red.Request{Method: "GET", Endpoint: "/", StatusCode: 200, Duration: 2 * time.Second})
		found := 0
		for line := range strings.Lines(scrape(t, m.Handler(), openMetrics)) {
			if strings.HasPrefix(line, "http_server_request_duration_seconds_bucket") {
				require.NotContains(t, line, soon.TraceID().String(), "it came too soon")
				if strings.Contains(line, span.TraceID().String()) {
					found++
				}
			}
		}
		require.Equal(t, 1, found)
		require.Contains(t, scrape(t, m.Handler()), `url_scheme="http"} 2`, "both are counted")
	})
}

// What is beyond the limit of all series is nobody's: the tenant too is _other.
func TestLimits_BoundAllSeriesOfTenants(t *testing.T) {
	m := newMetrics(t, red.WithTenants(), red.WithLimits(red.Limits{Series: 1}))
	recordFor(t, m, "first", "second", "third")
	require.Equal(t, map[string]int{"first": 3, "_other": 3}, tenants(t, m))
}

func TestEndpoint_CountsARequestOfATenantOnce(t *testing.T) {
	m := newMetrics(t, red.WithTenants())
	ctx, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	m.Endpoint("GET", "/u").RecordRequestContext(ctx, 200, time.Second)
	require.Equal(t, 1.0, sum(t, m, "requests_total"))
	require.Equal(t, map[string]int{"acme": 2}, tenants(t, m))
}
