package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
)

func TestArgumentName_TellsTablesAndKeysApart(t *testing.T) {
	const key = "an \"x\" (may be absent)"
	queue, source := contract.QueueArguments, contract.SourceArguments(1)
	unknown := []string{contract.ArgumentName(queue, key), contract.PossibleArgumentName(queue, "a"), source, contract.ArgumentName("Queue.ArgumentsOther", "b")}
	require.Equal(t, []string{key}, contract.UnknownKeys(unknown, queue))
	require.True(t, contract.IsUnknownArgument(unknown, queue, key))
	require.True(t, contract.IsUnknownArgument(unknown, queue, "a"))
	require.False(t, contract.IsUnknownArgument(unknown, queue, "b"))
	require.False(t, contract.IsUnknownArgument(unknown, contract.ExchangeArguments, key))
	require.True(t, contract.IsUnknownArgument(unknown, source, key), "any key of the table")
	require.True(t, contract.HidesKeys(unknown, source))
	require.True(t, contract.HidesKeys(unknown, queue))
	require.False(t, contract.HidesKeys(unknown[:1], queue))
	require.False(t, contract.HidesKeys(unknown, contract.SourceArguments(0)))
	require.Equal(t, []string{contract.ExchangeArguments}, contract.UnknownOf(unknown, source, contract.ExchangeArguments))
	require.Len(t, contract.UnknownOf(unknown, queue, queue), 2)
}
