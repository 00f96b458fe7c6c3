package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/internal/keeping"
	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/internal/tailsampling"
)

// ErrConfigured is the error of [Configure] and [SetupTracing] while tracing is set
// up by an earlier call: shut it down first.
var ErrConfigured = errors.New("tracing is set up already: shut it down first")

// active is what is set up. OpenTelemetry's provider is one for a process, and
// so is this. It is no cache: it decides which spans are ours.
var active atomic.Pointer[Observability]

// setup is held while tracing is set up or shut down.
var setup sync.Mutex

// Observability is tracing and logging as [Configure] has set them up. It is safe
// for concurrent use. The caller of Configure owns it, and calls Shutdown.
type Observability struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	sampler  *tailsampling.Sampler // nil without an exporter
	health   *health
	handler  *jsonlog.Handler
	service  string

	unsampled bool   // no rate is set: only errors are kept
	forget    func() // about which spans are exported
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
// OpenTelemetry's global provider, propagator and error handler, so that
// instrumentation of others takes part.
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

func start(ctx context.Context, c Config) (*Observability, error) {
	setup.Lock()
	defer setup.Unlock()
	if active.Load() != nil {
		return nil, fmt.Errorf("set up tracing: %w", ErrConfigured)
	}
	s, err := c.complete()
	if err != nil {
		return nil, fmt.Errorf("set up tracing: %w", err)
	}
	o := &Observability{service: s.ServiceName, unsampled: s.unsampled}
	o.handler = jsonlog.NewHandler(s.LogWriter, &jsonlog.Options{Level: s.LogLevel, Service: s.ServiceName, Redact: s.Redact})
	if err := o.startTracing(ctx, &s); err != nil {
		return nil, fmt.Errorf("set up tracing: %w", err)
	}
	otel.SetTracerProvider(o.provider)
	otel.SetTextMapPropagator(Propagator())
	otel.SetErrorHandler(otel.ErrorHandlerFunc(logTelemetryError))
	active.Store(o)
	return o, nil
}

// logTelemetryError logs the errors that OpenTelemetry would print to standard
// error as plain text, such as that of baggage that can't be read.
func logTelemetryError(err error) { Logger("observe").Warn("telemetry", logkey.Error, err) }

func (o *Observability) startTracing(ctx context.Context, s *settings) error {
	described, err := describe(ctx, s)
	if err != nil {
		return err
	}
	options := []sdktrace.TracerProviderOption{sdktrace.WithResource(described)}
	if !s.exports {
		o.provider = sdktrace.NewTracerProvider(append(options, sdktrace.WithSampler(s.sampler))...)
		o.tracer = o.provider.Tracer(scope)
		o.forget = keeping.Register(o.provider, keeping.None{})
		return nil
	}
	exporter, err := newExporter(ctx, s)
	if err != nil {
		return err
	}
	o.health = &health{log: Logger("observe")}
	o.sampler = tailsampling.New(tailsampling.Config{
		Mode: tailsampling.Mode(s.KeepErrors), Exceptions: s.KeepExceptions, Bytes: s.SpanBytes / 2,
		Queue: exportqueue.Config{
			Exporter: exporter, Size: s.QueueSize, ErrorSize: s.ErrorQueueSize, Bytes: s.SpanBytes / 4,
			Interval: s.ExportInterval, Timeout: s.ExportTimeout, Exported: o.health.exported,
		},
	})
	sampler := s.sampler
	if s.KeepErrors != KeepNone && !s.all {
		sampler = sdktrace.AlwaysRecord(sampler)
	}
	o.provider = sdktrace.NewTracerProvider(append(options, sdktrace.WithSampler(sampler), sdktrace.WithSpanProcessor(o.sampler))...)
	o.tracer = o.provider.Tracer(scope)
	o.forget = keeping.Register(o.provider, o.sampler)
	return nil
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

// TracerProvider returns the provider, for instrumentation that takes one rather
// than OpenTelemetry's global one.
func (o *Observability) TracerProvider() trace.TracerProvider { return o.provider }

// Flush exports the spans of the traces that have ended, and waits for that until
// ctx ends. The error is that of the export, or of ctx; no span is lost by giving
// up. It is for tests, and for programs that are frozen between requests.
func (o *Observability) Flush(ctx context.Context) error {
	if err := o.provider.ForceFlush(ctx); err != nil {
		return fmt.Errorf("flush spans: %w", err)
	}
	return nil
}

// Shutdown exports all spans that have ended, until ctx ends, and stops tracing. The
// error says what failed, and how many spans are lost by it. Then tracing can be
// set up again; loggers go on, and a second Shutdown does nothing.
func (o *Observability) Shutdown(ctx context.Context) error {
	setup.Lock()
	defer setup.Unlock()
	if active.CompareAndSwap(o, nil) && otel.GetTracerProvider() == trace.TracerProvider(o.provider) {
		otel.SetTracerProvider(noop.NewTracerProvider())
	}
	o.forget()
	var err error
	if o.sampler != nil {
		err = o.sampler.Shutdown(ctx) // the provider doesn't, when ctx has ended
	}
	if err = errors.Join(err, o.provider.Shutdown(ctx)); err != nil {
		return fmt.Errorf("shut down tracing: %w", err)
	}
	return nil
}

// Stats counts since tracing was set up. All but FailedExports count spans.
type Stats struct {
	Exported       uint64 // delivered to the exporter without an error
	FailedExports  uint64 // batches whose export failed, and which are lost
	Dropped        uint64 // for want of room in the queue
	DroppedOfError uint64 // of traces with errors, for want of room in their queue
	DecidedAlone   uint64 // kept or dropped without their trace, for want of room
}

// Stats returns the counts; zeros without an exporter.
func (o *Observability) Stats() Stats {
	if o.sampler == nil {
		return Stats{}
	}
	o.health.mu.Lock()
	defer o.health.mu.Unlock()
	return Stats{
		Exported: o.health.spans, FailedExports: o.health.failures,
		Dropped: o.sampler.Dropped(exportqueue.Sampled), DroppedOfError: o.sampler.Dropped(exportqueue.Errors),
		DecidedAlone: o.sampler.DecidedAlone(),
	}
}
