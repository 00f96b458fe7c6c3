package mgmt

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// check runs a health check: nil means healthy, ErrUnhealthy means not, and any
// other error says nothing about the broker's health.
func (c *Client) check(ctx context.Context, what, name string, p path) error {
	return c.call(ctx, get("check "+what, name, "", p), nil)
}

// CheckReady returns nil if the node serves clients, and ErrUnhealthy if it
// doesn't, as do all checks. Any other error says nothing about the broker's
// health. Brokers that have no such check (before 4.1) are asked whether their
// virtual hosts run and the node isn't in maintenance. A node with a memory or
// disk alarm is ready: see CheckAlarms.
//
// GET /api/health/checks/ready-to-serve-clients
// GET /api/health/checks/virtual-hosts
// GET /api/overview
// GET /api/nodes/{node}
func (c *Client) CheckReady(ctx context.Context) error {
	err := c.check(ctx, "readiness", "", under("health/checks/ready-to-serve-clients"))
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	if err := c.CheckVHosts(ctx); err != nil {
		return err
	}
	overview, err := read[OverviewInfo](ctx, c, withColumns(get("check readiness", "", "", under("overview")), "node"))
	if err != nil {
		return err
	}
	r := get("check readiness of node", overview.Node, "", under("nodes").name("node", overview.Node))
	node, err := read[NodeInfo](ctx, c, withColumns(r, "name,running,being_drained"))
	switch {
	case err != nil:
		return err
	case node.BeingDrained.Or(false):
		return r.fail(fmt.Errorf("%w: it is in maintenance", ErrUnhealthy))
	case !node.Running.Or(true):
		return r.fail(fmt.Errorf("%w: it doesn't run", ErrUnhealthy))
	}
	return nil
}

func withColumns(r request, columns string) request {
	r.query = map[string][]string{"columns": {columns}}
	return r
}

// CheckAlarms fails when a node of the cluster is out of memory or disk space.
//
// GET /api/health/checks/alarms
func (c *Client) CheckAlarms(ctx context.Context) error {
	return c.check(ctx, "alarms", "", under("health/checks/alarms"))
}

// CheckLocalAlarms is CheckAlarms of the node that answers.
//
// GET /api/health/checks/local-alarms
func (c *Client) CheckLocalAlarms(ctx context.Context) error {
	return c.check(ctx, "local alarms", "", under("health/checks/local-alarms"))
}

// CheckVHosts fails when a virtual host doesn't run on the node.
//
// GET /api/health/checks/virtual-hosts
func (c *Client) CheckVHosts(ctx context.Context) error {
	return c.check(ctx, "vhosts", "", under("health/checks/virtual-hosts"))
}

// CheckQuorum fails if a quorum queue would lose its majority without the node:
// don't stop it then.
//
// GET /api/health/checks/node-is-quorum-critical
func (c *Client) CheckQuorum(ctx context.Context) error {
	return c.check(ctx, "quorum", "", under("health/checks/node-is-quorum-critical"))
}

// CheckPort fails when the node doesn't listen on a port.
//
// GET /api/health/checks/port-listener/{port}
func (c *Client) CheckPort(ctx context.Context, port int) error {
	number := strconv.Itoa(port)
	return c.check(ctx, "port", number, under("health/checks/port-listener").and(number))
}

// CheckProtocol fails when the node has no listener of a protocol: "amqp",
// "amqp/ssl", "http", "mqtt", "stream", ...
//
// GET /api/health/checks/protocol-listener/{protocol}
func (c *Client) CheckProtocol(ctx context.Context, protocol string) error {
	return c.check(ctx, "protocol", protocol, under("health/checks/protocol-listener").name("protocol", protocol))
}

// CheckCertificates fails if a certificate of a listener expires within that
// many days.
//
// GET /api/health/checks/certificate-expiration/{within}/days
func (c *Client) CheckCertificates(ctx context.Context, days int) error {
	number := strconv.Itoa(days)
	return c.check(ctx, "certificates for days", number, under("health/checks/certificate-expiration").and(number).and("days"))
}

// CheckVHost publishes a message to a queue "aliveness-test" that it declares
// in a virtual host, and gets it back. The endpoint is deprecated.
//
// GET /api/aliveness-test/{vhost}
func (c *Client) CheckVHost(ctx context.Context, vhost string) error {
	return c.call(ctx, get("check aliveness", "", orDefault(vhost), under("aliveness-test").vhost(vhost)), nil)
}
