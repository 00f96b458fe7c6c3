package runtimetest

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestInBubble_IsTrueThereAlone(t *testing.T) {
	require.False(t, inBubble())
	synctest.Test(t, func(t *testing.T) { require.True(t, inBubble()) })
}
