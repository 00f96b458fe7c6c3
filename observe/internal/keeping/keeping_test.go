package keeping_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/warrenmq/warren/observe/internal/keeping"
)

// A span is of a provider, with the context that it is given.
type span struct {
	noop.Span
	context  trace.SpanContext
	provider trace.TracerProvider
}

func (s span) SpanContext() trace.SpanContext       { return s.context }
func (s span) TracerProvider() trace.TracerProvider { return s.provider }

func contextOf(flags trace.TraceFlags) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: flags})
}

// A keeper always answers the same.
type keeper bool

func (k keeper) Keeps(trace.Span) bool { return bool(k) }

// A provider is told from others by its address.
type provider struct {
	noop.TracerProvider
	_ byte
}

func TestKeeps_GoesByTheKeeperOfTheSpansProvider(t *testing.T) {
	with, without := new(provider), new(provider)
	for _, keeps := range []bool{true, false} {
		forget := keeping.Register(with, keeper(keeps))
		for _, flags := range []trace.TraceFlags{0, trace.FlagsSampled} {
			sampled := flags.IsSampled()
			require.Equal(t, keeps, keeping.Keeps(span{context: contextOf(flags), provider: with}))
			require.Equal(t, sampled, keeping.Keeps(span{context: contextOf(flags), provider: without}))
			require.Equal(t, sampled, keeping.Keeps(span{context: contextOf(flags)}), "it has no provider")
		}
		require.False(t, keeping.Keeps(span{provider: with}), "it has no ids to find it by")
		forget()
		require.True(t, keeping.Keeps(span{context: contextOf(trace.FlagsSampled), provider: with}), "the keeper is forgotten")
		require.False(t, keeping.Keeps(span{context: contextOf(0), provider: with}), "the keeper is forgotten")
	}
}

func TestKeeps_TakesProvidersThatCannotBeCompared(t *testing.T) {
	type uncomparable struct {
		noop.TracerProvider
		_ []int
	}
	require.True(t, keeping.Keeps(span{context: contextOf(trace.FlagsSampled), provider: uncomparable{}}))
	require.False(t, keeping.Keeps(span{context: contextOf(0), provider: uncomparable{}}))
}

func TestNone_KeepsNoSpan(t *testing.T) {
	require.False(t, keeping.None{}.Keeps(span{context: contextOf(trace.FlagsSampled)}))
}
