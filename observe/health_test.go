package observe_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
)

func TestHealth_LogsAFailureAndItsEndOnce(t *testing.T) {
	var out bytes.Buffer
	receiver := otlptest.HTTP(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1, LogWriter: &out})
	export := func() error {
		_, span := observe.TraceSpan(context.Background(), "work")
		span.End(nil)
		return o.Flush(context.Background())
	}
	receiver.Break(errors.New("broken"))
	require.Error(t, export())
	require.Error(t, export())
	receiver.Break(nil)
	require.NoError(t, export())

	require.Equal(t, 1, strings.Count(out.String(), "spans are not exported"))
	require.Equal(t, 1, strings.Count(out.String(), "spans are exported again"))
}

func TestHealth_LogsOnceAMinute(t *testing.T) {
	var out bytes.Buffer
	receiver := otlptest.HTTP(t)
	o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TraceSampleRate: 1, LogWriter: &out})
	for range 5 {
		for _, broken := range []error{errTest, nil} {
			receiver.Break(broken)
			endSpan("work")
			require.Equal(t, broken != nil, o.Flush(context.Background()) != nil)
		}
	}
	require.Equal(t, 2, strings.Count(out.String(), "\n"), "the failure and its end: %s", &out)
}
