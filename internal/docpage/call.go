package docpage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/methodname"
	"github.com/warrenmq/warren/internal/topic"
)

// ownCalls returns the calls of the generated client that send the messages of a
// route, none where the document doesn't say how the client sends them. The cases
// are the messages of a route that has several types of them, else none.
func ownCalls(to *route, cases []*jsontree.Node) []call {
	send, assigned, argument := "Publish", "err", "msg"
	switch {
	case to.Reply == nil:
	case to.Reply.Asked:
		send, assigned, argument = "Call", "reply, err", "req"
	case to.Reply.To == "":
		return nil
	}
	keys, known := keysToChoose(to)
	method := methodname.Of(to.Name)
	if !known || method == "" {
		return nil
	}
	if cases == nil {
		return []call{{"", callText(send+method, assigned, argument, keys)}}
	}
	var calls []call
	for _, one := range cases {
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
func keysToChoose(to *route) (keys []string, known bool) {
	if to.Exchange == nil {
		return nil, true
	}
	for _, b := range to.Bindings {
		for _, key := range b.Keys {
			if b.Exchange == to.Exchange.Name && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	switch cmp.Or(to.Exchange.Delay, to.Exchange.Type) {
	case "fanout", "headers":
		return nil, true
	case "x-consistent-hash", "x-modulus-hash":
		return []string{"#"}, true
	case "direct":
		if len(keys) > 1 {
			return keys, to.Extended
		}
	default:
		if len(keys) > 1 || slices.ContainsFunc(keys, topic.HasWildcard) {
			return keys, to.Extended
		}
	}
	return nil, to.Extended
}
