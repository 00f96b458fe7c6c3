package rabbitmq

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/warrenmq/warren/runtime/internal/wire"
)

const (
	// contentHead is the size of what a header frame begins with: class, weight, the
	// size of the body, and the flags of the properties that follow.
	contentHead = 2 + 2 + 8 + 2

	flagContentType     = 1 << 15
	flagContentEncoding = 1 << 14
	flagHeaders         = 1 << 13

	// markRoom is more than the mark of a filtered header takes.
	markRoom = 1024
)

// Why the client library wouldn't read the headers of a message.
var (
	errHeaderTooLarge = errors.New("they are larger than a frame")
	errTooDeep        = fmt.Errorf("a table or an array is nested more than %d deep", wire.MaxDepth)
	errTooMany        = fmt.Errorf("a table or an array has more than %d elements", wire.MaxElements)
	errMalformed      = errors.New("a field isn't one of AMQP's")
)

// A contentHeader is the payload of a header frame: the properties of a message, of
// which only the headers are looked at.
type contentHeader struct {
	head   []byte // contentHead bytes
	before []byte // the properties before the headers
	table  []byte // the headers, without their length
	after  []byte // the properties after them
}

// parseContentHeader returns false where there are no headers, and for what can't be read.
func parseContentHeader(payload []byte) (h contentHeader, found bool) {
	flags := binary.BigEndian.Uint16(payload[contentHead-2:])
	if flags&flagHeaders == 0 {
		return h, false
	}
	rest := payload[contentHead:]
	for _, flag := range []uint16{flagContentType, flagContentEncoding} {
		if flags&flag == 0 {
			continue
		}
		_, after, err := cutShortString(rest)
		if err != nil {
			return h, false
		}
		rest = after
	}
	table, after, err := cutLongString(rest)
	if err != nil {
		return h, false
	}
	before := payload[contentHead : len(payload)-len(rest)]
	return contentHeader{head: payload[:contentHead], before: before, table: table, after: after}, true
}

// bareHeader is a header frame without properties. It begins with class, weight and
// the size of the body.
func bareHeader(beginning []byte) contentHeader {
	head := append([]byte(nil), beginning[:contentHead]...)
	binary.BigEndian.PutUint16(head[contentHead-2:], 0)
	return contentHeader{head: head}
}

// readablePart returns payload without the headers that can't be read, or that
// make it larger than limit, where that isn't 0.
func readablePart(payload []byte, limit int) contentHeader {
	h, found := parseContentHeader(payload)
	if !found {
		return bareHeader(payload)
	}
	room := len(payload)
	if limit > 0 {
		room = limit - contentHead - len(h.before) - len(h.after) - markRoom
	}
	h.table = readableEntries(h.table, room)
	return h
}

// readableEntries returns the entries of a table that can be read and have room.
// What follows a field of no known type isn't an entry for certain.
func readableEntries(table []byte, room int) (kept []byte) {
	for n := 0; len(table) > 0 && n < wire.MaxElements-1; n++ {
		kind, data, rest, err := cutEntry(table)
		if err != nil {
			break
		}
		entry := table[:len(table)-len(rest)]
		if checkField(kind, data, 0) == nil && len(kept)+len(entry) <= room {
			kept = append(kept, entry...)
		}
		table = rest
	}
	return kept
}

// marked returns the payload with one more header, which says why others are missing.
func (h contentHeader) marked(mark string, reason error) []byte {
	table := append([]byte(nil), h.table...)
	table = append(table, byte(len(mark)))
	table = append(table, mark...)
	table = append(table, 'S')
	table = binary.BigEndian.AppendUint32(table, uint32(len(reason.Error())))
	table = append(table, reason.Error()...)

	payload := append([]byte(nil), h.head...)
	payload[contentHead-2] |= flagHeaders >> 8
	payload = append(payload, h.before...)
	payload = binary.BigEndian.AppendUint32(payload, uint32(len(table)))
	payload = append(payload, table...)
	return append(payload, h.after...)
}

// checkTable returns why the library wouldn't read a table.
func checkTable(table []byte, depth int) error {
	if depth > wire.MaxDepth {
		return errTooDeep
	}
	for n := 0; len(table) > 0; n++ {
		if n >= wire.MaxElements {
			return errTooMany
		}
		kind, data, rest, err := cutEntry(table)
		if err != nil {
			return err
		}
		if err := checkField(kind, data, depth); err != nil {
			return err
		}
		table = rest
	}
	return nil
}

func checkArray(array []byte, depth int) error {
	if depth > wire.MaxDepth {
		return errTooDeep
	}
	for n := 0; len(array) > 0; n++ {
		if n >= wire.MaxElements {
			return errTooMany
		}
		kind, data, rest, err := cutField(array)
		if err != nil {
			return err
		}
		if err := checkField(kind, data, depth); err != nil {
			return err
		}
		array = rest
	}
	return nil
}

func checkField(kind byte, data []byte, depth int) error {
	switch kind {
	case 'F':
		return checkTable(data, depth+1)
	case 'A':
		return checkArray(data, depth+1)
	default:
		return nil
	}
}

// cutEntry cuts the first entry of a table, see cutField.
func cutEntry(table []byte) (kind byte, data, rest []byte, err error) {
	_, rest, err = cutShortString(table)
	if err != nil {
		return 0, nil, nil, err
	}
	return cutField(rest)
}

// fieldSize is the size of a field of a type that has one size (AMQP 0-9-1,
// field-value, as RabbitMQ uses it), -1 for others.
func fieldSize(kind byte) int {
	switch kind {
	case 'V':
		return 0
	case 't', 'B', 'b':
		return 1
	case 's', 'u':
		return 2
	case 'I', 'i', 'f':
		return 4
	case 'D':
		return 5
	case 'l', 'd', 'T':
		return 8
	default:
		return -1
	}
}

// cutField cuts the first field: its type, and its data without their length.
func cutField(b []byte) (kind byte, data, rest []byte, err error) {
	if len(b) == 0 {
		return 0, nil, nil, errMalformed
	}
	kind, b = b[0], b[1:]
	switch kind {
	case 'S', 'x', 'A', 'F':
		data, rest, err = cutLongString(b)
		return kind, data, rest, err
	}
	size := fieldSize(kind)
	if size < 0 || size > len(b) {
		return 0, nil, nil, errMalformed
	}
	return kind, b[:size], b[size:], nil
}

func cutShortString(b []byte) (text, rest []byte, err error) {
	if len(b) == 0 || int(b[0]) > len(b)-1 {
		return nil, nil, errMalformed
	}
	size := 1 + int(b[0])
	return b[1:size], b[size:], nil
}

func cutLongString(b []byte) (text, rest []byte, err error) {
	const length = 4
	if len(b) < length || uint64(binary.BigEndian.Uint32(b)) > uint64(len(b)-length) {
		return nil, nil, errMalformed
	}
	size := length + int(binary.BigEndian.Uint32(b))
	return b[length:size], b[size:], nil
}
