package mgmt

import (
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/warrenmq/warren/internal/masked"
)

// URIs are addresses of brokers for a shovel or a federation upstream, such as
// "amqp://user:password@host/vhost". Printed, logged or encoded they come
// without user and password.
type URIs []string

// String returns the addresses without credentials.
func (u URIs) String() string { return fmt.Sprint(u.public()) }

// GoString is String.
func (u URIs) GoString() string { return u.String() }

// Format is String for every verb.
func (u URIs) Format(f fmt.State, _ rune) { masked.Format(f, u) }

// LogValue is what slog shows.
func (u URIs) LogValue() slog.Value { return masked.LogValue(u) }

// MarshalJSON writes the addresses without credentials.
func (u URIs) MarshalJSON() ([]byte, error) { return json.Marshal(u.public()) }

func (u URIs) public() []string {
	public := make([]string, len(u))
	for i, uri := range u {
		public[i] = withoutCredentials(uri)
	}
	return public
}

// or returns the addresses as they are sent, or otherwise if there are none.
func (u URIs) or(otherwise string) []string {
	if len(u) == 0 {
		return []string{otherwise}
	}
	return u
}
