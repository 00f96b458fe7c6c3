package observe

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// A signal is one of the three kinds of telemetry.
type signal string

const (
	traces  signal = "traces"
	metrics signal = "metrics"
	logs    signal = "logs"
)

// path is where OTLP over HTTP takes the signal (OTLP 1.x).
func (s signal) path() string { return "/v1/" + string(s) }

// variable is how the names of the signal's own variables begin.
func (s signal) variable() string { return "OTEL_EXPORTER_OTLP_" + strings.ToUpper(string(s)) + "_" }

// An endpoint is where a signal is sent.
type endpoint struct {
	grpc     bool
	insecure bool
	host     string // with the port
	path     string // of OTLP over HTTP
	own      string // the path that its URL has; "" without a URL
	tls      *tls.Config
}

// errEndpoint doesn't quote what it refuses: a URL may hold credentials.
var errEndpoint = errors.New("its forms are host:port, http://host:4317 or https://host:4317 for gRPC, and http://host:4318 or a URL with a path for HTTP")

// parseEndpoint reads an endpoint. host:port is gRPC without TLS, HTTP at
// port 4318. A URL is gRPC at port 4317 without a path, otherwise HTTP, with
// TLS for https. A protocol as in OTEL_EXPORTER_OTLP_PROTOCOL ("grpc",
// "http/protobuf") decides where it is given.
func parseEndpoint(text, protocol string, sent signal) (endpoint, error) {
	if !strings.Contains(text, "://") {
		if err := checkHostPort(text); err != nil {
			return endpoint{}, err
		}
		_, port, _ := net.SplitHostPort(text)
		return endpoint{host: text, insecure: true, path: sent.path()}.speaking(protocol, port != "4318"), nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return endpoint{}, fmt.Errorf("it isn't a URL (it isn't shown, since it may hold a password): %w", errEndpoint)
	case u.Scheme != "http" && u.Scheme != "https":
		return endpoint{}, fmt.Errorf("its scheme is neither http nor https: %w", errEndpoint)
	case u.User != nil:
		return endpoint{}, errors.New("it holds a user: set the header Authorization by Config.Headers")
	case u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return endpoint{}, fmt.Errorf("it has a query or a fragment: %w", errEndpoint)
	case u.Hostname() == "":
		return endpoint{}, fmt.Errorf("it has no host: %w", errEndpoint)
	}
	e := endpoint{host: u.Host, insecure: u.Scheme == "http", path: strings.TrimRight(u.Path, "/")}
	bare := e.path == ""
	e.own = cmp.Or(u.Path, "/")
	e.path = strings.TrimSuffix(e.path, traces.path()) + sent.path()
	port := u.Port()
	if port == "" {
		port = "443"
		if e.insecure {
			port = "80"
		}
		e.host = net.JoinHostPort(u.Hostname(), port)
	}
	if err := checkHostPort(e.host); err != nil {
		return endpoint{}, err
	}
	return e.speaking(protocol, bare && port == "4317"), nil
}

func (e endpoint) speaking(protocol string, grpc bool) endpoint {
	e.grpc = grpc && protocol == "" || protocol == "grpc"
	return e
}

func checkHostPort(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err != nil || host == "" || strings.ContainsAny(text, "/@?# ") {
		return errEndpoint
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Errorf("its port isn't a number from 1 to 65535: %w", errEndpoint)
	}
	return nil
}

func firstEnv(names ...string) string {
	for _, name := range names {
		if value := strings.TrimSpace(os.Getenv(name)); value != "" {
			return value
		}
	}
	return ""
}
