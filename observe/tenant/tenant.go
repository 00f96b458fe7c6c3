// Package tenant carries the identity of a tenant through a process and to the
// next one, as W3C Baggage (specification, section C, rule 7).
//
//	ctx, err := tenant.NewContext(ctx, r.Header.Get(tenant.Header))
//	if err != nil {
//		return err
//	}
//	tenant.FromContext(ctx) // "acme"
//
// The middleware observe.HTTPMiddleware and messages.Consume put the tenant of a
// request or message into the context; then it is in log records, spans and
// metrics.
//
// It never trusts an identity: one that could break a log line, a header or a
// metric's label is refused. It never checks whether the caller may act for the
// tenant: that is for the service. It compiles the API of OpenTelemetry only.
package tenant

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/baggage"
)

const (
	// Header is the request header that names the tenant.
	Header = "X-Tenant-ID"

	// BaggageKey is the tenant's member in W3C Baggage, and its key in log
	// records.
	BaggageKey = "tenant_id"

	// Attribute is the tenant's attribute of spans.
	Attribute = "tenant.id"

	// Label is the tenant's label of metrics.
	Label = "tenant"

	// MaxLength is the greatest length of an identity, in bytes.
	MaxLength = 64
)

// ErrInvalid is the error of [NewContext]. It doesn't quote the identity, which comes
// from outside.
var ErrInvalid = errors.New("the tenant's identity isn't valid: it has 1 to 64 letters, digits and characters of ._:@-")

// Valid reports whether id has 1 to 64 ASCII letters, digits and characters of
// "._:@-".
func Valid(id string) bool {
	if id == "" || len(id) > MaxLength {
		return false
	}
	for i := range len(id) {
		if !allowed[id[i]] {
			return false
		}
	}
	return true
}

var allowed = func() (table [256]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@-" {
		table[c] = true
	}
	return table
}()

type contextKey struct{}

// NewContext returns a context with the tenant, in its baggage too. For an identity
// that isn't [Valid], "" among them, it returns ctx and ErrInvalid.
func NewContext(ctx context.Context, id string) (context.Context, error) {
	if !Valid(id) {
		return ctx, ErrInvalid
	}
	return context.WithValue(withBaggage(ctx, id), contextKey{}, id), nil
}

// FromContext returns the tenant of the context, or of its baggage where that is
// valid; "" for none.
func FromContext(ctx context.Context) string {
	if id, ok := ctx.Value(contextKey{}).(string); ok {
		return id
	}
	return FromBaggage(ctx)
}

// FromBaggage returns the tenant of the context's baggage, "" where there is none
// or it isn't valid. It is for what takes a context over from another process.
func FromBaggage(ctx context.Context) string {
	bag := baggage.FromContext(ctx)
	if bag.Len() == 0 {
		return ""
	}
	if id := bag.Member(BaggageKey).Value(); Valid(id) {
		return id
	}
	return ""
}

// Without returns a context without a tenant, in its baggage neither; ctx where it
// has none.
func Without(ctx context.Context) context.Context {
	bag := baggage.FromContext(ctx)
	if bag.Member(BaggageKey).Key() != "" {
		ctx = baggage.ContextWithBaggage(ctx, bag.DeleteMember(BaggageKey))
	}
	if ctx.Value(contextKey{}) == nil {
		return ctx
	}
	return context.WithValue(ctx, contextKey{}, "")
}
