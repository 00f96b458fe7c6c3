package mgmt

import "context"

// NodeInfo is a node of the cluster as the broker reports it.
type NodeInfo struct {
	Name           string     `json:"name"`
	Type           string     `json:"type"` // "disc" or "ram"
	Running        Opt[bool]  `json:"running"`
	BeingDrained   Opt[bool]  `json:"being_drained"` // in maintenance
	Version        string     `json:"rabbitmq_version"`
	ErlangVersion  string     `json:"erlang_version"`
	Uptime         Opt[int64] `json:"uptime"` // milliseconds
	Processors     Opt[int64] `json:"processors"`
	MemoryUsed     Opt[int64] `json:"mem_used"` // bytes, as are these
	MemoryLimit    Opt[int64] `json:"mem_limit"`
	MemoryAlarm    Opt[bool]  `json:"mem_alarm"`
	DiskFree       Opt[int64] `json:"disk_free"`
	DiskFreeLimit  Opt[int64] `json:"disk_free_limit"`
	DiskFreeAlarm  Opt[bool]  `json:"disk_free_alarm"`
	FilesUsed      Opt[int64] `json:"fd_used"`
	FilesTotal     Opt[int64] `json:"fd_total"`
	SocketsUsed    Opt[int64] `json:"sockets_used"`
	ProcessesUsed  Opt[int64] `json:"proc_used"` // of Erlang
	ProcessesTotal Opt[int64] `json:"proc_total"`
	Partitions     []string   `json:"partitions"` // nodes that this one can't reach
	EnabledPlugins []string   `json:"enabled_plugins"`
	ConfigFiles    []string   `json:"config_files"`
	LogFiles       []string   `json:"log_files"`
	RatesMode      string     `json:"rates_mode"`
	OSProcess      string     `json:"os_pid"`
}

// Nodes lists the nodes of the cluster.
//
// GET /api/nodes
func (c *Client) Nodes(ctx context.Context) ([]NodeInfo, error) {
	return list[NodeInfo](ctx, c, get("list nodes", "", "", under("nodes")), nil)
}

// Node reads a node.
//
// GET /api/nodes/{node}
func (c *Client) Node(ctx context.Context, name string) (NodeInfo, error) {
	return read[NodeInfo](ctx, c, get("read node", name, "", under("nodes").name("node", name)))
}

// OverviewInfo is a summary of the broker.
type OverviewInfo struct {
	ProductName    string         `json:"product_name"`
	ProductVersion string         `json:"product_version"`
	Version        string         `json:"rabbitmq_version"`
	ErlangVersion  string         `json:"erlang_version"`
	ClusterName    string         `json:"cluster_name"`
	Node           string         `json:"node"` // the one that answers
	RatesMode      string         `json:"rates_mode"`
	StatsDisabled  Opt[bool]      `json:"disable_stats"`
	ExchangeTypes  []ExchangeType `json:"exchange_types"`
	Listeners      []Listener     `json:"listeners"`
	Objects        ObjectTotals   `json:"object_totals"`
	Queues         QueueTotals    `json:"queue_totals"`
	MessageStats   *MessageStats  `json:"message_stats"`
}

// An ExchangeType is a type of exchange that the broker has.
type ExchangeType struct {
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Enabled     Opt[bool] `json:"enabled"`
}

// A Listener is an address that a node listens on.
type Listener struct {
	Node     string     `json:"node"`
	Protocol string     `json:"protocol"`
	Address  string     `json:"ip_address"`
	Port     Opt[int64] `json:"port"`
	TLS      Opt[bool]  `json:"tls"`
}

// ObjectTotals count the objects of the broker.
type ObjectTotals struct {
	Connections Opt[int64] `json:"connections"`
	Channels    Opt[int64] `json:"channels"`
	Consumers   Opt[int64] `json:"consumers"`
	Exchanges   Opt[int64] `json:"exchanges"`
	Queues      Opt[int64] `json:"queues"`
}

// QueueTotals count the messages of all queues, as they were seconds ago.
type QueueTotals struct {
	Messages       Opt[int64] `json:"messages"`
	Ready          Opt[int64] `json:"messages_ready"`
	Unacknowledged Opt[int64] `json:"messages_unacknowledged"`
}

// Overview reads the broker's versions, listeners and totals. It is the slowest
// of the small calls (30 ms on an idle node).
//
// GET /api/overview
func (c *Client) Overview(ctx context.Context) (OverviewInfo, error) {
	return read[OverviewInfo](ctx, c, get("read overview", "", "", under("overview")))
}

// ClusterName reads the cluster's name.
//
// GET /api/cluster-name
func (c *Client) ClusterName(ctx context.Context) (string, error) {
	answer, err := read[struct {
		Name string `json:"name"`
	}](ctx, c, get("read cluster name", "", "", under("cluster-name")))
	return answer.Name, err
}

// PutClusterName changes the cluster's name.
//
// PUT /api/cluster-name
func (c *Client) PutClusterName(ctx context.Context, name string) error {
	return c.call(ctx, put("put cluster name", name, "", under("cluster-name"), Table{"name": name}), nil)
}
