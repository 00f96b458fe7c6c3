package client

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// method is what the client has for one route.
type method struct {
	route registered.Route
	ident string // the part of identifiers that stands for the route
	to    address
	call  bool
	body  *jen.Statement
	reply *jen.Statement // of a call

	headers jen.Code // to.headers as an expression, nil for none
}

// methods reads the routes, and reports their problems.
func (g *generator) methods(routes []registered.Route) []method {
	idents := g.identifiers(routes)
	var all []method
	for i, route := range routes {
		if idents[i] == "" {
			continue
		}
		g.route = route
		all = append(all, g.method(route, idents[i]))
	}
	return all
}

// identifiers returns the identifier of each route, "" for a route that was
// reported because it has none of its own.
func (g *generator) identifiers(routes []registered.Route) []string {
	idents := make([]string, len(routes))
	first := make(map[string]registered.Route)
	for i, route := range routes {
		g.route = route
		ident := identifier(route.Name)
		if ident == "" {
			g.report(diagnostic.ClientName, token.Position{}, "its name has neither letters nor digits, so no method can be named after it",
				"give the route another name")
			continue
		}
		if other, taken := first[ident]; taken {
			g.report(diagnostic.ClientName, token.Position{}, fmt.Sprintf("its methods would be named %s, as those of route %q%s", ident, other.Name, at(other.Pos)),
				"rename one of the two routes")
			continue
		}
		first[ident] = route
		idents[i] = ident
		g.names["Route"+ident] = true
	}
	return idents
}

func at(pos token.Position) string {
	if !pos.IsValid() {
		return ""
	}
	return " at " + pos.String()
}

func (g *generator) method(route registered.Route, ident string) method {
	m := method{
		route: route,
		ident: ident,
		to:    addressOf(route.Route),
		call:  isCall(route),
	}
	if route.Body == nil {
		g.report(diagnostic.ClientType, token.Position{}, "the type of its messages is unknown", "use a handler whose parameter has a type that can be read")
		return m
	}
	if m.call {
		m.body = g.payload(route.Body, "Request", ident)
		m.reply = g.payload(route.Result, "Reply", ident)
	} else {
		m.body = g.payload(route.Body, "Message", ident)
	}
	if len(m.to.headers) > 0 {
		table, ok := g.tableLiteral(m.to.headers)
		if !ok {
			g.report(diagnostic.ClientType, token.Position{}, "its binding arguments hold a value that AMQP has no type for",
				"use booleans, numbers, strings, []byte, time.Time, []any or map[string]any")
			return m
		}
		m.headers = table
	}
	return m
}

// isCall reports whether the senders of a route's messages can wait for its
// reply, which then goes to the reply_to address of each request.
func isCall(route registered.Route) bool {
	return route.Result != nil && route.Reply != nil && route.Reply.IsZero()
}

// name is the method's name.
func (m method) name() string {
	if m.call {
		return "Call" + m.ident
	}
	return "Publish" + m.ident
}

// field is the name of the struct field behind the method.
func (m method) field() string {
	if m.call {
		return "call" + m.ident
	}
	return "publish" + m.ident
}

// keyed reports whether the sender chooses the routing key.
func (m method) keyed() bool { return len(m.to.keys) > 0 }

// param is the name of the body parameter.
func (m method) param() string {
	if m.call {
		return "req"
	}
	return "msg"
}

// doc is the method's comment.
func (m method) doc() jen.Code {
	summary := fmt.Sprintf("%s publishes msg to the route %q, which reads the queue %q.", m.name(), m.route.Name, m.route.Queue.Name)
	if m.call {
		summary = fmt.Sprintf("%s sends req to the route %q, which reads the queue %q, and waits for its reply until ctx ends.",
			m.name(), m.route.Name, m.route.Queue.Name)
	}
	return comment(summary, m.route.Description, m.keyDoc())
}

func (m method) keyDoc() string {
	switch {
	case !m.keyed():
		return ""
	case m.to.spreads:
		return "The exchange spreads messages over its queues by their keys; any key is right."
	case m.to.literal:
		return fmt.Sprintf("The key is one of those that the queue is bound by: %s.", quoted(m.to.keys))
	}
	return fmt.Sprintf("The key matches one of the queue's bindings (* is one word, # any number of words): %s.", quoted(m.to.keys))
}

func quoted(keys []string) string {
	all := make([]string, len(keys))
	for i, key := range keys {
		all[i] = fmt.Sprintf("%q", key)
	}
	return strings.Join(all, ", ")
}

// signature is the method's name, parameters and results.
func (g *generator) signature(m method) *jen.Statement {
	params := []jen.Code{jen.Id("ctx").Add(g.qualify("context", "context", "Context"))}
	if m.keyed() {
		params = append(params, jen.Id("key").String())
	}
	params = append(params,
		jen.Id(m.param()).Add(m.body),
		jen.Id("opts").Op("...").Add(g.runtime("SendOption")))
	signature := jen.Id(m.name()).Params(params...)
	if m.call {
		return signature.Params(m.reply, jen.Error())
	}
	return signature.Error()
}

// implementation is the method of the struct: one call into the runtime.
func (g *generator) implementation(m method) jen.Code {
	send, args := "Publish", []jen.Code{jen.Id("ctx")}
	if m.call {
		send = "Call"
	}
	if m.keyed() {
		send += "Key"
		args = append(args, jen.Id("key"))
	}
	args = append(args, jen.Id(m.param()), jen.Id("opts").Op("..."))

	return jen.Func().Params(jen.Id("c").Op("*").Id("client")).Add(g.signature(m)).Block(
		jen.Return(jen.Id("c").Dot(m.field()).Dot(send).Call(args...)))
}

// construction is the field's value in New.
func (g *generator) construction(m method) jen.Code {
	address := []jen.Code{}
	if m.to.exchange != "" {
		address = append(address, jen.Id("Exchange").Op(":").Lit(m.to.exchange))
	}
	if m.to.key != "" {
		address = append(address, jen.Id("RoutingKey").Op(":").Lit(m.to.key))
	}
	endpoint := []jen.Code{
		jen.Id("Route").Op(":").Id("Route" + m.ident),
		jen.Id("To").Op(":").Add(g.runtime("Address")).Values(address...),
	}
	if m.keyed() {
		var keys []jen.Code
		for _, key := range m.to.keys {
			keys = append(keys, jen.Lit(key))
		}
		field := "Patterns"
		if m.to.literal {
			field = "Keys"
		}
		endpoint = append(endpoint, jen.Id(field).Op(":").Index().String().Values(keys...))
	}
	if m.headers != nil {
		endpoint = append(endpoint, jen.Id("Headers").Op(":").Add(m.headers))
	}
	make, types := "NewPublisher", []jen.Code{m.body}
	if m.call {
		make, types = "NewCaller", append(types, m.reply)
	}
	return jen.Id(m.field()).Op(":").Add(g.runtime(make)).Types(types...).Call(
		jen.Id("t"), g.runtime("Endpoint").Add(lines(endpoint)), jen.Id("opts").Op("..."))
}

// fieldType is the type of the struct field behind the method.
func (g *generator) fieldType(m method) jen.Code {
	if m.call {
		return jen.Op("*").Add(g.runtime("Caller")).Types(m.body, m.reply)
	}
	return jen.Op("*").Add(g.runtime("Publisher")).Types(m.body)
}
