package observe_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/internal/otlptest"
	"github.com/warrenmq/warren/observe"
)

// sendSpan sends a span by what the configuration and the environment say.
func sendSpan(t *testing.T, c observe.Config) {
	t.Helper()
	c.TraceSampleRate = 1
	o, err := observe.Configure(context.Background(), c)
	require.NoError(t, err)
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(nil)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	require.NoError(t, o.Shutdown(ctx))
}

// setEnv sets the variables of OTLP's exporter.
func setEnv(t *testing.T, variables map[string]string) {
	t.Helper()
	for name, value := range variables {
		t.Setenv("OTEL_EXPORTER_OTLP_"+name, value)
	}
}

// kept is the file of the certificate, in PEM.
func kept(t *testing.T, certificate *x509.Certificate) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}), 0o600))
	return file
}

func TestExporter_SpeaksTLS(t *testing.T) {
	grpc, grpcRoot := otlptest.GRPCOverTLS(t)
	http, httpRoot := otlptest.HTTPOverTLS(t)
	for _, test := range []struct {
		name     string
		receiver *otlptest.Receiver
		root     *x509.Certificate
		protocol string
	}{{"gRPC", grpc, grpcRoot, "grpc"}, {"HTTP", http, httpRoot, "http/protobuf"}} {
		t.Run(test.name+" that the environment describes", func(t *testing.T) {
			setEnv(t, map[string]string{"ENDPOINT": test.receiver.Endpoint, "PROTOCOL": test.protocol, "CERTIFICATE": kept(t, test.root)})
			before := len(test.receiver.Spans())
			sendSpan(t, observe.Config{})
			require.Len(t, test.receiver.Spans(), before+1)
		})
	}
	t.Run("TLS that the configuration describes, to the endpoint of the environment", func(t *testing.T) {
		roots := x509.NewCertPool()
		roots.AddCert(httpRoot)
		setEnv(t, map[string]string{"ENDPOINT": http.Endpoint, "PROTOCOL": "http/protobuf", "CERTIFICATE": kept(t, grpcRoot)})
		before := len(http.Spans())
		sendSpan(t, observe.Config{TLS: &tls.Config{RootCAs: roots}})
		require.Len(t, http.Spans(), before+1)
	})
	t.Run("HTTP that the configuration describes, whatever the environment says", func(t *testing.T) {
		roots := x509.NewCertPool()
		roots.AddCert(httpRoot)
		setEnv(t, map[string]string{
			"ENDPOINT": "http://127.0.0.1:1", "INSECURE": "true", "PROTOCOL": "http/json", "CERTIFICATE": kept(t, grpcRoot),
		})
		before := len(http.Spans())
		sendSpan(t, observe.Config{OTLPEndpoint: http.Endpoint, TLS: &tls.Config{RootCAs: roots}})
		require.Len(t, http.Spans(), before+1)
	})
}

func TestExporter_ShowsTheCertificateOfTheEnvironment(t *testing.T) {
	var shown []byte
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { shown = r.TLS.PeerCertificates[0].Raw }))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	defer server.Close()
	key, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	require.NoError(t, err)
	keyFile := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
	certificate := kept(t, server.Certificate())
	setEnv(t, map[string]string{
		"ENDPOINT": server.URL, "PROTOCOL": "http/protobuf", "CERTIFICATE": certificate, "CLIENT_CERTIFICATE": certificate, "CLIENT_KEY": keyFile,
	})
	sendSpan(t, observe.Config{})
	require.Equal(t, server.Certificate().Raw, shown)
}

func TestExporter_NeedsNoCertificateWithoutTLS(t *testing.T) {
	_, root := otlptest.HTTPOverTLS(t)
	setEnv(t, map[string]string{"CERTIFICATE": kept(t, root)})
	for _, receiver := range []*otlptest.Receiver{otlptest.GRPC(t), otlptest.HTTP(t)} {
		sendSpan(t, observe.Config{OTLPEndpoint: receiver.Endpoint, TLS: new(tls.Config)})
		sendSpan(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
		require.Len(t, receiver.Spans(), 2)
	}
}

func TestExporter_NeverSendsSpansForHTTPSInTheClear(t *testing.T) {
	receiver := otlptest.HTTP(t)
	setEnv(t, map[string]string{"ENDPOINT": "http://127.0.0.1:1", "INSECURE": "true"})
	o, err := observe.Configure(context.Background(), observe.Config{
		OTLPEndpoint: strings.Replace(receiver.Endpoint, "http:", "https:", 1), TraceSampleRate: 1, LogWriter: io.Discard,
	})
	require.NoError(t, err)
	_, span := observe.TraceSpan(context.Background(), "work")
	span.End(nil)
	require.Error(t, o.Shutdown(context.Background()))
	require.Empty(t, receiver.Spans())
}

func TestExporter_PostsToThePath(t *testing.T) {
	for _, test := range []struct{ variable, path, want string }{
		{"", "", "/v1/traces"},
		{"", "/", "/v1/traces"},
		{"", "/base/", "/base/v1/traces"},
		{"", "/base/v1/traces", "/base/v1/traces"},
		{"ENDPOINT", "/base", "/base/v1/traces"},
		{"TRACES_ENDPOINT", "/base", "/base"},
		{"TRACES_ENDPOINT", "/base/v1/traces/", "/base/v1/traces/"},
		{"TRACES_ENDPOINT", "", "/"},
	} {
		t.Run(test.variable+test.path, func(t *testing.T) {
			var got string
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.URL.Path }))
			defer server.Close()
			var config observe.Config
			if test.variable == "" {
				config.OTLPEndpoint = server.URL + test.path
			} else {
				setEnv(t, map[string]string{"ENDPOINT": "http://127.0.0.1:1", test.variable: server.URL + test.path})
			}
			sendSpan(t, config)
			require.Equal(t, test.want, got)
		})
	}
}

// OpenTelemetry's exporters would print what they can't read, with the
// credentials in it, and go on without.
func TestConfigure_ReportsTheEnvironmentWithoutCredentials(t *testing.T) {
	for name, variables := range map[string]map[string]string{
		"a header without =":               {"HEADERS": "Authorization: Bearer hunter2"},
		"a name that is none":              {"HEADERS": "a=1,my key=hunter2"},
		"a value that isn't encoded":       {"TRACES_HEADERS": "authorization=hunter2%"},
		"an endpoint with a user":          {"ENDPOINT": "http://u:hunter2@127.0.0.1:4318"},
		"an endpoint that is no URL":       {"TRACES_ENDPOINT": "http://u:hunter2@[::1"},
		"a certificate that isn't there":   {"ENDPOINT": "https://127.0.0.1:4318", "CERTIFICATE": "/nowhere"},
		"a key without its certificate":    {"ENDPOINT": "https://127.0.0.1:4318", "CLIENT_KEY": "/nowhere"},
		"a certificate that is none":       {"ENDPOINT": "https://127.0.0.1:4318", "TRACES_CERTIFICATE": os.Args[0]},
		"a client's that isn't there":      {"ENDPOINT": "https://127.0.0.1:4318", "CLIENT_KEY": "/nowhere", "CLIENT_CERTIFICATE": "/nowhere"},
		"a protocol that isn't there, yet": {"ENDPOINT": "https://127.0.0.1:4318", "TRACES_PROTOCOL": "http/json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
			setEnv(t, variables)
			_, err := observe.Configure(context.Background(), observe.Config{})
			require.ErrorContains(t, err, "set up tracing: ")
			require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_")
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestExporter_SendsHeadersOfTheEnvironment(t *testing.T) {
	receiver := otlptest.GRPC(t)
	setEnv(t, map[string]string{"ENDPOINT": receiver.Endpoint, "PROTOCOL": "grpc", "HEADERS": "x-a = 1 , authorization=Bearer%20hunter2"})
	sendSpan(t, observe.Config{})
	require.Equal(t, "1", receiver.Header("x-a"))
	require.Equal(t, "Bearer hunter2", receiver.Header("authorization"))
}

func TestExporter_IsSwitchedOffByTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{"OTEL_SDK_DISABLED": "TRUE", "OTEL_TRACES_EXPORTER": "none"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
			t.Setenv(name, value)
			configure(t, observe.Config{})
			require.ErrorIs(t, observe.Diagnose(context.Background()), observe.ErrNoExporter)
			ctx, span := observe.TraceSpan(context.Background(), "work")
			defer span.End(nil)
			require.Len(t, observe.TraceContext(ctx), 2, "log records have ids all the same")
		})
	}
}

func TestServiceName_ComesFromResourceAttributes(t *testing.T) {
	receiver := otlptest.GRPC(t)
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "a=b, service.name=from%20env")
	sendSpan(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
	require.Equal(t, "from env", receiver.Named(t, "work").Service)
}

func TestSampler_ComesFromTheEnvironment(t *testing.T) {
	for _, test := range []struct {
		kind, arg string
		want      []string
	}{
		{"always_on", "", []string{"dropped", "own", "sampled"}},
		{"always_off", "", nil},
		{"traceidratio", "", []string{"dropped", "own", "sampled"}},
		{"traceidratio", "0", nil},
		{"parentbased_always_on", "", []string{"own", "sampled"}},
		{"parentbased_always_off", "", []string{"sampled"}},
		{"parentbased_traceidratio", "1", []string{"own", "sampled"}},
		{"parentbased_traceidratio", "0", []string{"sampled"}},
	} {
		t.Run(test.kind+test.arg, func(t *testing.T) {
			t.Setenv("OTEL_TRACES_SAMPLER", test.kind)
			t.Setenv("OTEL_TRACES_SAMPLER_ARG", test.arg)
			receiver := otlptest.GRPC(t)
			o := configure(t, observe.Config{OTLPEndpoint: receiver.Endpoint})
			for name, ctx := range map[string]context.Context{
				"own": context.Background(), "sampled": incoming(trace.FlagsSampled), "dropped": incoming(0),
			} {
				_, span := observe.TraceSpan(ctx, name)
				span.End(nil)
			}
			flush(t, o)
			require.Equal(t, test.want, names(receiver.Spans()))
		})
	}
}

func TestExportQueue_IsSetByTheEnvironment(t *testing.T) {
	t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "7")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "60000")
	t.Setenv("OTEL_BSP_EXPORT_TIMEOUT", "2000")
	synctest.Test(t, func(t *testing.T) {
		exporter := &gated{gate: make(chan struct{})}
		o := configure(t, observe.Config{Exporter: exporter, TraceSampleRate: 1, LogWriter: io.Discard})
		endSpan("first")
		time.Sleep(61 * time.Second)
		require.Zero(t, o.Stats().FailedExports, "it is under way")
		time.Sleep(2 * time.Second)
		require.EqualValues(t, 1, o.Stats().FailedExports)
		for range 4 {
			endSpan("on its way")
		}
		synctest.Wait()
		for range 8 {
			endSpan("waiting")
		}
		require.EqualValues(t, 1, o.Stats().Dropped)
		close(exporter.gate)
		shutdown(t, o)
	})
}

func TestExportQueue_BoundsTheDelayOfTheEnvironment(t *testing.T) {
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "9223372036854775807")
	sendSpan(t, observe.Config{OTLPEndpoint: otlptest.GRPC(t).Endpoint})
}

func TestExporter_ConnectsByIPv6(t *testing.T) {
	receiver := otlptest.GRPC(t)
	sendSpan(t, observe.Config{OTLPEndpoint: strings.Replace(receiver.Endpoint, "127.0.0.1", "[::ffff:127.0.0.1]", 1)})
	require.Len(t, receiver.Spans(), 1)
}
