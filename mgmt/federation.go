package mgmt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"time"
)

// upstream is the component of the parameters of federation.
const upstream = "federation-upstream"

// FederationUpstreamSettings say where messages come from. URIs is required.
// Zero fields are the broker's defaults.
type FederationUpstreamSettings struct {
	URIs           URIs
	Exchange       string // of the upstream; empty means the name of the federated one
	Queue          string // likewise
	MaxHops        int
	Prefetch       int
	ReconnectDelay time.Duration // whole seconds
	Expires        time.Duration // of the upstream's queue, whole milliseconds
	MessageTTL     Opt[time.Duration]
	AckMode        string // "on-confirm", "on-publish" or "no-ack"
	OtherKeys      Table  // keys that have no field here
}

// value is what the broker keeps. What a field says is worth more than OtherKeys.
func (s FederationUpstreamSettings) value() Table {
	value := Table{}
	maps.Copy(value, s.OtherKeys)
	value["uri"] = []string(s.URIs)
	for key, text := range map[string]string{"exchange": s.Exchange, "queue": s.Queue, "ack-mode": s.AckMode} {
		if text != "" {
			value[key] = text
		}
	}
	for key, n := range map[string]int64{
		"max-hops": int64(s.MaxHops), "prefetch-count": int64(s.Prefetch),
		"reconnect-delay": int64(s.ReconnectDelay / time.Second), "expires": s.Expires.Milliseconds(),
	} {
		if n > 0 {
			value[key] = n
		}
	}
	if ttl, ok := s.MessageTTL.Get(); ok {
		value["message-ttl"] = ttl.Milliseconds()
	}
	return value
}

// PutFederationUpstream creates or replaces an upstream. ErrPluginDisabled
// means that the plugin rabbitmq_federation is disabled.
//
// PUT /api/parameters/federation-upstream/{vhost}/{parameter}
func (c *Client) PutFederationUpstream(ctx context.Context, vhost, name string, settings FederationUpstreamSettings) error {
	r := put("put federation upstream", name, orDefault(vhost), parameter(upstream, vhost, name), Table{"value": settings.value()})
	if len(settings.URIs) == 0 {
		return r.fail(errors.New("it has no URIs: set the address that messages come from"))
	}
	return c.call(ctx, r, nil)
}

// DeleteFederationUpstream deletes an upstream.
//
// DELETE /api/parameters/federation-upstream/{vhost}/{parameter}
func (c *Client) DeleteFederationUpstream(ctx context.Context, vhost, name string) error {
	return c.call(ctx, del("delete federation upstream", name, orDefault(vhost), parameter(upstream, vhost, name)), nil)
}

// FederationUpstreamInfo is an upstream as it was put, with the passwords in its
// URIs.
type FederationUpstreamInfo struct {
	Name, VHost string
	FederationUpstreamSettings
}

func (p ParameterInfo) upstream() FederationUpstreamInfo {
	k := keysOf(p.Value)
	s := FederationUpstreamSettings{
		URIs: k.uris("uri"), Exchange: k.text("exchange"), Queue: k.text("queue"), AckMode: k.text("ack-mode"),
		MaxHops: int(k.positive("max-hops")), Prefetch: int(k.positive("prefetch-count")),
		ReconnectDelay: k.duration("reconnect-delay", time.Second), Expires: k.duration("expires", time.Millisecond),
	}
	if ttl := k.duration("message-ttl", time.Millisecond); ttl > 0 || k.is("message-ttl", int64(0)) {
		s.MessageTTL = Some(ttl)
	}
	s.OtherKeys = k.others()
	return FederationUpstreamInfo{p.Name, p.VHost, s}
}

// FederationUpstream reads an upstream.
//
// GET /api/parameters/federation-upstream/{vhost}/{parameter}
func (c *Client) FederationUpstream(ctx context.Context, vhost, name string) (FederationUpstreamInfo, error) {
	p, err := read[ParameterInfo](ctx, c, get("read federation upstream", name, orDefault(vhost), parameter(upstream, vhost, name)))
	return p.upstream(), err
}

// FederationUpstreams lists the upstreams in a scope.
//
// GET /api/parameters/federation-upstream
// GET /api/parameters/federation-upstream/{vhost}
func (c *Client) FederationUpstreams(ctx context.Context, scope Scope) ([]FederationUpstreamInfo, error) {
	all, err := list[ParameterInfo](ctx, c, over("list federation upstreams", "parameters/"+upstream, scope), nil)
	return convert(all, ParameterInfo.upstream), err
}

// FederationLink is the connection of one exchange or queue to an upstream.
type FederationLink struct {
	Node             string `json:"node"`
	VHost            string `json:"vhost"`
	Type             string `json:"type"` // "exchange" or "queue"
	Exchange         string `json:"exchange"`
	Queue            string `json:"queue"`
	Upstream         string `json:"upstream"`
	UpstreamExchange string `json:"upstream_exchange"`
	UpstreamQueue    string `json:"upstream_queue"`
	ID               string `json:"id"`
	Status           string `json:"status"` // "running", "starting", "shutdown", "error"
	Error            string `json:"error"`
	URI              string `json:"uri"` // without credentials
	Timestamp        string `json:"timestamp"`

	Raw json.RawMessage `json:"-"` // the entry as it came
}

// UnmarshalJSON sets the fields, and Raw to the whole entry.
func (l *FederationLink) UnmarshalJSON(data []byte) error {
	type fields FederationLink
	if err := lenient(json.Unmarshal(data, (*fields)(l))); err != nil {
		return err
	}
	l.Raw = bytes.Clone(data)
	return nil
}

// Fields returns the whole entry as a table, nil if there is none.
func (l FederationLink) Fields() Table { return fieldsOf(l.Raw) }

// FederationLinks lists the links in a scope. Without the plugin
// rabbitmq_federation_management it fails with ErrPluginDisabled.
//
// GET /api/federation-links
// GET /api/federation-links/{vhost}
func (c *Client) FederationLinks(ctx context.Context, scope Scope) ([]FederationLink, error) {
	all, err := list[FederationLink](ctx, c, over("list federation links", federationLinks, scope), nil)
	return all, c.byPlugin(ctx, err, federationLinks, scope)
}

// DownFederationLinks lists the links in a scope that don't run; see
// FederationLinks.
//
// GET /api/federation-links/state/down
// GET /api/federation-links/{vhost}/state/down
func (c *Client) DownFederationLinks(ctx context.Context, scope Scope) ([]FederationLink, error) {
	r := over("list federation links that are down", federationLinks, scope)
	r.path = r.path.and("state/down")
	all, err := list[FederationLink](ctx, c, r, nil)
	return all, c.byPlugin(ctx, err, federationLinks, scope)
}

const federationLinks = "federation-links"
