package fieldtable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/fieldtable"
)

func TestClone_SharesNothing(t *testing.T) {
	table := func() map[string]any {
		return map[string]any{"a": map[string]any{"b": []any{[]byte("c"), map[string]any{}}}, "n": int32(1)}
	}
	original := table()
	cloned := fieldtable.Clone(original)
	require.Equal(t, original, cloned)
	inner := cloned["a"].(map[string]any)
	inner["b"].([]any)[0].([]byte)[0] = 'x'
	inner["b"].([]any)[1].(map[string]any)["d"] = 1
	inner["e"], cloned["f"] = 1, 1
	require.Equal(t, table(), original)
	require.Nil(t, fieldtable.Clone(nil))
}

func TestInteger_TakesEverySize(t *testing.T) {
	for _, value := range []any{int(7), int8(7), int16(7), int32(7), int64(7), uint8(7), uint16(7), uint32(7)} {
		n, ok := fieldtable.Integer(value)
		require.True(t, ok, "%T", value)
		require.Equal(t, int64(7), n)
	}
	for _, value := range []any{"7", 7.0, nil, uint64(7), true} {
		_, ok := fieldtable.Integer(value)
		require.False(t, ok, "%T", value)
	}
}
