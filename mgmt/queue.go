package mgmt

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// QueueSettings are the properties of a queue to declare. The zero value is a
// durable queue without arguments (specification, declare_queue).
type QueueSettings struct {
	Transient  bool // it doesn't survive a restart of the broker
	AutoDelete bool // it is deleted with its last consumer
	Arguments  Table
	Node       string // that it is created on; empty lets the broker choose
}

func (s QueueSettings) body() any {
	return struct {
		Durable    bool   `json:"durable"` // the broker's default is false
		AutoDelete bool   `json:"auto_delete"`
		Arguments  Table  `json:"arguments"`
		Node       string `json:"node,omitempty"`
	}{!s.Transient, s.AutoDelete, s.Arguments, s.Node}
}

// QueueInfo is a queue as the broker reports it. Every key may be missing: it
// depends on the version, the type of the queue, and the columns that were
// asked for. A string is then empty, a slice, table or pointer nil, and an Opt
// absent.
type QueueInfo struct {
	Name       string    `json:"name"`
	VHost      string    `json:"vhost"`
	Type       string    `json:"type"`  // "classic", "quorum" or "stream"
	State      string    `json:"state"` // "running", "idle", "down", "minority", "stopped", "crashed", "live"
	Node       string    `json:"node"`  // of the leader
	Durable    Opt[bool] `json:"durable"`
	AutoDelete Opt[bool] `json:"auto_delete"`
	Exclusive  Opt[bool] `json:"exclusive"`
	Internal   Opt[bool] `json:"internal"`

	// Arguments are those of the declaration; 4.x adds x-queue-type.
	Arguments       Table  `json:"arguments"`
	Policy          string `json:"policy"`
	OperatorPolicy  string `json:"operator_policy"`
	EffectivePolicy Table  `json:"effective_policy_definition"`

	// Messages is up to 5 seconds old, and absent of a queue that is younger. See
	// SafeDeleteQueue before you decide anything by it.
	Messages       Opt[int64] `json:"messages"`
	Ready          Opt[int64] `json:"messages_ready"`
	Unacknowledged Opt[int64] `json:"messages_unacknowledged"`
	MessageBytes   Opt[int64] `json:"message_bytes"`
	Memory         Opt[int64] `json:"memory"` // bytes of the queue's process

	Consumers           Opt[int64]     `json:"consumers"`
	ConsumerUtilisation Opt[float64]   `json:"consumer_utilisation"` // share of the time that consumers can take messages
	ExclusiveConsumer   string         `json:"exclusive_consumer_tag"`
	ActiveConsumer      string         `json:"single_active_consumer_tag"`
	ConsumerDetails     []ConsumerInfo `json:"consumer_details"` // of Queue only

	Leader        string        `json:"leader"` // of quorum queues and streams, as are these
	Members       []string      `json:"members"`
	Online        []string      `json:"online"`
	DeliveryLimit Opt[int64]    `json:"delivery_limit"`
	MessageStats  *MessageStats `json:"message_stats"` // nil until the first traffic
}

// MessageStats count messages since the object that counts them was created.
type MessageStats struct {
	Publish          Opt[int64] `json:"publish"`
	PublishRate      Opt[Rate]  `json:"publish_details"`
	PublishIn        Opt[int64] `json:"publish_in"`  // of exchanges
	PublishOut       Opt[int64] `json:"publish_out"` // of exchanges
	Confirm          Opt[int64] `json:"confirm"`
	DeliverGet       Opt[int64] `json:"deliver_get"`
	DeliverGetRate   Opt[Rate]  `json:"deliver_get_details"`
	Deliver          Opt[int64] `json:"deliver"`
	DeliverNoAck     Opt[int64] `json:"deliver_no_ack"`
	Get              Opt[int64] `json:"get"`
	GetNoAck         Opt[int64] `json:"get_no_ack"`
	GetEmpty         Opt[int64] `json:"get_empty"`
	Ack              Opt[int64] `json:"ack"`
	AckRate          Opt[Rate]  `json:"ack_details"`
	Redeliver        Opt[int64] `json:"redeliver"`
	ReturnUnroutable Opt[int64] `json:"return_unroutable"`
	DropUnroutable   Opt[int64] `json:"drop_unroutable"`
}

// A Rate is how a count changes, per second. Samples are nil unless Query asks
// for them, by msg_rates_age and msg_rates_incr.
type Rate struct {
	Rate    float64  `json:"rate"`
	Average float64  `json:"avg_rate"`
	Samples []Sample `json:"samples"`
}

// A Sample is a count at a time.
type Sample struct {
	Value     int64 `json:"sample"`
	Timestamp int64 `json:"timestamp"` // milliseconds since 1970
}

// DeclareQueue creates a queue, or does nothing if an equal one exists. If one
// with other properties exists, the error is ErrInequivalent.
//
// PUT /api/queues/{vhost}/{queue}
func (c *Client) DeclareQueue(ctx context.Context, vhost, name string, settings QueueSettings) error {
	return c.call(ctx, put("declare queue", name, orDefault(vhost), under("queues").vhost(vhost).name("queue", name), settings.body()), nil)
}

// Queues lists the queues in a scope.
//
// GET /api/queues
// GET /api/queues/{vhost}
func (c *Client) Queues(ctx context.Context, scope Scope, options ...ListOption) ([]QueueInfo, error) {
	r, options := queues(scope, options)
	all, err := list[QueueInfo](ctx, c, r, options)
	if scope != In(detailed) {
		return all, err
	}
	kept := all[:0]
	for _, queue := range all {
		if queue.VHost == detailed {
			kept = append(kept, queue)
		}
	}
	return kept, err
}

// QueuesSeq is Queues, one after the other as they arrive; see [Seq].
//
// GET /api/queues
// GET /api/queues/{vhost}
func (c *Client) QueuesSeq(ctx context.Context, scope Scope, options ...ListOption) iter.Seq2[QueueInfo, error] {
	r, options := queues(scope, options)
	all := seq[QueueInfo](ctx, c, r, options)
	if scope != In(detailed) {
		return all
	}
	return func(yield func(QueueInfo, error) bool) {
		for queue, err := range all {
			if (err != nil || queue.VHost == detailed) && !yield(queue, err) {
				return
			}
		}
	}
}

// detailed is the name of a virtual host whose queues can't be listed by 4.x:
// the path is another endpoint there, which lists the queues of all.
const detailed = "detailed"

func queues(scope Scope, options []ListOption) (request, []ListOption) {
	if scope == In(detailed) {
		options = append(options[:len(options):len(options)], func(l *listing) {
			if len(l.columns) > 0 {
				l.columns = append(l.columns, "vhost")
			}
		})
	}
	return over("list queues", "queues", scope), options
}

// Queue reads a queue. Columns, WithoutStats and Query apply.
//
// GET /api/queues/{vhost}/{queue}
func (c *Client) Queue(ctx context.Context, vhost, name string, options ...ListOption) (QueueInfo, error) {
	r := get("read queue", name, orDefault(vhost), under("queues").vhost(vhost).name("queue", name))
	r.query = newListing(options).query
	return read[QueueInfo](ctx, c, r)
}

// A Condition must hold for a queue or an exchange to be deleted; if it
// doesn't, the error is ErrInUse. The broker checks it in the same step.
type Condition string

const (
	// IfEmpty: the queue has no messages. Classic queues only: quorum queues and
	// streams refuse it with status 400.
	IfEmpty Condition = "if-empty"
	// IfUnused: the queue has no consumers, or the exchange no bindings.
	IfUnused Condition = "if-unused"
)

func conditions(all []Condition) url.Values {
	query := make(url.Values, len(all))
	for _, condition := range all {
		query.Set(string(condition), "true")
	}
	return query
}

// DeleteQueue deletes a queue with its messages, unless a condition doesn't
// hold. See [SafeDeleteQueue].
//
// DELETE /api/queues/{vhost}/{queue}
func (c *Client) DeleteQueue(ctx context.Context, vhost, name string, only ...Condition) error {
	r := del("delete queue", name, orDefault(vhost), under("queues").vhost(vhost).name("queue", name))
	r.query = conditions(only)
	return c.call(ctx, r, nil)
}

// PurgeQueue removes the messages that wait in a queue, not those that consumers
// hold unacknowledged.
//
// DELETE /api/queues/{vhost}/{queue}/contents
func (c *Client) PurgeQueue(ctx context.Context, vhost, name string) error {
	return c.call(ctx, del("purge queue", name, orDefault(vhost), under("queues").vhost(vhost).name("queue", name).and("contents")), nil)
}

// RebalanceQueues asks the broker to spread the leaders of all queues over the
// nodes. It returns before that is done.
//
// POST /api/rebalance/queues
func (c *Client) RebalanceQueues(ctx context.Context) error {
	return c.call(ctx, request{operation: "rebalance queues", method: http.MethodPost, path: under("rebalance/queues")}, nil)
}
