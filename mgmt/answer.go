package mgmt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// An answer is a response that is being read. It is an io.Reader of its body,
// which fails with ErrTooLarge if it is too long. One goroutine uses it.
type answer struct {
	client   *Client
	request  request
	caller   context.Context // the caller's, whose own end isn't a timeout of ours
	ctx      context.Context // the request's, which the timeout ends
	cancel   context.CancelCauseFunc
	timer    *time.Timer // nil for no limit
	response *http.Response
	left     int64  // how much more may be read
	ended    error  // what ended the body
	foreign  string // the type of a body that doesn't say that it is JSON
}

// limit creates the context of the request, which Config.Timeout ends.
func (a *answer) limit() {
	a.ctx, a.cancel = context.WithCancelCause(a.caller)
	if timeout := a.client.config.Timeout; timeout > 0 {
		a.timer = time.AfterFunc(timeout, func() { a.cancel(timeoutError{timeout}) })
	}
}

// Read returns an error again and again, since the JSON decoder ignores it once.
func (a *answer) Read(p []byte) (n int, err error) {
	if a.ended != nil {
		return 0, a.ended
	}
	// What the reader of a stream does between two reads doesn't count.
	if a.request.stream && a.timer != nil {
		a.timer.Reset(a.client.config.Timeout)
		defer a.timer.Stop()
	}
	if a.left < int64(len(p)) {
		p = p[:a.left+1]
	}
	n, a.ended = a.response.Body.Read(p)
	a.left -= int64(n)
	if a.left < 0 {
		n, a.ended = n-1, ErrTooLarge
	}
	return n, a.ended
}

func (a *answer) close() {
	a.response.Body.Close()
	if a.timer != nil {
		a.timer.Stop()
	}
	a.cancel(nil)
}

// fail returns the error of a call that broke: the caller's context, the
// timeout, or err.
func (a *answer) fail(err error) error {
	e := a.request.failure()
	if a.response != nil {
		e.Status = a.response.StatusCode
	}
	var timeout timeoutError
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, ErrTooLarge), errors.Is(err, ErrNotAPI):
	case a.caller.Err() != nil:
		err = ended(a.caller)
	case errors.As(context.Cause(a.ctx), &timeout):
		err = timeout
	case a.foreign != "" && errors.As(err, &syntax):
		err = fmt.Errorf("%w (Content-Type %s): %w", ErrNotAPI, a.foreign, err)
	}
	e.Err = err
	return e
}

// ended is why ctx has ended, as its error and, where there is another, its cause.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// maxErrorBody bounds what is read of an answer that isn't a success.
const maxErrorBody = 64 << 10

// check returns the error that the status or the type of the answer stands for.
func (a *answer) check() error {
	mediaType := a.response.Header.Get("Content-Type")
	if status := a.response.StatusCode; status < 200 || status > 299 {
		text, err := io.ReadAll(io.LimitReader(a, maxErrorBody))
		if err != nil {
			return a.fail(err)
		}
		e := a.request.failure()
		e.answered(status, mediaType, text)
		if e.Err == ErrRedirect {
			e.Reason = "to " + withoutSecrets(a.response.Header.Get("Location"))
		}
		return e
	}
	if a.response.ContentLength == 0 || mediaType == "application/json" {
		return nil
	}
	switch parsed, _, err := mime.ParseMediaType(mediaType); {
	case err == nil && strings.Contains(parsed, "json"):
	case err == nil && strings.Contains(parsed, "html"):
		return a.fail(fmt.Errorf("%w (Content-Type %s)", ErrNotAPI, line(mediaType)))
	default:
		a.foreign = cmp.Or(line(mediaType), "none") // what its body is decides
	}
	return nil
}

// withoutSecrets is a location without what may be one.
func withoutSecrets(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return "an address that isn't valid"
	}
	return line((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String())
}

// read reads the body to its end, so that one that is cut or followed by
// something else is an error, and the connection can be used again.
func (a *answer) read(out any) error {
	switch out := out.(type) {
	case nil:
		if a.foreign != "" {
			return a.discardJSON()
		}
		_, err := io.Copy(io.Discard, a)
		return err
	case io.Writer:
		_, err := io.Copy(out, a)
		return err
	}
	buffer, _ := a.client.buffers.Get().(*bytes.Buffer)
	if buffer == nil {
		buffer = new(bytes.Buffer)
	}
	defer a.client.putBuffer(buffer)
	if _, err := buffer.ReadFrom(a); err != nil {
		return err
	}
	return decode(buffer.Bytes(), out, a.request.strict)
}

// discardJSON reads a body that the caller doesn't want and whose type isn't
// JSON. If it isn't JSON either, something else than the API has answered.
func (a *answer) discardJSON() error {
	body, err := io.ReadAll(a)
	if err == nil && len(body) > 0 {
		var discarded json.RawMessage
		err = json.Unmarshal(body, &discarded)
	}
	return err
}

// putBuffer keeps a buffer for the next answer, unless it is a huge one.
func (c *Client) putBuffer(buffer *bytes.Buffer) {
	const most = 1 << 20
	if buffer.Cap() <= most {
		buffer.Reset()
		c.buffers.Put(buffer)
	}
}

// decode decodes a whole answer. Where it isn't strict, a field whose value
// doesn't fit stays zero, but an answer of another kind than out is an error.
func decode(body []byte, out any, strict bool) error {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return fmt.Errorf("%w: it is empty", ErrNotAPI)
	}
	if string(body) == "null" {
		return errors.New("the answer is null")
	}
	err := json.Unmarshal(body, out)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && !strict && mismatch.Field != "" {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("decode the answer: %w", err)
	}
	return nil
}

// A timeoutError is a context.DeadlineExceeded that says whose limit it was.
type timeoutError struct{ limit time.Duration }

func (e timeoutError) Error() string {
	return fmt.Sprintf("no answer within Timeout, which is %v", e.limit)
}

func (timeoutError) Timeout() bool { return true }

func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
