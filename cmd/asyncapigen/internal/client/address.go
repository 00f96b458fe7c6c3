package client

import (
	"maps"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/headermatch"
	"github.com/warrenmq/warren/internal/topic"
	"github.com/warrenmq/warren/runtime"
)

// address is how messages reach a route.
type address struct {
	exchange string
	key      string

	// keys are what the sender may choose from, nil where there is nothing to
	// choose. They are patterns of a topic exchange unless they are literal.
	keys    []string
	literal bool
	spreads bool // any key is right

	typ     string // the property
	headers map[string]any
}

// of returns the address of the messages of one name, which by tells from others.
func (a address) of(name string, by runtime.Discriminator) address {
	header, isHeader := by.Header()
	switch {
	case isHeader:
		a.headers = maps.Clone(a.headers)
		if a.headers == nil {
			a.headers = make(map[string]any)
		}
		a.headers[header] = name
	case by.IsKey():
		a.key, a.keys = name, nil
	default:
		a.typ = name
	}
	return a
}

// addressOf says how the broker routes to route.
func addressOf(route registered.Route) address {
	if route.Exchange == nil {
		return address{key: route.Queue.Name}
	}
	to := address{exchange: route.Exchange.Name}
	keys := distinct(route.RoutingKeys)
	switch contract.RoutingType(route.Exchange) {
	case runtime.Fanout:
	case runtime.Headers:
		to.headers = requiredHeaders(route.BindingArguments)
	case "x-consistent-hash", "x-modulus-hash":
		// Their binding keys are weights; any key is right, and spreads.
		to.keys, to.spreads = []string{"#"}, true
	case runtime.Direct:
		to.key, to.keys = oneOrChoice(keys)
		to.literal = true
	default:
		if slices.ContainsFunc(keys, topic.HasWildcard) {
			to.keys = keys
			break
		}
		to.key, to.keys = oneOrChoice(keys)
		to.literal = true
	}
	return to
}

// oneOrChoice returns the only key, or all where there are several.
func oneOrChoice(keys []string) (key string, choice []string) {
	switch len(keys) {
	case 0:
		return "", nil
	case 1:
		return keys[0], nil
	}
	return "", keys
}

func distinct(keys []string) []string {
	var unique []string
	for _, key := range keys {
		if !slices.Contains(unique, key) {
			unique = append(unique, key)
		}
	}
	return unique
}

// requiredHeaders returns the headers that a headers exchange compares with the arguments
// of a binding.
func requiredHeaders(arguments map[string]any) map[string]any {
	mode, headers := headermatch.Of(arguments), maps.Clone(arguments)
	maps.DeleteFunc(headers, func(name string, _ any) bool { return !mode.Compares(name) })
	return headers
}
