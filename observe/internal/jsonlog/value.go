package jsonlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/warrenmq/warren/observe/redact"
)

// resolve asks LogValuers for their values; slog turns their panics into values.
func resolve(v slog.Value) slog.Value {
	if v.Kind() == slog.KindLogValuer {
		return v.Resolve()
	}
	return v
}

// value writes what isn't a group.
func (e *encoder) value(value slog.Value, kind slog.Kind, v redact.Verdict) {
	redactor := e.handler.redactor
	if v.Excepted || e.exempt {
		redactor = nil
	} else if v.Mask {
		e.mark()
		return
	}
	switch kind {
	case slog.KindString:
		e.text(value.String(), redactor)
	case slog.KindInt64:
		n := value.Int64()
		if n > 0 && redactor.Number(uint64(n)) {
			e.mark()
			return
		}
		e.buf = appendInt(e.buf, n)
	case slog.KindUint64:
		n := value.Uint64()
		if redactor.Number(n) {
			e.mark()
			return
		}
		e.buf = strconv.AppendUint(e.buf, n, 10)
	case slog.KindFloat64:
		f := value.Float64()
		if redactor.Float(f) {
			e.mark()
			return
		}
		e.buf = appendFloat(e.buf, f)
	case slog.KindBool:
		e.buf = strconv.AppendBool(e.buf, value.Bool())
	case slog.KindDuration:
		e.buf = appendInt(e.buf, int64(value.Duration()))
	case slog.KindTime:
		e.buf = append(e.buf, '"')
		e.buf = value.Time().AppendFormat(e.buf, time.RFC3339Nano)
		e.buf = append(e.buf, '"')
	default:
		e.any(value.Any(), redactor)
	}
}

// mark writes the mask in the place of a whole field. See docs/decisions/0031.
func (e *encoder) mark() { e.buf = append(e.buf, `"`+redact.Mask+`"`...) }

func (e *encoder) text(s string, redactor *redact.Redactor) {
	if redactor.Value(s) {
		e.mark()
		return
	}
	e.buf = appendString(e.buf, s)
}

// any writes a value of any type, as encoding/json does; errors by their text.
// Methods of the value may panic.
func (e *encoder) any(value any, redactor *redact.Redactor) {
	start := len(e.buf)
	defer func() {
		if p := recover(); p != nil {
			e.buf = e.buf[:start]
			if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer && v.IsNil() {
				e.buf = append(e.buf, `null`...) // a method that doesn't take nil
				return
			}
			e.text("!PANIC: "+panicText(p), redactor)
		}
	}()
	if value == nil {
		e.buf = append(e.buf, `null`...)
		return
	}
	_, isMarshaler := value.(json.Marshaler)
	if err, ok := value.(error); ok && !isMarshaler {
		e.text(err.Error(), redactor)
		return
	}
	e.marshal(value, redactor)
}

// panicText shows the panic's value, which may panic itself.
func panicText(p any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T", p)
		}
	}()
	switch p := p.(type) {
	case error:
		return p.Error()
	case string:
		return p
	default:
		return fmt.Sprintf("a %T", p)
	}
}

var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (e *encoder) marshal(value any, redactor *redact.Redactor) {
	b := scratch.Get().(*bytes.Buffer)
	defer func() {
		if b.Cap() <= maxPooled {
			b.Reset()
			scratch.Put(b)
		}
	}()
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	if err == nil {
		e.buf, err = redactor.AppendJSON(e.buf, b.Bytes())
	}
	if err != nil {
		e.text(fmt.Sprintf("!ERROR: %v", err), redactor)
	}
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// appendFloat writes f as encoding/json does, and what JSON has no number for as
// a string: "NaN", "+Inf", "-Inf".
func appendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		dst = append(dst, '"')
		dst = strconv.AppendFloat(dst, f, 'g', -1, 64)
		return append(dst, '"')
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 becomes e-9
		dst = dst[:n-1]
	}
	return dst
}

const hex = "0123456789abcdef"

func appendHex(dst, id []byte) []byte {
	for _, b := range id {
		dst = append(dst, hex[b>>4], hex[b&15])
	}
	return dst
}

// plain are the bytes that stand for themselves in a JSON string.
var plain = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// appendString writes s as a JSON string. Invalid UTF-8 becomes U+FFFD; U+2028
// and U+2029, which end a line for some readers, are escaped.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		size, escape := 1, ""
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				escape = "\ufffd"
			case r == '\u2028':
				escape = `\u2028`
			case r == '\u2029':
				escape = `\u2029`
			default:
				i += size
				continue
			}
		}
		dst = append(dst, s[from:i]...)
		if escape != "" {
			dst = append(dst, escape...)
		} else {
			dst = appendEscape(dst, c)
		}
		i += size
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}
