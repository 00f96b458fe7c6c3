package model

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What isn't exported isn't decoded.
func TestHoldsAny_LooksAtExportedParts(t *testing.T) {
	require.True(t, holdsAny(reflect.TypeFor[*[]struct{ Any any }]()))
	require.True(t, holdsAny(reflect.TypeFor[map[string]struct{ Any [2]any }]()))
	require.True(t, holdsAny(reflect.TypeFor[map[any]string]()))
	require.True(t, holdsAny(reflect.TypeFor[struct {
		N   int
		Any any
		At  time.Time
	}]()))
	require.False(t, holdsAny(reflect.TypeFor[*[]struct {
		N    int
		any  any
		At   time.Time
		Maps map[string][]string
	}]()))
}
