// Package contract has the contract of a service: its operations, with the
// schemas of their payloads. It is made in one way of the routes of a running
// program, by package asyncapi, and of those that asyncapigen finds in source
// code, so that both give the same document.
//
//	c, problems := contract.New([]contract.Operation{{
//		Route:   route,
//		Payload: schema.Reflect(route.Handler.BodyType()),
//	}}, schema.Options{})
//	if c == nil {
//		return problems
//	}
//	document := asyncapi.FromContract(c, &asyncapi.Config{Title: "Shop"})
//
// The package knows no AsyncAPI document, and reads neither programs nor source
// code. What documents can't have, and what the tools that read them refuse, is
// reported as a [diagnostic.Diagnostic].
package contract

import (
	"go/token"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// An Operation is a route of a service, in a running program or in source code.
// Its Name is the operation's id and is required; its Handler isn't looked at.
type Operation struct {
	runtime.Route
	Payload schema.Type    // of the message body; nil for none
	Pos     token.Position // of the route, zero where that isn't known
}

// ReplyID returns the id of the operation that replies to o.
func (o Operation) ReplyID() string { return o.Name + ".reply" }

// A Contract is what a service and those who send to it agree on.
type Contract struct {
	Channels   []Channel          // one for each queue, in the order of the operations
	Components []schema.Component // what the schemas refer to, by key
}

// A Channel is a queue with the operation that consumes it.
type Channel struct {
	Operation
	Schema *schema.Schema // of the Payload; empty for any JSON, and for bodies that aren't JSON
}

// New returns the contract of the operations, whose schemas the options choose.
// Of two operations on one queue the later one replaces the earlier and takes its
// place (specification rule A39).
//
// The problems are all that were found, in the order in which they were found. The
// contract is nil where one of them is an error.
func New(operations []Operation, options schema.Options) (*Contract, diagnostic.List) {
	operations, problems := onePerQueue(operations)
	problems = append(problems, checkOperations(operations)...)

	payloads := make([]schema.Type, len(operations))
	for i, operation := range operations {
		payloads[i] = operation.Payload
	}
	set := options.Build(payloads)
	for _, p := range set.Problems {
		problems = append(problems, operations[p.Payload].tied(p.Diagnostic))
	}
	if problems.HasErrors() {
		return nil, problems
	}
	c := &Contract{Components: set.Components}
	for i, operation := range operations {
		c.Channels = append(c.Channels, Channel{Operation: operation, Schema: set.Payloads[i]})
	}
	return c, problems
}

// onePerQueue leaves out the operations that a later one replaces. The later one
// gets the place of the first.
func onePerQueue(operations []Operation) ([]Operation, diagnostic.List) {
	var kept []Operation
	var problems diagnostic.List
	at := map[string]int{} // of a queue in kept
	for _, operation := range operations {
		i, taken := at[operation.Queue.Name]
		if !taken {
			at[operation.Queue.Name] = len(kept)
			kept = append(kept, operation)
			continue
		}
		problems = append(problems, operation.replaces(kept[i]))
		kept[i] = operation
	}
	return kept, problems
}
