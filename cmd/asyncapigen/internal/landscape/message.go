package landscape

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/internal/headermatch"
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/topic"
	"github.com/warrenmq/warren/runtime"
)

// meant returns those messages of a handler that a message is one of: none where the
// handler has no case for it. Where that isn't known they are all that it may be.
func (to target) meant(sent difference.Message, keys []string, r *receiver) (messages []difference.Message, undecided string) {
	if len(r.messages) == 1 && !to.isCase(r.messages[0], r) {
		return r.messages, ""
	}
	var perhaps []difference.Message
	for _, m := range r.messages {
		switch fits := to.fits(sent, keys, m, r); {
		case fits.is:
			messages = append(messages, m)
		case fits.undecided != "":
			perhaps, undecided = append(perhaps, m), fits.undecided
		}
	}
	if len(messages) > 0 {
		return messages, ""
	}
	return perhaps, undecided
}

// isCase reports whether a handler takes a message for what it has of a key, a type or a
// header, so that it needn't take all others.
func (to target) isCase(m difference.Message, r *receiver) bool {
	_, byHeader := to.fitsHeaders(m.Node.Get("headers"), r)
	return byHeader || messageType(m.Node) != "" || m.Node.Get("x-routing-key").Str() != ""
}

// fits says whether a message is the one of a handler's that it tells apart by the
// routing key, the property type or a header, or in documents of others by its name.
func (to target) fits(sent difference.Message, keys []string, m difference.Message, r *receiver) answer {
	if key := m.Node.Get("x-routing-key").Str(); key != "" {
		return answer{is: slices.ContainsFunc(keys, func(of string) bool { return topic.Match(of, key) })}
	}
	if kind := messageType(m.Node); kind != "" {
		own := to.kind
		if own == "" {
			own = messageType(sent.Node)
		}
		if own == "" { // the sender's options may set it
			return answer{undecided: "the sender's document doesn't say the property type"}
		}
		return answer{is: own == kind}
	}
	if fits, ok := to.fitsHeaders(m.Node.Get("headers"), r); ok {
		return fits
	}
	if sent.Name == m.Name {
		return answer{is: true}
	}
	return answer{undecided: "the receiver's document doesn't say how it tells its messages apart"}
}

func messageType(message *jsontree.Node) string {
	return message.Get("bindings").Get("amqp").Get("messageType").Str()
}

// fitsHeaders says whether the headers may be those that a message of a handler has to
// have; ok is false where it names none but those by which the exchange routes.
func (to target) fitsHeaders(headers *jsontree.Node, r *receiver) (fits answer, ok bool) {
	for _, name := range textsOf(headers.Get("required")) {
		values := itemsOf(headers.Get("properties").Get(name).Get("enum"))
		if len(values) != 1 || to.isBound(name, values[0].Value(), r) {
			continue
		}
		ok = true
		got, known := to.headers[name]
		switch {
		case !known:
			fits = answer{undecided: fmt.Sprintf("the sender's document doesn't say the header %s", name)}
		case !sameValue(got, values[0].Value()):
			return answer{}, true
		case fits.undecided == "":
			fits.undecided = fmt.Sprintf("the sender's options may replace the header %s, which says what is meant", name)
		}
	}
	return fits, ok
}

// isBound reports whether the exchange to which messages are sent routes none to a
// handler without this value of a header.
func (to target) isBound(header string, value any, r *receiver) bool {
	return slices.ContainsFunc(r.bindings, func(b binding) bool {
		mode := headermatch.Of(b.arguments)
		bound, ok := b.arguments[header]
		return b.exchange == to.exchange && b.routes == string(runtime.Headers) && !mode.IsAny && mode.Compares(header) && ok && sameValue(bound, value)
	})
}

func sameValue(a, b any) bool {
	one, err := json.Marshal(a)
	if err != nil {
		return false
	}
	other, err := json.Marshal(b)
	return err == nil && string(one) == string(other)
}
