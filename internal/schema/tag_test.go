package schema_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
)

func TestJSONTag_IsWrittenAsItIsRead(t *testing.T) {
	for _, test := range []struct {
		tag  reflect.StructTag
		want string
	}{
		{``, ``},
		{`xml:"a"`, ``},
		{`json:"-"`, `json:"-"`},
		{`json:"-,"`, `json:"-,"`},
		{`json:",other"`, ``},
		{`xml:"a" json:"a b,string,omitempty"`, `json:"a b,omitempty,string"`},
		{`json:",omitzero"`, `json:",omitzero"`},
	} {
		require.Equal(t, test.want, schema.ParseJSONTag(test.tag).String(), string(test.tag))
	}
}

func FuzzJSONTag(f *testing.F) {
	for _, tag := range []string{`json:"a,omitempty"`, `json:"'it\\'s',inline"`, `json:"'a\\\\\"b'"`, `json:"-,unknown"`, "json:\"\x00\""} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		read := schema.ParseJSONTag(reflect.StructTag(tag))
		require.Equal(t, read, schema.ParseJSONTag(reflect.StructTag(read.String())), "%q", read.String())
	})
}
