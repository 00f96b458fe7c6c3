// Package keeping knows which spans will be exported, for exemplars: they lead to
// traces that somebody can look at. It is apart so that metrics need no SDK.
package keeping

import (
	"reflect"
	"sync"

	"go.opentelemetry.io/otel/trace"
)

// A Keeper decides which spans of a provider are exported. It is safe for
// concurrent use.
type Keeper interface {
	// Keeps reports whether a span, ended or not, is exported as far as is known.
	Keeps(span trace.Span) bool
}

// None keeps no span.
type None struct{}

// Keeps returns false.
func (None) Keeps(trace.Span) bool { return false }

var keepers sync.Map // Keeper by trace.TracerProvider

// Register makes keeper decide about the spans of the provider, until forget is
// called.
func Register(provider trace.TracerProvider, keeper Keeper) (forget func()) {
	keepers.Store(provider, keeper)
	return func() { keepers.Delete(provider) }
}

// Keeps reports whether the span is exported, as its Keeper says. Of a provider
// without one it is if it is sampled.
func Keeps(span trace.Span) bool {
	if !span.SpanContext().IsValid() {
		return false
	}
	if provider := span.TracerProvider(); provider != nil && reflect.TypeOf(provider).Comparable() {
		if keeper, ok := keepers.Load(provider); ok {
			return keeper.(Keeper).Keeps(span)
		}
	}
	return span.SpanContext().IsSampled()
}
