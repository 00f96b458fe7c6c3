package mgmt

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
)

// ConnectionInfo is a client's connection as the broker reports it.
type ConnectionInfo struct {
	Name             string     `json:"name"` // "127.0.0.1:55748 -> 127.0.0.1:5672"
	ClientName       string     `json:"user_provided_name"`
	VHost            string     `json:"vhost"`
	User             string     `json:"user"`
	Node             string     `json:"node"`
	State            string     `json:"state"` // "running", "flow", "blocked", "blocking", ...
	Type             string     `json:"type"`  // "network" or "direct"
	Protocol         string     `json:"protocol"`
	PeerHost         string     `json:"peer_host"`
	PeerPort         Opt[int64] `json:"peer_port"` // a mismatch if it isn't a socket ("undefined")
	Host             string     `json:"host"`
	Port             Opt[int64] `json:"port"`
	TLS              Opt[bool]  `json:"ssl"`
	Channels         Opt[int64] `json:"channels"`
	ChannelMax       Opt[int64] `json:"channel_max"`
	FrameMax         Opt[int64] `json:"frame_max"`
	Heartbeat        Opt[int64] `json:"timeout"`      // seconds
	ConnectedAt      Opt[int64] `json:"connected_at"` // milliseconds since 1970
	BytesReceived    Opt[int64] `json:"recv_oct"`
	BytesSent        Opt[int64] `json:"send_oct"`
	ClientProperties Table      `json:"client_properties"`
}

// ChannelInfo is a channel as the broker reports it.
type ChannelInfo struct {
	Name           string          `json:"name"` // the connection's with the number in parentheses
	Number         Opt[int64]      `json:"number"`
	VHost          string          `json:"vhost"`
	User           string          `json:"user"`
	Node           string          `json:"node"`
	State          string          `json:"state"`
	Connection     ConnectionBrief `json:"connection_details"`
	Consumers      Opt[int64]      `json:"consumer_count"`
	Prefetch       Opt[int64]      `json:"prefetch_count"`
	Unacknowledged Opt[int64]      `json:"messages_unacknowledged"`
	Unconfirmed    Opt[int64]      `json:"messages_unconfirmed"`
	Confirm        Opt[bool]       `json:"confirm"`
	Transactional  Opt[bool]       `json:"transactional"`
	IdleSince      string          `json:"idle_since"`
	MessageStats   *MessageStats   `json:"message_stats"`
}

// ConnectionBrief is a connection as its channels report it.
type ConnectionBrief struct {
	Name     string     `json:"name"`
	PeerHost string     `json:"peer_host"`
	PeerPort Opt[int64] `json:"peer_port"`
}

// ConsumerInfo is a consumer as the broker reports it.
type ConsumerInfo struct {
	Tag            string       `json:"consumer_tag"`
	Queue          QueueBrief   `json:"queue"`
	Channel        ChannelBrief `json:"channel_details"`
	AckRequired    Opt[bool]    `json:"ack_required"`
	Active         Opt[bool]    `json:"active"`
	ActivityStatus string       `json:"activity_status"` // "up", "single_active", "waiting", ...
	Exclusive      Opt[bool]    `json:"exclusive"`
	Prefetch       Opt[int64]   `json:"prefetch_count"`
	Arguments      Table        `json:"arguments"`
}

// QueueBrief is a queue as its consumers report it.
type QueueBrief struct {
	Name  string `json:"name"`
	VHost string `json:"vhost"`
}

// ChannelBrief is a channel as its consumers report it. It is zero if the
// channel is closed.
type ChannelBrief struct {
	Name           string     `json:"name"`
	Number         Opt[int64] `json:"number"`
	ConnectionName string     `json:"connection_name"`
	Node           string     `json:"node"`
	User           string     `json:"user"`
	PeerHost       string     `json:"peer_host"`
	PeerPort       Opt[int64] `json:"peer_port"`
}

// Connections lists the connections to the virtual hosts of a scope. A new
// connection appears after up to 5 seconds.
//
// GET /api/connections
// GET /api/vhosts/{vhost}/connections
func (c *Client) Connections(ctx context.Context, scope Scope, options ...ListOption) ([]ConnectionInfo, error) {
	r := overVHosts("list connections", "connections", scope)
	return list[ConnectionInfo](ctx, c, r, options)
}

// ConnectionsSeq is Connections, one after the other as they arrive; see [Seq].
//
// GET /api/connections
// GET /api/vhosts/{vhost}/connections
func (c *Client) ConnectionsSeq(ctx context.Context, scope Scope, options ...ListOption) iter.Seq2[ConnectionInfo, error] {
	r := overVHosts("list connections", "connections", scope)
	return seq[ConnectionInfo](ctx, c, r, options)
}

// UserConnections lists the connections of a user.
//
// GET /api/connections/username/{user}
func (c *Client) UserConnections(ctx context.Context, user string) ([]ConnectionInfo, error) {
	p := under("connections/username").name("user", user)
	return list[ConnectionInfo](ctx, c, get("list connections of user", user, "", p), nil)
}

// Connection reads a connection by its Name.
//
// GET /api/connections/{connection}
func (c *Client) Connection(ctx context.Context, name string) (ConnectionInfo, error) {
	return read[ConnectionInfo](ctx, c, get("read connection", name, "", under("connections").segment("connection", name)))
}

// CloseConnection closes a client's connection. The reason is sent to the
// client and logged by the broker; it may be empty.
//
// DELETE /api/connections/{connection}
func (c *Client) CloseConnection(ctx context.Context, name, reason string) error {
	r := del("close connection", name, "", under("connections").segment("connection", name))
	return c.closeConnections(ctx, r, reason)
}

// CloseUserConnections closes all connections of a user, see CloseConnection.
//
// DELETE /api/connections/username/{user}
func (c *Client) CloseUserConnections(ctx context.Context, user, reason string) error {
	r := del("close connections of user", user, "", under("connections/username").name("user", user))
	return c.closeConnections(ctx, r, reason)
}

func (c *Client) closeConnections(ctx context.Context, r request, reason string) error {
	if strings.ContainsAny(reason, "\r\n") {
		return r.fail(errors.New("the reason has a line break"))
	}
	if reason != "" {
		r.header = http.Header{"X-Reason": {reason}}
	}
	return c.call(ctx, r, nil)
}

// ConnectionChannels lists the channels of a connection.
//
// GET /api/connections/{connection}/channels
func (c *Client) ConnectionChannels(ctx context.Context, name string) ([]ChannelInfo, error) {
	p := under("connections").segment("connection", name).and("channels")
	return list[ChannelInfo](ctx, c, get("list channels of connection", name, "", p), nil)
}

// Channels lists the channels in a scope.
//
// GET /api/channels
// GET /api/vhosts/{vhost}/channels
func (c *Client) Channels(ctx context.Context, scope Scope, options ...ListOption) ([]ChannelInfo, error) {
	return list[ChannelInfo](ctx, c, overVHosts("list channels", "channels", scope), options)
}

// ChannelsSeq is Channels, one after the other as they arrive; see [Seq].
//
// GET /api/channels
// GET /api/vhosts/{vhost}/channels
func (c *Client) ChannelsSeq(ctx context.Context, scope Scope, options ...ListOption) iter.Seq2[ChannelInfo, error] {
	return seq[ChannelInfo](ctx, c, overVHosts("list channels", "channels", scope), options)
}

// Channel reads a channel by its Name.
//
// GET /api/channels/{channel}
func (c *Client) Channel(ctx context.Context, name string) (ChannelInfo, error) {
	return read[ChannelInfo](ctx, c, get("read channel", name, "", under("channels").segment("channel", name)))
}

// Consumers lists the consumers in a scope.
//
// GET /api/consumers
// GET /api/consumers/{vhost}
func (c *Client) Consumers(ctx context.Context, scope Scope, options ...ListOption) ([]ConsumerInfo, error) {
	return list[ConsumerInfo](ctx, c, over("list consumers", "consumers", scope), options)
}

// ConsumersSeq is Consumers, one after the other as they arrive; see [Seq].
//
// GET /api/consumers
// GET /api/consumers/{vhost}
func (c *Client) ConsumersSeq(ctx context.Context, scope Scope, options ...ListOption) iter.Seq2[ConsumerInfo, error] {
	return seq[ConsumerInfo](ctx, c, over("list consumers", "consumers", scope), options)
}
