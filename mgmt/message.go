package mgmt

import (
	"cmp"
	"context"
	"net/http"
	"unicode/utf8"
)

// What the broker does with a message that GetMessages has returned.
const (
	Requeue        = "ack_requeue_true"     // back into the queue, marked as redelivered
	Acknowledge    = "ack_requeue_false"    // gone
	RejectRequeue  = "reject_requeue_true"  // back into the queue, as rejected
	RejectMessages = "reject_requeue_false" // to the dead-letter exchange, or gone
)

// GetSettings say which messages to get. The zero value gets one message and
// puts it back into the queue.
type GetSettings struct {
	Count    int    // at most; 0 means 1
	Mode     string // Requeue by default
	Truncate int    // bytes of a payload to return; 0 means all
}

// MessageInfo is a message of a queue.
type MessageInfo struct {
	Exchange     string     `json:"exchange"`
	RoutingKey   string     `json:"routing_key"`
	Payload      []byte     `json:"payload"`
	PayloadBytes Opt[int64] `json:"payload_bytes"` // before it was truncated
	Redelivered  Opt[bool]  `json:"redelivered"`
	Left         Opt[int64] `json:"message_count"` // ready messages behind it
	Properties   Table      `json:"properties"`    // "content_type", "headers", ...
}

// GetMessages gets messages from a queue. It is for tools: it is slow, and
// marks the messages that it puts back as redelivered. Streams refuse it. It
// isn't sent again when the connection breaks.
//
// POST /api/queues/{vhost}/{queue}/get
func (c *Client) GetMessages(ctx context.Context, vhost, queue string, settings GetSettings) ([]MessageInfo, error) {
	body := Table{
		"count":    max(1, settings.Count),
		"ackmode":  cmp.Or(settings.Mode, Requeue),
		"encoding": "base64", // "auto" leaves what isn't UTF-8 to guesses
	}
	if settings.Truncate > 0 {
		body["truncate"] = settings.Truncate
	}
	return read[[]MessageInfo](ctx, c, request{
		operation: "get messages from queue", name: queue, vhost: orDefault(vhost), method: http.MethodPost,
		path: under("queues").vhost(vhost).name("queue", queue).and("get"), body: body, once: true,
	})
}

// PublishSettings are a message to publish.
type PublishSettings struct {
	RoutingKey string
	Payload    []byte
	Properties Table // "delivery_mode": 2, "content_type", "headers": Table{...}, ...
}

// PublishMessage publishes a message to an exchange, the default one if its
// name is empty, and reports whether it was routed to a queue. It is for tools:
// it is slow, without confirms, and not sent again when the connection breaks,
// after which the broker may have the message or not.
//
// POST /api/exchanges/{vhost}/{exchange}/publish
func (c *Client) PublishMessage(ctx context.Context, vhost, exchange string, settings PublishSettings) (routed bool, err error) {
	p := under("exchanges").vhost(vhost).name("exchange", orDefaultExchange(exchange)).and("publish")
	if err := checkKey(settings.RoutingKey); err != nil {
		p.err = err
	}
	body := struct {
		RoutingKey string `json:"routing_key"`
		Payload    any    `json:"payload"`
		Encoding   string `json:"payload_encoding"`
		Properties Table  `json:"properties"`
	}{settings.RoutingKey, settings.Payload, "base64", settings.Properties}
	if utf8.Valid(settings.Payload) {
		body.Payload, body.Encoding = string(settings.Payload), "string"
	}
	answer, err := read[struct {
		Routed bool `json:"routed"`
	}](ctx, c, request{
		operation: "publish message to exchange", name: exchange, vhost: orDefault(vhost), method: http.MethodPost,
		path: p, body: body, once: true,
	})
	return answer.Routed, err
}
