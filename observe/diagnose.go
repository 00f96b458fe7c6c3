package observe

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
)

// What [Diagnose] finds.
var (
	// ErrNoProvider is the error while tracing isn't set up: spans have ids of
	// zeros only, and log records have none.
	ErrNoProvider = errors.New("tracing isn't set up, so trace ids are all zeros: call SetupTracing or Configure with an endpoint, before the first record is logged")

	// ErrNoExporter is the error while spans have ids and are sent nowhere.
	ErrNoExporter = errors.New("tracing has no exporter, so no span leaves the process: set an endpoint, by Config.OTLPEndpoint or OTEL_EXPORTER_OTLP_ENDPOINT")

	// ErrNotSampled is the error while spans are exported and nothing says how many:
	// then only traces with errors are, and those that another service samples.
	ErrNotSampled = errors.New("only traces with errors are exported, because nothing sets a sampling rate: set Config.TraceSampleRate, or OTEL_TRACES_SAMPLER (to always_off if that is wanted)")
)

// A BacklogError is the error of [Diagnose] while spans come faster than the
// exporter takes them, or it is too slow for the time that Diagnose has.
type BacklogError struct {
	Waiting int    // spans that wait to be exported
	Dropped uint64 // spans for which there was no room, since tracing was set up
	Err     error  // of the context that has ended; nil if spans were dropped meanwhile
}

// Error says how many spans wait, and what to change.
func (e *BacklogError) Error() string {
	text := fmt.Sprintf("spans come faster than they are exported: %d wait, and %d were dropped: look at the collector, or keep fewer by TraceSampleRate", e.Waiting, e.Dropped)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns Err.
func (e *BacklogError) Unwrap() error { return e.Err }

// An ExportError is the error of [Diagnose] while spans, metrics or log records don't
// arrive.
type ExportError struct {
	What string    // was to be exported: spans, metrics or log records
	Time time.Time // of the last export
	Err  error     // of the last export
}

// Error says when and why the export failed, and what to check.
func (e *ExportError) Error() string {
	return fmt.Sprintf("the last export of %s failed at %s: %v: check that the collector runs at the endpoint, and its protocol",
		e.What, e.Time.UTC().Format(time.RFC3339), e.Err)
}

// Unwrap returns Err.
func (e *ExportError) Unwrap() error { return e.Err }

// Diagnose says why traces would not be found: [ErrNoProvider], [ErrNoExporter], an
// [*ExportError] with the last failure, a [*BacklogError], or [ErrNotSampled]; nil
// where nothing is known to fail. It is for a health check, and to find out why a
// trace is missing. What was recorded so far is exported first, so that the answer
// isn't old; ctx bounds that. Nothing is known of a collector to which nothing was
// sent yet.
//
// Of a provider that the program has installed itself Diagnose knows no more than
// that it exists. Of what [New] has set up [Observability.Diagnose] tells. It is safe
// for concurrent use.
func Diagnose(ctx context.Context) error {
	if o := active.Load(); o != nil {
		return o.Diagnose(ctx)
	}
	if !TraceCorrelationAvailable() {
		return ErrNoProvider
	}
	return nil
}

// Diagnose is [Diagnose] for o. Of metrics and log records that are sent by OTLP it
// tells an [*ExportError] too.
func (o *Observability) Diagnose(ctx context.Context) error {
	if o.sampler == nil {
		return ErrNoExporter
	}
	before := o.dropped()
	flushed := o.provider.ForceFlush(ctx)
	if o.logs != nil {
		_ = o.logs.ForceFlush(ctx) // its health knows
	}
	for _, h := range [...]*health{o.spansHealth, o.logsHealth, o.metricsHealth} {
		if h == nil {
			continue
		}
		if at, err := h.last(); err != nil {
			return &ExportError{What: h.what, Time: at, Err: err}
		}
	}
	if dropped := o.dropped(); flushed != nil || dropped > before {
		return &BacklogError{Waiting: o.sampler.Waiting(), Dropped: dropped, Err: flushed}
	}
	if o.unsampled {
		return ErrNotSampled
	}
	return nil
}

func (o *Observability) dropped() uint64 {
	return o.sampler.Dropped(exportqueue.Sampled) + o.sampler.Dropped(exportqueue.Errors)
}
