//lint:file-ignore SA5008,U1000 Tags that encoding/json ignores are what is tested here.

package schema_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

type (
	// Two embedded structs of one depth, and one below the first.
	left  struct{ Both, Left, Shadow int }
	right struct {
		Both   int
		Tagged int `json:"Left"`
		deep
	}
	deep struct{ Deep, Shadow int }

	Status  string
	hidden  int
	Iface   any
	Pointed struct{ Far int }
)

func TestRule20_Dominance(t *testing.T) {
	s := object[struct {
		left
		right
		Shadow string
	}](t)
	require.Equal(t, []string{"Left", "Deep", "Shadow"}, names(s),
		"of equal depth a tag wins, two without drop each other, and the least depth wins")
	require.Equal(t, "integer", s.Properties.Get("Left").Type[0])
	require.Equal(t, "string", s.Properties.Get("Shadow").Type[0])
}

type (
	once  struct{ shared }
	twice struct{ shared }

	shared struct{ Inner int }
)

func TestRule20_RepeatedStructsHideTheirFields(t *testing.T) {
	require.Empty(t, names(object[struct {
		once
		twice
	}](t)))
}

func TestRule20_NamesAreCaseSensitive(t *testing.T) {
	require.Equal(t, []string{"x", "X"}, names(object[struct {
		A int `json:"x"`
		B int `json:"X"`
	}](t)))
}

func TestRule21_Names(t *testing.T) {
	require.Equal(t, namesByEngine,
		names(object[struct {
			Valid      int `json:"a-b.c/d $%"`
			Letters    int `json:"ключ"`
			Quote      int `json:"a\"b"`
			Apostrophe int `json:"a'b"`
			Backslash  int `json:"a\\b"`
			Dash       int `json:"-,"`
			Out        int `json:"-"`
			Unknown    int `json:",unknown"`
			Other      int `yaml:"other"`
		}](t)))
}

// Go vet refuses these structs, so they are made at run time.
func structOf(fields ...reflect.StructField) *schema.Schema {
	return schema.Build([]schema.Type{schema.Reflect(reflect.StructOf(fields))}).Payloads[0]
}

func TestRule21_TextThatIsNoTag(t *testing.T) {
	require.Equal(t, []string{"Text"}, names(structOf(
		reflect.StructField{Name: "Text", Type: reflect.TypeFor[int](), Tag: "json:a"},
	)))
}

func TestRule22_UnexportedFields(t *testing.T) {
	integer := reflect.TypeFor[int]()
	require.Equal(t, []string{"A"}, names(structOf(
		reflect.StructField{Name: "A", Type: integer},
		reflect.StructField{Name: "b", Type: integer, Tag: `json:"b"`, PkgPath: "example.com/shop"},
		reflect.StructField{Name: "_", Type: integer, PkgPath: "example.com/shop"},
	)))
}

func TestRule23_Embedding(t *testing.T) {
	s := object[struct {
		deep
		Status
		hidden
		Iface
		error
	}](t)
	require.Equal(t, []string{"Deep", "Shadow", "Status", "Iface"}, names(s))
	require.Equal(t, names(s), s.Required)
}

func TestRule24_EmbeddedPointersAreOptional(t *testing.T) {
	set := build[struct {
		*Pointed
		Near int
	}]()
	require.Equal(t, []string{"Far", "Near"}, names(set.Payloads[0]))
	require.Equal(t, []string{"Near"}, set.Payloads[0].Required)
	require.Empty(t, set.Problems)
}

type Nested struct{ Pointed }

func TestRule24_EverythingBehindAnEmbeddedPointerIsOptional(t *testing.T) {
	require.Empty(t, object[struct{ *Nested }](t).Required)
}

func TestRule24_EmbeddedPointerToUnexported(t *testing.T) {
	type Order struct{ *deep }
	set := build[Order]()
	require.Len(t, set.Problems, 1)
	require.Equal(t, diagnostic.Error, set.Problems[0].Severity)
	require.Equal(t, "Order.deep", set.Problems[0].Path)
	require.Contains(t, set.Problems[0].What, "can't set an embedded pointer to an unexported type")
}

func TestRule25_EmbeddedWithTag(t *testing.T) {
	require.Equal(t, []string{"named", "Far"}, names(object[struct {
		deep    `json:"named"`
		Pointed `json:",omitempty"`
		left    `json:"-"`
	}](t)))
}

type (
	stamped struct {
		text1
		Extra int
	}
	stampedByName struct {
		text1 `json:"at"`
		Extra int
	}
	cancelled struct {
		text1
		level1
		Extra int
	}
	event struct {
		time.Time
		Extra int
	}
)

func TestRule26_PromotedMarshalers(t *testing.T) {
	for name, c := range map[string]struct{ got, want string }{
		"whole":     {document(t, build[[1]stamped]()), `{"title":"stamped","type":"string"}`},
		"tagged":    {document(t, build[[1]stampedByName]()), `{"title":"stampedByName","type":"string"}`},
		"cancelled": {document(t, build[[1]cancelled]()), `{"title":"cancelled","type":"object","properties":{"Extra":{"type":"integer","format":"int64"}},"required":["Extra"]}`},
		"time":      {document(t, build[[1]event]()), `{"title":"event"}`},
	} {
		require.Contains(t, c.got, c.want, name)
	}
}

func TestRule27_OmitEmpty(t *testing.T) {
	s := object[struct {
		Bool   bool           `json:",omitempty"`
		Int    int            `json:",omitempty"`
		Text   string         `json:",omitempty"`
		Slice  []int          `json:",omitempty"`
		Map    map[string]int `json:",omitempty"`
		Any    any            `json:",omitempty"`
		None   [0]int         `json:",omitempty"`
		One    [1]int         `json:",omitempty"`
		Struct struct{}       `json:",omitempty"`
		Time   time.Time      `json:",omitempty"`
		Zero   time.Time      `json:",omitzero"`
		Always []int
	}](t)
	require.Equal(t, []string{"One", "Struct", "Time", "Always"}, s.Required)
	require.Equal(t, schema.Types{"array"}, s.Properties.Get("Slice").Type, "nil is left out, never null")
	require.Equal(t, schema.Types{"object"}, s.Properties.Get("Map").Type)
	require.Equal(t, schema.Types{"array", "null"}, s.Properties.Get("Always").Type)
}
