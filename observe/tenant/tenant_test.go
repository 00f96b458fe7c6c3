package tenant_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/baggage"

	"github.com/warrenmq/warren/observe/tenant"
)

func TestC26_TenantIsValidated(t *testing.T) {
	for id, want := range map[string]bool{
		"acme": true, "a": true, "A-1_b.c:d@e": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a\n": false, "a,b": false, "é": false, "a\xff": false, "a=b": false, `a"`: false,
	} {
		require.Equal(t, want, tenant.Valid(id), "%q", id)
		ctx, err := tenant.NewContext(context.Background(), id)
		if want {
			require.NoError(t, err)
			require.Equal(t, id, tenant.FromContext(ctx))
			require.Equal(t, id, tenant.FromBaggage(ctx))
		} else {
			require.ErrorIs(t, err, tenant.ErrInvalid)
			require.Empty(t, tenant.FromContext(ctx))
		}
	}
}

func TestWithout_TakesTheTenantOutOfTheBaggage(t *testing.T) {
	ctx, err := tenant.NewContext(with(t, "other", "1"), "acme")
	require.NoError(t, err)
	ctx = tenant.Without(ctx)
	require.Empty(t, tenant.FromContext(ctx))
	require.Equal(t, "other=1", baggage.FromContext(ctx).String())
	require.Equal(t, context.Background(), tenant.Without(context.Background()))
}

func with(t *testing.T, key, value string) context.Context {
	t.Helper()
	member, err := baggage.NewMemberRaw(key, value)
	require.NoError(t, err)
	bag, err := baggage.New(member)
	require.NoError(t, err)
	return baggage.ContextWithBaggage(context.Background(), bag)
}

func TestFromBaggage_ChecksTheTenant(t *testing.T) {
	require.Equal(t, "acme", tenant.FromContext(with(t, "tenant_id", "acme")))
	require.Empty(t, tenant.FromContext(with(t, "tenant_id", "a b")))
}

func TestNewContext_LeavesFullBaggage(t *testing.T) {
	var members []baggage.Member
	for i := range 64 {
		member, err := baggage.NewMemberRaw(fmt.Sprint("k", i), "v")
		require.NoError(t, err)
		members = append(members, member)
	}
	bag, err := baggage.New(members...)
	require.NoError(t, err)
	ctx, err := tenant.NewContext(baggage.ContextWithBaggage(context.Background(), bag), "acme")
	require.NoError(t, err)
	require.Equal(t, "acme", tenant.FromContext(ctx))
}

func TestNewContext_DoesntShareBaggageBetweenTenants(t *testing.T) {
	first, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	member, err := baggage.NewMemberRaw("other", "1")
	require.NoError(t, err)
	bag, err := baggage.FromContext(first).SetMember(member)
	require.NoError(t, err)
	require.Equal(t, 2, bag.Len())

	second, err := tenant.NewContext(context.Background(), "acme")
	require.NoError(t, err)
	require.Equal(t, "tenant_id=acme", baggage.FromContext(second).String())
}
