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

// StreamConnections lists the connections over the stream protocol, in all
// virtual hosts that the user sees. Without the plugin
// rabbitmq_stream_management it fails with ErrPluginDisabled, as do the next two.
// A stream itself is a queue with the x-queue-type "stream".
//
// GET /api/stream/connections
func (c *Client) StreamConnections(ctx context.Context) ([]ConnectionInfo, error) {
	all, err := list[ConnectionInfo](ctx, c, get("list stream connections", "", "", under("stream/connections")), nil)
	return all, byPlugin(err)
}

// StreamPublishers lists the publishers over the stream protocol.
//
// GET /api/stream/publishers
func (c *Client) StreamPublishers(ctx context.Context) ([]StreamPublisher, error) {
	all, err := list[StreamPublisher](ctx, c, get("list stream publishers", "", "", under("stream/publishers")), nil)
	return all, byPlugin(err)
}

// StreamConsumers lists the consumers over the stream protocol.
//
// GET /api/stream/consumers
func (c *Client) StreamConsumers(ctx context.Context) ([]StreamConsumer, error) {
	all, err := list[StreamConsumer](ctx, c, get("list stream consumers", "", "", under("stream/consumers")), nil)
	return all, byPlugin(err)
}
