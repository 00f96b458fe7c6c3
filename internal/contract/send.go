package contract

import (
	"cmp"
	"fmt"
	"go/token"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

// A Send is a message that a service sends to the route of another one, or to its own.
type Send struct {
	runtime.Endpoint             // where to; with a Codec, bodies aren't JSON
	ID               string      // of the operation, in a Contract
	HeadersUnknown   bool        // not all headers are known; the endpoint has those that are
	Payload          schema.Type // of the message body
	Result           schema.Type // of the reply that is waited for; nil for none
	Pos              token.Position
	Source           Source // of the call that sends

	Schema       *schema.Schema // of the Payload, in a Contract; empty as that of a Channel
	ResultSchema *schema.Schema // of the Result, in a Contract; nil where that is nil
}

// target names where s goes: by the route, or else by the address.
func (s Send) target() string {
	parts := []string{s.To.Exchange, s.To.RoutingKey}
	if s.To.RoutingKey == "" {
		parts[1] = strings.Join(append(s.Keys[:len(s.Keys):len(s.Keys)], s.Patterns...), ".")
	}
	return cmp.Or(s.Route, strings.Trim(strings.Join(parts, "."), "."))
}

// named returns the sends with ids that no operation has.
func named(sends []Send, operations []Operation) []Send {
	taken := make(map[string]bool)
	for _, o := range operations {
		for _, id := range o.ids() {
			taken[id] = true
		}
	}
	all := make([]Send, len(sends))
	for i, s := range sends {
		s.ID = s.target() + ".send"
		for n := 2; taken[s.ID]; n++ {
			s.ID = fmt.Sprintf("%s.send.%d", s.target(), n)
		}
		taken[s.ID] = true
		all[i] = s
	}
	return all
}

// payloads returns the message's and the reply's, as those of an Operation.
func (s Send) payloads() []schema.Type {
	if s.Codec != nil {
		return []schema.Type{nil, nil}
	}
	return []schema.Type{s.Payload, s.Result}
}

// described returns s with the schemas of its payloads.
func (s Send) described(schemas []*schema.Schema) Send {
	s.Schema = schemas[0]
	if s.Result != nil {
		s.ResultSchema = schemas[1]
	}
	return s
}

// tied returns d as a diagnostic of s, at its position unless d has one of its own.
func (s Send) tied(d diagnostic.Diagnostic) diagnostic.Diagnostic {
	d.Route = s.ID
	if !d.Pos.IsValid() {
		d.Pos = s.Pos
	}
	return d
}
