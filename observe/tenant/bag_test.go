package tenant

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/baggage"

	"github.com/warrenmq/warren/observe/internal/cowmap"
)

// forget has a test begin and end with no tenant remembered.
func forget(t *testing.T) {
	t.Helper()
	onlyTenant = cowmap.Map[string, baggage.Baggage]{Limit: 1000}
	t.Cleanup(func() { onlyTenant = cowmap.Map[string, baggage.Baggage]{Limit: 1000} })
}

func TestNewContext_RemembersABoundedNumberOfTenants(t *testing.T) {
	forget(t)
	forget(t)
	for i := range onlyTenant.Limit + 10 {
		ctx, err := NewContext(context.Background(), fmt.Sprint("tenant-", i))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint("tenant-", i), FromBaggage(ctx))
	}
	require.True(t, onlyTenant.Full())
	_, remembered := onlyTenant.Get(fmt.Sprint("tenant-", onlyTenant.Limit+9))
	require.False(t, remembered)
}

func TestNewContext_KeepsOtherBaggageOfItsOwnRequestOnly(t *testing.T) {
	forget(t)
	other, err := baggage.Parse("other=1")
	require.NoError(t, err)
	withOther := baggage.ContextWithBaggage(context.Background(), other)
	for range 10 {
		ctx, err := NewContext(withOther, "acme")
		require.NoError(t, err)
		require.Equal(t, 2, baggage.FromContext(ctx).Len())
		ctx, err = NewContext(context.Background(), "acme")
		require.NoError(t, err)
		require.Equal(t, "tenant_id=acme", baggage.FromContext(ctx).String())
	}
}

func TestNewContext_SharesTheBaggageOfARememberedTenant(t *testing.T) {
	forget(t)
	allocated := func(id string) float64 {
		return testing.AllocsPerRun(100, func() {
			if _, err := NewContext(context.Background(), id); err != nil {
				t.Error(err)
			}
		})
	}
	remembered := allocated("acme")
	onlyTenant = cowmap.Map[string, baggage.Baggage]{}
	require.Less(t, remembered, allocated("acme"))
}
