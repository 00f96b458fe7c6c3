package observe

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/url"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// newExporter returns the exporter of the configuration, or one of OTLP. In front of
// it invalid UTF-8 is replaced and, where asked, personal data is masked.
func newExporter(ctx context.Context, s *settings) (sdktrace.SpanExporter, error) {
	exporter := s.Exporter
	if exporter == nil {
		client := httpClient
		if s.endpoint.grpc {
			client = grpcClient
		}
		started, err := otlptrace.New(ctx, client(s))
		if err != nil {
			return nil, fmt.Errorf("make the exporter: %w", err)
		}
		exporter = started
	}
	exporter = validExporter{exporter}
	if s.Redact != nil && !s.PlainSpans {
		exporter = redactingExporter{exporter, s.Redact}
	}
	return exporter, nil
}

// The exporters read OpenTelemetry's variables themselves. Whether there is TLS, and
// which certificates it trusts, is set all the same: a variable that belongs to
// another endpoint would decide it otherwise.

// grpcClient dials when it first sends.
func grpcClient(s *settings) otlptrace.Client {
	options := []otlptracegrpc.Option{otlptracegrpc.WithEndpoint(s.endpoint.host), otlptracegrpc.WithTLSCredentials(s.endpoint.credentials())}
	if len(s.Headers) > 0 {
		options = append(options, otlptracegrpc.WithHeaders(s.Headers))
	}
	return otlptracegrpc.NewClient(options...)
}

func httpClient(s *settings) otlptrace.Client {
	url, security := s.endpoint.url()
	options := []otlptracehttp.Option{
		otlptracehttp.WithEndpointURL(url), otlptracehttp.WithTLSClientConfig(security),
		otlptracehttp.WithEncoding(otlptracehttp.EncodingProtobuf),
	}
	if len(s.Headers) > 0 {
		options = append(options, otlptracehttp.WithHeaders(s.Headers))
	}
	return otlptracehttp.NewClient(options...)
}

// credentials are those of gRPC.
func (e endpoint) credentials() credentials.TransportCredentials {
	if e.insecure {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(e.tls.Clone()) // nil is the default
}

// url is the endpoint of HTTP, with the configuration of TLS, nil for the default.
func (e endpoint) url() (string, *tls.Config) {
	target := url.URL{Scheme: "https", Host: e.host, Path: e.path}
	security := e.tls.Clone()
	if e.insecure {
		target.Scheme, security = "http", nil
	}
	return target.String(), security
}
