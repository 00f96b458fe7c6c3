package jsonlog

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/tenant"
)

// maxGroupDepth bounds the groups in groups of a field: a LogValuer may return a
// group of itself.
const maxGroupDepth = 32

// maxFields bounds the fields of a record that has groups in groups: a group of
// two of itself would have 2 to the power of 32 of them. More than that are
// written, but no group among them.
const maxFields = 1 << 14

// maxPooled is the size of the buffers that are kept, in bytes, so that one
// large record doesn't stay in memory.
const maxPooled = 16 << 10

// maxScanned is how many keys of an object are compared one by one. A record that has more
// is written from a tree, which looks them up.
const maxScanned = 64

// An encoder writes one record, or the fields of a handler.
// See docs/decisions/0029.
type encoder struct {
	buf   []byte
	keys  []string             // of the objects that are being written
	visit func(slog.Attr) bool // e.attr, made once
	state
}

// A state is what an encoder begins anew with.
type state struct {
	handler *Handler
	depth   int
	fields  int  // that were written
	exempt  bool // below a key that is excepted from redaction

	// The object that is being written: the fields that the handler has in it
	// already, and those of the record, which are keys[first:].
	known keySet
	first int
	mask  uint64
	top   bool // it is the record itself
	empty bool // it has no member yet
	clash bool // a key came twice, or there are too many: the record is written from a tree
}

var encoders = sync.Pool{New: func() any {
	e := &encoder{buf: make([]byte, 0, 1024)}
	e.visit = e.attr
	return e
}}

func newEncoder(h *Handler) *encoder {
	e := encoders.Get().(*encoder)
	e.handler = h
	return e
}

func (e *encoder) free() {
	if cap(e.buf) > maxPooled {
		return
	}
	e.buf, e.keys, e.state = e.buf[:0], e.keys[:0], state{}
	encoders.Put(e)
}

// record writes the line.
func (e *encoder) record(ctx context.Context, r slog.Record) {
	fields := FieldsFrom(ctx)
	e.head(ctx, r)
	own := len(e.buf)
	if !e.handler.byTree {
		e.body(fields, r)
	}
	if e.handler.byTree || e.clash {
		e.buf = e.buf[:own]
		e.tree(fields, r)
	}
	e.buf = append(e.buf, '}', '\n')
}

// head writes the record's own members.
func (e *encoder) head(ctx context.Context, r slog.Record) {
	h := e.handler
	e.buf = append(e.buf, `{"`+logkey.Event+`":`...)
	e.buf = appendString(e.buf, h.redactor.Text(r.Message))
	e.buf = append(e.buf, `,"`+logkey.Level+`":"`...)
	e.buf = append(e.buf, LevelName(r.Level)...)
	e.buf = append(e.buf, '"')
	if !r.Time.IsZero() {
		e.buf = append(e.buf, `,"`+logkey.Timestamp+`":"`...)
		e.buf = appendTimestamp(e.buf, r.Time)
		e.buf = append(e.buf, '"')
	}
	e.buf = append(e.buf, h.head...)
	if ctx != nil {
		e.context(ctx)
	}
	if h.source && r.PC != 0 {
		e.source(r.PC)
	}
}

func (e *encoder) context(ctx context.Context) {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		traceID, spanID := span.TraceID(), span.SpanID()
		e.buf = append(e.buf, `,"`+logkey.TraceID+`":"`...)
		e.buf = appendHex(e.buf, traceID[:])
		e.buf = append(e.buf, `","`+logkey.SpanID+`":"`...)
		e.buf = appendHex(e.buf, spanID[:])
		e.buf = append(e.buf, '"')
	}
	if id := tenant.FromContext(ctx); id != "" {
		e.buf = append(e.buf, `,"`+logkey.TenantID+`":`...)
		e.tenant(id)
	}
}

// tenant writes the tenant, which may be personal data.
func (e *encoder) tenant(id string) {
	h := e.handler
	if h.tenant.Mask || !h.tenant.Excepted && h.redactor.Value(id) {
		e.mark()
		return
	}
	e.buf = appendString(e.buf, id)
}

func (e *encoder) source(pc uintptr) {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	e.buf = append(e.buf, `,"`+logkey.Source+`":{"function":`...)
	e.buf = appendString(e.buf, frame.Function)
	e.buf = append(e.buf, `,"file":`...)
	e.buf = appendString(e.buf, frame.File)
	e.buf = append(e.buf, `,"line":`...)
	e.buf = appendInt(e.buf, int64(frame.Line))
	e.buf = append(e.buf, '}')
}

// body writes the fields of the context, of the handler and of the record, or
// finds a clash.
func (e *encoder) body(fields []slog.Attr, r slog.Record) {
	h := e.handler
	e.known, e.top = h.topKeys, true
	for _, a := range fields {
		e.attr(a)
	}
	e.buf = append(e.buf, h.attrs...)
	if h.open > 0 {
		e.keys, e.mask = e.keys[:0], 0
	}
	before := len(e.buf)
	e.begin()
	e.openPending()
	opened := len(e.buf)
	r.Attrs(e.visit)
	if len(h.pending) > 0 {
		if len(e.buf) == opened {
			e.buf = e.buf[:before]
		} else {
			e.close(len(h.pending))
		}
	}
	e.close(h.open)
}

// begin goes to the innermost object of the handler.
func (e *encoder) begin() {
	h := e.handler
	e.known, e.top = h.keys, h.open == 0
	e.empty = false // a group of the handler that is open has a field, and the record has its own
}

// openPending opens the groups that hold nothing yet, and goes to the last.
func (e *encoder) openPending() {
	for i, name := range e.handler.pending {
		k := e.own(name)
		if i == 0 && e.seen(k) {
			e.clash = true
		}
		e.begins(k)
		e.buf = append(e.buf, '{')
		e.enter()
	}
}

// enter begins a new object.
func (e *encoder) enter() {
	e.known, e.first, e.mask, e.top, e.empty = keySet{}, len(e.keys), 0, false, true
}

func (e *encoder) close(n int) {
	for range n {
		e.buf = append(e.buf, '}')
	}
}

// own returns the key under which a field of the caller is written.
func (e *encoder) own(name string) *key {
	k := e.handler.sink.keys.get(name, e.handler.redactor)
	for e.top && reservedBits&k.bit != 0 && e.handler.reserved(k.written) {
		k = e.handler.sink.keys.get(k.written+"_", e.handler.redactor)
	}
	return k
}

// seen reports whether the object has the key.
func (e *encoder) seen(k *key) bool {
	return e.mask&k.bit != 0 && slices.Contains(e.keys[e.first:], k.written) ||
		e.known.mask&k.bit != 0 && slices.Contains(e.known.keys, k.written)
}

// attr writes a field: nothing for an empty one or an empty group. It returns false
// after a clash.
func (e *encoder) attr(a slog.Attr) bool {
	e.fields++
	value, kind := a.Value, a.Value.Kind()
	if kind == slog.KindLogValuer {
		value = value.Resolve()
		kind = value.Kind()
	}
	switch {
	case isEmpty(a.Key, value):
	case kind != slog.KindGroup:
		if k := e.member(a.Key); k != nil {
			e.value(value, kind, k.verdict)
		}
	case a.Key == "":
		e.inline(value.Group())
	default:
		e.group(a.Key, value.Group())
	}
	return !e.clash
}

// isEmpty reports whether the field is the zero Attr, which handlers leave out.
func isEmpty(key string, value slog.Value) bool { return key == "" && value.Equal(slog.Value{}) }

// member begins a field, and returns its key; nil for a clash, which ends the
// writing.
func (e *encoder) member(name string) *key {
	k := e.own(name)
	if len(e.keys)-e.first >= maxScanned || e.seen(k) {
		e.clash = true
		return nil
	}
	e.keys = append(e.keys, k.written)
	e.mask |= k.bit
	e.begins(k)
	return k
}

func (e *encoder) begins(k *key) {
	encoded := k.encoded
	if e.empty {
		encoded = encoded[len(","):]
	}
	e.empty = false
	e.buf = append(e.buf, encoded...)
}

func (e *encoder) inline(attrs []slog.Attr) {
	if e.tooDeep(e.depth) {
		return
	}
	e.depth++
	for _, a := range attrs {
		e.attr(a)
	}
	e.depth--
}

// group writes an object, and takes it back when it stays empty.
func (e *encoder) group(name string, attrs []slog.Attr) {
	start, keys, mask, empty := len(e.buf), len(e.keys), e.mask, e.empty
	known, first, top, exempt := e.known, e.first, e.top, e.exempt
	if len(attrs) == 0 {
		return
	}
	k := e.member(name)
	switch {
	case k == nil:
		return
	case e.tooDeep(e.depth):
		e.buf = append(e.buf, `"`+tooDeep+`"`...)
		return
	}
	e.buf = append(e.buf, '{')
	opened := len(e.buf)
	outer := len(e.keys)
	outerMask := e.mask
	e.enter()
	e.depth++
	e.exempt = exempt || k.verdict.Excepted
	for _, a := range attrs {
		e.attr(a)
	}
	e.depth--
	e.exempt = exempt
	e.known, e.first, e.top, e.empty = known, first, top, false
	e.keys, e.mask = e.keys[:outer], outerMask
	switch {
	case len(e.buf) == opened:
		e.buf, e.keys, e.mask, e.empty = e.buf[:start], e.keys[:keys], mask, empty
	case k.verdict.Mask && !exempt:
		e.buf = e.buf[:opened-1]
		e.mark()
	default:
		e.buf = append(e.buf, '}')
	}
}

const tooDeep = "!ERROR: groups nested too deeply"

// tooDeep reports whether no further group is to be written.
func (e *encoder) tooDeep(depth int) bool { return depth >= maxGroupDepth || e.fields > maxFields }

// LevelName returns the name of the level, those between by the one below.
func LevelName(level slog.Level) string {
	switch {
	case level < slog.LevelInfo:
		return "debug"
	case level < slog.LevelWarn:
		return "info"
	case level < slog.LevelError:
		return "warning"
	case level < LevelCritical:
		return "error"
	default:
		return "critical"
	}
}

// appendTimestamp always writes six digits of a second: time.RFC3339Nano leaves
// the fraction out at a whole second.
func appendTimestamp(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, "2006-01-02T15:04:05.000000Z")
	}
	hour, minute, second := t.Clock()
	micro := t.Nanosecond() / 1000
	return append(dst,
		byte('0'+year/1000), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10), '-',
		byte('0'+month/10), byte('0'+month%10), '-',
		byte('0'+day/10), byte('0'+day%10), 'T',
		byte('0'+hour/10), byte('0'+hour%10), ':',
		byte('0'+minute/10), byte('0'+minute%10), ':',
		byte('0'+second/10), byte('0'+second%10), '.',
		byte('0'+micro/100000), byte('0'+micro/10000%10), byte('0'+micro/1000%10),
		byte('0'+micro/100%10), byte('0'+micro/10%10), byte('0'+micro%10), 'Z')
}
