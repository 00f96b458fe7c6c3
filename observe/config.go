package observe

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/warrenmq/warren/internal/masked"
	"github.com/warrenmq/warren/observe/redact"
)

// A Config is what [Configure] sets up. The zero Config logs to standard error and
// makes spans that are sent nowhere. The variables of OpenTelemetry fill in what
// isn't set; what is set wins. Configure changes nothing of it, and keeps no slice
// or map of it.
type Config struct {
	// ServiceName is in every span and every log record. The default is
	// OTEL_SERVICE_NAME, then service.name of OTEL_RESOURCE_ATTRIBUTES, then the
	// name of the program's file.
	ServiceName string

	// OTLPEndpoint is the collector that gets the spans: host:port (gRPC without
	// TLS; HTTP at port 4318), http:// or https://host:4317 (gRPC), or another
	// URL (HTTP, at /v1/traces below its path). The default is
	// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, whose path is taken as it is, then
	// OTEL_EXPORTER_OTLP_ENDPOINT.
	// Without any, spans have ids, which log records carry, and are sent nowhere.
	OTLPEndpoint string

	// TraceSampleRate is the part of the traces that is kept, from 0 to 1, by the
	// ratio of trace ids. Spans with an error are kept at any rate, see KeepErrors;
	// at 0, the zero value, only they are. Where it is 0 and OTEL_TRACES_SAMPLER
	// is set, that variable and OTEL_TRACES_SAMPLER_ARG decide, about
	// IgnoreParent too. [SetupTracing] keeps all.
	TraceSampleRate float64

	// Sampler decides in place of TraceSampleRate and the variables. It sees the
	// attributes that a span has at its start, which costs requests that aren't
	// sampled some time. Nil is the default.
	Sampler sdktrace.Sampler

	// IgnoreParent decides by TraceSampleRate alone. By default a span follows
	// the decision of its parent, also that of another service, so that traces
	// are kept as a whole.
	IgnoreParent bool

	// KeepErrors is what is kept, whatever the rate, of traces with an error. The
	// default is KeepLocalTrace.
	KeepErrors ErrorKeep

	// ErrorTraceRate is how many traces with an error are kept in a second because of
	// KeepErrors, on average over a minute; those that the sampler keeps don't count.
	// A failure of everything would otherwise keep everything. What is beyond it is
	// counted in Stats. The default is 100; a negative one sets no bound.
	ErrorTraceRate int

	// KeepExceptions takes spans with an exception event for errors, too. Set it
	// where libraries record a panic so, without setting the status. Others
	// record errors from which they have recovered, and their traces are kept
	// then.
	KeepExceptions bool

	// Headers are sent with every export, for authentication. The default is
	// OTEL_EXPORTER_OTLP_HEADERS. They are never in an error, a log record or a
	// text of the Config.
	Headers map[string]string

	// TLS is used with https. The default is OTEL_EXPORTER_OTLP_CERTIFICATE,
	// ..._CLIENT_CERTIFICATE and ..._CLIENT_KEY, then the system's certificates.
	TLS *tls.Config

	// Exporter takes the spans in place of OTLP; OTLPEndpoint isn't read then.
	// ExportSpans is called by one goroutine at a time. Shutdown of what
	// Configure returns shuts it down. Nil exports by OTLP.
	Exporter sdktrace.SpanExporter

	// OTLPMetrics sends all metrics of [Observability.MetricsHandler] by OTLP too, and
	// those that other instrumentation records by OpenTelemetry, to OTLPEndpoint or
	// what OTEL_EXPORTER_OTLP_METRICS_ENDPOINT and OTEL_EXPORTER_OTLP_ENDPOINT say,
	// every OTEL_METRIC_EXPORT_INTERVAL, which is 60 s by default.
	OTLPMetrics bool

	// OTLPLogs sends log records by OTLP too, masked as those of LogWriter, to
	// OTLPEndpoint or what OTEL_EXPORTER_OTLP_LOGS_ENDPOINT and
	// OTEL_EXPORTER_OTLP_ENDPOINT say. What comes faster than it is taken is
	// dropped, by OTEL_BLRP_MAX_QUEUE_SIZE, which is 2048 by default.
	OTLPLogs bool

	// ResourceAttributes describe the service, besides its name and those of
	// OTEL_RESOURCE_ATTRIBUTES.
	ResourceAttributes []attribute.KeyValue

	// QueueSize is the number of spans that may wait to be exported. What comes
	// when the queue is full is dropped, a trace as a whole, and counted in Stats.
	// Traces with errors have a queue of their own. The default is
	// OTEL_BSP_MAX_QUEUE_SIZE, then 2048.
	QueueSize int

	// ErrorQueueSize is the number of spans of traces with errors that may wait.
	// The default is 32768.
	ErrorQueueSize int

	// SpanBytes is about how many bytes ended spans may take: half of it those that
	// wait for the end of their trace, and a quarter each those that wait to be
	// exported, of traces with errors and of others. Beyond it spans are decided
	// without their trace, or dropped and counted in Stats. The default is 128 MiB.
	SpanBytes int

	// ExportInterval is the longest time that a span waits for its export. The
	// default is OTEL_BSP_SCHEDULE_DELAY, then 5 s.
	ExportInterval time.Duration

	// ExportTimeout is the longest time that one export takes. The default is
	// OTEL_BSP_EXPORT_TIMEOUT, then 30 s.
	ExportTimeout time.Duration

	// LogWriter gets the log records, one call of Write for each, by one
	// goroutine at a time. The default is standard error.
	LogWriter io.Writer

	// LogLevel is the least level that is logged. A *slog.LevelVar can be changed
	// while the program runs. The default is info.
	LogLevel slog.Leveler

	// Redact masks personal data in log records, and in the attributes of spans, of
	// their events and links, and in their status, errors among them. Names of spans
	// are left as they are. Nil masks nothing.
	Redact *redact.Redactor

	// PlainSpans leaves spans as they are, although Redact is set: for a collector
	// that masks them itself.
	PlainSpans bool
}

// String describes the configuration without headers, which hold credentials.
func (c Config) String() string {
	return fmt.Sprintf("observe.Config{ServiceName: %q, TraceSampleRate: %v, KeepErrors: %v}", c.ServiceName, c.TraceSampleRate, c.KeepErrors)
}

// GoString is String.
func (c Config) GoString() string { return c.String() }

// Format is String for every verb.
func (c Config) Format(f fmt.State, _ rune) { masked.Format(f, c) }

// LogValue is what slog shows.
func (c Config) LogValue() slog.Value { return masked.LogValue(c) }

// MarshalJSON is String, as a JSON string.
func (c Config) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(c) }

// settings are a configuration that is complete and right.
type settings struct {
	Config
	endpoint endpoint // of spans
	exports  bool     // there is an endpoint or an exporter
	sampler  sdktrace.Sampler

	unsampled bool // nothing says how many traces to keep
}

const (
	defaultQueueSize      = 2048
	defaultErrorQueueSize = 32768
	defaultErrorTraceRate = 100
	defaultSpanBytes      = 128 << 20
	defaultExportInterval = 5 * time.Second
	defaultExportTimeout  = 30 * time.Second
)

// complete returns c with what the environment says and the defaults. It fails on
// a configuration that can't be set up.
func (c Config) complete() (settings, error) {
	s := settings{Config: c}
	s.Headers = maps.Clone(c.Headers)
	if err := s.setEndpoint(); err != nil {
		return s, err
	}
	if err := s.setSampler(); err != nil {
		return s, err
	}
	if c.KeepErrors < KeepLocalTrace || c.KeepErrors > KeepNone {
		return s, fmt.Errorf("KeepErrors is %d: use KeepLocalTrace, KeepErrorSpans or KeepNone", int(c.KeepErrors))
	}
	if c.QueueSize < 0 || c.ErrorQueueSize < 0 || c.SpanBytes < 0 || c.ExportInterval < 0 || c.ExportTimeout < 0 {
		return s, errors.New("QueueSize, ErrorQueueSize, SpanBytes, ExportInterval or ExportTimeout is negative: leave it 0 for the default")
	}
	s.ServiceName = cmp.Or(c.ServiceName, firstEnv("OTEL_SERVICE_NAME"), serviceFromResource(), filepath.Base(os.Args[0]))
	s.QueueSize = cmp.Or(c.QueueSize, numberFromEnv("OTEL_BSP_MAX_QUEUE_SIZE"), defaultQueueSize)
	s.ErrorQueueSize = cmp.Or(c.ErrorQueueSize, defaultErrorQueueSize)
	s.ErrorTraceRate = cmp.Or(c.ErrorTraceRate, defaultErrorTraceRate)
	s.SpanBytes = cmp.Or(c.SpanBytes, defaultSpanBytes)
	s.ExportInterval = cmp.Or(c.ExportInterval, millisecondsFromEnv("OTEL_BSP_SCHEDULE_DELAY"), defaultExportInterval)
	s.ExportTimeout = cmp.Or(c.ExportTimeout, millisecondsFromEnv("OTEL_BSP_EXPORT_TIMEOUT"), defaultExportTimeout)
	if s.LogWriter == nil {
		s.LogWriter = os.Stderr
	}
	return s, nil
}

func (s *settings) setEndpoint() error {
	if s.Exporter != nil {
		s.exports = true
		return nil
	}
	if s.OTLPEndpoint == "" && firstEnv("OTEL_TRACES_EXPORTER") == "none" {
		return nil
	}
	var err error
	s.endpoint, s.exports, err = s.endpointOf(traces)
	return err
}

// endpointOf returns the endpoint of a signal, and whether there is one.
func (s *settings) endpointOf(sent signal) (e endpoint, found bool, err error) {
	name, text, protocol := "OTLPEndpoint", s.OTLPEndpoint, ""
	if text == "" {
		name, text = otlpEnv(sent, "ENDPOINT")
		var variable string
		if variable, protocol = otlpEnv(sent, "PROTOCOL"); protocol != "" && protocol != "grpc" && protocol != "http/protobuf" {
			return e, false, fmt.Errorf("%s is %q: use grpc or http/protobuf", variable, protocol)
		}
	}
	if text == "" || strings.EqualFold(firstEnv("OTEL_SDK_DISABLED"), "true") {
		return e, false, nil
	}
	if e, err = parseEndpoint(text, protocol, sent); err != nil {
		return e, false, fmt.Errorf("%s: %w", name, err)
	}
	if name == sent.variable()+"ENDPOINT" && e.own != "" {
		e.path = e.own // as it is, by the specification of OTLP's exporters
	}
	if e.tls = s.TLS; e.tls == nil && !e.insecure {
		if e.tls, err = tlsFromEnv(sent); err != nil {
			return e, false, err
		}
	}
	return e, true, checkHeadersEnv(sent)
}

// setSampler refuses rates that the SDK takes silently: of NaN it keeps
// everything (measured on v1.47).
func (s *settings) setSampler() error {
	rate, ignoreParent := s.TraceSampleRate, s.IgnoreParent
	if math.IsNaN(rate) || rate < 0 || rate > 1 {
		return fmt.Errorf("TraceSampleRate is %v: it is the part of the traces that is kept, from 0 to 1", rate)
	}
	if s.sampler = s.Sampler; s.sampler != nil {
		return nil
	}
	kind := firstEnv("OTEL_TRACES_SAMPLER")
	s.unsampled = rate == 0 && kind == ""
	if rate == 0 && kind != "" {
		var err error
		if rate, ignoreParent, err = samplerFromEnv(kind, firstEnv("OTEL_TRACES_SAMPLER_ARG")); err != nil {
			return err
		}
	}
	s.sampler = sdktrace.TraceIDRatioBased(rate)
	if !ignoreParent {
		s.sampler = sdktrace.ParentBased(s.sampler)
	}
	return nil
}

func samplerFromEnv(kind, arg string) (rate float64, ignoreParent bool, err error) {
	switch kind {
	case "always_on":
		return 1, true, nil
	case "always_off":
		return 0, true, nil
	case "parentbased_always_on":
		return 1, false, nil
	case "parentbased_always_off":
		return 0, false, nil
	case "traceidratio", "parentbased_traceidratio":
		rate, err := strconv.ParseFloat(cmp.Or(arg, "1"), 64)
		if err != nil || math.IsNaN(rate) || rate < 0 || rate > 1 {
			return 0, false, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG is %q: it is the part of the traces that is kept, from 0 to 1", arg)
		}
		return rate, kind == "traceidratio", nil
	default:
		return 0, false, fmt.Errorf("OTEL_TRACES_SAMPLER is %q: use always_on, always_off, traceidratio, or one of these after parentbased_", kind)
	}
}

// serviceFromResource returns service.name of OTEL_RESOURCE_ATTRIBUTES.
func serviceFromResource() string {
	pairs := strings.Split(os.Getenv("OTEL_RESOURCE_ATTRIBUTES"), ",")
	i := slices.IndexFunc(pairs, func(pair string) bool { return strings.HasPrefix(strings.TrimSpace(pair), "service.name=") })
	if i < 0 {
		return ""
	}
	_, value, _ := strings.Cut(pairs[i], "=")
	value, err := url.PathUnescape(strings.TrimSpace(value))
	if err != nil {
		return ""
	}
	return value
}

// numberFromEnv returns 0 for what isn't a number above 0, as the specification
// of OpenTelemetry asks: such a value is ignored.
func numberFromEnv(name string) int {
	n, err := strconv.Atoi(firstEnv(name))
	if err != nil {
		return 0
	}
	return max(n, 0)
}

func millisecondsFromEnv(name string) time.Duration {
	n := numberFromEnv(name)
	return min(time.Duration(n), math.MaxInt64/time.Millisecond) * time.Millisecond
}
