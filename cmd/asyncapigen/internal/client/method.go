package client

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/methodname"
)

// method is what the client has for one type of messages of a route.
type method struct {
	route registered.Route
	of    string // the part of identifiers that stands for the route
	ident string // the part that stands for the method

	message registered.Case // what it sends; without a name where the route has no cases
	to      address
	call    bool
	body    *jen.Statement
	reply   *jen.Statement // of a call

	keyParams []keyParam // by which the sender chooses the routing key

	codec   jen.Code // the route's codec as an expression, nil for JSON
	headers jen.Code // to.headers as an expression, nil for none
}

// methods reads the routes, and reports their problems.
func (g *generator) methods(routes []registered.Route) []method {
	all := g.named(routes)
	for i := range all {
		g.route = all[i].route
		g.complete(&all[i])
	}
	return all
}

// named returns the methods of the routes with their names.
func (g *generator) named(routes []registered.Route) []method {
	taken := make(identifiers)
	var all []method
	for _, route := range routes {
		g.route = route
		of := g.identifier(taken, "its name", route.Name, "")
		if of == "" {
			continue
		}
		g.names["Route"+of] = true
		if route.Cases == nil {
			all = append(all, method{route: route, of: of, ident: of, message: registered.Case{Body: route.Body, Result: route.Result}})
		}
		for _, c := range route.Cases {
			if c.Otherwise {
				continue
			}
			if ident := g.identifier(taken, "the name of a case", c.Name, of); ident != "" {
				all = append(all, method{route: route, of: of, ident: ident, message: c})
			}
		}
	}
	for _, m := range all {
		g.names["FakePublish"+m.ident], g.names["FakeCall"+m.ident] = true, true
	}
	return all
}

// identifiers are those that are taken, with the routes that have them.
type identifiers map[string]registered.Route

// identifier takes the identifier of a name, after a prefix. It returns "" for one
// that was reported because it has none of its own.
func (g *generator) identifier(taken identifiers, what, name, prefix string) string {
	ident := methodname.Of(name)
	if ident == "" {
		g.report(diagnostic.ClientName, token.Position{}, what+" has neither letters nor digits, so no method can be named after it",
			"choose another name")
		return ""
	}
	ident = prefix + ident
	if other, is := taken[ident]; is {
		g.report(diagnostic.ClientName, token.Position{}, fmt.Sprintf("its methods would be named %s, as those of route %q%s", ident, other.Name, at(other.Pos)),
			"rename one of the two routes")
		return ""
	}
	taken[ident] = g.route
	return ident
}

func at(pos token.Position) string {
	if !pos.IsValid() {
		return ""
	}
	return " at " + pos.String()
}

// complete finds out where m sends to, and what.
func (g *generator) complete(m *method) {
	body, result := m.message.Body, m.message.Result
	m.to = addressOf(m.route)
	if m.isNamed() {
		m.to = m.to.of(m.message.Name, m.route.DispatchedBy)
	}
	if !m.route.AddressIsKnown() {
		g.report(diagnostic.ClientType, token.Position{}, "the code doesn't determine the arguments by which its exchange routes",
			"write them as constants or by runtime.Env, or make no client by -client=")
		return
	}
	g.keyConstants(*m)
	m.keyParams = g.keyParams(*m)
	m.call = result != nil && m.route.Reply != nil && m.route.Reply.IsZero()
	if body == nil {
		g.report(diagnostic.ClientType, token.Position{}, "the type of its messages is unknown", "use a handler whose parameter has a type that can be read")
		return
	}
	if codec := m.route.CodecType; codec != nil {
		g.completeCodec(m, codec)
	} else if m.call {
		m.body = g.payload(body, "Request", m.ident)
		m.reply = g.payload(result, "Reply", m.ident)
	} else {
		m.body = g.payload(body, "Message", m.ident)
	}
	if len(m.to.headers) > 0 {
		table, ok := g.tableLiteral(m.to.headers)
		if !ok {
			g.report(diagnostic.ClientType, token.Position{}, "its binding arguments hold a value that AMQP has no type for",
				"use booleans, numbers, strings, []byte, time.Time, []any or map[string]any")
			return
		}
		m.headers = table
	}
}

// completeCodec writes the types as they are: a copy of one isn't what the codec takes.
func (g *generator) completeCodec(m *method, codec *types.TypeName) {
	if why := g.unreachable(codec); why != "" {
		g.report(diagnostic.ClientType, g.position(codec.Pos()), fmt.Sprintf("its codec %s is out of reach: %s", codec.Name(), why),
			"export the codec, in a package that the client can import")
		return
	}
	m.codec = g.name(codec, nil, codec.Name()).Values()
	write := func(t types.Type) *jen.Statement {
		if !g.within(t) {
			g.report(diagnostic.ClientType, token.Position{}, fmt.Sprintf("the client can't import %s, and its codec doesn't take a copy", registered.TypeName(t)),
				"export the type, in a package that the client can import")
			return jen.Any()
		}
		return g.expr(t, registered.TypeName(t))
	}
	m.body = write(m.message.Body)
	if m.call {
		m.reply = write(m.message.Result)
	}
}

// isNamed reports whether the route has messages of other names beside it.
func (m method) isNamed() bool { return m.route.Cases != nil }

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

// param is the name of the body parameter.
func (m method) param() string {
	if m.call {
		return "req"
	}
	return "msg"
}

// doc is the method's comment.
func (m method) doc() jen.Code {
	as := ""
	if m.isNamed() {
		as = fmt.Sprintf(" with %q as its %v", m.message.Name, m.route.DispatchedBy)
	}
	summary := fmt.Sprintf("%s publishes msg%s to the route %q, which reads the queue %q.", m.name(), as, m.route.Name, m.route.Queue.Name)
	if m.call {
		summary = fmt.Sprintf("%s sends req%s to the route %q, which reads the queue %q, and waits for its reply until ctx ends.",
			m.name(), as, m.route.Name, m.route.Queue.Name)
	}
	return comment(summary, m.route.Description, m.keyDoc())
}

// parameter is one of a generated method.
type parameter struct {
	name string
	typ  *jen.Statement
}

// parameters are those of the method but for its options.
func (g *generator) parameters(m method) []parameter {
	all := []parameter{{"ctx", g.qualify("context", "context", "Context")}}
	for _, p := range m.keyParams {
		all = append(all, parameter{p.name, p.typeExpr()})
	}
	return append(all, parameter{m.param(), m.body.Clone()})
}

// signature is the method's parameters and results.
func (g *generator) signature(m method) *jen.Statement {
	var params []jen.Code
	for _, p := range g.parameters(m) {
		params = append(params, jen.Id(p.name).Add(p.typ))
	}
	params = append(params, jen.Id("opts").Op("...").Add(g.runtime("SendOption")))
	if m.call {
		return jen.Params(params...).Params(m.reply, jen.Error())
	}
	return jen.Params(params...).Error()
}

// implementation is the method of the struct: one call into the runtime.
func (g *generator) implementation(m method) jen.Code {
	send := "Publish"
	if m.call {
		send = "Call"
	}
	args := []jen.Code{jen.Id("ctx")}
	switch m.to.keyChoice() {
	case wordsKey:
		send += "Words"
		args = append(args, g.words(m))
	case listedKey:
		send += "Key"
		args = append(args, jen.String().Parens(jen.Id(m.keyParams[0].name)))
	case freeKey:
		send += "Key"
		args = append(args, jen.Id(m.keyParams[0].name))
	}
	args = append(args, jen.Id(m.param()), jen.Id("opts").Op("..."))

	return jen.Func().Params(jen.Id("c").Op("*").Id("client")).Id(m.name()).Add(g.signature(m)).Block(
		jen.Return(jen.Id("c").Dot(m.field()).Dot(send).Call(args...)))
}

// words is the expression of what stands for the wildcards of the key.
func (g *generator) words(m method) jen.Code {
	var words []jen.Code
	for _, p := range m.keyParams {
		if p.many {
			words = append(words, jen.Id(p.name))
			continue
		}
		words = append(words, jen.Values(jen.Id(p.name)))
	}
	return g.runtime("Words").Values(words...)
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
		jen.Id("Route").Op(":").Id("Route" + m.of),
		jen.Id("To").Op(":").Add(g.runtime("Address")).Values(address...),
	}
	if len(m.to.keys) > 0 {
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
	if m.to.typ != "" {
		endpoint = append(endpoint, jen.Id("Type").Op(":").Lit(m.to.typ))
	}
	if m.codec != nil {
		endpoint = append(endpoint, jen.Id("Codec").Op(":").Add(m.codec))
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
