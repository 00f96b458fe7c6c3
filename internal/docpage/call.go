package docpage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/methodname"
	"github.com/warrenmq/warren/internal/topic"
)

// ownCalls returns the calls of the generated client that send the messages of a
// route, none where the document doesn't say how the client sends them.
func ownCalls(to *route, channel *jsontree.Node) []call {
	send, assigned, argument := "Publish", "err", "msg"
	if reply := channel.Get("publish"); reply != nil {
		address := reply.Get("x-reply-address")
		if address == nil {
			return nil // only the extended document says where replies go
		}
		if address.Get("location") != nil {
			send, assigned, argument = "Call", "reply, err", "req"
		}
	}
	keys, known := keysToChoose(to, channel.Get("bindings").Get("amqp"))
	method := methodname.Of(to.Name)
	if !known || method == "" {
		return nil
	}
	messages := channel.Get("subscribe").Get("message")
	if messages.Get("oneOf") == nil {
		return []call{{"", callText(send+method, assigned, argument, keys)}}
	}
	var calls []call
	for _, one := range messages.Get("oneOf").Items {
		name, keys := one.Get("name").Str(), keys
		if one.Get("x-routing-key") != nil {
			keys = nil
		}
		if part := methodname.Of(name); part != "" {
			calls = append(calls, call{name, callText(send+method+part, assigned, argument, keys)})
		}
	}
	return calls
}

func callText(method, assigned, argument string, keys []string) string {
	if keys == nil {
		return fmt.Sprintf("%s := client.%s(ctx, %s)", assigned, method, argument)
	}
	quoted := make([]string, len(keys))
	for i, key := range keys {
		quoted[i] = fmt.Sprintf("%q", key)
	}
	matches := "matches"
	if !slices.ContainsFunc(keys, topic.HasWildcard) {
		matches = "is"
	}
	return fmt.Sprintf("// key %s %s\n%s := client.%s(ctx, key, %s)", matches, strings.Join(quoted, " or "), assigned, method, argument)
}

// keysToChoose returns the routing keys or patterns of which the sender chooses
// one, nil where there is no choice, as package client does. They aren't known of a
// document that isn't extended.
func keysToChoose(to *route, amqp *jsontree.Node) (keys []string, known bool) {
	if to.Exchange == nil {
		return nil, true
	}
	kind := to.Exchange.Type
	arguments := amqp.Get("exchange").Get("x-arguments")
	if delayed := arguments.Get("x-delayed-type").Str(); kind == "x-delayed-message" && delayed != "" {
		kind = delayed
	}
	isExtended := amqp.Get("bindingVersion") != nil
	for _, key := range textsOf(amqp.Get("x-routing-keys")) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	switch kind {
	case "fanout", "headers":
		return nil, true
	case "x-consistent-hash", "x-modulus-hash":
		return []string{"#"}, true
	case "direct":
		if len(keys) > 1 {
			return keys, isExtended
		}
	default:
		if len(keys) > 1 || slices.ContainsFunc(keys, topic.HasWildcard) {
			return keys, isExtended
		}
	}
	return nil, isExtended
}
