package rabbitmq_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// fields are values of headers, and of the arguments by which bindings ask for them.
var fields = []any{
	3, int8(3), uint16(3), float32(3), 3.0, 3.5, float32(3.5), "3",
	"text", []byte("text"), true, false, 1, 0, nil,
	time.Unix(3, 0), time.Unix(7, 0), 7, 7.0, "7",
	map[string]any{"a": 3},
	map[string]any{"a": int8(3)},
	map[string]any{"a": 3.0},
	map[string]any{"a": time.Unix(3, 0)},
	[]any{3},
	[]any{int8(3)},
	[]any{3.0},
	[]any{time.Unix(3, 0)},
	[]any{"text"},
	[]any{[]byte("text")},
	[]any{},
}

// A comparison is a binding beside a header, by their indexes in fields.
type comparison struct{ binding, header int }

func (c comparison) String() string {
	return fmt.Sprintf("a binding for %T %[1]v, a header of %T %[2]v", fields[c.binding], fields[c.header])
}

// comparisons returns what matches as a headers exchange of b sees it.
func comparisons(t *testing.T, b runtime.Broker) map[comparison]bool {
	t.Helper()
	routes := make([]runtime.Route, len(fields))
	for i, field := range fields {
		name := queue(t).Name
		routes[i] = runtime.Route{
			Name: name, Queue: runtime.Queue{Name: name, AutoDelete: true}, Handler: silent,
			Exchange:         &runtime.Exchange{Name: name, Type: runtime.Headers, AutoDelete: true},
			BindingArguments: map[string]any{"h": field},
		}
	}
	require.NoError(t, b.Start(t.Context(), router(t, routes...)))
	matches := make(map[comparison]bool)
	for i, route := range routes {
		for j, field := range fields {
			err := b.Publish(t.Context(), runtime.Address{Exchange: route.Exchange.Name}, &runtime.Message{Headers: map[string]any{"h": field}})
			if err != nil {
				require.ErrorIs(t, err, runtime.ErrUnroutable)
			}
			matches[comparison{i, j}] = err == nil
		}
	}
	return matches
}

// headersCompared holds the broker in memory to a node, for each two values. They agree
// from RabbitMQ 4.0 on; 3.10 compares integers, floats and times as numbers.
func headersCompared(t *testing.T, node *rabbitnode.Node, version int) {
	inMemory := memory.New(memory.Config{})
	defer func() { require.NoError(t, inMemory.Shutdown(t.Context())) }()
	real, have := comparisons(t, open(t, node.URL())), comparisons(t, inMemory)
	for pair, matches := range real {
		want := have[pair]
		a, isNumber := number(fields[pair.binding])
		b, isOther := number(fields[pair.header])
		if version < 400 && isNumber && isOther {
			want = a == b
		}
		require.Equal(t, want, matches, pair)
	}
}

// number returns the value of an integer, a float or a time.
func number(field any) (n float64, ok bool) {
	switch field := field.(type) {
	case int:
		return float64(field), true
	case int8:
		return float64(field), true
	case uint16:
		return float64(field), true
	case float32:
		return float64(field), true
	case float64:
		return field, true
	case time.Time:
		return float64(field.Unix()), true
	}
	return 0, false
}
