package mgmt

import (
	"cmp"
	"context"
	"errors"
	"strings"
)

// VHostSettings are the properties of a virtual host. What isn't set is left to
// the broker in a new one, and stays as it is in another.
type VHostSettings struct {
	Description      Opt[string]
	Tags             []string // without commas; an empty slice, other than nil, removes them
	DefaultQueueType string   // "classic", "quorum" or "stream"; once set it can't be removed; 3.10 ignores it
	Tracing          Opt[bool]
}

// body returns s, with what isn't set as it is: the API resets what is left out.
func (s VHostSettings) body(is VHostInfo) any {
	if s.Tags == nil {
		s.Tags = is.Tags
	}
	if is.DefaultQueueType == "undefined" { // as 3.10 calls none
		is.DefaultQueueType = ""
	}
	return struct {
		Description      string `json:"description"`
		Tags             string `json:"tags"` // 3.10 wants one text
		DefaultQueueType string `json:"default_queue_type,omitempty"`
		Tracing          bool   `json:"tracing"`
	}{
		s.Description.Or(is.Description), strings.Join(s.Tags, ","),
		cmp.Or(s.DefaultQueueType, is.DefaultQueueType), s.Tracing.Or(is.Tracing.Or(false)),
	}
}

// VHostInfo is a virtual host as the broker reports it.
type VHostInfo struct {
	Name             string        `json:"name"`
	Description      string        `json:"description"`
	Tags             Strings       `json:"tags"`
	DefaultQueueType string        `json:"default_queue_type"`
	Protected        Opt[bool]     `json:"protected_from_deletion"` // 4.x
	Tracing          Opt[bool]     `json:"tracing"`
	ClusterState     Table         `json:"cluster_state"` // node: "running"
	Messages         Opt[int64]    `json:"messages"`
	MessageStats     *MessageStats `json:"message_stats"`
}

// PutVHost creates a virtual host, or changes one. An empty name is refused
// here and in the other methods on virtual hosts: it doesn't mean the default
// one. The virtual host is read first, for what isn't set, and a change that
// somebody else makes in between is undone.
//
// GET /api/vhosts/{vhost}
// PUT /api/vhosts/{vhost}
func (c *Client) PutVHost(ctx context.Context, name string, settings VHostSettings) error {
	is, err := c.VHost(ctx, name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return c.call(ctx, put("put vhost", name, "", under("vhosts").name("virtual host", name), settings.body(is)), nil)
}

// DeleteVHost deletes a virtual host with all that is in it. If it is protected, the
// error is ErrProtected.
//
// DELETE /api/vhosts/{vhost}
func (c *Client) DeleteVHost(ctx context.Context, name string) error {
	return c.call(ctx, del("delete vhost", name, "", under("vhosts").name("virtual host", name)), nil)
}

// ProtectVHost makes DeleteVHost of a virtual host fail, until UnprotectVHost. A
// broker that can't (3.10 and 4.0; 4.3 can) answers with status 405.
//
// POST /api/vhosts/{vhost}/deletion/protection
func (c *Client) ProtectVHost(ctx context.Context, name string) error {
	return c.call(ctx, post("protect vhost", name, "", protection(name), nil), nil)
}

// UnprotectVHost lets a virtual host be deleted again, see ProtectVHost.
//
// DELETE /api/vhosts/{vhost}/deletion/protection
func (c *Client) UnprotectVHost(ctx context.Context, name string) error {
	return c.call(ctx, del("unprotect vhost", name, "", protection(name)), nil)
}

func protection(vhost string) path {
	return under("vhosts").name("virtual host", vhost).and("deletion/protection")
}

// VHost reads a virtual host.
//
// GET /api/vhosts/{vhost}
func (c *Client) VHost(ctx context.Context, name string) (VHostInfo, error) {
	return read[VHostInfo](ctx, c, get("read vhost", name, "", under("vhosts").name("virtual host", name)))
}

// VHosts lists the virtual hosts that the user sees. It takes no options, since
// paging makes 4.0 and 4.3 fail.
//
// GET /api/vhosts
func (c *Client) VHosts(ctx context.Context) ([]VHostInfo, error) {
	return list[VHostInfo](ctx, c, get("list vhosts", "", "", under("vhosts")), nil)
}

// VHostPermissions lists the permissions in a virtual host, one entry for each
// user.
//
// GET /api/vhosts/{vhost}/permissions
func (c *Client) VHostPermissions(ctx context.Context, name string) ([]PermissionInfo, error) {
	p := under("vhosts").name("virtual host", name).and("permissions")
	return list[PermissionInfo](ctx, c, get("list permissions in vhost", name, "", p), nil)
}

// VHostTopicPermissions lists the topic permissions in a virtual host.
//
// GET /api/vhosts/{vhost}/topic-permissions
func (c *Client) VHostTopicPermissions(ctx context.Context, name string) ([]TopicPermissionInfo, error) {
	p := under("vhosts").name("virtual host", name).and("topic-permissions")
	return list[TopicPermissionInfo](ctx, c, get("list topic permissions in vhost", name, "", p), nil)
}
