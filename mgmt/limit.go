package mgmt

import "context"

// Names of limits.
const (
	MaxConnections = "max-connections" // of a virtual host or a user
	MaxQueues      = "max-queues"      // of a virtual host
	MaxChannels    = "max-channels"    // of a user
)

// VHostLimits are the limits of a virtual host.
type VHostLimits struct {
	VHost  string           `json:"vhost"`
	Limits map[string]int64 `json:"value"` // by the name; negative means none
}

// UserLimits are the limits of a user.
type UserLimits struct {
	User   string           `json:"user"`
	Limits map[string]int64 `json:"value"`
}

// VHostLimits lists the limits of the virtual hosts of a scope. One without
// limits isn't listed.
//
// GET /api/vhost-limits
// GET /api/vhost-limits/{vhost}
func (c *Client) VHostLimits(ctx context.Context, scope Scope) ([]VHostLimits, error) {
	return list[VHostLimits](ctx, c, over("list limits", "vhost-limits", scope), nil)
}

// PutVHostLimit sets a limit of a virtual host.
//
// PUT /api/vhost-limits/{vhost}/{limit}
func (c *Client) PutVHostLimit(ctx context.Context, vhost, limit string, value int64) error {
	p := under("vhost-limits").vhost(vhost).name("limit", limit)
	return c.call(ctx, put("put limit", limit, orDefault(vhost), p, Table{"value": value}), nil)
}

// DeleteVHostLimit deletes a limit of a virtual host.
//
// DELETE /api/vhost-limits/{vhost}/{limit}
func (c *Client) DeleteVHostLimit(ctx context.Context, vhost, limit string) error {
	return c.call(ctx, del("delete limit", limit, orDefault(vhost), under("vhost-limits").vhost(vhost).name("limit", limit)), nil)
}

// UserLimits lists the limits of a user, or of all users for the empty name. One
// without limits isn't listed.
//
// GET /api/user-limits
// GET /api/user-limits/{user}
func (c *Client) UserLimits(ctx context.Context, user string) ([]UserLimits, error) {
	p := under("user-limits")
	if user != "" {
		p = p.name("user", user)
	}
	return list[UserLimits](ctx, c, get("list limits of user", user, "", p), nil)
}

// PutUserLimit sets a limit of a user.
//
// PUT /api/user-limits/{user}/{limit}
func (c *Client) PutUserLimit(ctx context.Context, user, limit string, value int64) error {
	p := under("user-limits").name("user", user).name("limit", limit)
	return c.call(ctx, put("put limit "+limit+" of user", user, "", p, Table{"value": value}), nil)
}

// DeleteUserLimit deletes a limit of a user.
//
// DELETE /api/user-limits/{user}/{limit}
func (c *Client) DeleteUserLimit(ctx context.Context, user, limit string) error {
	p := under("user-limits").name("user", user).name("limit", limit)
	return c.call(ctx, del("delete limit "+limit+" of user", user, "", p), nil)
}
