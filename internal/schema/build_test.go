package schema_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
)

// build describes T alone.
func build[T any]() *schema.Set {
	return schema.Build([]schema.Type{schema.Reflect(reflect.TypeFor[T]())})
}

// document is what the set says, in one JSON text: the payload, and under it the
// components where there are any.
func document(t *testing.T, set *schema.Set) string {
	t.Helper()
	doc := struct {
		Payload    *schema.Schema    `json:"payload"`
		Components schema.Properties `json:"components,omitempty"`
	}{Payload: set.Payloads[0]}
	for _, c := range set.Components {
		doc.Components = append(doc.Components, schema.Property{Name: c.Key, Schema: c.Schema})
	}
	return text(t, doc)
}

func text(t *testing.T, v any) string {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(v))
	return string(bytes.TrimSpace(out.Bytes()))
}

// payload is the schema of T, which refers to no component.
func payload[T any](t *testing.T) string {
	t.Helper()
	set := build[T]()
	require.Empty(t, set.Components)
	return text(t, set.Payloads[0])
}

// object is the schema of the anonymous struct T.
func object[T any](t *testing.T) *schema.Schema {
	t.Helper()
	s := build[T]().Payloads[0]
	require.Equal(t, schema.Types{"object"}, s.Type)
	return s
}

func names(s *schema.Schema) []string {
	all := []string{}
	for _, p := range s.Properties {
		all = append(all, p.Name)
	}
	return all
}

func component(t *testing.T, set *schema.Set, key string) *schema.Schema {
	t.Helper()
	for _, c := range set.Components {
		if c.Key == key {
			return c.Schema
		}
	}
	require.Failf(t, "no such component", "want %q, have %v", key, keys(set))
	return nil
}

func keys(set *schema.Set) []string {
	all := []string{}
	for _, c := range set.Components {
		all = append(all, c.Key)
	}
	return all
}

func problems(set *schema.Set) []string {
	all := []string{}
	for _, p := range set.Problems {
		all = append(all, p.Severity.String()+": "+p.Text())
	}
	return all
}
