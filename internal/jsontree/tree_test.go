package jsontree_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/jsontree"
)

func parse(t *testing.T, name, text string) *jsontree.Node {
	t.Helper()
	n, err := jsontree.Parse(name, []byte(text))
	require.NoError(t, err)
	return n
}

func TestParse_YAMLAndJSONGiveOneTree(t *testing.T) {
	json := parse(t, "a.json", "{\n  \"a\": [1, 2.5, \"x\", null, true],\n  \"b\": {\"c\": \"yes\", \"d\": 16}\n}")
	yaml := parse(t, "a.yml", "a: [1, 2.5, x, ~, true]\nb: &b\n  c: 'yes'\n  d: 0x10\n")
	require.True(t, jsontree.Equal(json, yaml))
	require.Equal(t, json.Value(), yaml.Value())
	require.Equal(t, 3, json.Get("b").Get("d").Line)
	require.Equal(t, 26, json.Get("b").Get("d").Column)
	require.Equal(t, 4, yaml.Get("b").Get("d").Line)
	require.Equal(t, 6, yaml.Get("b").Get("d").Column)
	require.True(t, jsontree.Equal(parse(t, "a.yaml", "a: &x {b: 1}\nc: *x"), parse(t, "", `{"c":{"b":1},"a":{"b":1}}`)))
}

func TestParse_PassesOverAByteOrderMark(t *testing.T) {
	root := parse(t, "a.json", "\ufeff{\"a\": 1}")
	require.Equal(t, []int{1, 7}, []int{root.Get("a").Line, root.Get("a").Column})
}

func TestParse_Refuses(t *testing.T) {
	laughs := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for _, i := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		before := string(i[0] - 1)
		laughs += "a" + i + ": &a" + i + " [" + strings.TrimSuffix(strings.Repeat("*a"+before+",", 10), ",") + "]\n"
	}
	for text, want := range map[string]string{
		"a.json\n":                                "line 1, column 1: the text ends within the value",
		"a.json\n{\"a\": 1,\n \"a\": 2}":          `line 2, column 2: a second member "a": readers would choose one`,
		"a.json\n{\"a\": {\"b\": 1, \"b\": 2}}":   `line 1, column 16: a second member "b"`,
		"a.json\n{} {}":                           "something follows the value",
		"a.json\n[1,\n 2":                         "line 2, column 3: the text ends within the value",
		"a.json\n" + strings.Repeat("[", 2000):    "more than 1000 deep",
		"a.yaml\n":                                "the text is empty",
		"a.yaml\na: 1\na: 2":                      `a second member "a"`,
		"a.yaml\na: .nan":                         "JSON has no number .nan",
		"a.yaml\na: !x 1":                         "the tag !x has no form in JSON",
		"a.yaml\na: 1\n---\na: 2":                 "more than one YAML document",
		"a.yaml\na: &b {c: 1}\nd: {<<: *b, e: 1}": "merge keys (<<) aren't read",
		"a.yaml\n? [a]\n: 1":                      "the name of a member is no text",
		"a.yaml\n" + laughs:                       "the value is too large, or contains itself",
	} {
		name, content, _ := strings.Cut(text, "\n")
		_, err := jsontree.Parse(name, []byte(content))
		require.ErrorContains(t, err, want)
	}
}

func TestAt_FollowsPointers(t *testing.T) {
	n := parse(t, "", `{"a/b": [{"~": 1}]}`)
	at, err := n.At("/a~1b/0" + jsontree.Step("~"))
	require.NoError(t, err)
	require.Equal(t, "1", at.Text)
	_, err = n.At("/a~1b/1")
	require.EqualError(t, err, `there is no "1" at that place`)
}

func TestResolve_FollowsReferencesWithinDocument(t *testing.T) {
	root := parse(t, "a.json", `{"a": {"$ref": "#/b"}, "b": {"$ref": "#/c%20d"}, "c d": {"x": 1}, "loop": {"$ref": "#/loop"}, "out": {"$ref": "other.json"}, "gone": {"$ref": "#/z"}}`)
	node, pointer, err := root.Resolve(root.Get("a"), "#/a")
	require.NoError(t, err)
	require.Equal(t, "#/c d", pointer)
	require.Same(t, root.Get("c d"), node)
	for name, want := range map[string]string{"loop": "back to itself", "out": "out of the document", "gone": "leads nowhere"} {
		node, _, err := root.Resolve(root.Get(name), "#/"+name)
		require.Nil(t, node)
		require.ErrorContains(t, err, want)
	}
}

func TestIsYAML_ByTheExtension(t *testing.T) {
	for name, want := range map[string]bool{"a.yaml": true, "a.YML": true, "a.json": false, "a": false, "a.txt": false, "a.yaml/b": false} {
		require.Equal(t, want, jsontree.IsYAML(name), name)
	}
}

func TestGet_FindsMembersOfSmallAndLargeObjects(t *testing.T) {
	for _, members := range []int{0, 1, 16, 17, 100} {
		var all []string
		for i := range members {
			all = append(all, fmt.Sprintf(`"m%d": %d`, i, i))
		}
		n := parse(t, "a.json", "{"+strings.Join(all, ",")+"}")
		for i := range members {
			require.Equal(t, json.Number(strconv.Itoa(i)), n.Get(fmt.Sprint("m", i)).Value())
		}
		require.Nil(t, n.Get("other"))
	}
	var none *jsontree.Node
	require.Nil(t, none.Get("m"))
	require.Nil(t, none.Value())
	require.Nil(t, parse(t, "a.json", `[1]`).Get("m"))
}

// YAML may lie as deep as JSON.
func TestParse_BoundsTheDepth(t *testing.T) {
	for _, name := range []string{"a.json", "a.yaml"} {
		deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + "1" + strings.Repeat("]", n)) }
		_, err := jsontree.Parse(name, deep(1000))
		require.NoError(t, err, name)
		_, err = jsontree.Parse(name, deep(1001))
		require.Error(t, err, name)
	}
}

// Of the aliases each counts with what it stands for.
func TestParse_BoundsWhatAliasesMakeOfYAML(t *testing.T) {
	stands := func(items, aliases int) []byte {
		return []byte("a: &a [" + strings.Repeat("x,", items) + "]\nb: [" + strings.Repeat("*a,", aliases) + "]")
	}
	_, err := jsontree.Parse("a.yaml", stands(997, 1000))
	require.NoError(t, err, "a million values")
	_, err = jsontree.Parse("a.yaml", append(stands(997, 1000), "\nc: 1"...))
	require.ErrorContains(t, err, "too large")
}

func TestStr_IsTheTextOfAStringOnly(t *testing.T) {
	require.Equal(t, "7", parse(t, "a.json", `"7"`).Str())
	require.Empty(t, parse(t, "a.json", "7").Str())
	require.Empty(t, parse(t, "a.json", "{}").Get("a").Str())
}

func TestEqual_ComparesAllOfAValue(t *testing.T) {
	values := []string{
		`null`, `true`, `false`, `1`, `"1"`, `"a"`, `[]`, `[1]`, `[1,2]`, `[2,1]`, `{}`, `{"a":1}`, `{"a":2}`, `{"b":1}`, `{"a":1,"b":2}`, `{"a":1,"c":2}`, `{"a":{"b":[1]}}`, `{"a":{"b":[2]}}`,
	}
	for i, one := range values {
		for k, other := range values {
			require.Equal(t, i == k, jsontree.Equal(parse(t, "", one), parse(t, "", other)), "%s and %s", one, other)
		}
	}
	require.True(t, jsontree.Equal(nil, nil))
	require.False(t, jsontree.Equal(nil, parse(t, "", `null`)))
	require.False(t, jsontree.Equal(parse(t, "", `null`), nil))
}
