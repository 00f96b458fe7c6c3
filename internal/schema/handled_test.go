package schema_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

type cell interface{ Text() string }

type textCell string

func (c textCell) Text() string { return string(c) }

// tableRow reads its cells by a method.
type tableRow struct {
	Title string
	Cells []cell
}

func (r *tableRow) UnmarshalJSON(data []byte) error {
	var read struct {
		Title string
		Cells []textCell
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	r.Title, r.Cells = read.Title, nil
	for _, c := range read.Cells {
		r.Cells = append(r.Cells, c)
	}
	return nil
}

type plainRow struct{ Cells []cell }

func TestRule18_InterfacesThatTheTypeAroundReadsAreAWarning(t *testing.T) {
	for name, types := range map[string][]reflect.Type{
		"first": {reflect.TypeFor[tableRow](), reflect.TypeFor[plainRow]()},
		"last":  {reflect.TypeFor[plainRow](), reflect.TypeFor[tableRow]()},
	} {
		t.Run(name, func(t *testing.T) {
			var payloads []schema.Type
			for _, typ := range types {
				payloads = append(payloads, schema.Reflect(typ))
			}
			severity := map[string]diagnostic.Severity{}
			for _, p := range schema.Build(payloads).Problems {
				if p.Code == diagnostic.InterfaceType {
					severity[p.Path] = p.Severity
				}
			}
			assert.Equal(t, map[string]diagnostic.Severity{"tableRow.Cells[]": diagnostic.Warning, "plainRow.Cells[]": diagnostic.Error}, severity)
		})
	}
	var r tableRow
	require.NoError(t, json.Unmarshal([]byte(`{"Title":"a","Cells":["b"]}`), &r))
	assert.Equal(t, "b", fmt.Sprint(r.Cells[0]))
}
