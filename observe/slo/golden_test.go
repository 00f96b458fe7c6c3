package slo_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/slo"
)

var update = flag.Bool("update", false, "write the goldens")

func requireGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// Each rule and each panel is there, in its place. What Prometheus makes of them is tested
// in observe/endtoend.
func TestRules_AreThoseOfTheGolden(t *testing.T) {
	answered, err := slo.New("answered", 0.999)
	require.NoError(t, err)
	never, err := slo.New("no\u00a0failure", 1)
	require.NoError(t, err)
	fast, err := slo.New("fast", 0.99, slo.WithService("shop"), slo.WithLatency(time.Second),
		slo.WithHistogram("request_duration_seconds", map[string]string{"endpoint": "/orders"}))
	require.NoError(t, err)
	requireGolden(t, "rules.yml", slo.Rules(answered, never, fast))
	requireGolden(t, "dashboard.json", fast.Dashboard())
}
