package keeping_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/keeping"
)

// Each request is counted, and observed, once: with an exemplar of both if there is one.
func TestCount_CountsWithAndWithoutAnExemplar(t *testing.T) {
	for name, test := range map[string]struct {
		context   trace.SpanContext
		exemplars int
	}{
		"a span that is kept":  {contextOf(trace.FlagsSampled), 1},
		"a span that isn't":    {contextOf(0), 0},
		"a span without an id": {trace.SpanContext{}, 0},
	} {
		counter := prometheus.NewCounter(prometheus.CounterOpts{Name: "requests"})
		histogram := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "seconds", Buckets: []float64{1, 10}})
		ctx := trace.ContextWithSpan(context.Background(), span{context: test.context})
		new(keeping.Exemplars).Count(ctx, counter, histogram, 5)

		registry := prometheus.NewRegistry()
		registry.MustRegister(counter, histogram)
		families, err := registry.Gather()
		require.NoError(t, err)
		require.Len(t, families, 2)
		counted, observed := families[0].GetMetric()[0].GetCounter(), families[1].GetMetric()[0].GetHistogram()
		require.EqualValues(t, 1, counted.GetValue(), name)
		require.EqualValues(t, 1, observed.GetSampleCount(), name)
		require.EqualValues(t, 5, observed.GetSampleSum(), name)
		ofBucket := observed.GetBucket()[1].GetExemplar()
		if test.exemplars == 0 {
			require.Nil(t, counted.GetExemplar(), name)
			require.Nil(t, ofBucket, name)
			continue
		}
		require.EqualValues(t, 1, counted.GetExemplar().GetValue(), name)
		require.EqualValues(t, 5, ofBucket.GetValue(), name)
	}
}

func TestNext_HasOneExemplarInAHundredMilliseconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e keeping.Exemplars
		kept := span{context: contextOf(trace.FlagsSampled)}
		next := func(s span) prometheus.Labels { return e.Next(trace.ContextWithSpan(context.Background(), s)) }
		require.Nil(t, next(span{context: contextOf(0)}))
		require.Equal(t, prometheus.Labels{
			"trace_id": kept.context.TraceID().String(), "span_id": kept.context.SpanID().String(),
		}, next(kept), "one that isn't kept takes no turn")
		time.Sleep(100*time.Millisecond - time.Nanosecond)
		require.Nil(t, next(kept))
		time.Sleep(time.Nanosecond)
		require.NotNil(t, next(kept))
	})
}
