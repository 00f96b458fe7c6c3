package mgmt

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/warrenmq/warren/internal/masked"
)

// Connections are given up after idleTimeout because RabbitMQ 4 closes its end
// after 5 seconds (3.10 after 60) without notice, and a request that is on its
// way then is lost: 141 of 400 writes after a pause of 5 seconds failed with
// net/http's own 90 seconds (measured on 4.3).
const idleTimeout = 3 * time.Second

// maxIdleConnections is how many connections a pause leaves open.
const maxIdleConnections = 32

// A Client calls the management API of one broker. It is safe for concurrent
// use. New returns one; the zero Client doesn't work.
type Client struct {
	config   Config            // without the password
	base     string            // the configured address without a slash at its end
	identify func(http.Header) // sets the credentials and the user agent
	buffers  sync.Pool         // of *bytes.Buffer

	mu        sync.Mutex
	transport http.RoundTripper // nil before the first call
	pool      *http.Transport   // the same, if it is ours
	closed    bool
}

// New returns a client. It refuses a configuration that can't work and, with
// RequireSecure, one that isn't safe. It copies config, and opens no
// connection: the first call does.
func New(config Config) (*Client, error) {
	config, base, err := config.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("configure the management client: %w", err)
	}
	if fault := config.insecure(base); fault != "" {
		if config.RequireSecure {
			return nil, fmt.Errorf("configure the management client: %s: %s", base.Host, fault)
		}
		config.Logger.Warn("management API: "+fault, "host", base.Host)
	}
	c := &Client{base: base.String(), identify: identity(config)}
	config.Password, config.TLS = "", config.TLS.Clone()
	c.config = config
	return c, nil
}

// identity returns a function that sets the credentials. They are in its closure
// because what prints a client's fields doesn't find them there.
func identity(config Config) func(http.Header) {
	credentials := base64.StdEncoding.EncodeToString([]byte(config.Username + ":" + config.Password))
	authorization, agent := []string{"Basic " + credentials}, []string{config.UserAgent}
	return func(h http.Header) { h["Authorization"], h["User-Agent"] = authorization, agent }
}

// Close closes the idle connections and makes later calls fail with ErrClosed.
// It sends nothing, and lets running calls end. Closing twice, or before the
// first call, does nothing. A client that is never closed leaves nothing open
// either: its connections end 3 seconds after the last call. The error is
// always nil.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.pool != nil {
		c.pool.CloseIdleConnections()
	}
	return nil
}

// session returns the transport that all calls share. The first one creates it.
// It isn't an [http.Client], which would follow a redirect by GET, and so turn
// a write into a read that succeeds. See docs/decisions/0028.
func (c *Client) session() (http.RoundTripper, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	if c.transport == nil {
		c.transport = c.config.Transport
	}
	if c.transport == nil {
		c.pool = newPool(c.config)
		c.transport = c.pool
	}
	return c.transport, nil
}

func newPool(config Config) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // the one that everything here was measured with
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		Protocols:              protocols,
		TLSClientConfig:        config.TLS,
		DisableCompression:     !config.Compress,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConns:           maxIdleConnections,
		MaxIdleConnsPerHost:    maxIdleConnections,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// Do calls an endpoint that has no method here: the HTTP method on /api/ and
// the segments, each of them one name, which Do checks and escapes.
//
// If in is nil, there is no body. An io.Reader is sent as it is, and not
// closed; anything else is sent as JSON. If out is nil, the answer is
// discarded. It is copied to an io.Writer, and decoded as JSON into any other,
// where a value that doesn't fit is an error. A POST isn't sent again when the
// connection breaks.
//
//	var stats map[string]any
//	err := client.Do(ctx, "GET", []string{"nodes", name, "memory"}, nil, nil, &stats)
func (c *Client) Do(ctx context.Context, method string, segments []string, query url.Values, in, out any) error {
	return c.call(ctx, request{operation: "call the management API", method: method, path: of(segments), query: query, body: in, strict: true, once: method == http.MethodPost}, out)
}

// String returns the address and the user, without the password.
func (c *Client) String() string { return "mgmt.Client{" + c.config.String() + "}" }

// GoString is String.
func (c *Client) GoString() string { return c.String() }

// Format is String for every verb.
func (c *Client) Format(f fmt.State, _ rune) { masked.Format(f, c) }

// LogValue is what slog shows.
func (c *Client) LogValue() slog.Value { return masked.LogValue(c) }

// MarshalJSON is String, as a JSON string.
func (c *Client) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(c) }
