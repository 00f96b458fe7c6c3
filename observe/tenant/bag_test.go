package tenant

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/baggage"
)

func TestTheRememberedTenantsAreBounded(t *testing.T) {
	var all table
	for i := range maxAlone + 10 {
		all.add(fmt.Sprint("tenant-", i), baggage.Baggage{})
	}
	require.Len(t, *all.known.Load(), maxAlone)
}
