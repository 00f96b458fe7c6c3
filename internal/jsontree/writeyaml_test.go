package jsontree_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/internal/jsontree"
)

// requireSame requires that YAML made of a JSON text says the same.
func requireSame(t *testing.T, text []byte) {
	t.Helper()
	var want any
	require.NoError(t, json.Unmarshal(text, &want))
	made, err := jsontree.ToYAML(text, "# made")
	require.NoError(t, err)
	var got any
	require.NoError(t, yaml.Unmarshal(made, &got))
	asJSON, err := json.Marshal(got)
	require.NoError(t, err, "%s", made)
	require.JSONEq(t, string(text), string(asJSON), "%s", made)
	read, err := jsontree.Parse("a.yaml", made)
	require.NoError(t, err, "%s", made)
	original, err := jsontree.Parse("a.json", text)
	require.NoError(t, err)
	require.True(t, jsontree.Equal(original, read), "%s", made)
}

func TestToYAML_SaysWhatJSONSays(t *testing.T) {
	for _, text := range []string{
		`{"no":"no","on":"yes","date":"2020-01-01","n":"1","f":"1e3","null":"null","tilde":"~","empty":"","space":" a ","lines":"a\nb\n\n"}`,
		`{"a":[],"b":{},"c":[[1,-2.5,1e21,0.1],[true,false,null]],"d":"# no comment","e":"a: b","f":"- a","g":"\u2028é😀\u0007","h":"%"}`,
		`{"0x1F":"0x1F","!":"!!str","&a":"*a","{":"}","?":"? a","@":"` + "`" + `","tab":"\ta","octal":"0o17","sexagesimal":"1:30","inf":".inf"}`,
		`[9007199254740993,18446744073709551615,-0.0,1E+2]`,
		`{"shift":"<<","<<":{"a":1},"b":["<<","<<\n"]}`,
		`{"indented":"\t a\n*","spaces":"  a\nb","empty line":"\n\ta","code":"a:\n\tb\n"}`,
		`"text"`, `1`, `null`,
	} {
		requireSame(t, []byte(text))
	}
}

func TestToYAML_KeepsTheOrder(t *testing.T) {
	made, err := jsontree.ToYAML([]byte(`{"z":{"b":1,"a":[{"y":2,"x":3}]},"a":"1"}`), "# made")
	require.NoError(t, err)
	require.Equal(t, "# made\nz:\n  b: 1\n  a:\n    - y: 2\n      x: 3\na: \"1\"\n", string(made))
}

func TestToYAML_RefusesWhatIsNoJSON(t *testing.T) {
	for _, text := range []string{"", "{", `{"a"`, `{"a":`, `[1,`, "x"} {
		_, err := jsontree.ToYAML([]byte(text), "")
		require.Error(t, err, text)
	}
}
