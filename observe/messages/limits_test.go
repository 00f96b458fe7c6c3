package messages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLimits_OfZeroOrLessAreTheDefaults(t *testing.T) {
	defaults := Limits{Destinations: 500, ErrorTypes: 100, Tenants: 1000, Series: 10000}
	require.Equal(t, defaults, Limits{}.withDefaults())
	require.Equal(t, defaults, Limits{Destinations: -1, ErrorTypes: -1, Tenants: -1, Series: -1}.withDefaults())
	own := Limits{Destinations: 1, ErrorTypes: 2, Tenants: 3, Series: 4}
	require.Equal(t, own, own.withDefaults())
}
