package rabbitmq

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

// plain returns the URL for a connection to an address that is secured by the
// configuration already, nil for one that isn't to be secured. A user takes the place of
// the URL's. The client library isn't asked to
// do it, because the header filter has to be above TLS.
func plain(raw, address string, user *url.Userinfo, own *tls.Config) (string, *tls.Config, error) {
	uri, err := amqp.ParseURI(raw)
	if err != nil {
		return "", nil, errURL
	}
	parsed, err := url.Parse(raw)
	if err != nil {
		return "", nil, errURL
	}
	parsed.Host = address
	if user != nil {
		parsed.User = user
	}
	if uri.Scheme != "amqps" {
		return parsed.String(), nil, nil
	}
	config := own.Clone()
	if config == nil {
		if config, err = tlsOf(uri); err != nil {
			return "", nil, err
		}
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return "", nil, fmt.Errorf("the address %s: %w", address, err)
	}
	config.ServerName = cmp.Or(config.ServerName, host)
	parsed.Scheme = "amqp"
	return parsed.String(), config, nil
}

// tlsOf reads the parameters of the URL (RabbitMQ, URI query parameters).
func tlsOf(uri amqp.URI) (*tls.Config, error) {
	config := &tls.Config{ServerName: uri.ServerName, MinVersion: tls.VersionTLS12}
	if uri.CACertFile != "" {
		authority, err := os.ReadFile(uri.CACertFile)
		if err != nil {
			return nil, fmt.Errorf("read the URL's cacertfile: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(authority)
	}
	if uri.CertFile != "" && uri.KeyFile != "" {
		pair, err := tls.LoadX509KeyPair(uri.CertFile, uri.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read the URL's certfile and keyfile: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
