package jsonlog_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/redact"
)

// FuzzRecord: whatever is logged is one line of valid JSON in which no object
// has a key twice.
func FuzzRecord(f *testing.F) {
	f.Add("order taken", "a", "b", "g", "text", 1.5, []byte(`{"x":[1,{"x":2}]}`))
	f.Add("a\xff", "event", "event", "event", "\u2028", 0.0, []byte(`{"a":1,"a":2}`))
	f.Add("", "", "", "", "", -1e300, []byte(`nul`))
	redactor, err := redact.New(redact.Config{})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, event, a, b, group, text string, number float64, raw []byte) {
		var out bytes.Buffer
		log := slog.New(jsonlog.NewHandler(&out, &jsonlog.Options{Redact: redactor, Service: "s"}))
		log.With(a, text).WithGroup(group).With(b, number).Info(event, a, json.RawMessage(raw), b, text,
			slog.Group(a, b, text, a, number), slog.Group("", a, text))

		require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")))
		require.True(t, json.Valid(out.Bytes()), "%q", out.String())
		noKeyTwice(t, out.Bytes())
	})
}

func noKeyTwice(t *testing.T, text []byte) {
	t.Helper()
	type object struct {
		keys  map[string]bool
		isKey bool
	}
	var stack []*object
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
		var top *object
		if len(stack) > 0 {
			top = stack[len(stack)-1]
		}
		if key, ok := token.(string); ok && top != nil && top.keys != nil && top.isKey {
			require.False(t, top.keys[key], "%q comes twice in %s", key, text)
			top.keys[key], top.isKey = true, false
			continue
		}
		if d, ok := token.(json.Delim); ok && (d == '}' || d == ']') {
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				stack[len(stack)-1].isKey = true
			}
			continue
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, &object{keys: map[string]bool{}, isKey: true})
		case json.Delim('['):
			stack = append(stack, &object{})
		default:
			if top != nil {
				top.isKey = true
			}
		}
	}
}
