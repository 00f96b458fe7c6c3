package tenant

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewContext_RemembersABoundedNumberOfTenants(t *testing.T) {
	for i := range onlyTenant.Limit + 10 {
		ctx, err := NewContext(context.Background(), fmt.Sprint("tenant-", i))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint("tenant-", i), FromBaggage(ctx))
	}
	require.True(t, onlyTenant.Full())
	_, remembered := onlyTenant.Get(fmt.Sprint("tenant-", onlyTenant.Limit+9))
	require.False(t, remembered)
}
