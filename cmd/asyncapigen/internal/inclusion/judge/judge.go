// Package judge decides in tests which values a schema accepts, by an implementation
// of JSON Schema that others keep.
package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// Compile returns the validator of a schema, which may refer to components. It
// asserts formats, int32 and int64 among them, and contents.
func Compile(t testing.TB, schema, components string) *jsonschema.Schema {
	t.Helper()
	text := fmt.Sprintf(`{"payload":%s,"components":{"schemas":%s}}`, schema, components)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	c.AssertContent()
	c.AssertFormat()
	for name, limits := range map[string][2]float64{"int32": {math.MinInt32, math.MaxInt32}, "int64": {math.MinInt64, math.MaxInt64}} {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error {
			if number, ok := v.(json.Number); ok {
				if value, err := number.Float64(); err != nil || value < limits[0] || value > limits[1] {
					return fmt.Errorf("it isn't of %s", name)
				}
			}
			return nil
		}})
	}
	require.NoError(t, c.AddResource("document.json", value))
	compiled, err := c.Compile("document.json#/payload")
	require.NoError(t, err, text)
	return compiled
}
