package observe_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/red"
)

func newRED(t testing.TB, options ...red.Option) *observe.REDMetrics {
	t.Helper()
	m, err := observe.NewREDMetrics("shop", options...)
	require.NoError(t, err)
	return m
}

func newSLO(t testing.TB, objective float64) *observe.SLOTracker {
	t.Helper()
	tracker, err := observe.NewSLOTracker("orders", objective, observe.Hour, observe.Day, observe.Week, observe.Month)
	require.NoError(t, err)
	return tracker
}

// scrape asks for metrics as Prometheus does.
func scrape(t testing.TB, handler http.Handler) string {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String()
}
