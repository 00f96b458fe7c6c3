package mgmt_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestB2_AbsentIsNeverZero(t *testing.T) {
	var queue mgmt.QueueInfo
	require.NoError(t, json.Unmarshal([]byte(`{"messages":0,"messages_ready":null,"consumers":"many"}`), &queue))
	n, ok := queue.Messages.Get()
	require.True(t, ok)
	require.Zero(t, n)

	_, ok = queue.Ready.Get()
	require.False(t, ok)
	require.True(t, queue.Ready.IsNull())

	_, ok = queue.Consumers.Get()
	require.False(t, ok)
	require.True(t, queue.Consumers.IsMismatch())

	_, ok = queue.Memory.Get()
	require.False(t, ok)
	require.True(t, queue.Memory.IsZero())
	require.EqualValues(t, -1, queue.Memory.Or(-1))
}

func decoded[T any](t *testing.T, text string) mgmt.Opt[T] {
	t.Helper()
	var o mgmt.Opt[T]
	require.NoError(t, json.Unmarshal([]byte(text), &o), "no value fails the rest of an answer")
	return o
}

func TestOpt_TakesValuesOfItsType(t *testing.T) {
	for text, want := range map[string]mgmt.Opt[int64]{
		"0": mgmt.Some[int64](0), "-0": mgmt.Some[int64](0), "-12": mgmt.Some[int64](-12), "4294967296": mgmt.Some[int64](1 << 32),
		"9223372036854775807": mgmt.Some[int64](math.MaxInt64), "-9223372036854775808": mgmt.Some[int64](math.MinInt64),
		"12.0": mgmt.Some[int64](12), "1e3": mgmt.Some[int64](1000), "999999999999999999": mgmt.Some[int64](999999999999999999),
	} {
		t.Run(text, func(t *testing.T) { require.Equal(t, want, decoded[int64](t, text)) })
	}
	for _, text := range []string{"9223372036854775808", "1.5", "1e30", "true", `"5"`, `""`, `"undefined"`, "[]", "{}"} {
		t.Run(text, func(t *testing.T) { require.True(t, decoded[int64](t, text).IsMismatch()) })
	}
	require.Equal(t, mgmt.Some(0.25), decoded[float64](t, "0.25"))
	require.Equal(t, mgmt.Some(1.0), decoded[float64](t, "1"))
	require.True(t, decoded[float64](t, `""`).IsMismatch(), "rabbit-hole fails on it")
	require.True(t, decoded[float64](t, `"NaN"`).IsMismatch())
	require.True(t, decoded[float64](t, "1e999").IsMismatch())
	require.Equal(t, mgmt.Some(true), decoded[bool](t, "true"))
	require.Equal(t, mgmt.Some(false), decoded[bool](t, "false"))
	require.True(t, decoded[bool](t, `"true"`).IsMismatch())
	require.Equal(t, mgmt.Some("x"), decoded[string](t, `"x"`))
	require.True(t, decoded[string](t, `5`).IsMismatch())
	require.Equal(t, mgmt.Some(mgmt.Rate{Rate: 1.5}), decoded[mgmt.Rate](t, `{"rate":1.5}`))
	require.True(t, decoded[mgmt.Rate](t, `[]`).IsMismatch())
}

func TestOpt_IsWrittenAsItWasRead(t *testing.T) {
	type pair struct {
		A mgmt.Opt[int64] `json:"a,omitzero"`
		B mgmt.Opt[int64] `json:"b,omitzero"`
	}
	for _, text := range []string{`{}`, `{"a":0}`, `{"a":1,"b":null}`} {
		var p pair
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		again, err := json.Marshal(p)
		require.NoError(t, err)
		require.Equal(t, text, string(again))
	}
	require.Equal(t, "5 absent", mgmt.Some(5).String()+" "+mgmt.Opt[int]{}.String())
}

func TestStrings_TakesBothForms(t *testing.T) {
	for text, want := range map[string]mgmt.Strings{
		`"a, b"`: {"a", "b"}, `["a","b"]`: {"a", "b"}, `""`: nil, `[]`: nil, `[1,"b"]`: {"1", "b"}, `5`: {"5"}, `null`: nil,
	} {
		t.Run(text, func(t *testing.T) {
			var s mgmt.Strings
			require.NoError(t, json.Unmarshal([]byte(text), &s))
			require.Equal(t, want, s)
		})
	}
}
