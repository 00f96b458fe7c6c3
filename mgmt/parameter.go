package mgmt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/warrenmq/warren/internal/masked"
)

// ParameterInfo is a runtime parameter as the broker reports it. URIs in Value
// hold their passwords: it is printed and logged without Value, and encoded as JSON
// with it.
type ParameterInfo struct {
	Component string          `json:"component"`
	VHost     string          `json:"vhost"`
	Name      string          `json:"name"`
	Value     json.RawMessage `json:"value"`
}

// String leaves the value out, which may hold passwords, as of a shovel.
func (p ParameterInfo) String() string {
	return fmt.Sprintf("mgmt.ParameterInfo{Component: %q, VHost: %q, Name: %q}", p.Component, p.VHost, p.Name)
}

// GoString is String.
func (p ParameterInfo) GoString() string { return p.String() }

// Format is String for every verb.
func (p ParameterInfo) Format(f fmt.State, _ rune) { masked.Format(f, p) }

// LogValue is what slog shows.
func (p ParameterInfo) LogValue() slog.Value { return masked.LogValue(p) }

// PutParameter creates or replaces a runtime parameter. The table is sent as it
// is (specification, put_parameter), so the value is in it under the key
// "value". PutShovel and PutFederationUpstream do that for shovels and
// federation.
//
//	client.PutParameter(ctx, "shovel", "/", "move", mgmt.Table{"value": mgmt.Table{"src-uri": "amqp://", ...}})
//
// PUT /api/parameters/{component}/{vhost}/{parameter}
func (c *Client) PutParameter(ctx context.Context, component, vhost, name string, value Table) error {
	return c.call(ctx, put("put "+component+" parameter", name, orDefault(vhost), parameter(component, vhost, name), value), nil)
}

// DeleteParameter deletes a runtime parameter; if it doesn't exist, the error
// is ErrNotFound.
//
// DELETE /api/parameters/{component}/{vhost}/{parameter}
func (c *Client) DeleteParameter(ctx context.Context, component, vhost, name string) error {
	return c.call(ctx, del("delete "+component+" parameter", name, orDefault(vhost), parameter(component, vhost, name)), nil)
}

func parameter(component, vhost, name string) path {
	return under("parameters").name("component", component).vhost(vhost).name("parameter", name)
}

// Parameter reads a runtime parameter.
//
// GET /api/parameters/{component}/{vhost}/{parameter}
func (c *Client) Parameter(ctx context.Context, component, vhost, name string) (ParameterInfo, error) {
	return read[ParameterInfo](ctx, c, get("read "+component+" parameter", name, orDefault(vhost), parameter(component, vhost, name)))
}

// Parameters lists the runtime parameters of a component in a scope. AllParameters
// lists those of every component.
//
// GET /api/parameters/{component}
// GET /api/parameters/{component}/{vhost}
func (c *Client) Parameters(ctx context.Context, component string, scope Scope) ([]ParameterInfo, error) {
	p := under("parameters").name("component", component)
	if !scope.all {
		p = p.vhost(scope.vhost)
	}
	return list[ParameterInfo](ctx, c, scope.request("list "+component+" parameters", http.MethodGet, p), nil)
}

// AllParameters lists the runtime parameters of all components in all virtual
// hosts.
//
// GET /api/parameters
func (c *Client) AllParameters(ctx context.Context) ([]ParameterInfo, error) {
	return list[ParameterInfo](ctx, c, over("list parameters", "parameters", AllVHosts()), nil)
}

// DeleteParameters deletes runtime parameters of a component, one after the other;
// see DeletePolicies.
//
// DELETE /api/parameters/{component}/{vhost}/{parameter}
func (c *Client) DeleteParameters(ctx context.Context, component, vhost string, names ...string) error {
	return each(ctx, names, func(name string) error { return c.DeleteParameter(ctx, component, vhost, name) })
}

// each calls remove for all names, until ctx ends, and joins the errors.
func each(ctx context.Context, names []string, remove func(name string) error) error {
	var all []error
	for _, name := range names {
		if ctx.Err() != nil {
			return errors.Join(append(all, fmt.Errorf("%q and what follows wasn't tried: %w", name, ended(ctx)))...)
		}
		all = append(all, remove(name))
	}
	return errors.Join(all...)
}

// GlobalParameterInfo is a parameter of the whole cluster.
type GlobalParameterInfo struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// PutGlobalParameter creates or replaces a parameter of the cluster. Unlike
// PutParameter it takes the value itself, which may be any JSON.
//
// PUT /api/global-parameters/{parameter}
func (c *Client) PutGlobalParameter(ctx context.Context, name string, value any) error {
	return c.call(ctx, put("put global parameter", name, "", under("global-parameters").name("parameter", name), Table{"value": value}), nil)
}

// DeleteGlobalParameter deletes a parameter of the cluster.
//
// DELETE /api/global-parameters/{parameter}
func (c *Client) DeleteGlobalParameter(ctx context.Context, name string) error {
	return c.call(ctx, del("delete global parameter", name, "", under("global-parameters").name("parameter", name)), nil)
}

// GlobalParameter reads a parameter of the cluster.
//
// GET /api/global-parameters/{parameter}
func (c *Client) GlobalParameter(ctx context.Context, name string) (GlobalParameterInfo, error) {
	return read[GlobalParameterInfo](ctx, c, get("read global parameter", name, "", under("global-parameters").name("parameter", name)))
}

// GlobalParameters lists the parameters of the cluster.
//
// GET /api/global-parameters
func (c *Client) GlobalParameters(ctx context.Context) ([]GlobalParameterInfo, error) {
	return list[GlobalParameterInfo](ctx, c, get("list global parameters", "", "", under("global-parameters")), nil)
}
