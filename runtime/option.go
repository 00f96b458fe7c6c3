package runtime

import "time"

// A ClientOption configures a [Publisher], a [Caller] or a generated client.
type ClientOption func(*clientOptions)

type clientOptions struct {
	interceptors []Interceptor
	defaults     []SendOption
}

// WithInterceptors adds interceptors around everything that the client sends, the
// first one outermost, and those of an earlier WithInterceptors outside of those
// of a later one.
func WithInterceptors(interceptors ...Interceptor) ClientOption {
	return func(o *clientOptions) { o.interceptors = append(o.interceptors, interceptors...) }
}

// WithDefaults applies options to every message, before those of the call, which
// therefore win.
func WithDefaults(options ...SendOption) ClientOption {
	return func(o *clientOptions) { o.defaults = append(o.defaults, options...) }
}

// A SendOption changes one message before interceptors see it and it is sent.
// Options are applied in their order, in the goroutine of the sender. One that is
// given to [WithDefaults] is applied to many messages, also at the same time.
type SendOption func(*Message)

// MessageWith returns a message without a body that has what the options set. The
// generated Fake of a client records it.
func MessageWith(options ...SendOption) Message {
	var m Message
	for _, option := range options {
		option(&m)
	}
	return m
}

// WithHeader sets a header of the message, see [Message] for the values that
// AMQP has a form for; others fail when the message is sent. The value isn't
// copied, so it must not change while messages with it are being sent.
func WithHeader(name string, value any) SendOption {
	return func(m *Message) {
		if m.Headers == nil {
			m.Headers = make(map[string]any)
		}
		m.Headers[name] = value
	}
}

// WithMessageID sets the message's id, by which consumers tell a repeated
// message from a new one. Set it where a message may be sent again after
// [ErrUnknown].
func WithMessageID(id string) SendOption { return func(m *Message) { m.MessageID = id } }

// WithCorrelationID sets the correlation id of a published message, which its
// reply will have. A call has its own, and ignores it.
func WithCorrelationID(id string) SendOption { return func(m *Message) { m.CorrelationID = id } }

// WithReplyTo sets the queue that gets the reply to a published message. A call has
// its own, and ignores it.
func WithReplyTo(queue string) SendOption { return func(m *Message) { m.ReplyTo = queue } }

// WithType sets the property type, which says what the body is. Of a route that
// dispatches by it the endpoint has set it already.
func WithType(name string) SendOption { return func(m *Message) { m.Type = name } }

// WithContentType sets the content type, for bodies that are sent as they are, as
// []byte. Of others the codec has set it already.
func WithContentType(mediaType string) SendOption {
	return func(m *Message) { m.ContentType = mediaType }
}

// WithContentEncoding sets the content encoding, such as "gzip", for bodies that the
// caller has packed.
func WithContentEncoding(encoding string) SendOption {
	return func(m *Message) { m.ContentEncoding = encoding }
}

// WithAppID says which application sends the message.
func WithAppID(id string) SendOption { return func(m *Message) { m.AppID = id } }

// WithUserID says which user of the broker sends the message. The broker refuses one
// that isn't the connection's.
func WithUserID(user string) SendOption { return func(m *Message) { m.UserID = user } }

// WithTimestamp sets the time of the message, which AMQP keeps in whole seconds.
func WithTimestamp(t time.Time) SendOption { return func(m *Message) { m.Timestamp = t } }

// WithExpiration limits the time that the message waits in a queue, after which it
// is dead-lettered or gone; see [Message.Expiration].
func WithExpiration(ttl time.Duration) SendOption { return func(m *Message) { m.Expiration = ttl } }

// WithPriority sets the priority, for queues that were declared with
// x-max-priority.
func WithPriority(priority uint8) SendOption { return func(m *Message) { m.Priority = priority } }

// WithTransient lets the broker keep the message in memory only: it may be lost
// when the broker restarts.
func WithTransient() SendOption { return func(m *Message) { m.Transient = true } }

// WithResend says that consumers bear a second message, and has it sent again up to n
// times after [ErrUnknown], under the same message id, see [Message.Resend]. Without
// it the caller decides.
func WithResend(n int) SendOption { return func(m *Message) { m.Resend = n } }

// WithAllowUnroutable makes a message that no queue takes a success, see
// [Message.AllowUnroutable].
func WithAllowUnroutable() SendOption { return func(m *Message) { m.AllowUnroutable = true } }
