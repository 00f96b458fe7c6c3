package wire_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

const maxTable = 128<<10 - 4<<10

func TestCopyTable_HasTheTypesOfTheOtherEnd(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678, time.FixedZone("", 3600))
	for _, test := range []struct{ value, want any }{
		{nil, nil},
		{true, true},
		{int8(1), int8(1)},
		{int16(1), int16(1)},
		{int32(1), int32(1)},
		{int64(1), int64(1)},
		{1, int64(1)},
		{uint8(1), uint8(1)},
		{uint16(1), uint16(1)},
		{uint32(1), uint32(1)},
		{uint(1), int64(1)},
		{uint64(math.MaxInt64), int64(math.MaxInt64)},
		{float32(1.5), float32(1.5)},
		{1.5, 1.5},
		{"x", "x"},
		{[]byte("x"), []byte("x")},
		{wire.Decimal{Scale: 1, Value: 2}, wire.Decimal{Scale: 1, Value: 2}},
		{at, time.Date(2026, 1, 2, 2, 4, 5, 0, time.UTC)},
		{time.Time{}, time.Time{}},
		{[]any{1, []any{}}, []any{int64(1), []any{}}},
		{map[string]any{}, map[string]any{}},
		{map[string]any{"x": 1}, map[string]any{"x": int64(1)}},
	} {
		table, err := wire.CopyTable("header", map[string]any{"k": test.value})
		require.NoError(t, err, "%T", test.value)
		require.Equal(t, map[string]any{"k": test.want}, table, "%T", test.value)
	}
	table, err := wire.CopyTable("header", map[string]any{})
	require.NoError(t, err)
	require.Nil(t, table)
}

func TestCopyTable_SharesNothing(t *testing.T) {
	bytes, array, inner := []byte("x"), []any{"x"}, map[string]any{"x": "x"}
	table, err := wire.CopyTable("header", map[string]any{"bytes": bytes, "array": array, "table": inner})
	require.NoError(t, err)
	bytes[0], array[0], inner["x"] = 'y', "y", "y"
	require.Equal(t, map[string]any{"bytes": []byte("x"), "array": []any{"x"}, "table": map[string]any{"x": "x"}}, table)
}

// nested is a value with so many tables or arrays within each other.
func nested(depth int) (value any) {
	value = "x"
	for i := range depth {
		if i%2 == 0 {
			value = []any{value}
		} else {
			value = map[string]any{"k": value}
		}
	}
	return value
}

func wide(n int) map[string]any {
	table := make(map[string]any, n)
	for i := range n {
		table[fmt.Sprint(i)] = nil
	}
	return table
}

func TestCopyTable_TakesWhatClientsRead(t *testing.T) {
	long := strings.Repeat("n", 256)
	twice := map[string]any{}
	twice["a"], twice["b"] = twice, twice
	for name, test := range map[string]struct {
		fits, refused map[string]any
		err           string
	}{
		"a name":               {map[string]any{long[:255]: 1}, map[string]any{long: 1}, `the name of the header "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"... has 256 bytes, and AMQP allows 255`},
		"a depth":              {map[string]any{"k": nested(32)}, map[string]any{"k": nested(33)}, "nested more than 32 deep"},
		"a depth of tables":    {map[string]any{"k": map[string]any{"l": nested(31)}}, map[string]any{"k": map[string]any{"l": nested(32)}}, `header "k": field "l": `},
		"a table's elements":   {wide(8192), wide(8193), "8193 elements, and clients read 8192"},
		"an array's elements":  {map[string]any{"k": make([]any, 8192)}, map[string]any{"k": make([]any, 8193)}, "8193 elements"},
		"a size":               {map[string]any{"k": strings.Repeat("x", maxTable-7)}, map[string]any{"k": strings.Repeat("x", maxTable-6)}, "more than 126976 bytes"},
		"a size of bytes":      {map[string]any{"k": make([]byte, maxTable-7)}, map[string]any{"k": make([]byte, maxTable-6)}, "more than 126976 bytes"},
		"a size with the name": {map[string]any{"kk": strings.Repeat("x", maxTable-8)}, map[string]any{"kk": strings.Repeat("x", maxTable-7)}, "more than 126976 bytes"},
		"a number":             {map[string]any{"k": uint64(math.MaxInt64)}, map[string]any{"k": uint64(math.MaxInt64) + 1}, "no integer of the size of 9223372036854775808"},
		"a type":               {map[string]any{"k": []any{1}}, map[string]any{"k": []int{1}}, "AMQP has no form for a []int"},
		"an element's type":    {map[string]any{"k": []any{1}}, map[string]any{"k": []any{1, []int{1}}}, `header "k": element 1: AMQP has no form`},
		"itself":               {nil, twice, "nested more than 32 deep"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := wire.CopyTable("header", test.fits)
			require.NoError(t, err)
			table, err := wire.CopyTable("header", test.refused)
			require.ErrorContains(t, err, test.err)
			require.Nil(t, table)
		})
	}
}

func TestCopyHeaders_TellsWhatIsTooLarge(t *testing.T) {
	for _, headers := range []map[string]any{wide(8193), {"k": strings.Repeat("x", maxTable)}} {
		_, err := wire.CopyHeaders(headers)
		require.ErrorIs(t, err, runtime.ErrHeadersTooLarge)
	}
	_, err := wire.CopyHeaders(map[string]any{"k": []int{1}})
	require.Error(t, err)
	require.NotErrorIs(t, err, runtime.ErrHeadersTooLarge)
	for _, name := range []string{"CC", "BCC"} {
		_, err := wire.CopyHeaders(map[string]any{name: "key"})
		require.ErrorContains(t, err, fmt.Sprintf("header %q is a string: RabbitMQ wants a []any of routing keys", name))
		headers, err := wire.CopyHeaders(map[string]any{name: []any{"key"}})
		require.NoError(t, err)
		require.Equal(t, map[string]any{name: []any{"key"}}, headers)
	}
}

// A table that contains itself is measured along one way.
func TestSizeOf_CountsEachPartAndEnds(t *testing.T) {
	table, array := map[string]any{}, make([]any, 2)
	table["a"], table["b"] = table, table
	array[0], array[1] = array, array
	for name, test := range map[string]struct {
		table map[string]any
		want  int
	}{
		"nothing":               {nil, 5},
		"a nil":                 {map[string]any{"k": nil}, 5 + 2 + 1},
		"a text":                {map[string]any{"k": "abc"}, 5 + 2 + 8},
		"bytes":                 {map[string]any{"k": []byte("ab")}, 5 + 2 + 7},
		"a number":              {map[string]any{"key": 1}, 5 + 4 + 9},
		"two fields":            {map[string]any{"k": nil, "l": true}, 5 + 2 + 1 + 2 + 9},
		"an array":              {map[string]any{"k": []any{true, true}}, 5 + 2 + 5 + 18},
		"a table":               {map[string]any{"k": map[string]any{"l": nil}}, 5 + 2 + 5 + 2 + 1},
		"more than fits":        {map[string]any{"k": strings.Repeat("x", 2*maxTable)}, maxTable},
		"a name that is larger": {map[string]any{strings.Repeat("k", 2*maxTable): 1}, maxTable},
		"a table in itself":     {table, 34 * (5 + 2)},
		"an array in itself":    {map[string]any{"k": array}, 5 + 2 + 33*5},
	} {
		require.Equal(t, test.want, wire.SizeOf(test.table), name)
	}
}
