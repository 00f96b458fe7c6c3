package mgmt

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/warrenmq/warren/internal/masked"
)

const (
	defaultURL              = "http://localhost:15672"
	defaultCredential       = "guest" // user and password of a new RabbitMQ
	defaultTimeout          = 10 * time.Second
	defaultMaxResponseBytes = 64 << 20 // the list of 45,000 queues of RabbitMQ 3.10
	defaultUserAgent        = "warren-mgmt"
)

// A Config says where the management API is and who calls it. The zero Config
// is the broker of a developer's machine: http://localhost:15672, guest and
// guest. Production needs https and credentials of its own (specification,
// Authentication rules 1 and 2).
type Config struct {
	// URL is the address of the management listener, http or https, with the path
	// of a reverse proxy if there is one, and without /api, user and password. The
	// default is http://localhost:15672.
	URL string

	// Username and Password are sent with every call, by HTTP Basic
	// authentication. The default is guest and guest. One without the other is
	// refused, and so is a colon in the user name, which HTTP Basic authentication
	// can't send (RFC 7617).
	Username string
	Password string

	// Timeout bounds a call from its start to the last byte of the answer, or,
	// where an answer is passed on as it comes (sequences, definitions), each wait
	// for more of it. The default is 10 seconds; negative means that only the
	// context bounds.
	Timeout time.Duration

	// MaxResponseBytes bounds the answer to one request, decompressed. The
	// default is 64 MiB. What is larger fails with ErrTooLarge.
	MaxResponseBytes int64

	// Transport sends the requests. It remains the caller's: Close doesn't close
	// it. The default is a pool of connections of the client's own, which closes
	// idle ones before the broker does.
	Transport http.RoundTripper

	// TLS is used with https by the default transport. New clones it. The default
	// trusts the system's certificates.
	TLS *tls.Config

	// Compress asks for compressed answers: worth it where the network is slower
	// than 10 MB a second, since the broker takes twice as long.
	Compress bool

	// UserAgent is sent with every call. The default is "warren-mgmt".
	UserAgent string

	// Logger gets one warning when credentials would cross a network in the clear
	// or are the well-known ones. Nil means that nothing is logged.
	Logger *slog.Logger

	// RequireSecure makes that warning an error.
	RequireSecure bool
}

// ErrScheme refuses an address that is neither http nor https.
var ErrScheme = errors.New("the scheme isn't http or https")

// withDefaults returns c with its defaults and its parsed address, or why New
// refuses it.
func (c Config) withDefaults() (Config, *url.URL, error) {
	base, err := parseURL(cmp.Or(c.URL, defaultURL))
	if err != nil {
		return c, nil, err
	}
	if (c.Username == "") != (c.Password == "") {
		return c, nil, errors.New("one of Username and Password is empty: set both or neither")
	}
	c.Username = cmp.Or(c.Username, defaultCredential)
	c.Password = cmp.Or(c.Password, defaultCredential)
	if strings.Contains(c.Username, ":") {
		return c, nil, errors.New("the Username contains a colon, with which HTTP Basic authentication can't log in: use another user")
	}
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	c.UserAgent = cmp.Or(c.UserAgent, defaultUserAgent)
	if c.MaxResponseBytes < 1 {
		c.MaxResponseBytes = defaultMaxResponseBytes
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, base, nil
}

// parseURL refuses what isn't an address of a management listener. Its errors
// don't quote the URL, as the parser's own do: it may hold a password.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("URL isn't valid (it isn't shown, since it may hold a password): its form is https://host:15671")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("URL: %w: its form is https://host:15671", ErrScheme)
	case u.User != nil:
		return nil, errors.New("URL holds a user: use Username and Password")
	case u.Hostname() == "" || u.Opaque != "":
		return nil, errors.New("URL has no host: its form is https://host:15671")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, errors.New("URL has a query: leave it out")
	case strings.Contains(text, "#"):
		return nil, errors.New("URL has a fragment: leave it out")
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	if u.Path == "/api" || strings.HasSuffix(u.Path, "/api") {
		return nil, errors.New("URL ends in /api, which the client adds: leave it out")
	}
	return u, nil
}

// insecure returns why c's credentials aren't safe to send to base, or "".
func (c Config) insecure(base *url.URL) string {
	if isLoopback(base.Hostname()) {
		return ""
	}
	switch {
	case base.Scheme == "http":
		return "credentials cross the network in the clear: use https"
	case c.Username == defaultCredential && c.Password == defaultCredential:
		return "the credentials are RabbitMQ's well-known defaults: set others"
	}
	return ""
}

func isLoopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// String describes the configuration without the password.
func (c Config) String() string {
	address := "invalid"
	if base, err := parseURL(cmp.Or(c.URL, defaultURL)); err == nil {
		address = base.String()
	}
	return fmt.Sprintf("mgmt.Config{URL: %s, Username: %q}", address, cmp.Or(c.Username, defaultCredential))
}

// GoString is String: a %#v of a configuration doesn't show the password either.
func (c Config) GoString() string { return c.String() }

// Format is String for every verb.
func (c Config) Format(f fmt.State, _ rune) { masked.Format(f, c) }

// LogValue is what slog shows.
func (c Config) LogValue() slog.Value { return masked.LogValue(c) }

// MarshalJSON writes the data, with "***" for the password and for a URL that New
// refuses, which may hold one. Transport, TLS and Logger aren't data.
func (c Config) MarshalJSON() ([]byte, error) {
	address := c.URL
	if _, err := parseURL(cmp.Or(c.URL, defaultURL)); err != nil {
		address = hidden
	}
	return json.Marshal(struct {
		URL, Username, Password string
		Timeout                 time.Duration
		MaxResponseBytes        int64
		Compress                bool
		UserAgent               string
		RequireSecure           bool
	}{address, c.Username, hide(c.Password), c.Timeout, c.MaxResponseBytes, c.Compress, c.UserAgent, c.RequireSecure})
}

// hidden stands for a secret.
const hidden = "***"

// hide returns hidden for a secret, and nothing for none.
func hide(secret string) string {
	if secret == "" {
		return ""
	}
	return hidden
}
