package runtime

import "time"

// A Message is what is published: a body and the properties of AMQP 0-9-1. The
// zero value of a field leaves the property out. Properties that are text, and the
// names of headers, have at most 255 bytes; the headers have to fit into a frame of
// 128 KiB, with at most 32 levels of tables and arrays and 8,192 elements in one of
// them. What is sent isn't changed and isn't kept.
type Message struct {
	Body            []byte
	ContentType     string         // "application/json" for bodies that publishers and callers encode
	ContentEncoding string         // such as "gzip"; the runtime neither packs nor unpacks
	Headers         map[string]any // an AMQP field table: nil, bool, numbers, string, []byte, time.Time, []any and map[string]any; a decimal of another sender is passed on
	MessageID       string         // tells a message from one that is sent twice
	CorrelationID   string         // of a reply, the CorrelationID or else the MessageID of its request
	ReplyTo         string         // the queue that gets the reply
	Type            string         // what the body is, for consumers that tell kinds apart
	AppID           string         // what has sent it
	UserID          string         // checked by the broker against the connection's user
	Timestamp       time.Time      // in whole seconds

	// Expiration is the time to live in a queue, in whole milliseconds. Fractions
	// are cut: less than a millisecond means that the message must not wait at
	// all. 0 means no limit, and less than 0 is refused.
	Expiration time.Duration

	// Priority is for queues with the argument x-max-priority: higher ones are
	// delivered first.
	Priority uint8

	// Transient messages may be lost when the broker restarts. The zero value
	// is a persistent message.
	Transient bool

	// AllowUnroutable makes a message that no queue takes a success, rather
	// than ErrUnroutable. Set it for events that may have no subscriber. It isn't
	// a property, and so false in what is delivered.
	AllowUnroutable bool

	// Resend is how often a message is sent again after ErrUnknown, at most, while the
	// context lasts. Set it where consumers bear a second one: all have the same
	// MessageID, which the transport makes up where there is none. More than 10 is 10.
	// It doesn't hold for calls, and isn't a property.
	Resend int
}

// MaxResend is how often a message is sent again after ErrUnknown at most.
const MaxResend = 10
