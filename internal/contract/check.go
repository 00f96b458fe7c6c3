package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// checkOperations finds what makes a document invalid, and warns of what tools
// refuse though RabbitMQ takes it.
func checkOperations(operations []Operation) diagnostic.List {
	var problems diagnostic.List
	taken := map[string]bool{}
	for _, o := range operations {
		problems = append(problems, o.checkNames()...)
		problems = append(problems, o.checkTags()...)
		for _, id := range o.ids() {
			if taken[id] {
				problems = append(problems, o.problem(diagnostic.DuplicateOperation,
					fmt.Sprintf("the operation id %q is taken by another route", id), "name the route otherwise"))
			}
			taken[id] = true
		}
	}
	return problems
}

func (o Operation) checkNames() diagnostic.List {
	var problems diagnostic.List
	if o.Name == "" {
		problems = append(problems, o.problem(diagnostic.MissingName, "it has no name", "name the route"))
	}
	if o.Queue.Name == "" {
		problems = append(problems, o.problem(diagnostic.MissingName, "its queue has no name", "name the queue"))
	}
	if reasons := channelNameFaults(o.Queue.Name); reasons != nil {
		problems = append(problems, o.refused(strings.Join(reasons, ", and ")))
	}
	if o.Exchange != nil && !slices.Contains(bindingExchangeTypes, string(o.Exchange.Type)) {
		problems = append(problems, o.problem(diagnostic.ExchangeType,
			fmt.Sprintf("the AMQP binding of AsyncAPI doesn't know the type %q of exchange %q", o.Exchange.Type, o.Exchange.Name),
			"nothing, if the consumers of the document know it"))
	}
	return problems
}

// refused is about a channel whose name is no key.
func (o Operation) refused(why string) diagnostic.Diagnostic {
	return o.problem(diagnostic.ChannelName, fmt.Sprintf("AsyncAPI tools refuse the channel %q: %s", o.Queue.Name, why),
		"name the queue otherwise, or have the name encoded by -encode-channels")
}

// checkDecodedNames warns of names that would be keys, if the official parser didn't
// decode them.
func (c *Contract) checkDecodedNames() diagnostic.List {
	var problems diagnostic.List
	for _, channel := range c.Channels {
		name := channel.Queue.Name
		if channelNameFaults(name) == nil && strings.Contains(name, "%") && channel.HasReferences() {
			problems = append(problems, channel.refused("its % begins a percent-encoded byte, which the official parser decodes"))
		}
	}
	return problems
}

// bindingExchangeTypes are those of the AMQP channel binding, version 0.3.0.
var bindingExchangeTypes = []string{"topic", "direct", "fanout", "default", "headers"}

func (o Operation) checkTags() diagnostic.List {
	var problems diagnostic.List
	names := slices.Sorted(slices.Values(o.Tags))
	for i, name := range names {
		if i > 0 && name == names[i-1] && (i == 1 || name != names[i-2]) {
			problems = append(problems, o.problem(diagnostic.RepeatedTag, fmt.Sprintf("it has the tag %q more than once", name), "remove the repeats"))
		}
	}
	return problems
}

// ids are the operation ids of o, which must be unique in a document.
func (o Operation) ids() []string {
	switch {
	case o.Name == "":
		return nil
	case o.Reply == nil:
		return []string{o.Name}
	default:
		return []string{o.Name, o.ReplyID()}
	}
}

// replaces reports that o takes the place of an earlier operation.
func (o Operation) replaces(earlier Operation) diagnostic.Diagnostic {
	what := fmt.Sprintf("it replaces route %q in the document, because both consume queue %q", earlier.Name, o.Queue.Name)
	if earlier.Pos.IsValid() {
		what += fmt.Sprintf(" (%s)", earlier.Pos)
	}
	return o.problem(diagnostic.SharedQueue, what, "give each route a queue of its own, or make one route of them by runtime.Dispatch")
}

func (o Operation) problem(code diagnostic.Code, what, remedy string) diagnostic.Diagnostic {
	return o.tied(diagnostic.Diagnostic{Code: code, Severity: code.Severity(), What: what, Remedy: remedy})
}

// tied returns d as a diagnostic of the route, at its position unless d has one
// of its own.
func (o Operation) tied(d diagnostic.Diagnostic) diagnostic.Diagnostic {
	d.Route = cmp.Or(o.Name, o.Queue.Name, "(unnamed)")
	if !d.Pos.IsValid() {
		d.Pos = o.Pos
	}
	return d
}
