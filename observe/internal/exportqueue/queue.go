// Package exportqueue hands spans to an exporter in batches, from one goroutine.
// It takes the place of the SDK's batch processor, whose one queue lets a flood of
// spans drop those of traces with an error.
package exportqueue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/warrenmq/warren/observe/internal/spantext"
)

// A Class is one of the two kinds of spans, each of which has its own buffer.
type Class int

const (
	Sampled Class = iota // of traces that the sampler keeps
	Errors               // of traces with an error; they are exported first

	classes = Errors + 1
)

// A Config is complete: nothing has a default.
type Config struct {
	Exporter sdktrace.SpanExporter // ExportSpans is called by one goroutine at a time

	Size      int           // of the buffer of [Sampled], in spans
	ErrorSize int           // of the buffer of [Errors], in spans
	Bytes     int           // of each buffer, see [Measure]
	Interval  time.Duration // the longest time that a span waits
	Timeout   time.Duration // the longest time that an export takes

	// Exported is called after each export, with the number of its spans and its
	// error.
	Exported func(spans int, err error)
}

// A Queue is the spans that wait to be exported. It is safe for concurrent use.
type Queue struct {
	config  Config
	buffers [classes]buffer

	wake    chan struct{}   // a batch is full, of one place
	flushes chan chan error // callers of Flush
	stop    chan struct{}   // closed by Shutdown
	ctx     context.Context // of exports; cancelled when Shutdown has no more time
	cancel  context.CancelFunc
	ended   chan struct{} // the goroutine has

	stopOnce sync.Once
}

// New returns a queue. It exports nothing before [Queue.Start].
func New(c Config) *Queue {
	q := &Queue{
		config: c, wake: make(chan struct{}, 1), flushes: make(chan chan error), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	q.buffers[Sampled].capacity, q.buffers[Errors].capacity = c.Size, c.ErrorSize
	q.buffers[Sampled].room, q.buffers[Errors].room = c.Bytes, c.Bytes
	q.ctx, q.cancel = context.WithCancel(context.Background())
	return q
}

// Start starts the goroutine that exports; [Queue.Shutdown] ends it. It calls
// onInterval at each interval, before it exports. Start is called once.
func (q *Queue) Start(onInterval func()) { go q.run(onInterval) }

// Add adds the spans of one trace, all or none, and reports whether there was
// room. It never waits. After the shutdown there is none.
func (q *Queue) Add(class Class, spans ...Sized) bool {
	ok, due := q.buffers[class].push(spans)
	if due {
		q.awake()
	}
	return ok
}

// Drop counts a span that isn't added, because the rest of its trace was dropped.
func (q *Queue) Drop(class Class) { q.buffers[class].dropped.Add(1) }

// Dropped returns how many spans there was no room for.
func (q *Queue) Dropped(class Class) uint64 { return q.buffers[class].dropped.Load() }

func (q *Queue) run(onInterval func()) {
	defer close(q.ended)
	ticker := time.NewTicker(q.config.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-q.wake:
			_ = q.exportBatches(q.ctx) // who adds a batch meanwhile wakes it again
		case <-ticker.C:
			onInterval()
			_ = q.exportAll(q.ctx)
		case done := <-q.flushes:
			done <- q.exportAll(q.ctx)
		case <-q.stop:
			return
		}
	}
}

// exportAll exports the spans that wait now, not those that come meanwhile: they
// may come faster than the exporter takes them. After a failure it stops, and what
// is left waits for the next time. The failed batch is lost: the exporter has
// retried it already.
func (q *Queue) exportAll(ctx context.Context) error { return q.export(ctx, q.Waiting(), 1) }

// exportBatches is exportAll for the full batches that wait now, and for one that
// isn't if that is all.
func (q *Queue) exportBatches(ctx context.Context) error {
	return q.export(ctx, q.Waiting(), batchSize)
}

// export exports a batch, and goes on until it has exported so many spans, while at
// least so many of them are left.
func (q *Queue) export(ctx context.Context, spans, atLeast int) error {
	batch := make([]sdktrace.ReadOnlySpan, 0, batchSize)
	for {
		batch = q.buffers[Sampled].pop(q.buffers[Errors].pop(batch[:0]))
		if len(batch) == 0 {
			return nil
		}
		spans -= len(batch)
		if err := q.exportBatch(ctx, batch); err != nil {
			return err
		}
		if spans < atLeast {
			return nil
		}
	}
}

func (q *Queue) awake() {
	select {
	case q.wake <- struct{}{}:
	default: // it is awake
	}
}

// Waiting returns how many spans wait to be exported.
func (q *Queue) Waiting() int { return q.buffers[Errors].length() + q.buffers[Sampled].length() }

// exportBatch makes an error of an exporter's panic: it would end the program.
func (q *Queue) exportBatch(ctx context.Context, batch []sdktrace.ReadOnlySpan) (err error) {
	ctx, cancel := context.WithTimeout(ctx, q.config.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the exporter panicked: %s", spantext.Panic(p))
		}
		q.config.Exported(len(batch), err)
	}()
	return q.config.Exporter.ExportSpans(ctx, batch)
}

// Flush exports the spans that wait. It returns when ctx ends, but the export goes
// on: its spans would be lost.
func (q *Queue) Flush(ctx context.Context) error {
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

// Shutdown exports what waits until ctx ends, stops the goroutine, waits for it,
// and shuts the exporter down. An export that is under way when ctx ends is
// cancelled, and left behind if that doesn't end it. The error says how many spans
// are lost. A second Shutdown does nothing.
func (q *Queue) Shutdown(ctx context.Context) error {
	var err error
	q.stopOnce.Do(func() {
		defer q.cancel()
		q.buffers[Errors].close()
		q.buffers[Sampled].close()
		close(q.stop)
		select {
		case <-q.ended:
			err = q.exportAll(ctx)
		case <-ctx.Done():
			q.cancel() // the exporter's Shutdown may wait for its export
			err = ctx.Err()
		}
		if n := q.buffers[Errors].drop() + q.buffers[Sampled].drop(); n > 0 {
			err = errors.Join(err, fmt.Errorf("%d spans were waiting, and are lost", n))
		}
		err = errors.Join(err, q.config.Exporter.Shutdown(ctx))
	})
	return err
}
