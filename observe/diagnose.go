package observe

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// What [Diagnose] finds.
var (
	// ErrNoProvider is the error while tracing isn't set up: spans have ids of
	// zeros only, and log records have none.
	ErrNoProvider = errors.New("tracing isn't set up, so trace ids are all zeros: call SetupTracing or Configure with an endpoint, before the first record is logged")

	// ErrNoExporter is the error while spans have ids and are sent nowhere.
	ErrNoExporter = errors.New("tracing has no exporter, so no span leaves the process: set an endpoint, by Config.OTLPEndpoint or OTEL_EXPORTER_OTLP_ENDPOINT")
)

// An ExportError is the error of [Diagnose] while spans don't arrive.
type ExportError struct {
	Time time.Time // of the last export
	Err  error     // of the last export
}

// Error says when and why the export failed, and what to check.
func (e *ExportError) Error() string {
	return fmt.Sprintf("the last export of spans failed at %s: %v: check that the collector runs at the endpoint, and its protocol",
		e.Time.UTC().Format(time.RFC3339), e.Err)
}

// Unwrap returns Err.
func (e *ExportError) Unwrap() error { return e.Err }

// Diagnose says why traces would not be found: [ErrNoProvider], [ErrNoExporter],
// or an [*ExportError] with the last failure; nil where nothing is known to fail.
// It is for a health check, and to find out why a trace is missing. What was recorded
// so far is exported first, so that the answer isn't old; ctx bounds that. Nothing
// is known of a collector to which nothing was sent yet.
//
// Of a provider that the program has installed itself Diagnose knows no more than
// that it exists. It is safe for concurrent use.
func Diagnose(ctx context.Context) error {
	if o := active.Load(); o != nil {
		return o.diagnose(ctx)
	}
	if !TraceCorrelationAvailable() {
		return ErrNoProvider
	}
	return nil
}

func (o *Observability) diagnose(ctx context.Context) error {
	if o.sampler == nil {
		return ErrNoExporter
	}
	flushed := o.provider.ForceFlush(ctx)
	at, err := o.health.last()
	if err == nil && flushed != nil {
		at, err = time.Now(), flushed
	}
	if err != nil {
		return &ExportError{Time: at, Err: err}
	}
	return nil
}
