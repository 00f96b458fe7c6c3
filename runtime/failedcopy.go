package runtime

import (
	"context"
	"errors"
	"maps"
	"strings"
)

// Republished returns d as it is published again: without what the server would refuse
// or act upon, which are the user id, the header CC and those that the server counts in.
// It shares d's body, and its headers are a shallow copy.
func Republished(d *Delivery) *Message {
	m := d.Message
	m.Headers = maps.Clone(d.Headers)
	if m.Headers == nil {
		m.Headers = make(map[string]any, 1)
	}
	for _, name := range [...]string{headerCC, deliveryCount, acquiredCount} {
		delete(m.Headers, name)
	}
	m.UserID, m.AllowUnroutable = "", false
	return &m
}

// copyOf returns d as it is published again, with one more header. What d had and the
// copy can't have is in that header.
func copyOf(d *Delivery, header string, table map[string]any) *Message {
	m := Republished(d)
	delete(m.Headers, retryHeader)
	delete(m.Headers, deadHeader)
	m.Headers[header] = table
	m.Expiration = 0
	return m
}

const (
	// shortErrorText is how much stays of the text of an error, in bytes, where the
	// headers leave no room for more.
	shortErrorText = 256

	// maxMissing bounds the names of headers that a dead letter has no room for.
	maxMissing = 10
)

// publishCopy sends the copy. Where its headers don't fit into a frame, a message that
// was to be tried again is buried, since its handler needs all of them, and a dead letter
// has fewer.
func (o *Outcome) publishCopy(ctx context.Context, t Transport) error {
	err := t.Publish(ctx, o.to, o.copy)
	if o.unsendable != nil && errors.Is(err, ErrHeadersTooLarge) {
		dead := o.unsendable(err)
		o.Settlement, o.Err, o.to, o.copy = dead.Settlement, dead.Err, dead.to, dead.copy
		err = t.Publish(ctx, o.to, o.copy)
	}
	for o.Settlement == DeadLetter && errors.Is(err, ErrHeadersTooLarge) && shorten(o.copy) {
		err = t.Publish(ctx, o.to, o.copy)
	}
	return err
}

// shorten takes something out of the headers of a dead letter: most of the error's text
// first, and then the message's own headers, the largest first. It returns false where
// there is nothing left.
func shorten(m *Message) bool {
	table, _ := m.Headers[deadHeader].(map[string]any)
	if text, _ := table["error"].(string); len(text) > shortErrorText {
		table["error"] = bounded(text, shortErrorText)
		return true
	}
	largest, most := "", -1
	for name, value := range m.Headers {
		if size := len(name) + sizeOfField(value); name != deadHeader && size > most {
			largest, most = name, size
		}
	}
	if most < 0 {
		return false
	}
	delete(m.Headers, largest)
	missing, _ := table["missing"].([]any)
	if len(missing) < maxMissing {
		table["missing"] = append(missing, largest)
	}
	return true
}

// sizeOfField returns about how many bytes a header's value takes.
func sizeOfField(value any) int {
	const fixed = 9
	switch value := value.(type) {
	case string:
		return fixed + len(value)
	case []byte:
		return fixed + len(value)
	case []any:
		size := fixed
		for _, element := range value {
			size += sizeOfField(element)
		}
		return size
	case map[string]any:
		size := fixed
		for name, field := range value {
			size += len(name) + sizeOfField(field)
		}
		return size
	default:
		return fixed
	}
}

// bounded cuts text to so many bytes.
func bounded(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
