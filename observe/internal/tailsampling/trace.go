package tailsampling

import (
	"sync"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/exportqueue"
)

const (
	shards         = 64
	tracesPerShard = 512
	spansPerTrace  = 256
	spansHeld      = 65536            // in all traces
	longHold       = 30 * time.Second // until a sampled trace is exported in parts
	idle           = 10 * time.Minute // until a trace gives its place to others
)

// A shard is a part of the traces, with its own lock.
type shard struct {
	mu     sync.Mutex
	traces map[trace.TraceID]*localTrace
	free   []*localTrace
}

func (s *Sampler) shard(id trace.TraceID) *shard { return &s.shards[id[15]%shards] }

func (s *shard) full() bool { return len(s.traces) >= tracesPerShard }

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

// A localTrace is the part of a trace in this process.
type localTrace struct {
	open    int  // spans that haven't ended
	sampled bool // one of them is, so all are kept
	state   traceState
	spans   []exportqueue.Sized
	bytes   int64     // of the spans that are held
	since   time.Time // of the first span that is held
	started time.Time // the last of its spans
}

type traceState uint8

const (
	holding   traceState = iota // spans wait for the decision
	keeping                     // there was an error: all spans are exported
	streaming                   // spans are too many, or too old: each is exported by itself
	dropping                    // a part was dropped: so is the rest, but for errors
	lost                        // there was no room for the error: the rest is dropped
	limited                     // there were too many errors: the rest is dropped, too
)

// ended takes a span of the trace.
func (s *Sampler) ended(t *localTrace, span sdktrace.ReadOnlySpan) {
	failed := s.failed(span)
	switch {
	case t.state == lost:
		s.queue.Drop(exportqueue.Errors)
	case t.state == limited && !t.sampled:
	case t.state != keeping && failed && !t.sampled && !s.errors.take():
		t.state = limited
		s.forget(t)
	case t.state == keeping || failed:
		s.keep(t, span)
	case t.state == dropping:
		if t.sampled {
			s.queue.Drop(exportqueue.Sampled)
		}
	case t.state == streaming:
		if t.sampled && !s.queue.Add(exportqueue.Sampled, exportqueue.Measure(promote(span))) {
			t.state = dropping
		}
	default:
		s.hold(t, span)
	}
}

// keep exports the span of a trace with an error, and what is held of the trace.
func (s *Sampler) keep(t *localTrace, span sdktrace.ReadOnlySpan) {
	t.state = keeping
	s.add(t, exportqueue.Measure(span)) // which is held no longer than this call
	if !s.export(t, exportqueue.Errors) {
		t.state = lost
	}
}

// hold keeps the span until the trace is decided, as long as there is room.
func (s *Sampler) hold(t *localTrace, span sdktrace.ReadOnlySpan) {
	sized := exportqueue.Measure(span)
	if len(t.spans) < spansPerTrace && s.held.Load() < spansHeld && s.heldBytes.Load()+int64(sized.Bytes) <= s.room {
		if len(t.spans) == 0 && t.open > 0 {
			t.since = time.Now()
		}
		s.add(t, sized)
		return
	}
	s.decidedAlone.Add(1)
	s.stream(t)
	s.ended(t, span)
}

// stream gives up holding: what is held of a sampled trace is exported.
func (s *Sampler) stream(t *localTrace) {
	t.state = streaming
	if t.sampled && !s.export(t, exportqueue.Sampled) {
		t.state = dropping
	}
	s.forget(t)
}

// close decides about a trace that has ended here.
func (s *Sampler) close(t *localTrace) {
	if t.sampled && len(t.spans) > 0 {
		s.export(t, exportqueue.Sampled)
	}
	s.forget(t)
}

// export moves what is held to the queue, each span as a sampled one, and reports
// whether there was room.
func (s *Sampler) export(t *localTrace, class exportqueue.Class) bool {
	for i, span := range t.spans {
		t.spans[i].ReadOnlySpan = promote(span.ReadOnlySpan)
	}
	ok := s.queue.Add(class, t.spans...)
	s.forget(t)
	return ok
}

func (s *Sampler) add(t *localTrace, span exportqueue.Sized) {
	t.spans = append(t.spans, span)
	t.bytes += int64(span.Bytes)
	s.held.Add(1)
	s.heldBytes.Add(int64(span.Bytes))
}

func (s *Sampler) forget(t *localTrace) {
	s.held.Add(-int64(len(t.spans)))
	s.heldBytes.Add(-t.bytes)
	t.bytes = 0
	clear(t.spans)
	t.spans = t.spans[:0]
}

// promoted is a span that is kept although it wasn't sampled. Exporters send the
// flags as they are, and backends drop spans whose flags say "not sampled".
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
