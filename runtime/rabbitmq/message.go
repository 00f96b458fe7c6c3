package rabbitmq

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// toPublishing copies msg into what the library sends: nothing is shared with the caller,
// who may go away before the message does.
func toPublishing(p *amqp.Publishing, msg *runtime.Message) (err error) {
	if p.Headers, err = toHeaders(msg.Headers); err != nil {
		return err
	}
	p.ContentType, p.ContentEncoding = msg.ContentType, msg.ContentEncoding
	p.DeliveryMode, p.Priority = amqp.Persistent, msg.Priority
	if msg.Transient {
		p.DeliveryMode = amqp.Transient
	}
	p.CorrelationId, p.ReplyTo, p.MessageId = msg.CorrelationID, msg.ReplyTo, msg.MessageID
	p.Timestamp = wire.WholeSeconds(msg.Timestamp)
	p.Type, p.UserId, p.AppId = msg.Type, msg.UserID, msg.AppID
	p.Body = slices.Clone(msg.Body)
	switch {
	case msg.Expiration < 0:
		return fmt.Errorf("the expiration is %v: it can't be negative", msg.Expiration)
	case msg.Expiration > 0:
		p.Expiration = strconv.FormatInt(msg.Expiration.Milliseconds(), 10)
	}
	return nil
}

var errUserID = errors.New("the user id isn't that of the connection, and the server would refuse it: leave it empty")

// checkUser refuses what the server answers by closing the channel, under all
// other messages on it (RabbitMQ, validated user-id).
func checkUser(user string, msg *runtime.Message) error {
	if msg.UserID != "" && user != "" && msg.UserID != user {
		return errUserID
	}
	return nil
}

// delivery returns d as handlers get it. It takes over d's memory.
func (l *link) delivery(d *amqp.Delivery) *runtime.Delivery {
	unreadable := l.filter.reason(d.Headers)
	return &runtime.Delivery{
		Message: runtime.Message{
			Body:            d.Body,
			ContentType:     d.ContentType,
			ContentEncoding: d.ContentEncoding,
			Headers:         fromTable(d.Headers),
			MessageID:       d.MessageId,
			CorrelationID:   d.CorrelationId,
			ReplyTo:         d.ReplyTo,
			Type:            d.Type,
			AppID:           d.AppId,
			UserID:          d.UserId,
			Timestamp:       utc(d.Timestamp),
			Expiration:      milliseconds(d.Expiration),
			Priority:        d.Priority,
			Transient:       d.DeliveryMode != amqp.Persistent,
		},
		Exchange:    d.Exchange,
		RoutingKey:  d.RoutingKey,
		Redelivered: d.Redelivered,
		Tag:         d.DeliveryTag,
		Unreadable:  unreadable,
	}
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

// milliseconds reads an expiration. RabbitMQ accepts no other than a number.
func milliseconds(expiration string) time.Duration {
	if expiration == "" { // mostly, and an error is an allocation
		return 0
	}
	n, err := strconv.ParseInt(expiration, 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Millisecond
}
