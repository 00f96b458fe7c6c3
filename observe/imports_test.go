package observe_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that uses one of the packages below alone compiles no SDK and no
// exporter; and only the message middleware imports package runtime.
func TestPackages_CompileNoMoreThanTheyNeed(t *testing.T) {
	const module = "github.com/warrenmq/warren/"
	for _, test := range []struct {
		name string
		not  []string
	}{
		{"internal/jsonlog", []string{"go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters", "github.com/prometheus/", "google.golang.org/", module + "runtime"}},
		{"red", []string{"go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters", "google.golang.org/grpc", module + "runtime"}},
		{"slo", []string{"go.opentelemetry.io/", "google.golang.org/grpc", module + "runtime"}},
		{"redact", []string{"go.opentelemetry.io/", "github.com/", "google.golang.org/"}},
		{"tenant", []string{"go.opentelemetry.io/otel/sdk", "github.com/prometheus/", module + "runtime"}},
		{".", []string{module + "runtime", module + "mgmt", "github.com/rabbitmq/"}},
	} {
		out, err := exec.Command("go", "list", "-deps", "./"+test.name).CombinedOutput()
		require.NoError(t, err, "%s", out)
		for dep := range strings.Lines(string(out)) {
			dep = strings.TrimSpace(dep)
			for _, not := range test.not {
				if !strings.HasPrefix(dep, module+"observe") {
					require.False(t, strings.HasPrefix(dep, not), "%s compiles %s", test.name, dep)
				}
			}
		}
	}
}
