package mgmt

import (
	"cmp"
	"context"
	"iter"
)

// The types of exchange that every broker has.
const (
	Direct  = "direct"
	Fanout  = "fanout"
	Topic   = "topic"
	Headers = "headers"
)

// ExchangeSettings are the properties of an exchange to declare. The zero value
// is a durable direct exchange without arguments.
type ExchangeSettings struct {
	Type       string // Direct, Fanout, Topic, Headers, or that of a plugin
	Transient  bool   // it doesn't survive a restart of the broker
	AutoDelete bool   // it is deleted with its last binding
	Internal   bool   // only other exchanges may publish to it
	Arguments  Table
}

func (s ExchangeSettings) body() any {
	return struct {
		Type       string `json:"type"`
		Durable    bool   `json:"durable"`
		AutoDelete bool   `json:"auto_delete"`
		Internal   bool   `json:"internal"`
		Arguments  Table  `json:"arguments"`
	}{cmp.Or(s.Type, Direct), !s.Transient, s.AutoDelete, s.Internal, s.Arguments}
}

// ExchangeInfo is an exchange as the broker reports it.
type ExchangeInfo struct {
	Name         string        `json:"name"` // empty for the default exchange
	VHost        string        `json:"vhost"`
	Type         string        `json:"type"`
	Durable      Opt[bool]     `json:"durable"`
	AutoDelete   Opt[bool]     `json:"auto_delete"`
	Internal     Opt[bool]     `json:"internal"`
	Arguments    Table         `json:"arguments"`
	Policy       string        `json:"policy"`
	MadeBy       string        `json:"user_who_performed_action"`
	MessageStats *MessageStats `json:"message_stats"` // nil until the first traffic
}

// defaultExchange is the name of the one that has none.
const defaultExchange = "amq.default"

func orDefaultExchange(name string) string { return cmp.Or(name, defaultExchange) }

// DeclareExchange creates an exchange, or does nothing if an equal one exists.
// If one with other properties exists, the error is ErrInequivalent.
//
// PUT /api/exchanges/{vhost}/{exchange}
func (c *Client) DeclareExchange(ctx context.Context, vhost, name string, settings ExchangeSettings) error {
	p := under("exchanges").vhost(vhost).name("exchange", name)
	return c.call(ctx, put("declare exchange", name, orDefault(vhost), p, settings.body()), nil)
}

// Exchanges lists the exchanges in a scope.
//
// GET /api/exchanges
// GET /api/exchanges/{vhost}
func (c *Client) Exchanges(ctx context.Context, scope Scope, options ...ListOption) ([]ExchangeInfo, error) {
	return list[ExchangeInfo](ctx, c, over("list exchanges", "exchanges", scope), options)
}

// ExchangesSeq is Exchanges, one after the other as they arrive; see [Seq].
//
// GET /api/exchanges
// GET /api/exchanges/{vhost}
func (c *Client) ExchangesSeq(ctx context.Context, scope Scope, options ...ListOption) iter.Seq2[ExchangeInfo, error] {
	return seq[ExchangeInfo](ctx, c, over("list exchanges", "exchanges", scope), options)
}

// Exchange reads an exchange; the empty name is the default one.
//
// GET /api/exchanges/{vhost}/{exchange}
func (c *Client) Exchange(ctx context.Context, vhost, name string) (ExchangeInfo, error) {
	p := under("exchanges").vhost(vhost).name("exchange", orDefaultExchange(name))
	return read[ExchangeInfo](ctx, c, get("read exchange", name, orDefault(vhost), p))
}

// DeleteExchange deletes an exchange and its bindings, unless a condition
// doesn't hold.
//
// DELETE /api/exchanges/{vhost}/{exchange}
func (c *Client) DeleteExchange(ctx context.Context, vhost, name string, only ...Condition) error {
	r := del("delete exchange", name, orDefault(vhost), under("exchanges").vhost(vhost).name("exchange", name))
	r.query = conditions(only)
	return c.call(ctx, r, nil)
}
