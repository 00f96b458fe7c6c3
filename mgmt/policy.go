package mgmt

import (
	"cmp"
	"context"
)

// What a policy applies to. ApplyToQueues are those of every type; 3.10 can't tell
// the types apart.
const (
	ApplyToAll           = "all"
	ApplyToExchanges     = "exchanges"
	ApplyToQueues        = "queues"
	ApplyToClassicQueues = "classic_queues"
	ApplyToQuorumQueues  = "quorum_queues"
	ApplyToStreams       = "streams"
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

// DeletePolicies deletes policies, one after the other: the API has no call for
// several. All are tried until ctx ends, and the errors are joined, such as
// ErrNotFound of one that doesn't exist. Without names it does nothing.
//
// DELETE /api/policies/{vhost}/{policy}
func (c *Client) DeletePolicies(ctx context.Context, vhost string, names ...string) error {
	return each(ctx, names, func(name string) error { return c.DeletePolicy(ctx, vhost, name) })
}

// Policy reads a policy.
//
// GET /api/policies/{vhost}/{policy}
func (c *Client) Policy(ctx context.Context, vhost, name string) (PolicyInfo, error) {
	return read[PolicyInfo](ctx, c, get("read policy", name, orDefault(vhost), policy(policies, vhost, name)))
}

// Policies lists the policies in a scope.
//
// GET /api/policies
// GET /api/policies/{vhost}
func (c *Client) Policies(ctx context.Context, scope Scope) ([]PolicyInfo, error) {
	return list[PolicyInfo](ctx, c, over("list policies", policies, scope), nil)
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

// DeleteOperatorPolicies deletes operator policies, one after the other; see
// DeletePolicies.
//
// DELETE /api/operator-policies/{vhost}/{policy}
func (c *Client) DeleteOperatorPolicies(ctx context.Context, vhost string, names ...string) error {
	return each(ctx, names, func(name string) error { return c.DeleteOperatorPolicy(ctx, vhost, name) })
}

// OperatorPolicy reads an operator policy.
//
// GET /api/operator-policies/{vhost}/{policy}
func (c *Client) OperatorPolicy(ctx context.Context, vhost, name string) (PolicyInfo, error) {
	return read[PolicyInfo](ctx, c, get("read operator policy", name, orDefault(vhost), policy(operatorPolicies, vhost, name)))
}

// OperatorPolicies lists the operator policies in a scope.
//
// GET /api/operator-policies
// GET /api/operator-policies/{vhost}
func (c *Client) OperatorPolicies(ctx context.Context, scope Scope) ([]PolicyInfo, error) {
	return list[PolicyInfo](ctx, c, over("list operator policies", operatorPolicies, scope), nil)
}
