package masked_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/masked"
)

// A login is what the comment of the package shows.
type login struct{ User, Password string }

func (l login) String() string               { return fmt.Sprintf("login of %q", l.User) }
func (l login) GoString() string             { return l.String() }
func (l login) Format(f fmt.State, _ rune)   { masked.Format(f, l) }
func (l login) LogValue() slog.Value         { return masked.LogValue(l) }
func (l login) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(l) }

const want = `login of "ops"`

var value = login{User: "ops", Password: "s3cret"}

func TestFormat_WritesTheStringForEveryVerb(t *testing.T) {
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%5v", "%-40v"} {
		require.Equal(t, want, fmt.Sprintf(verb, value), verb)
		require.NotContains(t, fmt.Sprintf(verb, struct{ Login login }{value}), value.Password, verb)
	}
}

func TestLogValue_IsTheString(t *testing.T) {
	var b bytes.Buffer
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "login", value)
	require.Contains(t, b.String(), `"login":"login of \"ops\""`)
	require.NotContains(t, b.String(), value.Password)
}

func TestMarshalJSON_IsTheStringInQuotes(t *testing.T) {
	text, err := json.Marshal(map[string]any{"login": value, "pointer": &value})
	require.NoError(t, err)
	require.JSONEq(t, `{"login":"login of \"ops\"","pointer":"login of \"ops\""}`, string(text))
}
