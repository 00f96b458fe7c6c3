package jsonlog

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/warrenmq/warren/observe/redact"
)

// A key is the name of a field, with what is derived from it.
type key struct {
	name    string         // as the caller wrote it
	written string         // as it is in the record, without quotes and escapes
	encoded []byte         // ,"name":
	bit     uint64         // of written, see keySet
	verdict redact.Verdict // how the value is written
}

func newKey(name string, redactor *redact.Redactor) *key {
	name = strings.Clone(name)
	written := name
	if !utf8.ValidString(written) {
		written = string([]rune(written)) // or two names could become one
	}
	verdict := redactor.Field(written)
	return &key{
		name: name, written: verdict.Name, encoded: append(appendString([]byte{','}, verdict.Name), ':'),
		bit: bit(verdict.Name), verdict: verdict,
	}
}

// A keyTable remembers keys, each in the one place that it may have, so that it
// can't grow. Programs have some dozens of names, nearly all of them constants.
//
// It isn't a cowmap.Map, which keeps the names that come first: where names come
// from data, these would fill it, and the constants would be made anew in each
// record. Here the name that is in use takes the place of another.
type keyTable [256]atomic.Pointer[key]

func (t *keyTable) get(name string, redactor *redact.Redactor) *key {
	place := &t[slot(name)]
	if k := place.Load(); k != nil && k.name == name {
		return k
	}
	k := newKey(name, redactor)
	place.Store(k)
	return k
}

func slot(name string) uint8 {
	n := len(name)
	if n == 0 {
		return 0
	}
	return uint8(n*31) ^ name[0]*7 ^ name[n-1]*13 ^ name[n/2]*3
}
