package mgmt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The causes of an [*Error], for errors.Is. Their texts say what to do.
var (
	// ErrNotFound: the virtual host or the object in it doesn't exist. Reason says
	// which, if the broker does. Deleting an object that doesn't exist is this
	// error too.
	ErrNotFound = errors.New("not found")

	// ErrUnauthorized: the broker doesn't know the credentials.
	ErrUnauthorized = errors.New("the credentials aren't accepted: check Username and Password")

	// ErrForbidden: the credentials are known and may not do this. The broker
	// says no more for a missing permission, a missing tag and a reserved name
	// ("amq."), all with status 401.
	ErrForbidden = errors.New("the user may not do this: it lacks a tag or a permission, or the name is reserved")

	// ErrInequivalent: a queue or exchange of the name exists with other
	// properties; Reason names the first that differs.
	ErrInequivalent = errors.New("it exists with other properties: declare those, or migrate it")

	// ErrInUse: the queue has messages or consumers, or the exchange bindings, and
	// wasn't deleted.
	ErrInUse = errors.New("it is in use: it has messages, consumers or bindings")

	// ErrProtected: the virtual host is protected from deletion, and wasn't deleted.
	ErrProtected = errors.New("it is protected from deletion: UnprotectVHost lifts that")

	// ErrPage: the list has no page of that number.
	ErrPage = errors.New("the list has no such page")

	// ErrNoInspector: whether the queue is in use can only be asked over AMQP.
	ErrNoInspector = errors.New("an Inspector is needed, such as package mgmt/passive has")

	// ErrPluginDisabled: the broker serves no such path, since the plugin for it
	// is disabled. It is also ErrNotFound, and Status is 404. For shovels the
	// plugin is rabbitmq_shovel_management; they run without it.
	ErrPluginDisabled = fmt.Errorf("the plugin for it isn't enabled on the broker: %w", ErrNotFound)

	// ErrTooLarge: the answer exceeds Config.MaxResponseBytes.
	ErrTooLarge = errors.New("the answer is too large: raise MaxResponseBytes, or ask for columns or pages")

	// ErrRedirect: the answer is a redirect, which the client doesn't follow.
	ErrRedirect = errors.New("the answer is a redirect, which isn't followed: set URL to the API's own address")

	// ErrNotAPI: something answered that isn't the management API, such as the
	// login page of a proxy.
	ErrNotAPI = errors.New("the answer isn't the management API's: check URL and what is in between")

	// ErrUnhealthy: a health check has failed.
	ErrUnhealthy = errors.New("the broker isn't healthy")

	// ErrClosed: the client has been closed.
	ErrClosed = errors.New("the client is closed")

	// ErrName: the name was refused because the server would misread it. Nothing
	// was sent.
	ErrName = errors.New("name refused")
)

// An Error is the error of every method of a client. It holds no credentials,
// and isn't changed once it is returned.
type Error struct {
	Operation string // and its object: `declare queue "orders" in vhost "/"`
	Method    string // of the request
	Path      string // of the request, escaped
	Status    int    // of the answer; 0 when there was none
	Code      string // the answer's "error", such as "bad_request", as one line like Reason
	Reason    string // the answer's "reason", as one line of at most 500 bytes
	Err       error  // the cause, for errors.Is; nil when Status says all
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(line(e.Operation))
	b.WriteString(": ")
	if e.Status != 0 {
		fmt.Fprintf(&b, "%d ", e.Status)
		if e.Code == "" {
			b.WriteString(http.StatusText(e.Status))
		}
		b.WriteString(e.Code)
		if e.Reason != "" {
			b.WriteString(": " + e.Reason)
		}
		if e.Err != nil {
			b.WriteString(": ")
		}
	}
	if e.Err != nil {
		b.WriteString(line(e.Err.Error()))
	}
	if e.Path != "" {
		fmt.Fprintf(&b, " (%s %s)", e.Method, e.Path)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// answered fills in what the answer of a refused request says.
func (e *Error) answered(status int, mediaType string, body []byte) {
	e.Status = status
	isAPI := len(body) == 0 || e.parse(body)
	e.Err = classify(e, isAPI)
	if !isAPI && mediaType != "" {
		e.Reason = "Content-Type " + line(mediaType)
	}
}

// parse reads {"error": ..., "reason": ...} and reports whether it is that. A
// failed health check has "status" instead.
func (e *Error) parse(body []byte) bool {
	var answer struct {
		Error, Reason json.RawMessage
		Status        string
	}
	if json.Unmarshal(body, &answer) != nil {
		return false
	}
	e.Code = line(plain(answer.Error))
	e.Reason = line(html.UnescapeString(plain(answer.Reason)))
	if e.Code == "" {
		e.Code = line(answer.Status)
	}
	return e.Code != "" || e.Reason != ""
}

// plain is a JSON string's text, and other JSON as it is: a reason is an array
// at times.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var compact bytes.Buffer
	json.Compact(&compact, raw)
	return compact.String()
}

// classify names the cause of an answer that isn't a success.
func classify(e *Error, isAPI bool) error {
	switch {
	case e.Status >= 300 && e.Status < 400:
		return ErrRedirect
	case !isAPI:
		return ErrNotAPI
	case e.Status == http.StatusNotFound:
		return ErrNotFound
	case e.Status == http.StatusForbidden, e.Code == "not_authorised": // "authorized" of credentials, "authorised" of rights
		return ErrForbidden
	case e.Status == http.StatusUnauthorized:
		return ErrUnauthorized
	case e.Status == http.StatusServiceUnavailable && e.Code == "failed":
		return ErrUnhealthy
	case e.Status == http.StatusBadRequest && strings.Contains(e.Reason, "inequivalent arg"):
		return ErrInequivalent
	case e.Status == http.StatusBadRequest && e.Method == http.MethodDelete && isInUse(e.Reason):
		return ErrInUse
	case e.Status == http.StatusBadRequest && isUnknownComponent(e.Reason):
		return ErrPluginDisabled
	case e.Status == http.StatusBadRequest && strings.HasPrefix(e.Reason, "404 NOT_FOUND"):
		return ErrNotFound // of what was published to, as AMQP says it
	case e.Status == http.StatusBadRequest && e.Code == "page_out_of_range":
		return ErrPage
	case e.Status == http.StatusPreconditionFailed && strings.HasSuffix(e.Reason, "protected from deletion"):
		return ErrProtected
	}
	return nil
}

// isInUse reports whether a reason is of a Condition that doesn't hold.
func isInUse(reason string) bool {
	return strings.HasSuffix(reason, " not empty") || strings.HasSuffix(reason, " in use")
}

// isUnknownComponent reports whether a reason is of a parameter whose component
// no enabled plugin has.
func isUnknownComponent(reason string) bool {
	_, after, found := strings.Cut(reason, "component ")
	return found && strings.HasSuffix(after, " not found")
}

// maxLine limits a text that isn't ours, in bytes: the broker sends Erlang
// stacks of several thousand.
const maxLine = 500

// line returns a text that isn't ours as one line for a log: without line
// breaks and other control characters, credentials in URIs, and excess.
func line(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	text = withoutCredentials(strings.TrimSpace(text))
	if len(text) <= maxLine {
		return text
	}
	cut := maxLine
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}

// withoutCredentials masks what stands between "://" and "@" of a URI. A
// password may hold any character but those that end a URI in a text.
func withoutCredentials(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "://")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("://")
		authority := after
		if end := strings.IndexAny(after, " \"<>"); end >= 0 {
			authority = after[:end]
		}
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			b.WriteString(hidden)
			after = after[at:]
		}
		text = after
	}
}
