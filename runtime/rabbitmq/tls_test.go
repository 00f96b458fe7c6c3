package rabbitmq_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// TestTLS takes a node that wants its clients' certificates.
func TestTLS(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	ours, theirs := newAuthority(t), newAuthority(t)
	cert, key := ours.issue(t, "server")
	node, err := rabbitnode.Start(ctx,
		rabbitnode.WithTLS(rabbitnode.TLS{CA: ours.pem(), Cert: cert, Key: key}),
		rabbitnode.WithPlugins("rabbitmq_auth_mechanism_ssl"),
		rabbitnode.WithSettings("auth_mechanisms.1 = PLAIN", "auth_mechanisms.2 = EXTERNAL", "ssl_cert_login_from = common_name"))
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	require.NoError(t, node.Control(ctx, "add_user", "warren", "unused"))
	require.NoError(t, node.Control(ctx, "set_permissions", "warren", ".*", ".*", ".*"))
	client := func() *tls.Config {
		return &tls.Config{RootCAs: ours.pool(), Certificates: []tls.Certificate{ours.pair(t, "warren")}}
	}

	t.Run("messages pass", func(t *testing.T) { roundTrip(t, rabbitmq.Config{URL: node.TLSURL(), TLS: client()}) })
	t.Run("a client certificate is a login", func(t *testing.T) {
		external, err := url.Parse(node.TLSURL())
		require.NoError(t, err)
		external.User, external.RawQuery = nil, "auth_mechanism=external"
		roundTrip(t, rabbitmq.Config{URL: external.String(), TLS: client()})
	})
	for name, c := range map[string]struct {
		url    string
		change func(*tls.Config)
		remedy string
	}{
		"an authority that isn't trusted": {node.TLSURL(), func(c *tls.Config) { c.RootCAs = theirs.pool() }, "RootCAs"},
		"a server of another name":        {node.TLSURL(), func(c *tls.Config) { c.ServerName = "other" }, "ServerName"},
		"no client certificate":           {node.TLSURL(), func(c *tls.Config) { c.Certificates = nil }, "Certificates"},
		"a client's foreign certificate": {node.TLSURL(), func(c *tls.Config) {
			c.Certificates = []tls.Certificate{theirs.pair(t, "warren")}
		}, "Certificates"},
		"a port without TLS":       {strings.Replace(node.URL(), "amqp:", "amqps:", 1), func(*tls.Config) {}, "amqp://"},
		"a port with TLS, without": {strings.Replace(node.TLSURL(), "amqps:", "amqp:", 1), func(*tls.Config) {}, "amqps://"},
	} {
		t.Run(name, func(t *testing.T) {
			config := rabbitmq.Config{URL: c.url, TLS: client()}
			c.change(config.TLS)
			if !strings.HasPrefix(c.url, "amqps:") {
				config.TLS = nil
			}
			err := openWith(t, config).Start(ctx, runtime.NewRouter())
			require.Error(t, err)
			require.ErrorContains(t, err, c.remedy)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}

// roundTrip sends a message and handles it.
func roundTrip(t *testing.T, config rabbitmq.Config) {
	t.Helper()
	q, got := queue(t), make(chan string, 1)
	q.Durable, q.AutoDelete = false, true
	b := start(t, openWith(t, config), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		got <- string(body)
		return nil
	})})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("1")}))
	require.Equal(t, "1", <-got)
}

// An authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	require.NoError(t, err)
	a.cert, err = x509.ParseCertificate(raw)
	require.NoError(t, err)
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return key
}

// issue returns a certificate and its key, in PEM.
func (a *authority) issue(t *testing.T, name string) (cert, key []byte) {
	t.Helper()
	private := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, a.cert, private.Public(), a.key)
	require.NoError(t, err)
	rawKey, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return block("CERTIFICATE", raw), block("PRIVATE KEY", rawKey)
}

func (a *authority) pair(t *testing.T, name string) tls.Certificate {
	t.Helper()
	pair, err := tls.X509KeyPair(a.issue(t, name))
	require.NoError(t, err)
	return pair
}

func (a *authority) pem() []byte { return block("CERTIFICATE", a.cert.Raw) }

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

func block(kind string, raw []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw})
}
