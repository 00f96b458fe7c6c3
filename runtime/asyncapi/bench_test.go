package asyncapi_test

import (
	"encoding/json"
	"fmt"
	goruntime "runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// BenchmarkExtended writes the extended document of 200 routes and 1,000 schemas, which
// refer to each other. The budget is a second.
func BenchmarkExtended(b *testing.B) {
	c := largeContract(1000, 200)
	for b.Loop() {
		text, err := asyncapi.ExtendedFromContract(c, nil).JSON(2)
		require.NoError(b, err)
		b.SetBytes(int64(len(text)))
	}
}

// BenchmarkThree writes the same as AsyncAPI 3.0.0.
func BenchmarkThree(b *testing.B) {
	c := largeContract(1000, 200)
	for b.Loop() {
		text, err := asyncapi3.FromContract(c, nil).JSON(2)
		require.NoError(b, err)
		b.SetBytes(int64(len(text)))
	}
}

// Eight times the routes and schemas are eight times the work: it is counted in what is
// allocated, whatever the machine.
func TestFromContract_IsLinear(t *testing.T) {
	for name, write := range map[string]func(*contract.Contract) ([]byte, error){
		"exact":    func(c *contract.Contract) ([]byte, error) { return asyncapi.FromContract(c, nil).JSON(2) },
		"extended": func(c *contract.Contract) ([]byte, error) { return asyncapi.ExtendedFromContract(c, nil).JSON(2) },
		"3.0.0":    func(c *contract.Contract) ([]byte, error) { return asyncapi3.FromContract(c, nil).JSON(2) },
	} {
		t.Run(name, func(t *testing.T) {
			mallocs := func(n int) float64 {
				c := largeContract(n, n)
				var before, after goruntime.MemStats
				goruntime.ReadMemStats(&before)
				_, err := write(c)
				goruntime.ReadMemStats(&after)
				require.NoError(t, err)
				return float64(after.Mallocs - before.Mallocs)
			}
			one, eight := mallocs(40), mallocs(320)
			require.Less(t, eight, 12*one)
		})
	}
}

// largeContract has n components and some routes.
func largeContract(n, routes int) *contract.Contract {
	c := &contract.Contract{}
	ref := func(i int) *schema.Schema { return &schema.Schema{Ref: fmt.Sprintf("%sT%d", schema.RefPrefix, i%n)} }
	for i := range n {
		s := &schema.Schema{Title: fmt.Sprintf("T%d", i), Type: schema.Types{"object"}, Required: []string{"id"}}
		s.Properties = schema.Properties{
			{Name: "id", Schema: &schema.Schema{Type: schema.Types{"string"}, Pattern: "^[a-z]{3}-[0-9]+$"}},
			{Name: "state", Schema: &schema.Schema{Type: schema.Types{"string"}, Enum: []json.RawMessage{[]byte(`"new"`), []byte(`"done"`)}}},
			{Name: "count", Schema: &schema.Schema{Type: schema.Types{"integer"}, Minimum: "0", Maximum: "4294967295"}},
			{Name: "next", Schema: &schema.Schema{AnyOf: []*schema.Schema{ref(i*7 + 1), {Type: schema.Types{"null"}}}}},
			{Name: "parts", Schema: &schema.Schema{Type: schema.Types{"array", "null"}, Items: ref(i*13 + 5)}},
			{Name: "other", Schema: ref(i*3 + 2)},
		}
		c.Components = append(c.Components, schema.Component{Key: s.Title, Schema: s})
		if i >= routes {
			continue
		}
		route := runtime.Route{Name: fmt.Sprintf("r%d", i), Queue: runtime.Queue{Name: fmt.Sprintf("q%d", i)}}
		c.Channels = append(c.Channels, contract.Channel{Operation: contract.Operation{Route: route}, Schema: ref(i)})
	}
	return c
}
