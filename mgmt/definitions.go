package mgmt

import (
	"context"
	"io"
	"net/http"
)

// ExportDefinitions writes the definitions of a virtual host, or of the whole
// cluster for AllVHosts, to w as they arrive: a JSON object, with the users'
// password hashes and the passwords in URIs. After an error, w has a part of
// it. MaxResponseBytes bounds it too.
//
// GET /api/definitions
// GET /api/definitions/{vhost}
func (c *Client) ExportDefinitions(ctx context.Context, vhost string, w io.Writer) error {
	r := get("export definitions", "", orDefault(vhost), in("definitions", vhost))
	r.stream = true
	return c.call(ctx, r, plainWriter{w})
}

// plainWriter hides the other methods of a writer, so that the answer isn't
// decoded into it.
type plainWriter struct{ io.Writer }

// ImportDefinitions reads definitions from r, as ExportDefinitions writes them,
// and adds them to a virtual host, or to the cluster for AllVHosts. It deletes
// nothing, and doesn't close r. They are sent as they are read, once: after a
// connection broke, importing them again does no harm.
//
// POST /api/definitions
// POST /api/definitions/{vhost}
func (c *Client) ImportDefinitions(ctx context.Context, vhost string, r io.Reader) error {
	return c.call(ctx, request{
		operation: "import definitions", vhost: orDefault(vhost), method: http.MethodPost,
		path: in("definitions", vhost), body: r, once: true,
	}, nil)
}
