package mgmt

import (
	"context"
	"io"
	"net/http"
)

// ExportDefinitions writes the definitions of a virtual host, or with AllVHosts
// those of the whole cluster, to w as they arrive: a JSON object, with the users'
// password hashes and the passwords in URIs. After an error, w has a part of
// it. MaxResponseBytes bounds it too.
//
// GET /api/definitions
// GET /api/definitions/{vhost}
func (c *Client) ExportDefinitions(ctx context.Context, scope Scope, w io.Writer) error {
	r := over("export definitions", "definitions", scope)
	r.stream = true
	return c.call(ctx, r, plainWriter{w})
}

// plainWriter hides the other methods of a writer, so that the answer isn't
// decoded into it.
type plainWriter struct{ io.Writer }

// ImportDefinitions reads definitions from r, as ExportDefinitions writes them,
// and adds them to a virtual host, or with AllVHosts to the cluster. It deletes
// nothing, and doesn't close r. They are sent as they are read, once: after a
// connection broke, importing them again does no harm.
//
// POST /api/definitions
// POST /api/definitions/{vhost}
func (c *Client) ImportDefinitions(ctx context.Context, scope Scope, r io.Reader) error {
	sent := scope.request("import definitions", http.MethodPost, scope.under("definitions"))
	sent.body, sent.once = r, true
	return c.call(ctx, sent, nil)
}
