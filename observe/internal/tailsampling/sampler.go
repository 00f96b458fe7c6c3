// Package tailsampling decides which ended spans are exported: those that the
// sampler keeps and, whatever it says, those of traces with an error. It is tail
// sampling within one process: a trace is decided when the last of its spans that
// are open here has ended, not by a timer.
//
// What is held is bounded in traces, in spans of one trace, and in spans and bytes
// of all.
// Beyond a bound spans are decided alone, as by a sampler that knows no traces.
package tailsampling

import (
	"context"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
)

// A Mode is what is exported of a trace with an error that the sampler drops.
type Mode int

const (
	LocalTrace Mode = iota // all spans of the trace in this process
	ErrorSpans             // the spans with an error
	Nothing
)

// A Config is complete: nothing has a default.
type Config struct {
	Mode       Mode
	Exceptions bool // spans with an exception event count as errors
	Bytes      int  // of the spans that are held, see [exportqueue.Measure]
	ErrorRate  int  // traces with an error that aren't sampled and are kept, in a second; negative for no bound
	Queue      exportqueue.Config
}

// A Sampler is the span processor. The spans that reach it are recorded, sampled
// or not. It is safe for concurrent use. See docs/decisions/0016.
type Sampler struct {
	mode       Mode
	exceptions bool
	room       int64 // in bytes, of what is held
	queue      *exportqueue.Queue

	shards       [shards]shard
	held         atomic.Int64 // spans
	heldBytes    atomic.Int64
	decidedAlone atomic.Uint64
	errors       *allowance
}

var _ sdktrace.SpanProcessor = (*Sampler)(nil)

// New returns a sampler, and starts its queue. [Sampler.Shutdown] ends it.
func New(c Config) *Sampler {
	s := &Sampler{mode: c.Mode, exceptions: c.Exceptions, room: int64(c.Bytes), queue: exportqueue.New(c.Queue), errors: newAllowance(c.ErrorRate)}
	s.queue.Start(s.release)
	return s
}

// OnStart counts the open spans of the trace.
func (s *Sampler) OnStart(_ context.Context, span sdktrace.ReadWriteSpan) {
	if s.mode != LocalTrace {
		return
	}
	context := span.SpanContext()
	id := context.TraceID()
	shard := s.shard(id)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	t := shard.traces[id]
	if t == nil {
		if shard.full() {
			return
		}
		t = shard.add(id)
	}
	t.open++
	t.sampled = t.sampled || context.IsSampled()
	t.started = span.StartTime()
}

// OnEnd decides about the span, and about its trace if it was the last.
func (s *Sampler) OnEnd(span sdktrace.ReadOnlySpan) {
	if s.mode != LocalTrace {
		s.decideAlone(span)
		return
	}
	id := span.SpanContext().TraceID()
	shard := s.shard(id)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	t := shard.traces[id]
	if t == nil {
		s.decidedAlone.Add(1)
		s.decideAlone(span)
		return
	}
	t.open--
	s.ended(t, span)
	if t.open <= 0 {
		s.close(t)
		shard.remove(id, t)
	}
}

// Discard drops the trace of a span that is about to end, if no exporter will see
// it, and reports whether that is so: the span is neither sampled nor an error, and
// the last of a trace without errors. It saves the caller to describe the span. A
// span that starts before this one has ended is too late to change it.
func (s *Sampler) Discard(span sdktrace.ReadOnlySpan) bool {
	if span.SpanContext().IsSampled() || s.failed(span) {
		return false
	}
	if s.mode != LocalTrace {
		return true
	}
	id := span.SpanContext().TraceID()
	shard := s.shard(id)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	t := shard.traces[id]
	if t == nil {
		return true
	}
	if t.open > 1 || t.state == keeping || t.sampled {
		return false
	}
	s.forget(t)
	t.state = dropping
	return true
}

// Keeps reports whether a span, ended or not, is exported as far as is known now.
func (s *Sampler) Keeps(span trace.Span) bool {
	if span.SpanContext().IsSampled() {
		return true
	}
	if s.mode == Nothing {
		return false
	}
	ended, ok := span.(sdktrace.ReadOnlySpan)
	failed := ok && s.failed(ended)
	if s.mode != LocalTrace {
		return failed && s.errors.has()
	}
	id := span.SpanContext().TraceID()
	shard := s.shard(id)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	t := shard.traces[id]
	if t == nil || t.state == holding || t.state == streaming || t.state == dropping {
		return failed && s.errors.has()
	}
	return t.state == keeping
}

// decideAlone decides about a span without its trace.
func (s *Sampler) decideAlone(span sdktrace.ReadOnlySpan) {
	switch {
	case s.mode != Nothing && s.failed(span):
		if span.SpanContext().IsSampled() || s.errors.take() {
			s.queue.Add(exportqueue.Errors, exportqueue.Measure(promote(span)))
		}
	case span.SpanContext().IsSampled():
		s.queue.Add(exportqueue.Sampled, exportqueue.Measure(span))
	}
}

func (s *Sampler) failed(span sdktrace.ReadOnlySpan) bool {
	if span.Status().Code == codes.Error {
		return true
	}
	if s.exceptions {
		for _, event := range span.Events() {
			if event.Name == "exception" {
				return true
			}
		}
	}
	return false
}

// release exports sampled traces that last long in parts, so that what they have
// done can be seen. Where there is no room left, traces in which no span has
// started for long give theirs up: it may be that their last span never ends.
// See docs/decisions/0022.
func (s *Sampler) release() {
	now := time.Now()
	for i := range s.shards {
		shard := &s.shards[i]
		shard.mu.Lock()
		full := shard.full()
		for id, t := range shard.traces {
			if t.state == holding && t.sampled && len(t.spans) > 0 && now.Sub(t.since) > longHold {
				s.stream(t)
			}
			if full && now.Sub(t.started) > idle {
				s.close(t)
				shard.remove(id, t)
			}
		}
		shard.mu.Unlock()
	}
}

// ForceFlush exports the spans of ended traces.
func (s *Sampler) ForceFlush(ctx context.Context) error { return s.queue.Flush(ctx) }

// Shutdown exports what is held too, although its traces haven't ended.
func (s *Sampler) Shutdown(ctx context.Context) error {
	for i := range s.shards {
		shard := &s.shards[i]
		shard.mu.Lock()
		for _, t := range shard.traces {
			s.close(t)
		}
		shard.mu.Unlock()
	}
	return s.queue.Shutdown(ctx)
}

// Waiting returns how many spans wait in the queue.
func (s *Sampler) Waiting() int { return s.queue.Waiting() }

// Dropped returns how many spans the queue had no room for.
func (s *Sampler) Dropped(class exportqueue.Class) uint64 { return s.queue.Dropped(class) }

// DecidedAlone returns how many spans were decided without their trace, for want
// of room.
func (s *Sampler) DecidedAlone() uint64 { return s.decidedAlone.Load() }

// Limited returns how many traces with an error weren't kept, because there were too
// many.
func (s *Sampler) Limited() uint64 { return s.errors.refused.Load() }
