package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/internal/keeping"
	"github.com/warrenmq/warren/observe/internal/scope"
	"github.com/warrenmq/warren/observe/internal/tailsampling"
	"github.com/warrenmq/warren/observe/redact"
)

// ErrConfigured is the error of [Configure] and [SetupTracing] while tracing is set
// up by an earlier call: shut it down first.
var ErrConfigured = errors.New("tracing is set up already: shut it down first")

// Observability is logs, traces and metrics of a service as [Configure] or [New] has
// set them up. It is safe for concurrent use. The caller owns it, and calls Shutdown.
type Observability struct {
	service  string
	redactor *redact.Redactor // nil for none
	resource *resource.Resource

	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	sampler  *tailsampling.Sampler // nil without an exporter
	early    bool                  // the sampler is the caller's, and may read attributes
	forget   func()                // about which spans are exported

	handler  *jsonlog.Handler
	registry *prometheus.Registry
	meters   *sdkmetric.MeterProvider // nil without OTLPMetrics
	logs     *sdklog.LoggerProvider   // nil without OTLPLogs

	spansHealth, metricsHealth, logsHealth *health // nil without an exporter
	unsampled                              bool    // no rate is set: only errors are kept

	globals *globals // what was OpenTelemetry's before; nil for New

	stopping sync.Mutex // held by Shutdown
	stopped  bool       // the meters are
}

// SetupTracing sets up tracing alone, where [Configure] sets up logging too: spans
// go to the endpoint, in the forms of [Config].OTLPEndpoint, and none is dropped by
// a sampler. Call it before the first record is logged; loggers keep what they
// write to. shutdown is [Observability.Shutdown]. The errors are those of
// Configure.
func SetupTracing(ctx context.Context, service, endpoint string, options ...TracingOption) (shutdown func(context.Context) error, err error) {
	config := Config{ServiceName: service, OTLPEndpoint: endpoint, TraceSampleRate: 1}
	for _, option := range options {
		option(&config)
	}
	o, err := start(ctx, config)
	if err != nil {
		return nil, err
	}
	return o.Shutdown, nil
}

// A TracingOption changes what [SetupTracing] sets up. Of two that set the same,
// the later wins.
type TracingOption func(*Config)

// WithSampleRate sets [Config].TraceSampleRate: the part of the traces that is kept
// besides those with errors, from 0 to 1. The default is 1.
func WithSampleRate(rate float64) TracingOption {
	return func(c *Config) { c.TraceSampleRate = rate }
}

// WithExporter sets [Config].Exporter: spans go to it rather than to the endpoint.
func WithExporter(exporter sdktrace.SpanExporter) TracingOption {
	return func(c *Config) { c.Exporter = exporter }
}

// Configure sets up tracing and logging for the process: from here on [Logger]
// writes records with the service's name, masked by c.Redact, and [TraceSpan],
// [HTTPMiddleware] and [Transport] make spans that are exported. It sets
// OpenTelemetry's global providers, propagator and error handler, so that
// instrumentation of others takes part, until Shutdown.
//
// The caller shuts down what it returns. Configure fails on a configuration that
// can't be set up, also one of the environment, and with [ErrConfigured] until what
// was set up before is shut down; it then changes nothing. It never dials: whether
// a collector answers is for [Diagnose]. ctx bounds the set-up, not what it sets up.
func Configure(ctx context.Context, c Config) (*Observability, error) {
	o, err := start(ctx, c)
	if err != nil {
		return nil, err
	}
	jsonlog.SetDefault(o.handler)
	return o, nil
}

// New sets up the same as [Configure] and nothing of the process: its methods Logger,
// TraceSpan, HTTPMiddleware, Transport and MetricsHandler belong to it alone. Any
// number of them work side by side, in parallel tests and beside that of Configure,
// whose package-level functions know nothing of it. The errors are those of
// Configure, without ErrConfigured.
//
// Instrumentation that takes a provider is given [Observability.TracerProvider], as
// by messages.Options.
func New(ctx context.Context, c Config) (*Observability, error) {
	s, err := c.complete()
	if err != nil {
		return nil, fmt.Errorf("set up tracing: %w", err)
	}
	o := &Observability{service: s.ServiceName, redactor: s.Redact, unsampled: s.unsampled, early: s.Sampler != nil}
	if o.resource, err = describe(ctx, &s); err != nil {
		return nil, fmt.Errorf("set up tracing: %w", err)
	}
	to, err := newExporters(ctx, &s)
	if err != nil {
		return nil, err
	}
	o.newRegistry()
	o.startLogging(&s, to.logs)
	o.startTracing(&s, to.spans)
	o.startMetrics(to.metrics)
	return o, nil
}

// Exporters are nil for what is sent nowhere.
type exporters struct {
	logs    sdklog.Exporter
	metrics sdkmetric.Exporter
	spans   sdktrace.SpanExporter
}

// newExporters makes all exporters or none.
func newExporters(ctx context.Context, s *settings) (e exporters, err error) {
	defer func() {
		if err != nil && e.logs != nil {
			err = errors.Join(err, e.logs.Shutdown(ctx))
		}
		if err != nil && e.metrics != nil {
			err = errors.Join(err, e.metrics.Shutdown(ctx))
		}
	}()
	if s.OTLPLogs {
		if e.logs, err = newLogExporter(ctx, s); err != nil {
			e.logs = nil // not one of a nil pointer
			return e, fmt.Errorf("set up logging: %w", err)
		}
	}
	if s.OTLPMetrics {
		if e.metrics, err = newMetricExporter(ctx, s); err != nil {
			e.metrics = nil // not one of a nil pointer
			return e, fmt.Errorf("set up metrics: %w", err)
		}
	}
	if s.exports {
		if e.spans, err = newExporter(ctx, s); err != nil {
			return e, fmt.Errorf("set up tracing: %w", err)
		}
	}
	return e, nil
}

// startTracing makes the provider, which sends to the exporter if there is one.
func (o *Observability) startTracing(s *settings, exporter sdktrace.SpanExporter) {
	options := []sdktrace.TracerProviderOption{sdktrace.WithResource(o.resource)}
	if exporter == nil {
		o.provider = sdktrace.NewTracerProvider(append(options, sdktrace.WithSampler(s.sampler))...)
		o.tracer = scope.Tracer(o.provider, scopeName)
		o.forget = keeping.Register(o.provider, keeping.None{})
		return
	}
	o.spansHealth = &health{log: o.Logger("observe"), what: "spans"}
	o.sampler = tailsampling.New(tailsampling.Config{
		Mode: tailsampling.Mode(s.KeepErrors), Exceptions: s.KeepExceptions, Bytes: s.SpanBytes / 2, ErrorRate: s.ErrorTraceRate,
		Queue: exportqueue.Config{
			Exporter: exporter, Size: s.QueueSize, ErrorSize: s.ErrorQueueSize, Bytes: s.SpanBytes / 4,
			Interval: s.ExportInterval, Timeout: s.ExportTimeout, Exported: o.spansHealth.exported,
		},
	})
	sampler := s.sampler
	if s.KeepErrors != KeepNone {
		sampler = sdktrace.AlwaysRecord(sampler)
	}
	o.provider = sdktrace.NewTracerProvider(append(options, sdktrace.WithSampler(sampler), sdktrace.WithSpanProcessor(o.sampler))...)
	o.tracer = scope.Tracer(o.provider, scopeName)
	o.forget = keeping.Register(o.provider, o.sampler)
}

// describe returns the resource of the service. Attributes of the environment that
// can't be read are left out.
func describe(ctx context.Context, s *settings) (*resource.Resource, error) {
	base, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("describe the service: %w", err)
	}
	attrs := append([]attribute.KeyValue{}, s.ResourceAttributes...)
	own := resource.NewSchemaless(append(attrs, attribute.String("service.name", s.ServiceName))...)
	merged, err := resource.Merge(base, own)
	if err != nil {
		return nil, fmt.Errorf("describe the service: %w", err)
	}
	return merged, nil
}

// Handler returns the handler of log records, for a logger that isn't made by
// [Logger]:
//
//	slog.SetDefault(slog.New(o.Handler()))
//
// It may be used after Shutdown.
func (o *Observability) Handler() slog.Handler { return o.handler }

// Logger is [Logger] for the log of o.
func (o *Observability) Logger(name string) *slog.Logger { return slog.New(o.handler.Named(name)) }

// TracerProvider returns the provider, for instrumentation that takes one rather
// than OpenTelemetry's global one.
func (o *Observability) TracerProvider() trace.TracerProvider { return o.provider }

// MeterProvider returns the provider of OTLPMetrics, for instrumentation that takes one;
// without OTLPMetrics one that records nothing.
func (o *Observability) MeterProvider() metric.MeterProvider {
	if o.meters == nil {
		return noop.NewMeterProvider()
	}
	return o.meters
}

// Flush exports the spans of the traces that have ended, and with OTLP the metrics
// and log records, and waits for that until ctx ends. The error is that of the
// export, or of ctx; no span is lost by giving up. It is for tests, and for programs
// that are frozen between requests.
func (o *Observability) Flush(ctx context.Context) error {
	var err error
	if spans := o.provider.ForceFlush(ctx); spans != nil {
		err = fmt.Errorf("flush spans: %w", spans)
	}
	if o.meters != nil {
		if metrics := o.meters.ForceFlush(ctx); metrics != nil {
			err = errors.Join(err, fmt.Errorf("flush metrics: %w", metrics))
		}
	}
	if o.logs != nil {
		if records := o.logs.ForceFlush(ctx); records != nil {
			err = errors.Join(err, fmt.Errorf("flush log records: %w", records))
		}
	}
	return err
}

// Shutdown exports all spans that have ended, and with OTLP the metrics and log
// records, until ctx ends, and stops tracing. The error says what failed, and how many
// spans are lost by it. What [Configure] has set of OpenTelemetry is as it was before,
// unless somebody else has set it meanwhile, and tracing can be set up again; loggers
// go on, and a second Shutdown does nothing.
func (o *Observability) Shutdown(ctx context.Context) error {
	o.uninstall()
	o.stopping.Lock()
	defer o.stopping.Unlock()
	o.forget()
	var err error
	if o.sampler != nil {
		err = o.sampler.Shutdown(ctx) // the provider doesn't, when ctx has ended
	}
	if err = errors.Join(err, o.provider.Shutdown(ctx)); err != nil {
		err = fmt.Errorf("shut down tracing: %w", err)
	}
	if o.meters != nil && !o.stopped { // a second one is an error of the SDK's
		o.stopped = true
		if failed := o.meters.Shutdown(ctx); failed != nil {
			err = errors.Join(err, fmt.Errorf("shut down metrics: %w", failed))
		}
	}
	if o.logs != nil {
		if failed := o.logs.Shutdown(ctx); failed != nil {
			err = errors.Join(err, fmt.Errorf("shut down logging: %w", failed))
		}
	}
	return err
}

// Stats counts since tracing was set up. All but FailedExports and
// LimitedErrorTraces count spans.
type Stats struct {
	Exported       uint64 // delivered to the exporter without an error
	FailedExports  uint64 // batches whose export failed, and which are lost
	Dropped        uint64 // for want of room in the queue
	DroppedOfError uint64 // of traces with errors, for want of room in their queue
	DecidedAlone   uint64 // kept or dropped without their trace, for want of room

	// LimitedErrorTraces counts traces with an error that weren't kept, because there
	// were more than Config.ErrorTraceRate. With KeepErrorSpans it counts spans.
	LimitedErrorTraces uint64
}

// Stats returns the counts; zeros without an exporter.
func (o *Observability) Stats() Stats {
	if o.sampler == nil {
		return Stats{}
	}
	exported, failures := o.spansHealth.counts()
	return Stats{
		Exported: exported, FailedExports: failures,
		Dropped: o.sampler.Dropped(exportqueue.Sampled), DroppedOfError: o.sampler.Dropped(exportqueue.Errors),
		DecidedAlone: o.sampler.DecidedAlone(), LimitedErrorTraces: o.sampler.Limited(),
	}
}
