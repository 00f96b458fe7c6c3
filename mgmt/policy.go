package mgmt

import (
	"cmp"
	"context"
)

// What a policy applies to, with Queues of every type. ClassicQueues and the
// like are "classic_queues", "quorum_queues" and "streams".
const (
	ApplyToAll       = "all"
	ApplyToQueues    = "queues"
	ApplyToExchanges = "exchanges"
)

// PolicySettings say which queues or exchanges have which properties. Pattern
// and Definition are required.
type PolicySettings struct {
	Pattern    string // PCRE without anchors, on the name
	ApplyTo    string // ApplyToAll by default; ApplyToQueues for operator policies
	Priority   int    // of all that match, the highest applies
	Definition Table
}

func (s PolicySettings) body(applyTo string) any {
	return struct {
		Pattern    string `json:"pattern"`
		ApplyTo    string `json:"apply-to"`
		Priority   int    `json:"priority"`
		Definition Table  `json:"definition"`
	}{s.Pattern, cmp.Or(s.ApplyTo, applyTo), s.Priority, s.Definition}
}

// PolicyInfo is a policy as the broker reports it.
type PolicyInfo struct {
	Name       string     `json:"name"`
	VHost      string     `json:"vhost"`
	Pattern    string     `json:"pattern"`
	ApplyTo    string     `json:"apply-to"`
	Priority   Opt[int64] `json:"priority"`
	Definition Table      `json:"definition"`
}

const (
	policies         = "policies"
	operatorPolicies = "operator-policies"
)

func policy(kind, vhost, name string) path {
	return under(kind).vhost(vhost).name("policy", name)
}

// PutPolicy creates or replaces a policy.
//
// PUT /api/policies/{vhost}/{policy}
func (c *Client) PutPolicy(ctx context.Context, vhost, name string, settings PolicySettings) error {
	return c.call(ctx, put("put policy", name, orDefault(vhost), policy(policies, vhost, name), settings.body(ApplyToAll)), nil)
}

// DeletePolicy deletes a policy.
//
// DELETE /api/policies/{vhost}/{policy}
func (c *Client) DeletePolicy(ctx context.Context, vhost, name string) error {
	return c.call(ctx, del("delete policy", name, orDefault(vhost), policy(policies, vhost, name)), nil)
}

// Policy reads a policy.
//
// GET /api/policies/{vhost}/{policy}
func (c *Client) Policy(ctx context.Context, vhost, name string) (PolicyInfo, error) {
	return read[PolicyInfo](ctx, c, get("read policy", name, orDefault(vhost), policy(policies, vhost, name)))
}

// Policies lists the policies of a virtual host, or of AllVHosts.
//
// GET /api/policies
// GET /api/policies/{vhost}
func (c *Client) Policies(ctx context.Context, vhost string) ([]PolicyInfo, error) {
	return list[PolicyInfo](ctx, c, get("list policies", "", orDefault(vhost), in(policies, vhost)), nil)
}

// PutOperatorPolicy creates or replaces an operator policy, which limits what
// policies may set.
//
// PUT /api/operator-policies/{vhost}/{policy}
func (c *Client) PutOperatorPolicy(ctx context.Context, vhost, name string, settings PolicySettings) error {
	p := policy(operatorPolicies, vhost, name)
	return c.call(ctx, put("put operator policy", name, orDefault(vhost), p, settings.body(ApplyToQueues)), nil)
}

// DeleteOperatorPolicy deletes an operator policy.
//
// DELETE /api/operator-policies/{vhost}/{policy}
func (c *Client) DeleteOperatorPolicy(ctx context.Context, vhost, name string) error {
	return c.call(ctx, del("delete operator policy", name, orDefault(vhost), policy(operatorPolicies, vhost, name)), nil)
}

// OperatorPolicy reads an operator policy.
//
// GET /api/operator-policies/{vhost}/{policy}
func (c *Client) OperatorPolicy(ctx context.Context, vhost, name string) (PolicyInfo, error) {
	return read[PolicyInfo](ctx, c, get("read operator policy", name, orDefault(vhost), policy(operatorPolicies, vhost, name)))
}

// OperatorPolicies lists the operator policies of a virtual host, or of
// AllVHosts.
//
// GET /api/operator-policies
// GET /api/operator-policies/{vhost}
func (c *Client) OperatorPolicies(ctx context.Context, vhost string) ([]PolicyInfo, error) {
	return list[PolicyInfo](ctx, c, get("list operator policies", "", orDefault(vhost), in(operatorPolicies, vhost)), nil)
}
