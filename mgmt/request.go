package mgmt

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
)

// A request is one call, before it is sent.
type request struct {
	operation, name, vhost string // for errors: `operation "name" in vhost "vhost"`
	all                    bool   // it is of all virtual hosts
	method                 string
	path                   path
	query                  url.Values
	body                   any
	once                   bool        // not sent again when a connection breaks
	header                 http.Header // beyond what every request has
	strict                 bool        // every field of the answer must fit
	stream                 bool        // the timeout bounds each wait for more of the answer
}

// failure returns the error of r, without its cause.
func (r request) failure() *Error {
	e := &Error{Operation: r.operation, Method: r.method, Path: string(r.path.escaped)}
	if r.name != "" {
		e.Operation = fmt.Sprintf("%s %q", e.Operation, r.name)
	}
	switch {
	case r.all:
		e.Operation = fmt.Sprintf("%s of %v", e.Operation, AllVHosts())
	case r.vhost != "":
		e.Operation = fmt.Sprintf("%s in %v", e.Operation, In(r.vhost))
	}
	return e
}

func (r request) fail(err error) error {
	e := r.failure()
	e.Err = err
	return e
}

func get(operation, name, vhost string, p path) request {
	return request{operation: operation, name: name, vhost: vhost, method: http.MethodGet, path: p}
}

func put(operation, name, vhost string, p path, body any) request {
	return request{operation: operation, name: name, vhost: vhost, method: http.MethodPut, path: p, body: body}
}

func post(operation, name, vhost string, p path, body any) request {
	return request{operation: operation, name: name, vhost: vhost, method: http.MethodPost, path: p, body: body}
}

func del(operation, name, vhost string, p path) request {
	return request{operation: operation, name: name, vhost: vhost, method: http.MethodDelete, path: p}
}

// read calls r and decodes the answer as a T.
func read[T any](ctx context.Context, c *Client, r request) (T, error) {
	var value T
	err := c.call(ctx, r, &value)
	return value, err
}

// orDefault returns vhost as an error names it.
func orDefault(vhost string) string {
	if vhost == "" {
		return defaultVHost
	}
	return vhost
}

// call sends r and reads the answer into out, see [Client.Do].
func (c *Client) call(ctx context.Context, r request, out any) error {
	a, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer a.close()
	if err := a.read(out); err != nil {
		return a.fail(err)
	}
	return nil
}

// send sends r and returns the answer when its status is a success. The caller
// closes it.
func (c *Client) send(ctx context.Context, r request) (*answer, error) {
	session, err := c.session()
	if err == nil {
		err = r.path.err
	}
	if err != nil {
		e := r.failure()
		e.Path, e.Err = "", err
		return nil, e
	}
	body, err := encode(r.body)
	if err != nil {
		return nil, r.fail(err)
	}
	a := &answer{client: c, request: r, caller: ctx, left: c.config.MaxResponseBytes}
	a.limit()
	sent, err := http.NewRequestWithContext(a.ctx, r.method, c.url(r), body)
	if err != nil {
		a.cancel(nil)
		return nil, r.fail(errors.New("the method isn't one of HTTP's"))
	}
	c.setHeader(sent, r)
	a.response, err = roundTrip(session, sent)
	if err != nil {
		a.cancel(nil)
		return nil, a.fail(err)
	}
	if err := a.check(); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// roundTrip sends r by t, and trusts what the caller's transport returns no
// further than an [http.Client] does.
func roundTrip(t http.RoundTripper, r *http.Request) (*http.Response, error) {
	response, err := t.RoundTrip(r)
	var handshake tls.RecordHeaderError
	switch {
	case errors.As(err, &handshake) && string(handshake.RecordHeader[:]) == "HTTP/":
		return nil, errors.New("the server answers https in plain HTTP: set URL to http, or to its port for https")
	case err != nil:
		return nil, err
	case response == nil:
		return nil, fmt.Errorf("the Transport, a %T, returned neither an answer nor an error", t)
	case response.Body == nil:
		response.Body = http.NoBody
	}
	return response, nil
}

func (c *Client) url(r request) string {
	if len(r.query) == 0 {
		return c.base + string(r.path.escaped)
	}
	return c.base + string(r.path.escaped) + "?" + r.query.Encode()
}

// setHeader sets no Accept: half of the endpoints answer 406 to
// application/json, although they send it (measured on 3.10).
func (c *Client) setHeader(sent *http.Request, r request) {
	maps.Copy(sent.Header, r.header)
	c.identify(sent.Header)
	if sent.Body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if !r.once {
		// Without values nothing is sent, and net/http sends the request again when
		// a connection that was kept open turns out to be closed.
		sent.Header["Idempotency-Key"] = []string{}
	}
}

// encode returns nil for a request without a body.
func encode(body any) (io.Reader, error) {
	switch body := body.(type) {
	case nil:
		return nil, nil
	case io.ReadCloser:
		return struct{ io.Reader }{body}, nil // net/http would close it, which is left to the caller
	case io.Reader:
		return body, nil
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		var cause *json.MarshalerError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	return bytes.NewReader(encoded), nil
}
