package topology

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestApplying_KeepsWhatIsNotSurelyLower(t *testing.T) {
	policy := func(name, pattern string, priority int64) mgmt.PolicyInfo {
		return mgmt.PolicyInfo{Name: name, Pattern: pattern, ApplyTo: "all", Priority: mgmt.Some(priority)}
	}
	exchanges := policy("exchanges", "orders", 9)
	exchanges.ApplyTo = mgmt.ApplyToExchanges
	var names []string
	for _, one := range applying([]mgmt.PolicyInfo{
		policy("low", "orders", 1), policy("high", "^orders$", 2), policy("equal", "o", 2), policy("other", "^x", 5),
		policy("ahead", "(?=orders)", 3), policy("ahead but low", "(?=orders)", 0), exchanges,
	}, mgmt.ApplyToQueues, "orders") {
		names = append(names, one.Name)
	}
	require.Equal(t, []string{"high", "equal", "ahead"}, names)
}

func TestLimits_TakeTheLower(t *testing.T) {
	all := mergeLimits(map[string]any{"x-max-length": int32(10), "x-message-ttl": 5.0, "x-max-priority": 3},
		map[string]any{"max-length": int64(9), "message-ttl": int64(6), "expires": int64(1), "overflow": "reject-publish"})
	require.Equal(t, limits{"max-length": int64(9), "message-ttl": 5.0, "expires": int64(1)}, all)
}

func TestLimits_NameTheStricterOfTime(t *testing.T) {
	for _, test := range []struct {
		have, wanted limits
		want         string
	}{
		{limits{}, limits{"max-length": 1}, ""},
		{limits{}, limits{"message-ttl": 1}, "message-ttl 1 (now none)"},
		{limits{"message-ttl": 2}, limits{"message-ttl": int64(2)}, ""},
		{limits{"message-ttl": 2}, limits{"message-ttl": 1, "expires": 3}, "message-ttl 1 (now 2), expires 3 (now none)"},
		{limits{"max-age": "1D"}, limits{"max-age": "1D"}, ""},
		{limits{"max-age": "1D"}, limits{"max-age": "1h"}, "max-age 1h (now 1D)"},
		{limits{"max-age": "1D"}, limits{"max-age": 5}, "max-age 5 (now 1D)"},
		{limits{"max-age": 5}, limits{"max-age": "1D"}, "max-age 1D (now 5)"},
		{limits{"expires": 1}, limits{}, ""},
	} {
		require.Equal(t, test.want, test.have.stricterOfTime(test.wanted))
	}
}
