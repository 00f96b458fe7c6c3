package observe

import (
	"context"
	"fmt"
	"log"
	"reflect"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/warrenmq/warren/observe/internal/logkey"
)

// active is what is set up for the process. OpenTelemetry's provider is one for a
// process, and so is this. It is no cache: it decides which spans are ours.
var active atomic.Pointer[Observability]

// setup is held while what is the process's is set or restored. An export that hangs in a
// Shutdown doesn't hold it.
var setup sync.Mutex

// start sets up what New does, for the process.
func start(ctx context.Context, c Config) (*Observability, error) {
	setup.Lock()
	defer setup.Unlock()
	if active.Load() != nil {
		return nil, fmt.Errorf("set up tracing: %w", ErrConfigured)
	}
	o, err := New(ctx, c)
	if err != nil {
		return nil, err
	}
	o.globals = install(o)
	active.Store(o)
	return o, nil
}

// uninstall restores what was before, if o is set up for the process.
func (o *Observability) uninstall() {
	setup.Lock()
	defer setup.Unlock()
	if active.CompareAndSwap(o, nil) {
		o.globals.restore()
	}
}

// globals are what OpenTelemetry had before, and what it has in their place.
type globals struct {
	provider, ownProvider     trace.TracerProvider
	meters, ownMeters         metric.MeterProvider
	propagator, ownPropagator propagation.TextMapPropagator
	handler, ownHandler       otel.ErrorHandler
}

// globalPropagator is a type whose values can be compared.
type globalPropagator struct{ propagation.TextMapPropagator }

func install(o *Observability) *globals {
	g := &globals{
		provider: otel.GetTracerProvider(), ownProvider: o.provider,
		propagator: otel.GetTextMapPropagator(), ownPropagator: &globalPropagator{Propagator()},
		handler: otel.GetErrorHandler(),
	}
	otel.SetTracerProvider(g.ownProvider)
	otel.SetTextMapPropagator(g.ownPropagator)
	if o.meters != nil {
		g.meters, g.ownMeters = otel.GetMeterProvider(), o.meters
		otel.SetMeterProvider(g.ownMeters)
	}
	own := new(errorHandler)
	if !isPlaceholder(g.handler) {
		own.before = g.handler
	}
	own.active.Store(true)
	g.ownHandler = own
	otel.SetErrorHandler(own)
	return g
}

// restore sets what was there before, where it is still ours. Providers and the
// propagator that OpenTelemetry has until something is set can't be set again: they have
// gone over to ours. What does nothing takes their place.
func (g *globals) restore() {
	if otel.GetTracerProvider() == g.ownProvider {
		if isPlaceholder(g.provider) {
			g.provider = noop.NewTracerProvider()
		}
		otel.SetTracerProvider(g.provider)
	}
	if otel.GetTextMapPropagator() == g.ownPropagator {
		if isPlaceholder(g.propagator) {
			g.propagator = propagation.NewCompositeTextMapPropagator()
		}
		otel.SetTextMapPropagator(g.propagator)
	}
	if g.ownMeters != nil && otel.GetMeterProvider() == g.ownMeters {
		if isPlaceholder(g.meters) {
			g.meters = metricnoop.NewMeterProvider()
		}
		otel.SetMeterProvider(g.meters)
	}
	own := g.ownHandler.(*errorHandler)
	own.active.Store(false)
	if otel.GetErrorHandler() == g.ownHandler {
		otel.SetErrorHandler(g.handler) // OpenTelemetry's own goes on by ours, which prints
	}
}

// An errorHandler logs the errors that OpenTelemetry would print to standard error as
// plain text, such as that of baggage that can't be read. When it isn't active any
// more it is what was there before: others may keep it.
type errorHandler struct {
	active atomic.Bool
	before otel.ErrorHandler // nil for OpenTelemetry's own
}

// Handle takes an error of OpenTelemetry.
func (h *errorHandler) Handle(err error) {
	switch {
	case h.active.Load():
		Logger("observe").Warn("telemetry", logkey.Error, err)
	case h.before != nil:
		h.before.Handle(err)
	default:
		log.Print(err) // as OpenTelemetry's own does
	}
}

// isPlaceholder recognises what OpenTelemetry has in place of a provider, a propagator
// or an error handler until one is installed. Their types aren't exported.
func isPlaceholder(global any) bool {
	t := reflect.TypeOf(global)
	if t.Kind() != reflect.Pointer {
		return false
	}
	switch t.Elem().PkgPath() {
	case "go.opentelemetry.io/otel/internal/global", "go.opentelemetry.io/otel/internal/errorhandler":
		return true
	default:
		return false
	}
}
