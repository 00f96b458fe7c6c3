package cardinality_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cardinality"
	"github.com/warrenmq/warren/observe/redact"
)

// label returns the label of the tenant.
func label(tenants *cardinality.Tenants, tenant string) string {
	label, _ := tenants.Label(tenant)
	return label
}

func TestTenants_LetTheLeastRecentlyUsedMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		forgotten := 0
		tenants := cardinality.NewTenants(3, []string{"known"}, nil, func() { forgotten++ })
		uses := make(map[string]*cardinality.Use)
		for _, tenant := range []string{"a", "b", "c\xff", "known"} {
			time.Sleep(time.Second)
			_, uses[tenant] = tenants.Label(tenant)
			require.False(t, uses[tenant].Gone())
		}
		time.Sleep(time.Second)
		uses["a"].Touch()
		uses["known"].Touch()
		time.Sleep(time.Second)
		require.Equal(t, "d", label(tenants, "d"))
		require.Equal(t, 1, forgotten)
		require.True(t, uses["b"].Gone())
		require.False(t, uses["a"].Gone())
		time.Sleep(time.Second)
		require.Equal(t, "c\ufffd", label(tenants, "c\xff"))
		require.Equal(t, "e", label(tenants, "e"))
		require.Equal(t, 2, forgotten)
		require.True(t, uses["a"].Gone())
		require.False(t, uses["c\xff"].Gone())
		require.Equal(t, "known", label(tenants, "known"))
		require.False(t, uses["known"].Gone())
		require.Zero(t, tenants.Rejected())
	})
}

// What stands for no tenant, or for many, has no place and never makes room: not either
// where a tenant has that name.
func TestTenants_GiveNoPlaceToWhatIsNoTenant(t *testing.T) {
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	tenants := cardinality.NewTenants(1, []string{"_other"}, redactor, func() {})
	require.Equal(t, "acme", label(tenants, "acme"))
	for tenant, want := range map[string]string{"": "", "_other": cardinality.Overflow, "ann@example.com": redact.Mask} {
		label, use := tenants.Label(tenant)
		require.Equal(t, want, label)
		require.Nil(t, use)
		require.False(t, use.Gone())
		use.Touch()
	}
	require.Zero(t, tenants.Rejected())
}

// As many tenants as the limit change places in ten minutes; a refusal costs no lock and keeps
// nothing.
func TestTenants_ChangePlacesSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changed := 0
		tenants := cardinality.NewTenants(10, nil, nil, func() { changed++ })
		invent := func() {
			for i := range 1000 {
				label(tenants, fmt.Sprint(time.Now().Unix(), "-", i))
			}
		}
		invent()
		require.Equal(t, 10, changed, "at once")
		require.EqualValues(t, 980, tenants.Rejected())
		for range 10 {
			time.Sleep(time.Minute)
			invent()
		}
		require.Equal(t, 20, changed, "one in a minute")
		require.Zero(t, testing.AllocsPerRun(100, func() { label(tenants, "invented") }))
	})
}

// Of many a 64th makes room at once, so that it is looked for once for them all.
func TestTenants_MakeRoomForSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		forgotten := 0
		tenants := cardinality.NewTenants(256, nil, nil, func() { forgotten++ })
		var uses []*cardinality.Use
		for i := range 256 + 4 {
			time.Sleep(time.Second)
			label, use := tenants.Label(fmt.Sprint(i))
			require.NotEqual(t, cardinality.Overflow, label)
			uses = append(uses, use)
		}
		require.Equal(t, 1, forgotten)
		for i, use := range uses {
			require.Equal(t, i < 4, use.Gone(), i)
		}
		label(tenants, "one more")
		require.Equal(t, 2, forgotten)
	})
}

func TestTenants_RefuseLongNames(t *testing.T) {
	tenants := cardinality.NewTenants(1, nil, nil, func() {})
	require.Equal(t, cardinality.Overflow, label(tenants, strings.Repeat("x", cardinality.MaxLength+1)))
	require.NotEqual(t, cardinality.Overflow, label(tenants, strings.Repeat("x", cardinality.MaxLength)))
	require.EqualValues(t, 1, tenants.Rejected())
}

// Many at a time: there are never more tenants than the limit.
func TestTenants_HoldTheirLimitForManyAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Int32
		tenants := cardinality.NewTenants(100, nil, nil, func() { left.Add(1) }) // for each that makes room
		var running sync.WaitGroup
		var in sync.Map
		for g := range 16 {
			running.Go(func() {
				for i := range 200 {
					if got := label(tenants, fmt.Sprint(g, "-", i)); got != cardinality.Overflow {
						in.Store(got, true)
					}
				}
			})
		}
		running.Wait()
		n := 0
		in.Range(func(any, any) bool {
			n++
			return true
		})
		require.Equal(t, 200, n, "100 first, and 100 changes: no time passes in the bubble")
		require.EqualValues(t, 100, left.Load())
		require.EqualValues(t, 16*200-200, tenants.Rejected())
	})
}
