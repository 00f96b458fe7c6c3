package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime/internal/wire"
)

func TestIsDirectReply_KnowsTheAddressesOfTheServer(t *testing.T) {
	require.True(t, wire.IsDirectReply("", wire.DirectReplyPrefix+"x"))
	require.False(t, wire.IsDirectReply("x", wire.DirectReplyPrefix+"x"))
	require.False(t, wire.IsDirectReply("", "q"))
}
