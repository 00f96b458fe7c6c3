package observe_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/internal/jsonlog"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// configure sets up for the test's time. Log records go nowhere but to
// LogWriter.
func configure(t testing.TB, c observe.Config) *observe.Observability {
	t.Helper()
	o, err := observe.Configure(context.Background(), c)
	require.NoError(t, err)
	t.Cleanup(func() {
		shutdown(t, o)
		jsonlog.SetDefault(nil)
	})
	return o
}

func shutdown(t testing.TB, o *observe.Observability) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	require.NoError(t, o.Shutdown(ctx))
}

func flush(t testing.TB, o *observe.Observability) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	require.NoError(t, o.Flush(ctx))
}

// traced sets up tracing of everything, to a receiver.
func traced(t testing.TB) (*observe.Observability, *otlptest.Receiver) {
	t.Helper()
	receiver := otlptest.GRPC(t)
	return configure(t, observe.Config{ServiceName: "orders", OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1}), receiver
}

// setLog makes loggers write to out for the test's time.
func setLog(t testing.TB, out io.Writer) {
	t.Helper()
	before := jsonlog.Default()
	jsonlog.SetDefault(jsonlog.NewHandler(out, nil))
	t.Cleanup(func() { jsonlog.SetDefault(before) })
}
