package mgmt

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/warrenmq/warren/internal/masked"
)

// URIs are addresses of brokers for a shovel or a federation upstream, such as
// "amqp://user:password@host/vhost". Printed, logged or encoded as JSON they come
// with "***" for user and password.
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
	all := make([]string, len(u))
	for i, uri := range u {
		all[i] = public(uri)
	}
	return all
}

// public masks what stands before the last "@", and the password of a key file in
// the query. It rather masks more than a secret than less.
func public(uri string) string {
	scheme, rest, found := strings.Cut(uri, "://")
	if !found {
		scheme, rest = "", uri
	} else {
		scheme += "://"
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = hidden + rest[at:]
	}
	address, query, hasQuery := strings.Cut(rest, "?")
	if !hasQuery {
		return scheme + rest
	}
	parameters := strings.Split(query, "&")
	for i, parameter := range parameters {
		key, _, _ := strings.Cut(parameter, "=")
		if name, err := url.QueryUnescape(key); err != nil || strings.EqualFold(name, "password") {
			parameters[i] = key + "=" + hidden
		}
	}
	return scheme + address + "?" + strings.Join(parameters, "&")
}
