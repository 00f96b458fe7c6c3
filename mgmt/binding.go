package mgmt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// BindingSettings say which messages an exchange passes on. The zero value is
// the empty routing key without arguments.
type BindingSettings struct {
	RoutingKey string // at most 255 bytes
	Arguments  Table
}

// BindingInfo is a binding as the broker reports it.
type BindingInfo struct {
	Source          string `json:"source"` // the exchange; empty for the default one
	VHost           string `json:"vhost"`
	Destination     string `json:"destination"`
	DestinationType string `json:"destination_type"` // "queue" or "exchange"
	RoutingKey      string `json:"routing_key"`      // a key that isn't text, which 3.10 and 4.0 let in, is its JSON
	Arguments       Table  `json:"arguments"`
	PropertiesKey   string `json:"properties_key"` // tells it from others between the same two, for UnbindQueue

	// Raw is the entry as it came, with the keys that have no field here
	// (specification, Management client records).
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON sets the fields, and Raw to the whole entry.
func (b *BindingInfo) UnmarshalJSON(data []byte) error {
	type fields BindingInfo
	if err := lenient(json.Unmarshal(data, (*fields)(b))); err != nil {
		return err
	}
	b.Raw = bytes.Clone(data)
	var other struct {
		RoutingKey Opt[string] `json:"routing_key"`
	}
	if b.RoutingKey == "" && json.Unmarshal(data, &other) == nil && other.RoutingKey.IsMismatch() {
		var key struct {
			Text json.RawMessage `json:"routing_key"`
		}
		json.Unmarshal(data, &key) // it has just been decoded
		b.RoutingKey = string(key.Text)
	}
	return nil
}

// lenient ignores the error of a field whose value doesn't fit, which stays
// zero.
func lenient(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return nil
	}
	return err
}

// Fields returns the whole entry as a table, nil if there is none.
func (b BindingInfo) Fields() Table { return fieldsOf(b.Raw) }

func fieldsOf(raw json.RawMessage) Table {
	var fields Table
	if json.Valid(raw) {
		fields.UnmarshalJSON(raw) // never fails on valid JSON
	}
	return fields
}

// BindQueue binds a queue to an exchange. If an equal binding exists, it does
// nothing. ErrNotFound says in Reason which of the two is missing; the default
// exchange can't be bound, which is ErrForbidden.
//
// POST /api/bindings/{vhost}/e/{exchange}/q/{queue}
func (c *Client) BindQueue(ctx context.Context, vhost, queue, exchange string, settings BindingSettings) error {
	p := betweenQueue(vhost, queue, exchange)
	return c.call(ctx, settings.request("bind queue", queue, vhost, p), nil)
}

// BindExchange binds the exchange destination to the exchange source, so that
// messages go from source to destination.
//
// POST /api/bindings/{vhost}/e/{exchange}/e/{exchange}
func (c *Client) BindExchange(ctx context.Context, vhost, destination, source string, settings BindingSettings) error {
	p := betweenExchanges(vhost, destination, source)
	return c.call(ctx, settings.request("bind exchange", destination, vhost, p), nil)
}

func betweenQueue(vhost, queue, exchange string) path {
	return under("bindings").vhost(vhost).and("e").name("exchange", exchange).and("q").name("queue", queue)
}

func betweenExchanges(vhost, destination, source string) path {
	return under("bindings").vhost(vhost).and("e").name("exchange", source).and("e").name("exchange", destination)
}

func (s BindingSettings) request(operation, name, vhost string, p path) request {
	p.err = errors.Join(p.err, checkKey(s.RoutingKey), s.checkTilde())
	return post(operation, name, orDefault(vhost), p, struct {
		RoutingKey string `json:"routing_key"`
		Arguments  Table  `json:"arguments"`
	}{s.RoutingKey, s.Arguments})
}

// checkTilde refuses the bindings of which the server can't make a PropertiesKey: it
// answers 500, keeps the binding, and can't list any bindings from then on
// (measured on 3.10, 4.0 and 4.3).
func (s BindingSettings) checkTilde() error {
	if len(s.Arguments) > 0 && strings.Contains(strings.TrimSuffix(s.RoutingKey, "~"), "~") {
		return fmt.Errorf("%w: the routing key %q has a ~ before its end, with which a binding that has arguments breaks the API's lists: take another key, or bind without arguments", ErrName, s.RoutingKey)
	}
	return nil
}

// UnbindQueue deletes one binding between a queue and an exchange: that with
// the PropertiesKey of its BindingInfo ("~" for the empty routing key without
// arguments).
//
// Of a binding over AMQP that has arguments and a routing key with a "~" before its
// end, the API can't say the PropertiesKey: lists of bindings that it is in are
// answered with 500. The key is the routing key with each "~" as "%7E", another
// "~", and what follows the last "~" in the PropertiesKey of a binding that has
// the same arguments.
//
// DELETE /api/bindings/{vhost}/e/{exchange}/q/{queue}/{properties}
func (c *Client) UnbindQueue(ctx context.Context, vhost, queue, exchange, propertiesKey string) error {
	p := betweenQueue(vhost, queue, exchange).segment("binding", asSegment(propertiesKey))
	return c.call(ctx, del("unbind queue", queue, orDefault(vhost), p), nil)
}

// asSegment escapes the keys that would be resolved as a path. Of this segment
// alone the broker unescapes once more.
func asSegment(propertiesKey string) string {
	if propertiesKey == "." || propertiesKey == ".." {
		return strings.ReplaceAll(propertiesKey, ".", "%2E")
	}
	return propertiesKey
}

// UnbindExchange deletes one binding between two exchanges, see UnbindQueue.
//
// DELETE /api/bindings/{vhost}/e/{exchange}/e/{exchange}/{properties}
func (c *Client) UnbindExchange(ctx context.Context, vhost, destination, source, propertiesKey string) error {
	p := betweenExchanges(vhost, destination, source).segment("binding", asSegment(propertiesKey))
	return c.call(ctx, del("unbind exchange", destination, orDefault(vhost), p), nil)
}

// QueueBindings lists all bindings of a queue, that of the default exchange
// included. It doesn't show whether the queue exists: the broker answers with
// that one binding for a queue that doesn't, and with no bindings for a virtual
// host that doesn't (measured on 3.10, 4.0 and 4.3).
//
// GET /api/queues/{vhost}/{queue}/bindings
func (c *Client) QueueBindings(ctx context.Context, vhost, queue string) ([]BindingInfo, error) {
	p := under("queues").vhost(vhost).name("queue", queue).and("bindings")
	return list[BindingInfo](ctx, c, get("list bindings of queue", queue, orDefault(vhost), p), nil)
}

// QueueBindingsFrom lists the bindings between a queue and an exchange, in the
// order of the arguments of BindQueue; the empty name is the default exchange.
// Nothing is missing where one of them, or the virtual host, doesn't exist: the
// list is empty (measured on 3.10, 4.0 and 4.3).
//
// GET /api/bindings/{vhost}/e/{exchange}/q/{queue}
func (c *Client) QueueBindingsFrom(ctx context.Context, vhost, queue, exchange string) ([]BindingInfo, error) {
	p := betweenQueue(vhost, queue, orDefaultExchange(exchange))
	return list[BindingInfo](ctx, c, get(fmt.Sprintf("list bindings from exchange %q to queue", exchange), queue, orDefault(vhost), p), nil)
}

// ExchangeBindingsFrom lists the bindings between two exchanges, from source to
// destination; see QueueBindingsFrom.
//
// GET /api/bindings/{vhost}/e/{exchange}/e/{exchange}
func (c *Client) ExchangeBindingsFrom(ctx context.Context, vhost, destination, source string) ([]BindingInfo, error) {
	p := betweenExchanges(vhost, destination, source)
	return list[BindingInfo](ctx, c, get(fmt.Sprintf("list bindings from exchange %q to exchange", source), destination, orDefault(vhost), p), nil)
}

// BindingsFrom lists the bindings whose source is an exchange.
//
// GET /api/exchanges/{vhost}/{exchange}/bindings/source
func (c *Client) BindingsFrom(ctx context.Context, vhost, exchange string) ([]BindingInfo, error) {
	p := under("exchanges").vhost(vhost).name("exchange", orDefaultExchange(exchange)).and("bindings/source")
	return list[BindingInfo](ctx, c, get("list bindings from exchange", exchange, orDefault(vhost), p), nil)
}

// BindingsTo lists the bindings whose destination is an exchange.
//
// GET /api/exchanges/{vhost}/{exchange}/bindings/destination
func (c *Client) BindingsTo(ctx context.Context, vhost, exchange string) ([]BindingInfo, error) {
	p := under("exchanges").vhost(vhost).name("exchange", orDefaultExchange(exchange)).and("bindings/destination")
	return list[BindingInfo](ctx, c, get("list bindings to exchange", exchange, orDefault(vhost), p), nil)
}

// Bindings lists the bindings in a scope. They aren't paged by the broker.
//
// GET /api/bindings
// GET /api/bindings/{vhost}
func (c *Client) Bindings(ctx context.Context, scope Scope, options ...ListOption) ([]BindingInfo, error) {
	return list[BindingInfo](ctx, c, over("list bindings", "bindings", scope), options)
}

// BindingsSeq is Bindings, one after the other as they arrive; see [Seq].
//
// GET /api/bindings
// GET /api/bindings/{vhost}
func (c *Client) BindingsSeq(ctx context.Context, scope Scope, options ...ListOption) iter.Seq2[BindingInfo, error] {
	return seq[BindingInfo](ctx, c, over("list bindings", "bindings", scope), options)
}
