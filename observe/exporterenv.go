package observe

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// otlpEnv returns the first variable of OTEL_EXPORTER_OTLP_<signal>_<setting> and
// OTEL_EXPORTER_OTLP_<setting> that is set, and its value.
func otlpEnv(sent signal, setting string) (name, value string) {
	for _, prefix := range [...]string{sent.variable(), "OTEL_EXPORTER_OTLP_"} {
		if value := firstEnv(prefix + setting); value != "" {
			return prefix + setting, value
		}
	}
	return "", ""
}

// checkHeadersEnv refuses variables that the exporters would print to standard
// error, with the credentials that they hold, and then do without.
// See docs/decisions/0034.
func checkHeadersEnv(sent signal) error {
	for _, name := range [...]string{sent.variable() + "HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"} {
		for i, pair := range strings.Split(firstEnv(name), ",") {
			key, value, found := strings.Cut(pair, "=")
			_, err := url.PathUnescape(value)
			if firstEnv(name) != "" && (!found || !isToken(strings.TrimSpace(key)) || err != nil) {
				return fmt.Errorf("%s: header %d isn't name=value with a percent-encoded value (it isn't shown, since it may hold a password)", name, i+1)
			}
		}
	}
	return nil
}

// isToken reports whether the text can be the name of a header (RFC 9110,
// section 5.6.2).
func isToken(text string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune(marks, c))
	})
}

// tlsFromEnv returns what the variables ..._CERTIFICATE, ..._CLIENT_CERTIFICATE
// and ..._CLIENT_KEY say, nil for nothing. The exporters would go on without a
// file that they can't read.
func tlsFromEnv(sent signal) (*tls.Config, error) {
	rootsName, roots := otlpEnv(sent, "CERTIFICATE")
	certName, cert := otlpEnv(sent, "CLIENT_CERTIFICATE")
	_, key := otlpEnv(sent, "CLIENT_KEY")
	if roots == "" && cert == "" && key == "" {
		return nil, nil
	}
	config := new(tls.Config)
	if roots != "" {
		pem, err := os.ReadFile(roots)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rootsName, err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: the file %q holds no certificate in PEM", rootsName, roots)
		}
	}
	if (cert == "") != (key == "") {
		return nil, errors.New("one of OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY is set without the other: set both")
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", certName, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
