package runtime

import (
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/warrenmq/warren/internal/fieldtable"
)

// A Queue is a queue as it is declared. The zero value of each option is the
// broker's own default: transient, shared, kept, without limits. A broker
// refuses a queue that exists with other options.
//
// The fields from Type on are the arguments of RabbitMQ that it has a name for.
// [Router.Register] refuses those that the server refuses, such as a limit that the
// type doesn't have, and what Arguments say in another way.
type Queue struct {
	// Name is required, and has at most 255 bytes. Names that begin with "amq."
	// are the broker's own.
	Name string

	// Durable queues survive a restart of the broker, with the messages that
	// aren't transient. Set it for all but passing data.
	Durable bool

	// Exclusive queues belong to one connection and end with it. Set it for a
	// queue of this process alone. The messages in it are lost with the
	// connection.
	Exclusive bool

	// AutoDelete queues are deleted when their last consumer goes, with what is in
	// them.
	AutoDelete bool

	// PerInstance gives each running instance of the service a queue of its own, so
	// that each gets all messages: Name with a dot and a random text after it,
	// Exclusive and AutoDelete, anew for each connection. The contract, logs and
	// metrics have Name. Senders reach it through an Exchange, which is required.
	PerInstance bool

	// Type says how the queue keeps its messages. Empty means the default of the
	// vhost, which is Classic unless somebody has changed it.
	Type QueueType

	// MessageTTL is how long a message waits at most, in whole milliseconds; it is
	// then dead-lettered or gone. Not for a Stream, which has MaxAge. 0 means no limit.
	MessageTTL time.Duration

	// Expires is how long the queue may be without a consumer until it is deleted, in
	// whole milliseconds. Not for a Stream. 0 means no limit.
	Expires time.Duration

	// MaxLength is how many messages wait at most, see Overflow. Not for a Stream. 0
	// means no limit.
	MaxLength int64

	// MaxLengthBytes is how many bytes the bodies of those that wait have at most, and
	// a stream's messages on disk. 0 means no limit.
	MaxLengthBytes int64

	// Overflow says what becomes of messages beyond MaxLength and MaxLengthBytes. Not
	// for a Stream. Empty means DropHead.
	Overflow Overflow

	// DeadLetter is where the server publishes what is rejected, expires, or is
	// beyond a limit; an empty RoutingKey keeps that of the message. Not for a Stream.
	// Nil means nowhere. It decides where a [FailurePolicy] puts dead letters, too.
	DeadLetter *Address

	// MaxPriority is the highest priority that a message can have, for a Classic
	// queue. 0 means that there are none.
	MaxPriority uint8

	// SingleActiveConsumer has the server deliver to one consumer at a time, which
	// keeps the order among several instances. Not for a Stream.
	SingleActiveConsumer bool

	// DeliveryLimit is how often a message of a Quorum queue may come back until it is
	// dead-lettered or gone; -1 means no limit, from RabbitMQ 4 on. 0 means the
	// server's default, see package rabbitmq.
	DeliveryLimit int

	// Replicas is on how many nodes of the cluster a Quorum queue or a Stream begins.
	// 0 means the server's default.
	Replicas int

	// MaxAge is how long a Stream keeps a message at least, in whole seconds. 0 means
	// without limit.
	MaxAge time.Duration

	// SegmentBytes is the size of a Stream's files, of which whole ones are deleted. 0
	// means the server's default, which is 500 MB.
	SegmentBytes int64

	// Arguments are the x-arguments that aren't fields here. Their values
	// are those of [Message.Headers]. Nil and empty are the same. In what a router
	// holds they have the fields as well.
	Arguments map[string]any
}

// A QueueType says how a queue keeps its messages. Any string is allowed: plugins
// add types.
type QueueType string

// The types of queue that RabbitMQ has.
const (
	Classic QueueType = "classic" // on one node
	Quorum  QueueType = "quorum"  // replicated and durable: for messages that must not be lost
	Stream  QueueType = "stream"  // a replicated log, of which each consumer reads all; nothing is taken out of it
)

// An Overflow says what becomes of messages beyond the limits of a queue.
type Overflow string

// What a queue does with messages beyond its limits.
const (
	DropHead                Overflow = "drop-head"          // the oldest message goes
	RejectPublish           Overflow = "reject-publish"     // the sender gets ErrNacked
	RejectPublishDeadLetter Overflow = "reject-publish-dlx" // the same, and the message is dead-lettered; of a Classic queue
)

// Arguments of queues, as the server calls them.
const (
	argQueueType          = "x-queue-type"
	argMessageTTL         = "x-message-ttl"
	argExpires            = "x-expires"
	argMaxLength          = "x-max-length"
	argMaxLengthBytes     = "x-max-length-bytes"
	argOverflow           = "x-overflow"
	argDeadLetterExchange = "x-dead-letter-exchange"
	argDeadLetterKey      = "x-dead-letter-routing-key"
	argDeadLetterStrategy = "x-dead-letter-strategy"
	argMaxPriority        = "x-max-priority"
	argSingleConsumer     = "x-single-active-consumer"
	argDeliveryLimit      = "x-delivery-limit"
	argQuorumReplicas     = "x-quorum-initial-group-size"
	argStreamReplicas     = "x-initial-cluster-size"
	argMaxAge             = "x-max-age"
	argSegmentBytes       = "x-stream-max-segment-size-bytes"
)

// argPriority is the argument of a consumer with its priority.
const argPriority = "x-priority"

// A queueOption is a field of a queue as an argument.
type queueOption struct {
	field    string
	argument string
	value    any
	given    bool
	types    []QueueType // that have it; none: all
}

var (
	notStream   = []QueueType{"", Classic, Quorum}
	onlyClassic = []QueueType{"", Classic}
)

// options returns the fields that are arguments.
func (q *Queue) options() []queueOption {
	options := []queueOption{
		{"Type", argQueueType, string(q.Type), q.Type != "", nil},
		{"MessageTTL", argMessageTTL, q.MessageTTL.Milliseconds(), q.MessageTTL != 0, notStream},
		{"Expires", argExpires, q.Expires.Milliseconds(), q.Expires != 0, notStream},
		{"MaxLength", argMaxLength, q.MaxLength, q.MaxLength != 0, notStream},
		{"MaxLengthBytes", argMaxLengthBytes, q.MaxLengthBytes, q.MaxLengthBytes != 0, nil},
		{"Overflow", argOverflow, string(q.Overflow), q.Overflow != "", notStream},
		{"MaxPriority", argMaxPriority, int64(q.MaxPriority), q.MaxPriority != 0, onlyClassic},
		{"SingleActiveConsumer", argSingleConsumer, true, q.SingleActiveConsumer, notStream},
		{"DeliveryLimit", argDeliveryLimit, int64(q.DeliveryLimit), q.DeliveryLimit != 0, []QueueType{Quorum}},
		{"MaxAge", argMaxAge, fmt.Sprintf("%ds", int64(q.MaxAge/time.Second)), q.MaxAge != 0, []QueueType{Stream}},
		{"SegmentBytes", argSegmentBytes, q.SegmentBytes, q.SegmentBytes != 0, []QueueType{Stream}},
	}
	replicas := queueOption{"Replicas", argQuorumReplicas, int64(q.Replicas), q.Replicas != 0, []QueueType{Quorum, Stream}}
	if q.Type == Stream {
		replicas.argument = argStreamReplicas
	}
	options = append(options, replicas)
	if dead := q.DeadLetter; dead != nil {
		options = append(options,
			queueOption{"DeadLetter", argDeadLetterExchange, dead.Exchange, true, notStream},
			queueOption{"DeadLetter", argDeadLetterKey, dead.RoutingKey, dead.RoutingKey != "", notStream})
	}
	return options
}

// withArguments returns q with its fields among the Arguments, and as a queue of one
// instance where it is to be that.
func (q Queue) withArguments() Queue {
	if q.PerInstance {
		q.Exclusive, q.AutoDelete = true, true
	}
	arguments := maps.Clone(q.Arguments)
	for _, option := range q.options() {
		if !option.given {
			continue
		}
		if arguments == nil {
			arguments = make(map[string]any)
		}
		if _, said := arguments[option.argument]; !said {
			arguments[option.argument] = option.value
		}
	}
	q.Arguments = arguments
	return q
}

func (q Queue) clone() Queue {
	q.Arguments = fieldtable.Clone(q.Arguments)
	if q.DeadLetter != nil {
		dead := *q.DeadLetter
		q.DeadLetter = &dead
	}
	return q
}

// sameQueue reports whether two queues are declared alike. Both have their fields
// among their Arguments.
func sameQueue(a, b Queue) bool {
	return a.Name == b.Name && a.Durable == b.Durable && a.Exclusive == b.Exclusive && a.AutoDelete == b.AutoDelete &&
		a.PerInstance == b.PerInstance && sameTable(a.Arguments, b.Arguments)
}

func (q Queue) isStream() bool { return q.Arguments[argQueueType] == string(Stream) }

func (q Queue) isQuorum() bool { return q.Arguments[argQueueType] == string(Quorum) }

// sameTable compares tables, nil and empty alike, integers of all types by value.
func sameTable(a, b map[string]any) bool { return maps.EqualFunc(a, b, sameField) }

func sameField(a, b any) bool {
	return reflect.DeepEqual(byValue(a), byValue(b))
}

// byValue makes integers of all types equal by value.
func byValue(value any) any {
	switch v := reflect.ValueOf(value); {
	case value == nil:
		return nil
	case v.CanInt():
		return v.Int()
	case v.CanUint() && v.Uint() <= 1<<63-1:
		return int64(v.Uint())
	default:
		return value
	}
}
