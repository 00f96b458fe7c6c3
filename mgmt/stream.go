package mgmt

import "context"

// StreamPublisher is a publisher over RabbitMQ's stream protocol.
type StreamPublisher struct {
	Queue      QueueBrief      `json:"queue"`
	Connection ConnectionBrief `json:"connection_details"`
	Reference  string          `json:"reference"`
	ID         Opt[int64]      `json:"publisher_id"`
	Published  Opt[int64]      `json:"published"`
	Confirmed  Opt[int64]      `json:"confirmed"`
	Errored    Opt[int64]      `json:"errored"`
}

// StreamConsumer is a consumer over RabbitMQ's stream protocol.
type StreamConsumer struct {
	Queue      QueueBrief      `json:"queue"`
	Connection ConnectionBrief `json:"connection_details"`
	ID         Opt[int64]      `json:"subscription_id"`
	Credits    Opt[int64]      `json:"credits"`
	Consumed   Opt[int64]      `json:"consumed"`
	Offset     Opt[int64]      `json:"offset"`
	OffsetLag  Opt[int64]      `json:"offset_lag"`
	Active     Opt[bool]       `json:"active"`
	Properties Table           `json:"properties"`
}

const (
	streamConnections = "stream/connections"
	streamPublishers  = "stream/publishers"
	streamConsumers   = "stream/consumers"
)

func streamConnection(vhost, name string) path {
	return under(streamConnections).vhost(vhost).segment("connection", name)
}

// StreamConnections lists the connections over the stream protocol to the virtual
// hosts of a scope. Without the plugin rabbitmq_stream_management it fails with
// ErrPluginDisabled, as do the methods below. A stream itself is a queue with the
// x-queue-type "stream".
//
// GET /api/stream/connections
// GET /api/stream/connections/{vhost}
func (c *Client) StreamConnections(ctx context.Context, scope Scope, options ...ListOption) ([]ConnectionInfo, error) {
	all, err := list[ConnectionInfo](ctx, c, over("list stream connections", streamConnections, scope), options)
	return all, c.byPlugin(ctx, err, streamConnections, scope)
}

// StreamConnection reads a connection over the stream protocol by its Name.
//
// GET /api/stream/connections/{vhost}/{connection}
func (c *Client) StreamConnection(ctx context.Context, vhost, name string) (ConnectionInfo, error) {
	info, err := read[ConnectionInfo](ctx, c, get("read stream connection", name, orDefault(vhost), streamConnection(vhost, name)))
	return info, c.byPlugin(ctx, err, streamConnections, In(vhost))
}

// CloseStreamConnection closes a connection over the stream protocol.
//
// DELETE /api/stream/connections/{vhost}/{connection}
func (c *Client) CloseStreamConnection(ctx context.Context, vhost, name string) error {
	err := c.call(ctx, del("close stream connection", name, orDefault(vhost), streamConnection(vhost, name)), nil)
	return c.byPlugin(ctx, err, streamConnections, In(vhost))
}

// StreamPublishers lists the publishers over the stream protocol.
//
// GET /api/stream/publishers
// GET /api/stream/publishers/{vhost}
func (c *Client) StreamPublishers(ctx context.Context, scope Scope) ([]StreamPublisher, error) {
	all, err := list[StreamPublisher](ctx, c, over("list stream publishers", streamPublishers, scope), nil)
	return all, c.byPlugin(ctx, err, streamPublishers, scope)
}

// StreamPublishersTo lists the publishers to one stream over the stream protocol.
//
// GET /api/stream/publishers/{vhost}/{stream}
func (c *Client) StreamPublishersTo(ctx context.Context, vhost, stream string) ([]StreamPublisher, error) {
	p := under(streamPublishers).vhost(vhost).name("stream", stream)
	all, err := list[StreamPublisher](ctx, c, get("list publishers to stream", stream, orDefault(vhost), p), nil)
	return all, c.byPlugin(ctx, err, streamPublishers, In(vhost))
}

// StreamConnectionPublishers lists the publishers of one connection.
//
// GET /api/stream/connections/{vhost}/{connection}/publishers
func (c *Client) StreamConnectionPublishers(ctx context.Context, vhost, connection string) ([]StreamPublisher, error) {
	p := streamConnection(vhost, connection).and("publishers")
	all, err := list[StreamPublisher](ctx, c, get("list publishers of stream connection", connection, orDefault(vhost), p), nil)
	return all, c.byPlugin(ctx, err, streamConnections, In(vhost))
}

// StreamConsumers lists the consumers over the stream protocol.
//
// GET /api/stream/consumers
// GET /api/stream/consumers/{vhost}
func (c *Client) StreamConsumers(ctx context.Context, scope Scope) ([]StreamConsumer, error) {
	all, err := list[StreamConsumer](ctx, c, over("list stream consumers", streamConsumers, scope), nil)
	return all, c.byPlugin(ctx, err, streamConsumers, scope)
}

// StreamConnectionConsumers lists the consumers of one connection.
//
// GET /api/stream/connections/{vhost}/{connection}/consumers
func (c *Client) StreamConnectionConsumers(ctx context.Context, vhost, connection string) ([]StreamConsumer, error) {
	p := streamConnection(vhost, connection).and("consumers")
	all, err := list[StreamConsumer](ctx, c, get("list consumers of stream connection", connection, orDefault(vhost), p), nil)
	return all, c.byPlugin(ctx, err, streamConnections, In(vhost))
}
