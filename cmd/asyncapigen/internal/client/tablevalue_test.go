package client

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTableValue(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{nil, "nil"},
		{true, "true"},
		{"a\"b", `"a\"b"`},
		{5, "5"},
		{int64(-5), "int64(-5)"},
		{uint8(5), "uint8(0x5)"},
		{1.0, "1.0"},
		{float32(0.5), "float32(0.5)"},
		{[]byte("x\xff"), `[]byte("x\xff")`},
		{time.Unix(1700000000, 5), "time.Unix(1700000000, 0)"},
		{[]any{1, "a", nil}, `[]any{1, "a", nil}`},
		{map[string]any{"b": 1, "a": map[string]any{}}, "map[string]any{\n\t\"a\": map[string]any{},\n\t\"b\": 1,\n}"},
	} {
		code, ok := newGenerator(config).tableValue(test.value)
		require.True(t, ok, "%v", test.value)
		require.Equal(t, test.want, code.GoString())
	}
	for _, value := range []any{math.NaN(), math.Inf(1), struct{}{}, []string{"a"}, []any{struct{}{}}, map[string]any{"a": math.NaN()}} {
		_, ok := newGenerator(config).tableValue(value)
		require.False(t, ok, "%v", value)
	}
}
