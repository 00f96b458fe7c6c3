package mgmt_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestTable_IsNeverNull(t *testing.T) {
	for name, test := range map[string]struct {
		table mgmt.Table
		want  string
	}{
		"nil":                     {nil, `{}`},
		"empty":                   {mgmt.Table{}, `{}`},
		"a nil table in it":       {mgmt.Table{"t": mgmt.Table(nil)}, `{"t":{}}`},
		"a nil map in it":         {mgmt.Table{"m": map[string]string(nil)}, `{"m":{}}`},
		"a nil slice in it":       {mgmt.Table{"s": []any(nil)}, `{"s":[]}`},
		"a nil map in a slice":    {mgmt.Table{"s": []any{map[string]any(nil)}}, `{"s":[{}]}`},
		"a nil map in a map":      {mgmt.Table{"m": map[string]map[string]any{"n": nil}}, `{"m":{"n":{}}}`},
		"an explicit nil":         {mgmt.Table{"n": nil}, `{"n":null}`},
		"bytes":                   {mgmt.Table{"b": []byte("ab")}, `{"b":"YWI="}`},
		"whole numbers":           {mgmt.Table{"n": int64(1) << 62, "u": uint8(3)}, `{"n":4611686018427387904,"u":3}`},
		"a whole number as float": {mgmt.Table{"f": 1000.0}, `{"f":1000}`},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(test.table)
			require.NoError(t, err)
			require.Equal(t, test.want, string(text))
		})
	}
}

func TestTable_IsNotChanged(t *testing.T) {
	inner := map[string]any{"n": map[string]any(nil)}
	arguments := mgmt.Table{"x": inner}
	_, err := record(t, 204, "", func(c *mgmt.Client) error {
		if err := c.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{Arguments: arguments}); err != nil {
			return err
		}
		if err := c.BindQueue(t.Context(), "/", "q", "x", mgmt.BindingSettings{Arguments: arguments}); err != nil {
			return err
		}
		return c.PutShovel(t.Context(), "/", "s", mgmt.ShovelSettings{OtherKeys: arguments})
	})
	require.NoError(t, err)
	require.Equal(t, mgmt.Table{"x": inner}, arguments)
	require.Equal(t, map[string]any{"n": map[string]any(nil)}, inner)
}

func TestTable_RefusesInvalidUTF8(t *testing.T) {
	for name, table := range map[string]mgmt.Table{"a value": {"a": "\xff"}, "a key": {"\xff": 1}, "deeper": {"a": []any{map[string]any{"b": "\xff"}}}} {
		t.Run(name, func(t *testing.T) {
			client := open(t, mgmt.Config{Transport: always(204, "")})
			err := client.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{Arguments: table})
			require.ErrorContains(t, err, "UTF-8", "JSON would replace it")
		})
	}
}

func TestTable_NumbersStayWhole(t *testing.T) {
	var table mgmt.Table
	text := `{"i":5,"m":-9007199254740993,"f":5.0,"e":1e3,"big":18446744073709551616,"s":"a\"\u00e4\n","t":true,"n":null,"o":{},"a":[1,[],{"x":2.5}] }`
	require.NoError(t, json.Unmarshal([]byte(text), &table))
	require.Equal(t, mgmt.Table{
		"i": int64(5), "m": int64(-9007199254740993), "f": 5.0, "e": 1000.0, "big": json.Number("18446744073709551616"), "s": "a\"ä\n",
		"t": true, "n": nil, "o": map[string]any{}, "a": []any{int64(1), []any{}, map[string]any{"x": 2.5}},
	}, table)
}

func TestTable_ListIsEmpty(t *testing.T) {
	for _, text := range []string{"[]", "{}", "null", `"x"`} {
		table := mgmt.Table{"old": 1}
		require.NoError(t, json.Unmarshal([]byte(text), &table))
		if text != "null" {
			require.Nil(t, table)
		}
	}
}

func TestTable_LastOfEqualKeysCounts(t *testing.T) {
	var table mgmt.Table
	require.NoError(t, json.Unmarshal([]byte(`{"a":{"b":1},"a":{"c":2}}`), &table))
	require.Equal(t, mgmt.Table{"a": map[string]any{"c": int64(2)}}, table)
}

func TestTable_BoundsNesting(t *testing.T) {
	const deep = 20_000 // encoding/json allows 10,000
	for name, text := range map[string]string{
		"objects": strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep),
		"arrays":  `{"a":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			var table mgmt.Table
			require.ErrorContains(t, table.UnmarshalJSON([]byte(text)), "depth")
			require.Empty(t, table)
		})
	}
}

func TestTable_SendsWhatIsNestedAlmostAsDeepAsItMay(t *testing.T) {
	var list any = "inmost"
	for range 9_000 {
		list = []any{list}
	}
	text, err := json.Marshal(mgmt.Table{"list": list})
	require.NoError(t, err)
	require.Contains(t, string(text), `["inmost"]`)
}

func TestTable_RefusesToHoldItself(t *testing.T) {
	table := mgmt.Table{}
	table["list"] = []any{mgmt.Table{"itself": table}}
	_, err := json.Marshal(table)
	require.ErrorContains(t, err, "holds itself")
	require.Less(t, len(err.Error()), 300)
}

func TestTable_KeepsNothingOfTheTableBefore(t *testing.T) {
	for _, before := range []string{`{"a":`, `{"a":1]`, `{"a":1} {"b":2}`, `{"a":1}]`} {
		var table mgmt.Table
		table.UnmarshalJSON([]byte(before)) // isn't one JSON value, which encoding/json never passes
		require.NoError(t, table.UnmarshalJSON([]byte(`{"c":3}`)), before)
		require.Equal(t, mgmt.Table{"c": int64(3)}, table, before)
	}
}

// FuzzTable: what is valid JSON is decoded as encoding/json does it, numbers
// aside, and what is decoded is encoded again to the same.
func FuzzTable(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":[1,2.5,"x",null,true,{"b":{}}]}`, `{"\u0061":"\ud800"}`, "{\"a\":\"\xff\"}", `{"a":1e400}`, ` { "a" : [ ] } `} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.TrimSpace(data)
		if !json.Valid(data) || len(data) == 0 || data[0] != '{' {
			return
		}
		var table mgmt.Table
		require.NoError(t, table.UnmarshalJSON(data))
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		var want map[string]any
		require.NoError(t, decoder.Decode(&want))
		if len(want) == 0 {
			require.Empty(t, table)
			return
		}
		require.True(t, sameJSON(want, map[string]any(table)), "%s: %v and %v", data, want, table)
	})
}

// sameJSON compares values whose numbers are json.Number with those whose are
// not.
func sameJSON(want, got any) bool {
	switch want := want.(type) {
	case json.Number:
		switch got := got.(type) {
		case int64:
			n, err := want.Int64()
			return err == nil && n == got
		case float64:
			f, err := want.Float64()
			return err == nil && f == got
		}
		return want == got
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for key, value := range want {
			if other, ok := got[key]; !ok || !sameJSON(value, other) {
				return false
			}
		}
		return true
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for i := range want {
			if !sameJSON(want[i], got[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, got)
}
