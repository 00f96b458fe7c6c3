package client

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/internal/methodname"
)

// fake writes the Fake: a Client that calls functions of a test, and records what it is
// asked to send.
func (g *generator) fake(methods []method) []jen.Code {
	members := newScope("mu")
	for _, m := range methods {
		members[m.name()], members[m.field()] = true, true
	}
	var functions, records, declared []jen.Code
	for _, m := range methods {
		of := fakeMethod{
			method: m, parameters: g.parameters(m), record: "Fake" + m.name(),
			function: members.take(m.name() + "Func"), calls: members.take(m.name() + "Calls"),
		}
		functions = append(functions, jen.Id(of.function).Func().Add(g.signature(m)))
		records = append(records, jen.Id(m.field()).Index().Id(of.record))
		declared = append(declared, of.recordDecl(g), of.implementation(g), of.callsMethod(g))
	}
	about := "Fake is a Client for tests: each method calls the function of its name, and records the call. " +
		"A Publish method without a function returns nil, a Call method without one an error. " +
		"The zero Fake is ready for use. Its methods are safe for concurrent use, as far as the functions are; these are set before."
	fields := functions
	if len(methods) > 0 {
		fields = append(fields, jen.Line(), jen.Id("mu").Add(g.qualify("sync", "sync", "Mutex")))
		fields = append(fields, records...)
	}
	return append([]jen.Code{
		jen.Add(comment(about)).Line().Type().Id("Fake").Struct(fields...),
		jen.Var().Id("_").Id("Client").Op("=").Parens(jen.Op("*").Id("Fake")).Parens(jen.Nil()),
	}, declared...)
}

// fakeMethod is a method of the Fake with what belongs to it.
type fakeMethod struct {
	method
	parameters []parameter
	record     string // the type of a recorded call
	function   string // the field with the test's function
	calls      string // the method that returns the calls
}

// recordDecl declares the type of a recorded call: its parameters, and in the place of
// the options, which are functions, what they set.
func (m fakeMethod) recordDecl(g *generator) jen.Code {
	names := newScope()
	var fields []jen.Code
	for _, p := range m.parameters {
		fields = append(fields, jen.Id(names.take(methodname.UpperFirst(p.name))).Add(p.typ))
	}
	fields = append(fields, jen.Id(names.take("Message", "Properties")).Add(g.runtime("Message")).
		Comment("what the options set of the message"))
	return jen.Add(comment(fmt.Sprintf("%s is a recorded call of %s.", m.record, m.name()))).Line().
		Type().Id(m.record).Struct(fields...)
}

func (m fakeMethod) implementation(g *generator) jen.Code {
	var values, args []jen.Code
	for _, p := range m.parameters {
		values = append(values, jen.Id(p.name))
		args = append(args, jen.Id(p.name))
	}
	values = append(values, g.runtime("MessageWith").Call(jen.Id("opts").Op("...")))
	args = append(args, jen.Id("opts").Op("..."))
	lock := func(do string) jen.Code { return jen.Id("f").Dot("mu").Dot(do).Call() }
	calls := func() *jen.Statement { return jen.Id("f").Dot(m.field()) }
	return jen.Add(comment(fmt.Sprintf("%s records the call and calls %s.", m.name(), m.function))).Line().
		Func().Params(jen.Id("f").Op("*").Id("Fake")).Id(m.name()).Add(g.signature(m.method)).Block(
		jen.Id("call").Op(":=").Id(m.record).Values(values...),
		lock("Lock"),
		calls().Op("=").Append(calls(), jen.Id("call")),
		lock("Unlock"),
		jen.If(jen.Id("f").Dot(m.function).Op("==").Nil()).Block(m.unset(g)...),
		jen.Return(jen.Id("f").Dot(m.function).Call(args...)),
	)
}

// unset is what the method does where the test has set no function. No caller gets a
// reply that nobody has made up.
func (m fakeMethod) unset(g *generator) []jen.Code {
	if !m.call {
		return []jen.Code{jen.Return(jen.Nil())}
	}
	failure := jen.Op("&").Add(g.runtime("SendError")).Values(
		jen.Id("Route").Op(":").Id("Route"+m.of),
		jen.Id("Stage").Op(":").Lit("send"),
		jen.Id("Err").Op(":").Add(g.qualify("errors", "errors", "New")).Call(jen.Lit("the Fake has no "+m.function)),
	)
	return []jen.Code{jen.Var().Id("none").Add(m.reply), jen.Return(jen.Id("none"), failure)}
}

func (m fakeMethod) callsMethod(g *generator) jen.Code {
	return jen.Add(comment(fmt.Sprintf("%s returns the calls of %s so far.", m.calls, m.name()))).Line().
		Func().Params(jen.Id("f").Op("*").Id("Fake")).Id(m.calls).Params().Index().Id(m.record).Block(
		jen.Id("f").Dot("mu").Dot("Lock").Call(),
		jen.Defer().Id("f").Dot("mu").Dot("Unlock").Call(),
		jen.Return(g.qualify("slices", "slices", "Clone").Call(jen.Id("f").Dot(m.field()))),
	)
}
