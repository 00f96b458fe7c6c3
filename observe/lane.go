package observe

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// batchSize is the number of spans in an export.
const batchSize = 512

// A lane is a bounded queue of spans. What belongs together goes in together or
// not at all.
type lane struct {
	mu       sync.Mutex
	spans    []sdktrace.ReadOnlySpan
	capacity int
	closed   bool
	dropped  atomic.Uint64
}

// push adds the spans, and reports whether there was room, and whether it is time
// to export: there is a batch, or half of what the lane holds.
func (l *lane) push(spans []sdktrace.ReadOnlySpan) (ok, due bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.spans)+len(spans) > l.capacity {
		l.dropped.Add(uint64(len(spans)))
		return false, true
	}
	l.spans = append(l.spans, spans...)
	return true, len(l.spans) >= min(batchSize, (l.capacity+1)/2)
}

// close lets nothing more in.
func (l *lane) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// drop empties the lane, and returns how many spans there were.
func (l *lane) drop() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.spans)
	l.spans = nil
	l.dropped.Add(uint64(n))
	return n
}

func (l *lane) length() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.spans)
}

// take moves up to batchSize spans to dst.
func (l *lane) take(dst []sdktrace.ReadOnlySpan) []sdktrace.ReadOnlySpan {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(l.spans), batchSize-len(dst))
	dst = append(dst, l.spans[:n]...)
	clear(l.spans[:n])
	l.spans = l.spans[n:]
	if len(l.spans) == 0 {
		l.spans = nil
	}
	return dst
}

// An exportQueue hands spans to an exporter, from one goroutine: those of traces
// with an error first, from a lane that others don't get into.
type exportQueue struct {
	exporter sdktrace.SpanExporter
	interval time.Duration
	timeout  time.Duration
	health   *health

	errors lane
	others lane

	wake    chan struct{}   // a batch is full, of one place
	flushes chan chan error // who waits for everything
	stop    chan struct{}   // closed by shutdown
	ctx     context.Context // of exports; cancelled when shutdown has no more time
	cancel  context.CancelFunc
	ended   chan struct{} // the goroutine has

	stopOnce sync.Once
	sweep    func() // called at each interval
}

func newExportQueue(s *settings, exporter sdktrace.SpanExporter, h *health, sweep func()) *exportQueue {
	q := &exportQueue{
		exporter: exporter, interval: s.ExportInterval, timeout: s.ExportTimeout, health: h, sweep: sweep,
		wake: make(chan struct{}, 1), flushes: make(chan chan error), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	q.others.capacity, q.errors.capacity = s.QueueSize, s.ErrorQueueSize
	q.ctx, q.cancel = context.WithCancel(context.Background())
	go q.run()
	return q
}

// add puts the spans of one trace into a lane. It never waits. After the
// shutdown they are dropped.
func (q *exportQueue) add(l *lane, spans ...sdktrace.ReadOnlySpan) bool {
	ok, due := l.push(spans)
	if due {
		select {
		case q.wake <- struct{}{}:
		default: // it is awake
		}
	}
	return ok
}

func (q *exportQueue) run() {
	defer close(q.ended)
	ticker := time.NewTicker(q.interval)
	defer ticker.Stop()
	for {
		select {
		case <-q.wake:
			_ = q.export(q.ctx, false)
		case <-ticker.C:
			if q.sweep != nil {
				q.sweep()
			}
			_ = q.export(q.ctx, true)
		case done := <-q.flushes:
			done <- q.export(q.ctx, true)
		case <-q.stop:
			return
		}
	}
}

// export exports what is there: all of it, or full batches. After a failure it
// stops, and what is left waits for the next time. The failed batch is lost: the
// exporter has tried it again already.
func (q *exportQueue) export(ctx context.Context, all bool) error {
	batch := make([]sdktrace.ReadOnlySpan, 0, batchSize)
	for {
		batch = q.others.take(q.errors.take(batch[:0]))
		if len(batch) == 0 {
			return nil
		}
		full := len(batch) == batchSize
		if err := q.exportBatch(ctx, batch); err != nil {
			return err
		}
		if !full || !all && q.errors.length()+q.others.length() < batchSize {
			return nil
		}
	}
}

// exportBatch makes an error of an exporter's panic: it would end the program.
func (q *exportQueue) exportBatch(ctx context.Context, batch []sdktrace.ReadOnlySpan) (err error) {
	ctx, cancel := context.WithTimeout(ctx, q.timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the exporter panicked: %s", panicText(p))
		}
		q.health.exported(len(batch), err)
	}()
	return q.exporter.ExportSpans(ctx, batch)
}

// flush exports everything. It returns when ctx ends, but the export goes on: its
// spans would be lost.
func (q *exportQueue) flush(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case q.flushes <- done:
	case <-q.stop:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// shutdown exports everything until ctx ends, stops the goroutine, waits for it,
// and shuts the exporter down. An export that is under way when ctx ends is
// cancelled, and left behind if that doesn't end it. The error says how many spans are lost.
func (q *exportQueue) shutdown(ctx context.Context) error {
	var err error
	q.stopOnce.Do(func() {
		defer q.cancel()
		q.errors.close()
		q.others.close()
		close(q.stop)
		select {
		case <-q.ended:
			err = q.export(ctx, true)
		case <-ctx.Done():
			q.cancel() // the exporter's Shutdown may wait for its export
			err = ctx.Err()
		}
		if n := q.errors.drop() + q.others.drop(); n > 0 {
			err = errors.Join(err, fmt.Errorf("%d spans were waiting, and are lost", n))
		}
		err = errors.Join(err, q.exporter.Shutdown(ctx))
	})
	return err
}
