package docpage

import (
	"cmp"
	"fmt"
	"slices"

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
	choice, known := choosesKey(to)
	method := methodname.Of(to.Name)
	if !known || method == "" {
		return nil
	}
	text := func(name string) string { return fmt.Sprintf("%s := client.%s(ctx, %s)", assigned, name, argument) }
	if cases == nil && !choice {
		return []call{{"", text(send + method)}}
	}
	var calls []call
	for _, one := range cases {
		name := one.Get("name").Str()
		if part := methodname.Of(name); part != "" && (!choice || one.Get("x-routing-key") != nil) {
			calls = append(calls, call{name, text(send + method + part)})
		}
	}
	return calls
}

// choosesKey reports whether the sender chooses a routing key, as package client
// decides. The method then has a parameter whose type only the code says. It isn't
// known of a document that isn't extended.
func choosesKey(to *route) (choice, known bool) {
	if to.Exchange == nil {
		return false, true
	}
	var keys []string
	for _, b := range to.Bindings {
		for _, key := range b.Keys {
			if b.Exchange == to.Exchange.Name && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	switch cmp.Or(to.Exchange.Delay, to.Exchange.Type) {
	case "fanout", "headers":
		return false, true
	case "x-consistent-hash", "x-modulus-hash":
		return true, true
	case "direct":
		return len(keys) > 1, to.Extended
	}
	return len(keys) > 1 || slices.ContainsFunc(keys, topic.HasWildcard), to.Extended
}
