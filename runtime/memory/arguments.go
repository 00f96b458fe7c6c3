package memory

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/warrenmq/warren/internal/fieldtable"
	"github.com/warrenmq/warren/runtime"
)

// Types of queues.
const (
	classic = "classic"
	quorum  = "quorum"
	stream  = "stream"
)

// kindOf returns the type of a queue.
func kindOf(spec runtime.Queue) string {
	if kind, ok := spec.Arguments["x-queue-type"].(string); ok {
		return kind
	}
	return classic
}

// An argument is one that RabbitMQ knows of a queue. It takes any value of those that
// it doesn't know, and ignores them.
type argument struct {
	kinds    []string // of queues that have it
	compared bool     // when the queue is declared again
	read     func(q *queue, value any) error
}

// arguments are what RabbitMQ 3.10, 4.0 and 4.3 have in common, and of what only some
// of them refuse what the oldest does.
var arguments = map[string]argument{
	"x-expires":                       {[]string{classic, quorum}, true, func(q *queue, v any) error { return readMilliseconds(v, 1, &q.idleLimit) }},
	"x-message-ttl":                   {[]string{classic, quorum}, true, func(q *queue, v any) error { return readMilliseconds(v, 0, &q.ttl) }},
	"x-dead-letter-exchange":          {[]string{classic, quorum}, true, func(_ *queue, v any) error { return isText(v) }},
	"x-dead-letter-routing-key":       {[]string{classic, quorum}, true, func(_ *queue, v any) error { return isText(v) }},
	"x-dead-letter-strategy":          {[]string{quorum}, true, func(_ *queue, v any) error { return oneOf(v, "at-most-once", "at-least-once") }},
	"x-max-length":                    {[]string{classic, quorum}, true, func(q *queue, v any) error { return readInteger(v, 0, math.MaxInt64, &q.maxLength) }},
	"x-max-length-bytes":              {[]string{classic, quorum, stream}, true, func(q *queue, v any) error { return readInteger(v, 0, math.MaxInt64, &q.maxBytes) }},
	"x-max-in-memory-length":          {[]string{quorum}, true, func(_ *queue, v any) error { return readInteger(v, 0, math.MaxInt64, new(int64)) }},
	"x-max-in-memory-bytes":           {[]string{quorum}, true, func(_ *queue, v any) error { return readInteger(v, 0, math.MaxInt64, new(int64)) }},
	"x-overflow":                      {[]string{classic, quorum}, true, func(_ *queue, v any) error { return oneOf(v, "drop-head", rejectPublish, rejectPublishDLX) }},
	"x-max-priority":                  {[]string{classic}, true, func(q *queue, v any) error { return readInteger(v, 0, math.MaxUint8, &q.maxPriority) }},
	"x-queue-mode":                    {[]string{classic}, true, func(_ *queue, v any) error { return oneOf(v, "default", "lazy") }},
	"x-queue-version":                 {[]string{classic}, true, func(_ *queue, v any) error { return readInteger(v, 1, 2, new(int64)) }},
	"x-single-active-consumer":        {[]string{classic, quorum}, true, func(_ *queue, v any) error { return isBool(v) }},
	"x-quorum-initial-group-size":     {[]string{quorum}, true, func(_ *queue, v any) error { return readInteger(v, 1, math.MaxInt64, new(int64)) }},
	"x-delivery-limit":                {[]string{quorum}, true, func(q *queue, v any) error { return readInteger(v, -1, math.MaxInt64, &q.deliveryLimit) }}, // -1: none
	"x-max-age":                       {[]string{stream}, true, func(_ *queue, v any) error { return isText(v) }},
	"x-stream-max-segment-size-bytes": {[]string{stream}, true, func(_ *queue, v any) error { return readInteger(v, 0, math.MaxInt64, new(int64)) }},
}

// readArguments fails for what RabbitMQ refuses of a queue.
func (q *queue) readArguments() error {
	if kind := q.spec.Arguments["x-queue-type"]; kind != nil {
		if err := oneOf(kind, classic, quorum, stream); err != nil {
			return fmt.Errorf("the argument x-queue-type is %v: %w", kind, err)
		}
	}
	kind := kindOf(q.spec)
	if kind != classic {
		if err := replicable(q.spec); err != nil {
			return fmt.Errorf("a %s queue %w", kind, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q.spec.Arguments)) {
		known, value := arguments[name], q.spec.Arguments[name]
		if known.read == nil {
			continue
		}
		if !slices.Contains(known.kinds, kind) {
			return fmt.Errorf("the argument %s is for %s queues, and this is a %s queue: set x-queue-type, or remove it", name, strings.Join(known.kinds, " and "), kind)
		}
		if err := known.read(q, value); err != nil {
			return fmt.Errorf("the argument %s is %v: %w", name, value, err)
		}
	}
	if q.spec.Arguments["x-dead-letter-routing-key"] != nil && q.spec.Arguments["x-dead-letter-exchange"] == nil {
		return errors.New("the argument x-dead-letter-routing-key has no effect without x-dead-letter-exchange: set both, or none")
	}
	return nil
}

// replicable fails for what queues that live on several nodes can't be.
func replicable(spec runtime.Queue) error {
	switch {
	case !spec.Durable:
		return errors.New("has to be durable")
	case spec.Exclusive:
		return errors.New("can't be exclusive")
	case spec.AutoDelete:
		return errors.New("can't be deleted with its last consumer")
	}
	return nil
}

func readInteger(value any, least, most int64, to *int64) error {
	n, ok := fieldtable.Integer(value)
	if !ok || n < least || n > most {
		return fmt.Errorf("it has to be an integer from %d to %d", least, most)
	}
	*to = n
	return nil
}

func readMilliseconds(value any, least int64, to *time.Duration) error {
	var n int64
	if err := readInteger(value, least, math.MaxInt64/int64(time.Millisecond), &n); err != nil {
		return err
	}
	*to = time.Duration(n) * time.Millisecond
	return nil
}

func oneOf(value any, allowed ...string) error {
	if text, ok := value.(string); !ok || !slices.Contains(allowed, text) {
		return fmt.Errorf("it has to be one of %s", strings.Join(allowed, ", "))
	}
	return nil
}

func isText(value any) error {
	if _, ok := value.(string); !ok {
		return errors.New("it has to be text")
	}
	return nil
}

func isBool(value any) error {
	if _, ok := value.(bool); !ok {
		return errors.New("it has to be true or false")
	}
	return nil
}
