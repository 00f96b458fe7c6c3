package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting that [Redactor.AppendJSON] follows.
const maxDepth = 200

var errJSON = errors.New("redact: the text isn't JSON, or is nested too deeply")

// AppendJSON appends the JSON value src to dst with a [Mask] in place of personal
// data, at any depth, also in strings of base64, which encoding/json makes of
// bytes. Spaces between tokens are left out. Of the members of an object that have
// one name the last stays, as for encoding/json. A nil Redactor does only that. src
// isn't changed. A value longer than [Config].MaxLength is masked as a whole. It fails
// on what isn't JSON, or is nested more than 200 deep, and then returns dst as it was.
func (r *Redactor) AppendJSON(dst, src []byte) ([]byte, error) {
	if !json.Valid(src) {
		return dst, errJSON
	}
	if r != nil && len(src) > r.maxLength {
		return append(dst, `"`+Mask+`"`...), nil
	}
	w := walker{redactor: r, src: src, dst: dst}
	if !w.value(0, false) {
		return dst, errJSON
	}
	return w.dst, nil
}

// A walker copies a JSON text that is valid, token by token.
type walker struct {
	redactor *Redactor
	src      []byte
	pos      int
	dst      []byte
}

func (w *walker) skipSpace() {
	for w.pos < len(w.src) {
		switch w.src[w.pos] {
		case ' ', '\t', '\r', '\n':
			w.pos++
		default:
			return
		}
	}
}

// value copies one value; an exempt one, below a key that is excepted, as it is.
func (w *walker) value(depth int, exempt bool) bool {
	w.skipSpace()
	if w.pos == len(w.src) || depth > maxDepth {
		return false
	}
	switch w.src[w.pos] {
	case '{':
		return w.object(depth, exempt)
	case '[':
		return w.array(depth, exempt)
	case '"':
		return w.text(exempt)
	default:
		return w.literal(exempt)
	}
}

func (w *walker) object(depth int, exempt bool) bool {
	w.pos++
	w.dst = append(w.dst, '{')
	var m members
	for {
		w.skipSpace()
		if w.take('}') {
			break
		}
		if len(m.all) > 0 {
			if !w.take(',') {
				return false
			}
			w.skipSpace()
			w.dst = append(w.dst, ',')
		}
		next := member{start: len(w.dst)}
		verdict, ok := w.name()
		if !ok || !w.memberValue(depth, verdict, exempt) {
			return false
		}
		next.name, next.end = verdict.Name, len(w.dst)
		m.add(next)
	}
	if m.again {
		w.leaveOut(m.all)
	}
	w.dst = append(w.dst, '}')
	return true
}

// name copies the name of a member, and the colon.
func (w *walker) name() (Verdict, bool) {
	raw, ok := w.stringToken()
	if !ok {
		return Verdict{}, false
	}
	name, ok := unquote(raw)
	if !ok {
		return Verdict{}, false
	}
	w.skipSpace()
	if !w.take(':') {
		return Verdict{}, false
	}
	v := w.redactor.Field(name)
	if v.Name == name {
		w.dst = append(w.dst, raw...)
	} else {
		w.dst = appendQuoted(w.dst, v.Name)
	}
	w.dst = append(w.dst, ':')
	return v, true
}

func (w *walker) memberValue(depth int, v Verdict, exempt bool) bool {
	if !v.Mask || exempt {
		return w.value(depth+1, exempt || v.Excepted)
	}
	start := len(w.dst)
	if !w.value(depth+1, true) {
		return false
	}
	if string(w.dst[start:]) != "null" {
		w.dst = append(w.dst[:start], `"`+Mask+`"`...)
	}
	return true
}

func (w *walker) array(depth int, exempt bool) bool {
	w.pos++
	w.dst = append(w.dst, '[')
	for n := 0; ; n++ {
		w.skipSpace()
		if w.take(']') {
			w.dst = append(w.dst, ']')
			return true
		}
		if n > 0 {
			if !w.take(',') {
				return false
			}
			w.dst = append(w.dst, ',')
		}
		if !w.value(depth+1, exempt) {
			return false
		}
	}
}

func (w *walker) text(exempt bool) bool {
	raw, ok := w.stringToken()
	if !ok {
		return false
	}
	if w.redactor != nil && !exempt {
		text, ok := unquote(raw)
		if !ok {
			return false
		}
		if w.redactor.Value(text) || w.redactor.encoded(text) {
			w.dst = append(w.dst, `"`+Mask+`"`...)
			return true
		}
	}
	w.dst = append(w.dst, raw...)
	return true
}

// encoded reports whether s holds personal data in base64, which is how
// encoding/json writes bytes.
func (r *Redactor) encoded(s string) bool {
	if len(s) < 8 || len(s)%4 != 0 {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(s)
	return err == nil && utf8.Valid(text) && r.Value(string(text))
}

// literal copies a number, true, false or null.
func (w *walker) literal(exempt bool) bool {
	start := w.pos
	for w.pos < len(w.src) && strings.IndexByte(" \t\r\n,]}:", w.src[w.pos]) < 0 {
		w.pos++
	}
	token := w.src[start:w.pos]
	if !json.Valid(token) {
		return false
	}
	if !exempt {
		if n, err := strconv.ParseUint(string(token), 10, 64); err == nil && w.redactor.Number(n) {
			w.dst = append(w.dst, `"`+Mask+`"`...)
			return true
		}
	}
	w.dst = append(w.dst, token...)
	return true
}

// stringToken takes a string with its quotes.
func (w *walker) stringToken() ([]byte, bool) {
	start := w.pos
	if !w.take('"') {
		return nil, false
	}
	for w.pos < len(w.src) {
		switch w.src[w.pos] {
		case '\\':
			w.pos += 2
		case '"':
			w.pos++
			return validToken(w.src[start:w.pos])
		default:
			w.pos++
		}
	}
	return nil, false
}

// validToken returns the string token raw with U+FFFD in place of invalid UTF-8,
// and U+2028 and U+2029, which end a line for some readers, as escapes.
func validToken(raw []byte) ([]byte, bool) {
	if utf8.Valid(raw) && !bytes.Contains(raw, []byte("\u2028")) && !bytes.Contains(raw, []byte("\u2029")) {
		return raw, true
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, false
	}
	return appendQuoted(nil, text), true
}

func (w *walker) take(c byte) bool {
	if w.pos < len(w.src) && w.src[w.pos] == c {
		w.pos++
		return true
	}
	return false
}

// unquote decodes a string token.
func unquote(raw []byte) (string, bool) {
	if !slices.Contains(raw, '\\') {
		return string(raw[1 : len(raw)-1]), true
	}
	var text string
	err := json.Unmarshal(raw, &text)
	return text, err == nil
}

func appendQuoted(dst []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		return append(dst, `""`...)
	}
	return append(dst, quoted...)
}
