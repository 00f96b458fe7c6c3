//go:build goexperiment.jsonv2

//lint:file-ignore SA5008 Tags that only the engine of encoding/json/v2 reads are what is tested here.

package schema_test

import (
	"encoding/json"
	"encoding/json/jsontext"
	"testing"

	"github.com/stretchr/testify/require"
)

// namesByEngine are those of TestRule21_Names. Three of the tags end at a quote or
// a backslash, so that their fields are all named a and hide each other; an int
// can't take unknown members.
var namesByEngine = []string{"a-b.c/d $%", "ключ", "-", "Other"}

// quotedIntByEngine is the pattern of an int that is read in quotes: with a plus,
// too.
const quotedIntByEngine = `^([-+]?[0-9]+|null)$`

// repeatsNames reports whether an object has two members of one name: a field, and
// one of a map that takes members of other names. Of the two, schemas see one.
func repeatsNames(text []byte) bool {
	return !jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true))
}

func TestRule47_Tags(t *testing.T) {
	type inlined struct{ A, B int }
	type tagged struct {
		Quoted    int     `json:"'it\\'s, \"so\"'"`
		Cut       int     `json:"x'y"`
		Broken    int     `json:"'z"`
		In        inlined `json:",inline"`
		NamedIn   inlined `json:"named,inline"`
		Unfit     int     `json:",inline"`
		UnfitToo  inlined `json:",unknown"`
		Formatted int     `json:"f,format:'a,b',omitempty"`
	}
	s := component(t, build[tagged](), "tagged")
	require.Equal(t, []string{`it's, "so"`, "x", "Broken", "A", "B", "f"}, names(s))
	sameNames[struct {
		Quoted int     `json:"'it\\'s'"`
		Cut    int     `json:"x'y"`
		Broken int     `json:"'z"`
		In     inlined `json:",inline"`
		Unfit  int     `json:",inline"`
	}](t)
}

func TestRule47_QuotedNumbersAreRead(t *testing.T) {
	type quoted struct {
		I int     `json:",string"`
		U uint    `json:",string"`
		F float64 `json:",string"`
	}
	s := compileSet(t, decoding[quoted]())
	for text, read := range map[string]bool{
		`{"I":"+5"}`: true, `{"F":"+1"}`: true, `{"F":".5"}`: true, `{"F":"-Inf"}`: true, `{"F":"infinity"}`: true, `{"F":"nan"}`: true,
		`{"U":"+5"}`: false, `{"I":"1.5"}`: false, `{"F":"+nan"}`: false, `{"F":"e5"}`: false,
	} {
		require.Equal(t, read, json.Unmarshal([]byte(text), new(quoted)) == nil, text)
		require.Equal(t, read, validate(t, s, []byte(text)) == nil, text)
	}
}

func TestRule47_MembersOfAnyName(t *testing.T) {
	type tagged struct {
		A    int
		Rest map[string]int8 `json:",inline"`
	}
	s := component(t, build[tagged](), "tagged")
	require.Equal(t, []string{"A"}, names(s))
	require.Equal(t, `{"type":"integer","minimum":-128,"maximum":127}`, text(t, s.AdditionalProperties))
	writes(tagged{A: 1, Rest: map[string]int8{"b": 7}})(t)

	type raw struct {
		Rest jsontext.Value `json:",unknown"`
	}
	require.Equal(t, `{"title":"raw","type":"object"}`, text(t, component(t, build[raw](), "raw")))
	writes(raw{Rest: jsontext.Value(json.RawMessage(`{"a":1}`))})(t)
}

// Of several fields that take members of any name it is the least deep one, and none
// where that are two.
func TestRule47_MembersOfAnyNameInEmbeddedStructs(t *testing.T) {
	type Deep struct {
		Other map[string]int8 `json:",unknown"`
	}
	type Deeper struct {
		More map[string]int8 `json:",unknown"`
	}
	type near struct {
		Deep
		Deeper
		Rest map[string]int16 `json:",unknown"`
	}
	s := component(t, build[near](), "near")
	require.Equal(t, `{"type":"integer","minimum":-32768,"maximum":32767}`, text(t, s.AdditionalProperties))
	writes(near{Deep: Deep{Other: map[string]int8{"a": 7}}, Rest: map[string]int16{"b": 700}})(t)

	type one struct{ Deep }
	require.Equal(t, `{"type":"integer","minimum":-128,"maximum":127}`, text(t, component(t, build[one](), "one").AdditionalProperties))
	writes(one{Deep{map[string]int8{"a": 7}}})(t)

	type both struct {
		Deep
		Deeper
	}
	require.Nil(t, component(t, build[both](), "both").AdditionalProperties)
	written, err := json.Marshal(both{Deep{map[string]int8{"a": 7}}, Deeper{map[string]int8{"b": 7}}})
	require.NoError(t, err)
	require.Equal(t, `{}`, string(written))
}
