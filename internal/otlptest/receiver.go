// Package otlptest is a receiver of OTLP for tests: the protocol over real
// connections, by gRPC and by HTTP.
package otlptest

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	logcollector "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metriccollector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// A Span is a span as it arrived.
type Span struct {
	*trace.Span
	Service string // service.name of its resource
	Scope   Scope
}

// A Scope is the instrumentation that has made a span.
type Scope struct{ Name, Version, SchemaURL string }

// A Record is a log record as it arrived.
type Record struct {
	*logs.LogRecord
	Service string // service.name of its resource
	Logger  string // the name of its scope
}

// Trace is hexadecimal.
func (r Record) Trace() string { return hex.EncodeToString(r.TraceId) }

// Attributes returns the attributes as Go values.
func (r Record) Attributes() map[string]any { return values(r.LogRecord.Attributes) }

// A Metric is a metric as it arrived last.
type Metric struct {
	*metrics.Metric
	Service string // service.name of its resource
}

// Values returns the attributes as Go values.
func Values(pairs []*common.KeyValue) map[string]any { return values(pairs) }

// ID, Trace and Parent are hexadecimal; Parent is "" for the first span.
func (s Span) ID() string     { return hex.EncodeToString(s.SpanId) }
func (s Span) Trace() string  { return hex.EncodeToString(s.TraceId) }
func (s Span) Parent() string { return hex.EncodeToString(s.ParentSpanId) }

// Failed reports whether the status is Error.
func (s Span) Failed() bool { return s.GetStatus().GetCode() == trace.Status_STATUS_CODE_ERROR }

// Attributes returns the attributes as Go values.
func (s Span) Attributes() map[string]any { return values(s.Span.Attributes) }

func values(pairs []*common.KeyValue) map[string]any {
	m := make(map[string]any)
	for _, kv := range pairs {
		switch v := kv.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			m[kv.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			m[kv.Key] = v.IntValue
		case *common.AnyValue_BoolValue:
			m[kv.Key] = v.BoolValue
		case *common.AnyValue_DoubleValue:
			m[kv.Key] = v.DoubleValue
		default:
			m[kv.Key] = kv.Value.String()
		}
	}
	return m
}

// A Receiver keeps what arrives.
type Receiver struct {
	Endpoint string // of gRPC host:port, of HTTP a URL

	mu      sync.Mutex
	spans   []Span
	records []Record
	metrics map[string]Metric
	exports int
	headers map[string]string
	broken  error

	collector.UnimplementedTraceServiceServer
}

// GRPC starts a receiver of OTLP over gRPC, for the test's time.
func GRPC(t testing.TB) *Receiver {
	t.Helper()
	return serveGRPC(t)
}

// GRPCOverTLS is GRPC with a certificate that signs itself. The endpoint is a URL.
func GRPCOverTLS(t testing.TB) (*Receiver, *x509.Certificate) {
	t.Helper()
	lender := httptest.NewTLSServer(nil)
	defer lender.Close()
	r := serveGRPC(t, grpc.Creds(credentials.NewServerTLSFromCert(&lender.TLS.Certificates[0])))
	r.Endpoint = "https://" + r.Endpoint
	return r, lender.Certificate()
}

func serveGRPC(t testing.TB, options ...grpc.ServerOption) *Receiver {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &Receiver{Endpoint: listener.Addr().String()}
	server := grpc.NewServer(options...)
	collector.RegisterTraceServiceServer(server, r)
	logcollector.RegisterLogsServiceServer(server, logService{r: r})
	metriccollector.RegisterMetricsServiceServer(server, metricService{r: r})
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; !errors.Is(err, grpc.ErrServerStopped) { // which it is where Stop came first
			require.NoError(t, err)
		}
	})
	return r
}

// HTTP starts a receiver of OTLP over HTTP, for the test's time.
func HTTP(t testing.TB) *Receiver {
	t.Helper()
	r := new(Receiver)
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.Endpoint = server.URL
	return r
}

// HTTPOverTLS is HTTP with a certificate that signs itself.
func HTTPOverTLS(t testing.TB) (*Receiver, *x509.Certificate) {
	t.Helper()
	r := new(Receiver)
	server := httptest.NewTLSServer(r)
	t.Cleanup(server.Close)
	r.Endpoint = server.URL
	return r, server.Certificate()
}

// Break makes exports fail, with status 400 of HTTP or by the error, until it is
// called with nil.
func (r *Receiver) Break(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = err
}

// Spans returns what has arrived.
func (r *Receiver) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Span(nil), r.spans...)
}

// Named returns the only span of that name.
func (r *Receiver) Named(t testing.TB, name string) Span {
	t.Helper()
	var found []Span
	var names []string
	for _, s := range r.Spans() {
		names = append(names, s.Name)
		if s.Name == name {
			found = append(found, s)
		}
	}
	require.Len(t, found, 1, "spans named %q among %q", name, names)
	return found[0]
}

// Header returns a header of the last export.
func (r *Receiver) Header(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.headers[name]
}

// Export is the service of gRPC.
func (r *Receiver) Export(ctx context.Context, request *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	headers := make(map[string]string)
	if md, ok := metadata.FromIncomingContext(ctx); ok {
		for name := range md {
			headers[name] = md.Get(name)[0]
		}
	}
	return new(collector.ExportTraceServiceResponse), r.keep(request, headers)
}

func (r *Receiver) keep(request *collector.ExportTraceServiceRequest, headers map[string]string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	r.exports++
	r.headers = headers
	for _, resource := range request.ResourceSpans {
		service, _ := values(resource.Resource.GetAttributes())["service.name"].(string)
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				r.spans = append(r.spans, Span{span, service, Scope{scope.Scope.GetName(), scope.Scope.GetVersion(), scope.SchemaUrl}})
			}
		}
	}
	return nil
}

func (r *Receiver) keepRecords(request *logcollector.ExportLogsServiceRequest) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	for _, resource := range request.ResourceLogs {
		service, _ := values(resource.Resource.GetAttributes())["service.name"].(string)
		for _, scope := range resource.ScopeLogs {
			for _, record := range scope.LogRecords {
				r.records = append(r.records, Record{record, service, scope.Scope.GetName()})
			}
		}
	}
	return nil
}

// Records returns the log records that have arrived.
func (r *Receiver) Records() []Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Record(nil), r.records...)
}

func (r *Receiver) keepMetrics(request *metriccollector.ExportMetricsServiceRequest) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	if r.metrics == nil {
		r.metrics = make(map[string]Metric)
	}
	for _, resource := range request.ResourceMetrics {
		service, _ := values(resource.Resource.GetAttributes())["service.name"].(string)
		for _, scope := range resource.ScopeMetrics {
			for _, metric := range scope.Metrics {
				r.metrics[metric.Name] = Metric{metric, service}
			}
		}
	}
	return nil
}

// Metrics returns the metrics by name, as they have arrived last.
func (r *Receiver) Metrics() map[string]Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.metrics)
}

// A logService is the service of gRPC for log records.
type logService struct {
	logcollector.UnimplementedLogsServiceServer
	r *Receiver
}

func (s logService) Export(_ context.Context, request *logcollector.ExportLogsServiceRequest) (*logcollector.ExportLogsServiceResponse, error) {
	return new(logcollector.ExportLogsServiceResponse), s.r.keepRecords(request)
}

// A metricService is the service of gRPC for metrics.
type metricService struct {
	metriccollector.UnimplementedMetricsServiceServer
	r *Receiver
}

func (s metricService) Export(_ context.Context, request *metriccollector.ExportMetricsServiceRequest) (*metriccollector.ExportMetricsServiceResponse, error) {
	return new(metriccollector.ExportMetricsServiceResponse), s.r.keepMetrics(request)
}

// ServeHTTP is the service of HTTP.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if err := r.serve(request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func (r *Receiver) serve(request *http.Request) error {
	var body io.Reader = request.Body
	if request.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		body = unzipped
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	headers := make(map[string]string)
	for name := range request.Header {
		headers[http.CanonicalHeaderKey(name)] = request.Header.Get(name)
	}
	switch request.Method + " " + request.URL.Path {
	case "POST /v1/traces":
		var export collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(text, &export); err != nil {
			return err
		}
		return r.keep(&export, headers)
	case "POST /v1/logs":
		var export logcollector.ExportLogsServiceRequest
		if err := proto.Unmarshal(text, &export); err != nil {
			return err
		}
		return r.keepRecords(&export)
	case "POST /v1/metrics":
		var export metriccollector.ExportMetricsServiceRequest
		if err := proto.Unmarshal(text, &export); err != nil {
			return err
		}
		return r.keepMetrics(&export)
	default:
		return errors.New("traces are posted to /v1/traces, logs and metrics beside it")
	}
}
