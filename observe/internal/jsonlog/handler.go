package jsonlog

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"sync"

	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/redact"
)

// LevelCritical is the level above error: the service can't go on.
const LevelCritical = slog.LevelError + 4

// Options are observe.HandlerOptions, which describes them.
type Options struct {
	Level     slog.Leveler
	Service   string
	Logger    string
	Redact    *redact.Redactor
	AddSource bool
}

// A Handler writes records as JSON lines. It is safe for concurrent use; all
// handlers that are derived from one share its lock, so that lines never mix.
type Handler struct {
	sink     *sink
	level    slog.Leveler
	redactor *redact.Redactor
	source   bool
	service  string
	logger   string
	tenant   redact.Verdict // by the name of its field

	newTee func(logger string) slog.Handler // nil for none
	tee    slog.Handler                     // of this logger, with its steps

	head    []byte   // the members logger and service
	attrs   []byte   // the fields of WithAttrs, and the groups that hold some, not closed
	open    int      // how many
	pending []string // groups that hold nothing yet
	topKeys keySet   // of the fields in attrs at the top level
	keys    keySet   // of the fields in attrs in the innermost group
	steps   []step   // all that was added, for records that attrs doesn't fit
	byTree  bool     // attrs can't be used: a key comes twice, or a group is masked or excepted by its name
}

// A step is a call of WithGroup, or of WithAttrs.
type step struct {
	group string
	attrs []slog.Attr
}

// sink is what all handlers of one writer share.
type sink struct {
	mu   sync.Mutex
	w    io.Writer
	keys keyTable
}

// NewHandler returns a handler that writes to w, with one call of Write for each
// record. Nil options are the zero Options. It never fails.
func NewHandler(w io.Writer, options *Options) *Handler {
	if options == nil {
		options = new(Options)
	}
	h := &Handler{
		sink: &sink{w: w}, level: options.Level, redactor: options.Redact, source: options.AddSource,
		service: options.Service, logger: options.Logger, tenant: options.Redact.Field(logkey.TenantID),
	}
	if h.level == nil {
		h.level = slog.LevelInfo
	}
	h.head = h.appendHead(nil)
	return h
}

// Named returns a handler whose records have the logger's name.
func (h *Handler) Named(name string) *Handler {
	c := h.clone()
	c.logger = name
	c.head = c.appendHead(nil)
	c.replay()
	return c
}

// Tee returns a handler that gives its records to another handler too, of which make
// returns one for each logger. It gets them as they are, not masked, when they are
// enabled here. Its panics and errors are dropped.
func (h *Handler) Tee(make func(logger string) slog.Handler) *Handler {
	c := h.clone()
	c.newTee = make
	c.replay()
	return c
}

func (h *Handler) appendHead(dst []byte) []byte {
	if h.logger != "" {
		dst = append(dst, `,"`+logkey.Logger+`":`...)
		dst = appendString(dst, h.logger)
	}
	if h.service != "" {
		dst = append(dst, `,"`+logkey.Service+`":`...)
		dst = appendString(dst, h.service)
	}
	return dst
}

// Enabled reports whether records of the level are written.
func (h *Handler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level.Level() }

// Handle writes the record. The error is that of the writer.
func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	e := newEncoder(h)
	defer e.free()
	e.record(ctx, r)
	if h.tee != nil {
		h.handTee(ctx, r)
	}
	h.sink.mu.Lock()
	defer h.sink.mu.Unlock()
	_, err := h.sink.w.Write(e.buf)
	return err
}

// handTee gives the record to the other handler. A value of it may panic.
func (h *Handler) handTee(ctx context.Context, r slog.Record) {
	defer func() { _ = recover() }() // the line that is written says so
	if ctx == nil {
		ctx = context.Background()
	}
	_ = h.tee.Handle(ctx, r)
}

// WithAttrs returns a handler whose records have the fields. They are encoded,
// and personal data in them is masked, here and now.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	if len(attrs) == 0 {
		return h
	}
	c := h.clone()
	c.steps = append(c.steps, step{attrs: slices.Clone(attrs)})
	c.encodeAttrs(attrs)
	c.stepTee(c.steps[len(c.steps)-1])
	return c
}

// WithGroup returns a handler that puts the fields of its records into a group.
func (h *Handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	c := h.clone()
	c.steps = append(c.steps, step{group: name})
	c.openGroup(name)
	c.stepTee(c.steps[len(c.steps)-1])
	return c
}

// stepTee makes a step of the other handler too.
func (h *Handler) stepTee(s step) {
	switch {
	case h.tee == nil:
	case s.group != "":
		h.tee = h.tee.WithGroup(s.group)
	default:
		h.tee = teeAttrs(h.tee, s.attrs)
	}
}

// teeAttrs leaves the fields out if one of them panics.
func teeAttrs(tee slog.Handler, attrs []slog.Attr) (with slog.Handler) {
	defer func() {
		if recover() != nil {
			with = tee
		}
	}()
	return tee.WithAttrs(attrs)
}

func (h *Handler) clone() *Handler {
	c := *h
	c.attrs = slices.Clip(c.attrs)
	c.pending = slices.Clip(c.pending)
	c.steps = slices.Clip(c.steps)
	c.topKeys, c.keys = c.topKeys.clip(), c.keys.clip()
	return &c
}

// replay encodes the steps anew, with what the handler has become.
func (h *Handler) replay() {
	steps := h.steps
	h.attrs, h.open, h.pending, h.topKeys, h.keys, h.byTree = nil, 0, nil, keySet{}, keySet{}, false
	if h.newTee != nil {
		h.tee = h.newTee(h.logger)
	}
	for _, s := range steps {
		h.stepTee(s)
		if s.group != "" {
			h.openGroup(s.group)
			continue
		}
		h.encodeAttrs(s.attrs)
	}
}

func (h *Handler) openGroup(name string) {
	h.pending = append(h.pending, name)
	if v := h.redactor.Field(name); v.Mask || v.Excepted {
		h.byTree = true
	}
}

// encodeAttrs appends fields to attrs. The groups that wait for a field are
// opened, unless the fields turn out to be none.
func (h *Handler) encodeAttrs(attrs []slog.Attr) {
	if h.byTree {
		return
	}
	e := newEncoder(h)
	defer e.free()
	e.begin()
	e.openPending()
	opened := len(e.buf)
	for _, a := range attrs {
		e.attr(a)
	}
	if e.clash {
		h.byTree = true
		return
	}
	if len(e.buf) == opened {
		return
	}
	h.attrs = append(h.attrs, e.buf...)
	h.open += len(h.pending)
	if len(h.pending) > 0 {
		if h.open == len(h.pending) { // the first of them is a field of the top level
			e.top = true
			h.topKeys = h.topKeys.with(e.own(h.pending[0]).written)
		}
		h.keys, h.pending = keySet{}, nil
	}
	for _, key := range e.keys {
		h.keys = h.keys.with(key)
		if h.open == 0 {
			h.topKeys = h.topKeys.with(key)
		}
	}
}
