package mgmt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"time"
)

// QueueLength, as DeleteAfter, ends a shovel after as many messages as its
// source had when it started.
const QueueLength = -1

// ShovelSettings say what a shovel moves, between queues or exchanges of AMQP
// 0-9-1. Without URIs an end is the broker and the virtual host that the shovel
// is in, without credentials. Each end needs a queue or an exchange.
type ShovelSettings struct {
	SourceURIs        URIs // one of them is chosen
	SourceQueue       string
	SourceExchange    string
	SourceExchangeKey string
	SourcePrefetch    int   // messages on their way; 0 means the broker's default, 1000
	SourceDeleteAfter int64 // messages after which the shovel deletes itself; 0 never; QueueLength
	DestURIs          URIs
	DestQueue         string
	DestExchange      string
	DestExchangeKey   string // replaces the routing key; empty keeps it
	AddForwardHeaders bool
	AckMode           string        // "on-confirm" by default, "on-publish" or "no-ack"
	ReconnectDelay    time.Duration // whole seconds; 0 means the broker's default, 5 seconds
	ReconnectNever    bool
	OtherKeys         Table // keys that have no field here, such as "src-protocol" for AMQP 1.0
}

func (p ParameterInfo) shovel() ShovelInfo {
	k := keysOf(p.Value)
	s := ShovelSettings{
		SourceURIs: k.uris("src-uri"), SourceQueue: k.text("src-queue"),
		SourceExchange: k.text("src-exchange"), SourceExchangeKey: k.text("src-exchange-key"),
		SourcePrefetch: int(k.positive("src-prefetch-count")), SourceDeleteAfter: k.positive("src-delete-after"),
		DestURIs: k.uris("dest-uri"), DestQueue: k.text("dest-queue"),
		DestExchange: k.text("dest-exchange"), DestExchangeKey: k.text("dest-exchange-key"),
		AddForwardHeaders: k.is("dest-add-forward-headers", true), AckMode: k.text("ack-mode"),
		ReconnectNever: k.is("reconnect-delay", int64(0)), ReconnectDelay: k.duration("reconnect-delay", time.Second),
	}
	if k.is("src-delete-after", "queue-length") {
		s.SourceDeleteAfter = QueueLength
	}
	k.is("src-protocol", amqp091) // which is what is sent without the key, too
	k.is("dest-protocol", amqp091)
	s.OtherKeys = k.others()
	return ShovelInfo{p.Name, p.VHost, s}
}

const amqp091 = "amqp091"

// value is what the broker keeps. What a field says is worth more than OtherKeys.
func (s ShovelSettings) value(vhost string) Table {
	own := []string{"amqp:///" + url.PathEscape(orDefault(vhost))}
	value := Table{"src-protocol": amqp091, "src-uri": own, "dest-protocol": amqp091, "dest-uri": own, "ack-mode": "on-confirm"}
	maps.Copy(value, s.OtherKeys)
	for key, uris := range map[string]URIs{"src-uri": s.SourceURIs, "dest-uri": s.DestURIs} {
		if len(uris) > 0 {
			value[key] = []string(uris)
		}
	}
	for key, text := range map[string]string{
		"src-queue": s.SourceQueue, "src-exchange": s.SourceExchange, "src-exchange-key": s.SourceExchangeKey,
		"dest-queue": s.DestQueue, "dest-exchange": s.DestExchange, "dest-exchange-key": s.DestExchangeKey, "ack-mode": s.AckMode,
	} {
		if text != "" {
			value[key] = text
		}
	}
	if s.SourcePrefetch > 0 {
		value["src-prefetch-count"] = s.SourcePrefetch
	}
	switch {
	case s.SourceDeleteAfter > 0:
		value["src-delete-after"] = s.SourceDeleteAfter
	case s.SourceDeleteAfter == QueueLength:
		value["src-delete-after"] = "queue-length"
	}
	if s.AddForwardHeaders {
		value["dest-add-forward-headers"] = true
	}
	switch {
	case s.ReconnectNever:
		value["reconnect-delay"] = 0
	case s.ReconnectDelay > 0:
		value["reconnect-delay"] = max(1, int64(s.ReconnectDelay/time.Second))
	}
	return value
}

// States of a shovel.
const (
	ShovelStarting   = "starting"   // on 3.10 also for as long as it can't connect
	ShovelRunning    = "running"    // as are, on 4.x, "flow" and "blocked"
	ShovelTerminated = "terminated" // with a Reason; not final, it starts again after its delay
)

// ShovelStatus is the state of a shovel. One that isn't listed hasn't
// necessarily finished: 4.0 leaves out shovels that can't connect.
type ShovelStatus struct {
	Name        string     `json:"name"`
	VHost       string     `json:"vhost"`
	Node        string     `json:"node"`
	Type        string     `json:"type"` // "dynamic" or "static"
	State       string     `json:"state"`
	Reason      string     `json:"reason"`    // an Erlang term
	Timestamp   string     `json:"timestamp"` // of the last change, see Time
	SourceURI   string     `json:"src_uri"`   // without credentials
	SourceQueue string     `json:"src_queue"` // and so on, where it is one
	DestURI     string     `json:"dest_uri"`
	DestQueue   string     `json:"dest_queue"`
	Forwarded   Opt[int64] `json:"forwarded"` // messages; 4.3
	Pending     Opt[int64] `json:"pending"`   // 4.3
	Remaining   Opt[int64] `json:"remaining"` // until it ends; a mismatch if it doesn't ("unlimited"); 4.3

	// Raw is the entry as it came, with the keys that have no field here
	// (specification, Management client records).
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON sets the fields, and Raw to the whole entry.
func (s *ShovelStatus) UnmarshalJSON(data []byte) error {
	type fields ShovelStatus
	if err := lenient(json.Unmarshal(data, (*fields)(s))); err != nil {
		return err
	}
	s.Raw = bytes.Clone(data)
	return nil
}

// Fields returns the whole entry as a table, nil if there is none.
func (s ShovelStatus) Fields() Table { return fieldsOf(s.Raw) }

// IsRunning reports whether the shovel moves messages, or would if there were
// any.
func (s ShovelStatus) IsRunning() bool {
	return s.State == ShovelRunning || s.State == "flow" || s.State == "blocked"
}

// Time returns the timestamp in UTC, or the zero time if there is none.
func (s ShovelStatus) Time() time.Time {
	at, _ := time.Parse("2006-01-02 15:04:05", s.Timestamp) // which takes the hour without its zero, too
	return at
}

// ShovelStatuses lists the states of the shovels in a scope. Without the plugin
// rabbitmq_shovel_management it fails with ErrPluginDisabled, and for AllVHosts
// with Status 404 (specification, Errors), even where the credentials are wrong
// and where shovels run. Shovels lists their settings, without that plugin.
//
// GET /api/shovels
// GET /api/shovels/{vhost}
func (c *Client) ShovelStatuses(ctx context.Context, scope Scope) ([]ShovelStatus, error) {
	all, err := list[ShovelStatus](ctx, c, over("list shovel statuses", "shovels", scope), nil)
	return all, c.byPlugin(ctx, err, "shovels", scope)
}

const shovel = "shovel" // the component of its parameters

// PutShovel creates or replaces a dynamic shovel, which then starts.
// ErrPluginDisabled means that the plugin rabbitmq_shovel is disabled.
//
// PUT /api/parameters/shovel/{vhost}/{parameter}
func (c *Client) PutShovel(ctx context.Context, vhost, name string, settings ShovelSettings) error {
	r := put("put shovel", name, orDefault(vhost), parameter(shovel, vhost, name), Table{"value": settings.value(vhost)})
	return c.call(ctx, r, nil)
}

// ShovelInfo is a dynamic shovel as it was put, with the passwords in its URIs.
type ShovelInfo struct {
	Name, VHost string
	ShovelSettings
}

// Shovel reads the settings of a dynamic shovel.
//
// GET /api/parameters/shovel/{vhost}/{parameter}
func (c *Client) Shovel(ctx context.Context, vhost, name string) (ShovelInfo, error) {
	p, err := read[ParameterInfo](ctx, c, get("read shovel", name, orDefault(vhost), parameter(shovel, vhost, name)))
	return p.shovel(), err
}

// Shovels lists the dynamic shovels in a scope. ShovelStatuses lists their states.
//
// GET /api/parameters/shovel
// GET /api/parameters/shovel/{vhost}
func (c *Client) Shovels(ctx context.Context, scope Scope) ([]ShovelInfo, error) {
	all, err := list[ParameterInfo](ctx, c, over("list shovels", "parameters/"+shovel, scope), nil)
	return convert(all, ParameterInfo.shovel), err
}

// DeleteShovel deletes a dynamic shovel. Messages that it hasn't delivered
// return to the source.
//
// DELETE /api/parameters/shovel/{vhost}/{parameter}
func (c *Client) DeleteShovel(ctx context.Context, vhost, name string) error {
	return c.call(ctx, del("delete shovel", name, orDefault(vhost), parameter(shovel, vhost, name)), nil)
}

// RestartShovel restarts a shovel.
//
// DELETE /api/shovels/vhost/{vhost}/{shovel}/restart
func (c *Client) RestartShovel(ctx context.Context, vhost, name string) error {
	p := under("shovels/vhost").vhost(vhost).name("shovel", name).and("restart")
	return c.call(ctx, del("restart shovel", name, orDefault(vhost), p), nil)
}

// pollInterval is the pause between two requests for a state.
const pollInterval = 100 * time.Millisecond

// AwaitShovelRunning returns nil when a shovel runs. One that can't connect
// never gives up, so ctx should have a deadline; the error then names the last
// state. It asks ten times a second.
//
// GET /api/shovels
func (c *Client) AwaitShovelRunning(ctx context.Context, vhost, name string) error {
	state := "not listed"
	return poll(ctx, get("await running shovel", name, orDefault(vhost), under("shovels")), &state, func() (bool, error) {
		all, err := c.ShovelStatuses(ctx, AllVHosts())
		state = "not listed"
		for _, status := range all {
			if status.Name == name && status.VHost == orDefault(vhost) {
				state = describe(status)
				return status.IsRunning(), err
			}
		}
		return false, err
	})
}

// AwaitShovelFinished returns nil when a shovel with SourceDeleteAfter has
// moved its messages and deleted itself, or if it never existed. A virtual host
// that doesn't exist is ErrNotFound. See AwaitShovelRunning about ctx.
//
// GET /api/vhosts/{vhost}
// GET /api/parameters/shovel/{vhost}/{parameter}
func (c *Client) AwaitShovelFinished(ctx context.Context, vhost, name string) error {
	p := parameter(shovel, vhost, name)
	state := "it is still there"
	return poll(ctx, get("await finished shovel", name, orDefault(vhost), p), &state, func() (bool, error) {
		_, err := c.Parameter(ctx, shovel, vhost, name)
		if errors.Is(err, ErrNotFound) {
			_, err = c.VHost(ctx, orDefault(vhost))
			return err == nil, err
		}
		return false, err
	})
}

func describe(status ShovelStatus) string {
	if status.Reason == "" {
		return line(status.State)
	}
	return line(status.State) + ": " + line(status.Reason)
}

// poll calls look until it is done or fails, or ctx ends. The error then names
// the state that was seen last.
func poll(ctx context.Context, r request, state *string, look func() (done bool, err error)) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		done, err := look()
		if done {
			return nil
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return r.fail(fmt.Errorf("%w; last seen: %s", ended(ctx), *state))
		}
	}
}
