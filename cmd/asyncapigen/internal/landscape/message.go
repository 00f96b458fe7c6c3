package landscape

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/topic"
)

// meant returns those messages of a handler that a message is one of: none where the
// handler has no case for it. Where that isn't known they are all that it may be.
func (to target) meant(sent difference.Message, keys []string, r *receiver) (messages []difference.Message, undecided string) {
	if len(r.messages) == 1 {
		return r.messages, ""
	}
	var perhaps []difference.Message
	for _, m := range r.messages {
		switch fits := to.fits(sent, keys, m); {
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

// fits says whether a message is the one of a handler's that it tells apart by the
// routing key, the property type or a header, or in documents of others by its name.
func (to target) fits(sent difference.Message, keys []string, m difference.Message) answer {
	if key := m.Node.Get("x-routing-key").Str(); key != "" {
		return answer{is: slices.ContainsFunc(keys, func(of string) bool { return topic.Match(of, key) })}
	}
	if kind := messageType(m.Node); kind != "" {
		own := to.kind
		if own == "" {
			own = messageType(sent.Node)
		}
		if own == "" && !to.isWhole {
			return answer{undecided: "the sender's document doesn't say the property type"}
		}
		return answer{is: own == kind}
	}
	if fits, ok := to.fitsHeaders(m.Node.Get("headers")); ok {
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

// fitsHeaders says whether the headers are those that a message of a handler has to
// have; ok is false where it names none.
func (to target) fitsHeaders(headers *jsontree.Node) (fits answer, ok bool) {
	fits.is = true
	for _, name := range textsOf(headers.Get("required")) {
		values := itemsOf(headers.Get("properties").Get(name).Get("enum"))
		if len(values) != 1 {
			continue
		}
		ok = true
		got, known := to.headers[name]
		switch {
		case !known:
			fits = answer{undecided: fmt.Sprintf("the sender's document doesn't say the header %s", name)}
		case !sameValue(got, values[0].Value()):
			return answer{}, true
		}
	}
	return fits, ok
}

func sameValue(a, b any) bool {
	one, err := json.Marshal(a)
	if err != nil {
		return false
	}
	other, err := json.Marshal(b)
	return err == nil && string(one) == string(other)
}
