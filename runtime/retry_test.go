package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// FuzzRetryHeader has a handler fail over messages with any headers. Whatever they are,
// the message is tried again or buried, by its copy; a count in them is believed only
// with the server's own record; and the delivery's headers aren't changed.
func FuzzRetryHeader(f *testing.F) {
	f.Add(`{"warren-retry": {"attempt": 2, "exchange": "x", "routing-key": "k", "due": 1, "CC": ["a"]}, "x-death": [{"queue": "q.retry.1s", "reason": "expired"}]}`)
	f.Add(`{"warren-retry": {"attempt": -9, "expiration": 9e18}, "x-death": [{"queue": "q.retry.", "reason": "expired"}, {"queue": "other"}]}`)
	f.Add(`{"warren-retry": {"attempt": 9223372036854775807}, "x-death": "q.retry.1s", "x-first-death-queue": 1}`)
	f.Fuzz(func(t *testing.T, text string) {
		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		decoder.UseNumber()
		var document map[string]any
		if decoder.Decode(&document) != nil {
			return
		}
		headers, _ := field(document).(map[string]any)
		before := field(document)
		route := underPolicy(t, failingRoute(errFailed, runtime.FailurePolicy{}))
		d := delivery("{}")
		d.Headers = maps.Clone(headers)
		transport := new(recorder)
		outcome := runtime.Process(context.Background(), route, d, transport)
		require.True(t, outcome.Pending())
		outcome.Conclude(context.Background(), transport)
		require.Contains(t, []runtime.Settlement{runtime.Retry, runtime.DeadLetter}, outcome.Settlement)
		require.Len(t, transport.sent, 1)
		require.GreaterOrEqual(t, d.Attempt, 1)
		if !expiredInOurs(headers) {
			require.Equal(t, 1, d.Attempt)
		}
		require.Equal(t, before, any(headers), "the tables in it are the broker's")
	})
}

// field returns a value of JSON as a client reads it from a header.
func field(value any) any {
	switch value := value.(type) {
	case map[string]any:
		table := make(map[string]any, len(value))
		for name, v := range value {
			table[name] = field(v)
		}
		return table
	case []any:
		array := make([]any, len(value))
		for i, v := range value {
			array[i] = field(v)
		}
		return array
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		f, _ := value.Float64()
		return f
	default:
		return value
	}
}

// expiredInOurs reports whether the latest death was in a queue where messages of q
// wait.
func expiredInOurs(headers map[string]any) bool {
	deaths, _ := headers["x-death"].([]any)
	if len(deaths) == 0 {
		return false
	}
	latest, _ := deaths[0].(map[string]any)
	queue, _ := latest["queue"].(string)
	return latest["reason"] == "expired" && len(queue) >= len("q.retry.") && queue[:len("q.retry.")] == "q.retry."
}
