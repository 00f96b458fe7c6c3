package discover

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// register notes the routes of a call of Register or MustRegister.
func (in *interp) register(at ast.Expr, args []Value) {
	if len(args) != 1 {
		return
	}
	switch routes := args[0].(type) {
	case Nil:
	case *Slice:
		for _, cell := range routes.Elems {
			in.registerRoute(at, cell.v)
		}
	default:
		in.reportUnknown(diagnostic.UnknownRoute, at, "the routes of this call aren't known", routes)
	}
}

func (in *interp) registerRoute(at ast.Expr, v Value) {
	s, ok := v.(*Struct)
	if !ok {
		in.reportUnknown(diagnostic.UnknownRoute, at, "the route isn't known", v)
		return
	}
	if why := oneUnknown(s); why != nil {
		in.reportUnknown(diagnostic.UnknownRoute, at, "the route isn't known", why)
		return
	}
	cond := in.uncertain()
	r := reader{in: in, at: at, route: s, quiet: cond != nil}
	route := r.read()
	if cond != nil {
		in.reportConditional(route.Name, cond)
		return
	}
	if r.lost {
		return
	}
	in.found = append(in.found, route)
}

// oneUnknown returns the reason why nothing of a route is known, such as that a
// function has filled it; nil where something is.
func oneUnknown(s *Struct) *Unknown {
	var why *Unknown
	for _, cell := range s.Fields {
		v := cell.v
		if part, ok := v.(*Struct); ok {
			if u := oneUnknown(part); u != nil {
				v = u
			}
		}
		u, ok := v.(*Unknown)
		if !ok || why != nil && (u.Pos != why.Pos || u.Reason != why.Reason) {
			return nil
		}
		why = u
	}
	return why
}

// uncertain returns the first unknown condition around the current statement.
func (in *interp) uncertain() *condition {
	if len(in.conds) == 0 {
		return nil
	}
	return in.conds[0]
}

func (in *interp) reportConditional(name string, cond *condition) {
	d := diagnostic.Diagnostic{
		Code:   diagnostic.UnknownCondition,
		What:   "the route " + quoted(name) + " is registered under a condition that isn't known",
		Remedy: "register it in every case, or decide by a constant",
	}
	if cond.loop {
		d.Code = diagnostic.UnknownLoop
		d.What = "the route " + quoted(name) + " is registered in a loop whose rounds aren't known"
		d.Remedy = "loop over a table that the code determines"
	}
	d.Why = cond.text
	if cond.why != nil && cond.why.Reason != "" {
		d.Why += " depends on " + cond.why.Reason
	}
	in.report(cond.pos, d)
}

func quoted(name string) string {
	if name == "" {
		return "(unnamed)"
	}
	return fmt.Sprintf("%q", name)
}

// reportUnknown says that something needed isn't known, at the place where the
// knowledge ended.
func (in *interp) reportUnknown(code diagnostic.Code, at ast.Expr, what string, v Value) {
	pos := at.Pos()
	d := diagnostic.Diagnostic{
		Code:   code,
		What:   what,
		Why:    "the code that is analysed doesn't determine it",
		Remedy: remedies[code],
	}
	if u, ok := v.(*Unknown); ok {
		d.Why = "it is " + u.Reason
		if u.Env != "" {
			d.Remedy = fmt.Sprintf("write runtime.Env(%q, \"default\"), or give the value by %s on this line", u.Env, valueDirective)
		}
		if u.Pos.IsValid() {
			pos = u.Pos
		}
	}
	in.report(pos, d)
}

var remedies = map[diagnostic.Code]string{
	diagnostic.UnknownValue:   "write it as a constant, or give the value by " + valueDirective + " on this line",
	diagnostic.UnknownRoute:   "build the routes from values that the code determines",
	diagnostic.UnknownHandler: "make it by runtime.Consume or runtime.Respond of a function with a concrete message type",
}

// report adds an error at pos.
func (in *interp) report(pos token.Pos, d diagnostic.Diagnostic) {
	d.Pos = in.program.Position(pos)
	in.diagnostics.Add(d)
}

// reader reads the fields of one runtime.Route.
type reader struct {
	in    *interp
	at    ast.Expr
	route *Struct
	name  string
	lost  bool // a field isn't known
	quiet bool // don't report it

	origins []registered.FieldOrigin
	missing []string // arguments that aren't known
}

func (r *reader) read() registered.Route {
	pos := r.at.Pos()
	if r.route.Pos.IsValid() {
		pos = r.route.Pos
	}
	route := registered.Route{Pos: r.in.program.Position(pos)}
	handler := r.handler()
	r.name = r.text(r.route, "Name", "name")
	if r.name == "" && handler != nil && !isUnknown(r.field(r.route, "Name")) {
		r.name = handler.Name
	}
	route.Name = r.name
	route.Description = r.text(r.route, "Description", "description")
	route.Tags = r.texts("Tags", "tags")
	route.Queue = r.queue()
	route.Exchange = r.exchange()
	route.RoutingKeys = r.texts("RoutingKeys", "routing keys")
	route.BindingArguments = r.table(r.route, "BindingArguments")
	route.Reply = r.reply()
	if handler != nil {
		route.Body, route.Result = handler.Body, handler.Reply
		r.checkBody(handler)
	}
	route.Origins, route.UnknownArguments = r.origins, r.missing
	return route
}

func (r *reader) field(s *Struct, name string) Value {
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if i := fieldIndex(u, name); i >= 0 && i < len(s.Fields) {
		return s.Fields[i].v
	}
	return nil
}

// unknown notes that something of the route isn't known.
func (r *reader) unknown(what string, v Value) {
	is := " isn't known"
	if what == "tags" || what == "routing keys" {
		is = " aren't known"
	}
	r.report(diagnostic.UnknownValue, "the "+what+" of "+r.routeName()+is, v)
}

func (r *reader) report(code diagnostic.Code, what string, v Value) {
	r.lost = true
	if !r.quiet {
		r.in.reportUnknown(code, r.at, what, v)
	}
}

func (r *reader) routeName() string {
	if r.name == "" {
		return "a route"
	}
	return "the route " + quoted(r.name)
}

// handler returns nil where the route has none, which Register refuses.
func (r *reader) handler() *Handler {
	switch v := r.field(r.route, "Handler").(type) {
	case *Handler:
		return v
	case *Struct: // the zero Handler
		return nil
	default:
		r.report(diagnostic.UnknownHandler, "the handler of "+r.routeName()+" isn't known", v)
		return nil
	}
}

// checkBody refuses handlers whose messages the contract couldn't describe.
func (r *reader) checkBody(h *Handler) {
	for _, t := range []types.Type{h.Body, h.Reply} {
		switch {
		case t == nil:
		case hasTypeParam(t):
			r.report(diagnostic.UnknownHandler, "the handler of "+r.routeName()+" has the type parameter "+registered.TypeName(t),
				&Unknown{Reason: "a generic function that nobody gives a type", Pos: h.Pos})
		case isAny(t):
			r.report(diagnostic.UnknownHandler, "the handler of "+r.routeName()+" takes or returns any",
				&Unknown{Reason: "a type that says nothing about the messages", Pos: h.Pos})
		}
	}
}

func isAny(t types.Type) bool {
	iface, ok := types.Unalias(t).(*types.Interface)
	return ok && iface.Empty()
}

func (r *reader) text(s *Struct, field, what string) string {
	v := r.field(s, field)
	r.explainField(what, v)
	if c, ok := v.(Const); ok && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value)
	}
	r.unknown(what, v)
	return ""
}

func (r *reader) flag(s *Struct, field, what string) bool {
	v := r.field(s, field)
	r.explainField(what, v)
	holds, known := truth(v)
	if !known {
		r.unknown(what, v)
	}
	return holds
}

func (r *reader) texts(field, what string) []string {
	var texts []string
	switch v := r.field(r.route, field).(type) {
	case Nil:
	case *Slice:
		for _, cell := range v.Elems {
			c, ok := cell.v.(Const)
			if !ok {
				r.unknown(what, cell.v)
				return nil
			}
			r.explainField(what, c)
			texts = append(texts, constant.StringVal(c.Value))
		}
	default:
		r.unknown(what, v)
	}
	return texts
}

func (r *reader) queue() runtime.Queue {
	s, ok := r.field(r.route, "Queue").(*Struct)
	if !ok {
		r.unknown("queue", r.field(r.route, "Queue"))
		return runtime.Queue{}
	}
	return runtime.Queue{
		Name:       r.text(s, "Name", "queue name"),
		Durable:    r.flag(s, "Durable", "queue's durability"),
		Exclusive:  r.flag(s, "Exclusive", "queue's exclusiveness"),
		AutoDelete: r.flag(s, "AutoDelete", "queue's deletion"),
		Arguments:  r.table(s, "Arguments"),
	}
}

// pointee returns the struct behind a pointer field, nil for a nil pointer.
func (r *reader) pointee(field, what string) *Struct {
	v := r.field(r.route, field)
	if p, ok := v.(Pointer); ok {
		v = p.To.v
	}
	if s, ok := v.(*Struct); ok {
		return s
	}
	if !isNil(v) {
		r.unknown(what, v)
	}
	return nil
}

func (r *reader) exchange() *runtime.Exchange {
	s := r.pointee("Exchange", "exchange")
	if s == nil {
		return nil
	}
	return &runtime.Exchange{
		Name:       r.text(s, "Name", "exchange name"),
		Type:       runtime.ExchangeType(r.text(s, "Type", "exchange type")),
		Durable:    r.flag(s, "Durable", "exchange's durability"),
		AutoDelete: r.flag(s, "AutoDelete", "exchange's deletion"),
		Arguments:  r.table(s, "Arguments"),
	}
}

func (r *reader) reply() *runtime.Address {
	s := r.pointee("Reply", "reply address")
	if s == nil {
		return nil
	}
	return &runtime.Address{
		Exchange:   r.text(s, "Exchange", "reply exchange"),
		RoutingKey: r.text(s, "RoutingKey", "reply routing key"),
	}
}

// table reads an AMQP field table. Arguments that aren't known are left out, for
// the contract doesn't show them, and noted.
func (r *reader) table(s *Struct, field string) map[string]any {
	m, ok := r.field(s, field).(*Map)
	if !ok {
		if !isNil(r.field(s, field)) {
			r.missing = append(r.missing, field)
		}
		return nil
	}
	table := make(map[string]any)
	for key, v := range m.sorted() {
		name, ok := key.(Const)
		if !ok || name.Value.Kind() != constant.String {
			continue
		}
		value, known := fieldValue(v)
		if !known {
			r.missing = append(r.missing, field+" "+name.Value.String())
			continue
		}
		table[constant.StringVal(name.Value)] = value
	}
	return table
}

func fieldValue(v Value) (any, bool) {
	switch v := v.(type) {
	case Const:
		return plainOperand(v)
	case Nil:
		return nil, true
	default:
		return nil, false
	}
}
