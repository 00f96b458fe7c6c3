package observe

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// ErrorKeep is what is kept of traces with an error that the sampler drops
// (specification, section C, rule 5). An error is a span with status Error.
//
// The decision is this process's own. A message or request that went out before
// the error says that the trace isn't sampled, so another service keeps its part
// only where it sees an error itself; nothing brings back what it dropped.
type ErrorKeep int

const (
	// KeepLocalTrace keeps all spans of the trace in this process, from its first
	// span that isn't ended to its last. Every span is recorded, and held until
	// the trace has ended here: about three times the cost of a dropped span.
	// Traces are then exported as a whole or not at all, also those that the
	// sampler keeps. It is the default.
	KeepLocalTrace ErrorKeep = iota

	// KeepErrorSpans keeps the spans with an error alone.
	KeepErrorSpans

	// KeepNone keeps what the sampler keeps.
	KeepNone
)

// String returns the constant's name.
func (k ErrorKeep) String() string {
	switch k {
	case KeepLocalTrace:
		return "KeepLocalTrace"
	case KeepErrorSpans:
		return "KeepErrorSpans"
	case KeepNone:
		return "KeepNone"
	default:
		return "ErrorKeep(invalid)"
	}
}

const (
	shards         = 64
	tracesPerShard = 512
	spansPerTrace  = 256
	spansHeld      = 65536            // in all traces: about 80 MB of recorded spans
	longHold       = 30 * time.Second // until a sampled trace is exported in parts
	idle           = 10 * time.Minute // until a trace gives its place to others
)

// A keeper decides which ended spans are exported, and by which lane.
type keeper struct {
	queue      *exportQueue
	mode       ErrorKeep
	exceptions bool

	shards   [shards]shard
	held     atomic.Int64
	overflow atomic.Uint64 // spans that were decided alone, for want of room
}

type shard struct {
	mu     sync.Mutex
	traces map[trace.TraceID]*localTrace
	free   []*localTrace
}

// A localTrace is the part of a trace in this process.
type localTrace struct {
	open    int  // spans that haven't ended
	sampled bool // one of them is, so all are kept
	state   traceState
	spans   []sdktrace.ReadOnlySpan
	since   time.Time // of the first span that is held
	started time.Time // the last of its spans
}

type traceState uint8

const (
	holding   traceState = iota // spans wait for what becomes of the trace
	keeping                     // there was an error: they go to the error lane
	streaming                   // they are too many, or too old: each goes alone
	dropping                    // a part of it was dropped: so is the rest, save errors
	lost                        // the error lane had no room: the rest is dropped
)

var _ sdktrace.SpanProcessor = (*keeper)(nil)

// OnStart counts the open spans of the trace.
func (k *keeper) OnStart(_ context.Context, span sdktrace.ReadWriteSpan) {
	if k.mode != KeepLocalTrace {
		return
	}
	context := span.SpanContext()
	id := context.TraceID()
	s := k.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.traces[id]
	if t == nil {
		if len(s.traces) >= tracesPerShard {
			return
		}
		t = s.add(id)
	}
	t.open++
	t.sampled = t.sampled || context.IsSampled()
	t.started = span.StartTime()
}

func (k *keeper) shard(id trace.TraceID) *shard { return &k.shards[id[15]%shards] }

func (s *shard) add(id trace.TraceID) *localTrace {
	if s.traces == nil {
		s.traces = make(map[trace.TraceID]*localTrace)
	}
	var t *localTrace
	if n := len(s.free); n > 0 {
		t, s.free = s.free[n-1], s.free[:n-1]
	} else {
		t = new(localTrace)
	}
	s.traces[id] = t
	return t
}

// remove forgets a trace of which nothing is held, and keeps its memory for
// another.
func (s *shard) remove(id trace.TraceID, t *localTrace) {
	delete(s.traces, id)
	*t = localTrace{spans: t.spans[:0]}
	if cap(t.spans) <= 16 && len(s.free) < 64 {
		s.free = append(s.free, t)
	}
}

// OnEnd decides about the span, and about its trace if it was the last.
func (k *keeper) OnEnd(span sdktrace.ReadOnlySpan) {
	if k.mode != KeepLocalTrace {
		k.alone(span)
		return
	}
	id := span.SpanContext().TraceID()
	s := k.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.traces[id]
	if t == nil {
		k.overflow.Add(1)
		k.alone(span)
		return
	}
	t.open--
	k.ended(t, span)
	if t.open <= 0 {
		k.close(t)
		s.remove(id, t)
	}
}

// abandon drops the trace of a span that is about to end, if nobody will see it:
// the span is neither sampled nor an error, and the last of a trace without
// errors. A span that starts before this one has ended is too late to change it.
func (k *keeper) abandon(span sdktrace.ReadOnlySpan) bool {
	if span.SpanContext().IsSampled() || k.failed(span) {
		return false
	}
	if k.mode != KeepLocalTrace {
		return true
	}
	id := span.SpanContext().TraceID()
	s := k.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.traces[id]
	if t == nil {
		return true
	}
	if t.open > 1 || t.state == keeping || t.sampled {
		return false
	}
	k.forget(t)
	t.state = dropping
	return true
}

// ended takes a span of the trace.
func (k *keeper) ended(t *localTrace, span sdktrace.ReadOnlySpan) {
	failed := k.failed(span)
	switch {
	case t.state == lost:
		k.queue.errors.dropped.Add(1)
	case t.state == keeping || failed:
		k.keep(t, span)
	case t.state == dropping:
		if t.sampled {
			k.queue.others.dropped.Add(1)
		}
	case t.state == streaming:
		if t.sampled && !k.queue.add(&k.queue.others, promote(span)) {
			t.state = dropping
		}
	default:
		k.hold(t, span)
	}
}

// keep exports the span of a trace with an error, and what is held of it.
func (k *keeper) keep(t *localTrace, span sdktrace.ReadOnlySpan) {
	t.state = keeping
	t.spans = append(t.spans, span)
	k.held.Add(1)
	if !k.release(t, &k.queue.errors) {
		t.state = lost
	}
}

// hold keeps the span until the trace is decided, as long as there is room.
func (k *keeper) hold(t *localTrace, span sdktrace.ReadOnlySpan) {
	if len(t.spans) < spansPerTrace && k.held.Load() < spansHeld {
		if len(t.spans) == 0 && t.open > 0 {
			t.since = time.Now()
		}
		t.spans = append(t.spans, span)
		k.held.Add(1)
		return
	}
	k.overflow.Add(1)
	k.stream(t)
	k.ended(t, span)
}

// stream gives up holding: what is held of a sampled trace is exported.
func (k *keeper) stream(t *localTrace) {
	t.state = streaming
	if t.sampled && !k.release(t, &k.queue.others) {
		t.state = dropping
	}
	k.forget(t)
}

// close decides about a trace that has ended here.
func (k *keeper) close(t *localTrace) {
	if t.sampled && len(t.spans) > 0 {
		k.release(t, &k.queue.others)
	}
	k.forget(t)
}

// release moves what is held to the lane, each span as a sampled one, and reports
// whether there was room.
func (k *keeper) release(t *localTrace, l *lane) bool {
	for i, span := range t.spans {
		t.spans[i] = promote(span)
	}
	ok := k.queue.add(l, t.spans...)
	k.forget(t)
	return ok
}

func (k *keeper) forget(t *localTrace) {
	k.held.Add(-int64(len(t.spans)))
	clear(t.spans)
	t.spans = t.spans[:0]
}

// sweep lets sampled traces that last long be exported in parts, so that what
// they have done can be seen. Where there is no room left, traces in which nothing
// has started for long give theirs up: it may be that their last span never ends.
func (k *keeper) sweep() {
	now := time.Now()
	for i := range k.shards {
		s := &k.shards[i]
		s.mu.Lock()
		full := len(s.traces) >= tracesPerShard
		for id, t := range s.traces {
			if t.state == holding && t.sampled && len(t.spans) > 0 && now.Sub(t.since) > longHold {
				k.stream(t)
			}
			if full && now.Sub(t.started) > idle {
				k.close(t)
				s.remove(id, t)
			}
		}
		s.mu.Unlock()
	}
}

// alone decides about a span without its trace.
func (k *keeper) alone(span sdktrace.ReadOnlySpan) {
	switch {
	case k.mode != KeepNone && k.failed(span):
		k.queue.add(&k.queue.errors, promote(span))
	case span.SpanContext().IsSampled():
		k.queue.add(&k.queue.others, span)
	}
}

func (k *keeper) failed(span sdktrace.ReadOnlySpan) bool {
	if span.Status().Code == codes.Error {
		return true
	}
	if k.exceptions {
		for _, event := range span.Events() {
			if event.Name == "exception" {
				return true
			}
		}
	}
	return false
}

// ForceFlush exports the spans of ended traces.
func (k *keeper) ForceFlush(ctx context.Context) error { return k.queue.flush(ctx) }

// Shutdown exports what is held too, although its traces haven't ended.
func (k *keeper) Shutdown(ctx context.Context) error {
	for i := range k.shards {
		s := &k.shards[i]
		s.mu.Lock()
		for _, t := range s.traces {
			k.close(t)
		}
		s.mu.Unlock()
	}
	return k.queue.shutdown(ctx)
}

// promoted is a span that is kept although it wasn't sampled. Exporters send the
// flags as they are, and backends drop what says that it isn't sampled.
type promoted struct {
	sdktrace.ReadOnlySpan
	context trace.SpanContext
}

func (p promoted) SpanContext() trace.SpanContext { return p.context }

func promote(span sdktrace.ReadOnlySpan) sdktrace.ReadOnlySpan {
	context := span.SpanContext()
	if context.IsSampled() {
		return span
	}
	return promoted{span, context.WithTraceFlags(context.TraceFlags().WithSampled(true))}
}
