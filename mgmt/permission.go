package mgmt

import (
	"cmp"
	"context"
	"fmt"
)

// PermissionSettings are regular expressions on the names of queues and
// exchanges. The zero value permits nothing.
type PermissionSettings struct {
	Configure string // declare and delete
	Write     string // publish to, bind
	Read      string // consume from, be bound to
}

// PermissionInfo is what a user may do in a virtual host.
type PermissionInfo struct {
	User      string `json:"user"`
	VHost     string `json:"vhost"`
	Configure string `json:"configure"`
	Write     string `json:"write"`
	Read      string `json:"read"`
}

// nothing matches no name. The empty expression means the same to the broker,
// but doesn't look like it.
const nothing = "^$"

func permission(kind, vhost, name string) path {
	return under(kind).vhost(vhost).name("user", name)
}

// PutPermission sets a user's permissions in a virtual host, in place of those
// that it has there.
//
// PUT /api/permissions/{vhost}/{user}
func (c *Client) PutPermission(ctx context.Context, vhost, user string, settings PermissionSettings) error {
	body := struct {
		Configure string `json:"configure"`
		Write     string `json:"write"`
		Read      string `json:"read"`
	}{cmp.Or(settings.Configure, nothing), cmp.Or(settings.Write, nothing), cmp.Or(settings.Read, nothing)}
	return c.call(ctx, put("put permission of user", user, orDefault(vhost), permission("permissions", vhost, user), body), nil)
}

// DeletePermission removes a user's permissions in a virtual host.
//
// DELETE /api/permissions/{vhost}/{user}
func (c *Client) DeletePermission(ctx context.Context, vhost, user string) error {
	return c.call(ctx, del("delete permission of user", user, orDefault(vhost), permission("permissions", vhost, user)), nil)
}

// Permission reads a user's permissions in a virtual host.
//
// GET /api/permissions/{vhost}/{user}
func (c *Client) Permission(ctx context.Context, vhost, user string) (PermissionInfo, error) {
	return read[PermissionInfo](ctx, c, get("read permission of user", user, orDefault(vhost), permission("permissions", vhost, user)))
}

// Permissions lists the permissions of all users in all virtual hosts.
//
// GET /api/permissions
func (c *Client) Permissions(ctx context.Context) ([]PermissionInfo, error) {
	return list[PermissionInfo](ctx, c, get("list permissions", "", "", under("permissions")), nil)
}

// TopicPermissionSettings are regular expressions on routing keys, for one topic
// exchange. The zero value of an expression permits nothing.
type TopicPermissionSettings struct {
	Exchange string // required
	Write    string
	Read     string
}

// TopicPermissionInfo says by which routing keys a user may publish and
// consume.
type TopicPermissionInfo struct {
	User     string `json:"user"`
	VHost    string `json:"vhost"`
	Exchange string `json:"exchange"`
	Write    string `json:"write"`
	Read     string `json:"read"`
}

// PutTopicPermission sets a user's topic permissions on one exchange.
//
// PUT /api/topic-permissions/{vhost}/{user}
func (c *Client) PutTopicPermission(ctx context.Context, vhost, user string, settings TopicPermissionSettings) error {
	body := struct {
		Exchange string `json:"exchange"`
		Write    string `json:"write"`
		Read     string `json:"read"`
	}{settings.Exchange, cmp.Or(settings.Write, nothing), cmp.Or(settings.Read, nothing)}
	p := permission("topic-permissions", vhost, user)
	return c.call(ctx, put("put topic permission of user", user, orDefault(vhost), p, body), nil)
}

// DeleteTopicPermission removes a user's topic permission on one exchange. If the
// user has topic permissions in the virtual host, but none on that exchange, it
// does nothing (measured on 3.10, 4.0 and 4.3).
//
// DELETE /api/topic-permissions/{vhost}/{user}/{exchange}
func (c *Client) DeleteTopicPermission(ctx context.Context, vhost, user, exchange string) error {
	p := permission("topic-permissions", vhost, user).name("exchange", exchange)
	return c.call(ctx, del(fmt.Sprintf("delete topic permission on exchange %q of user", exchange), user, orDefault(vhost), p), nil)
}

// DeleteTopicPermissions removes all topic permissions of a user in a virtual
// host.
//
// DELETE /api/topic-permissions/{vhost}/{user}
func (c *Client) DeleteTopicPermissions(ctx context.Context, vhost, user string) error {
	p := permission("topic-permissions", vhost, user)
	return c.call(ctx, del("delete topic permissions of user", user, orDefault(vhost), p), nil)
}

// TopicPermission lists the topic permissions of a user in a virtual host, one
// for each exchange.
//
// GET /api/topic-permissions/{vhost}/{user}
func (c *Client) TopicPermission(ctx context.Context, vhost, user string) ([]TopicPermissionInfo, error) {
	p := permission("topic-permissions", vhost, user)
	return list[TopicPermissionInfo](ctx, c, get("read topic permissions of user", user, orDefault(vhost), p), nil)
}

// TopicPermissions lists the topic permissions of all users in all virtual
// hosts.
//
// GET /api/topic-permissions
func (c *Client) TopicPermissions(ctx context.Context) ([]TopicPermissionInfo, error) {
	return list[TopicPermissionInfo](ctx, c, get("list topic permissions", "", "", under("topic-permissions")), nil)
}
