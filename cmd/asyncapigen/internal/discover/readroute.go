package discover

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// reader reads the fields of one runtime.Route.
type reader struct {
	finder *finder
	at     ast.Expr
	route  *value.Struct
	pos    token.Position
	name   string
	queued string // the queue's name
	lost   bool   // a field isn't known
	quiet  bool   // don't report it
	asked  asked  // what the codec said

	unknowns []unknownField
	origins  []registered.FieldOrigin
	missing  []string // arguments that aren't known
	unset    []string // settings of the consumer that aren't known
}

// unknownField is a field of the route that isn't known.
type unknownField struct {
	what  string
	value value.Value
}

// quietReader returns a reader of what a call gets, which reports nothing.
func (f *finder) quietReader(call *model.Call, s *value.Struct) *reader {
	return &reader{finder: f, at: call.At, route: s, quiet: true}
}

// isWhole reports whether what was read is known, but for settings that are in unset alone.
func (r *reader) isWhole() bool { return !r.lost && len(r.missing) == 0 }

func (r *reader) read() registered.Route {
	pos := r.at.Pos()
	if r.route.Pos.IsValid() {
		pos = r.route.Pos
	}
	r.pos = r.finder.program.Position(pos)
	route := registered.Route{Pos: r.pos}
	r.queued = r.queueName()
	handler := r.handler()
	r.name = r.text(r.route, "Name", "name")
	if r.name == "" && handler != nil && !value.IsUnknown(fieldOf(r.route, "Name")) {
		r.name = handler.Name
		if handler.NoName != nil {
			r.unknown("name", handler.NoName)
		}
	}
	route.Name = r.name
	route.Description = r.text(r.route, "Description", "description")
	route.Tags = r.texts(r.route, "Tags", "tags")
	route.Queue = r.queue()
	route.Exchange = r.exchange()
	route.RoutingKeys = r.texts(r.route, "RoutingKeys", "routing keys")
	route.KeyWords = r.texts(r.route, "KeyWords", "names of the key's words")
	route.BindingArguments = r.table(r.route, "BindingArguments", contract.BindingArguments)
	route.Sources = r.sources()
	route.Reply = r.reply()
	r.limits(&route.Route)
	route.ConsumerPriority = int(r.number(r.route, "ConsumerPriority", "consumer's priority"))
	route.ConsumerArguments = r.consumerArguments()
	route.QueueDeletion = runtime.DeletionPolicy(r.number(r.route, "QueueDeletion", "deletion policy"))
	route.Failure, route.FailureUnknown = r.failure()
	if route.CodecType = r.codec(); route.CodecType != nil {
		route.Codec, route.CodecFault = registered.Codec{Writes: r.asked.writes}, r.asked.fault
	}
	route.Ordered, route.Strict = r.order()
	route.AckMode = r.ackMode()
	if handler != nil {
		route.Body, route.Result = handler.Body, handler.Reply
		if handler.Dispatch != nil {
			route.Cases, route.DispatchedBy = r.dispatched(handler)
		}
		route.Batch = handler.Batch
		if route.Reply == nil && route.Replies() {
			route.Reply = new(runtime.Address) // as runtime.Route.WithDefaults
		}
		r.checkBody(handler)
		r.checkRawBody(handler)
		route.HandledBy = r.handledBy(handler)
	}
	r.reportUnknowns()
	route.Origins, route.UnknownArguments, route.UnknownSettings = r.origins, r.missing, r.unset
	return route
}

// fieldOf returns a field of a struct, nil where there is none of that name.
func fieldOf(s *value.Struct, name string) value.Value {
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if i := value.FieldIndex(u, name); i >= 0 && i < len(s.Fields) {
		return s.Fields[i].Load()
	}
	return nil
}

// unknown notes that a field of the route isn't known.
func (r *reader) unknown(what string, v value.Value) {
	r.lost = true
	r.unknowns = append(r.unknowns, unknownField{what, v})
}

// reportUnknowns reports the fields that aren't known, those of one cause at once.
func (r *reader) reportUnknowns() {
	for len(r.unknowns) > 0 {
		first := r.unknowns[0]
		var names []string
		r.unknowns = slices.DeleteFunc(r.unknowns, func(u unknownField) bool {
			same := sameCause(u.value, first.value)
			if same {
				names = append(names, "the "+u.what)
			}
			return same
		})
		if !r.quiet {
			pos, d := r.finder.unknown(diagnostic.UnknownValue, r.at, first.value)
			r.finder.reportAbout(pos, subject{fields: names, route: r.routeName(), verb: "known"}, d)
		}
	}
}

// sameCause reports whether two values aren't known for one reason.
func sameCause(a, b value.Value) bool {
	x, isUnknown := a.(*value.Unknown)
	y, both := b.(*value.Unknown)
	if !isUnknown || !both {
		return isUnknown == both
	}
	return x.Pos == y.Pos && x.Field == y.Field && x.Reason == y.Reason && x.Env == y.Env
}

func (r *reader) report(code diagnostic.Code, what string, v value.Value) {
	r.lost = true
	if !r.quiet {
		r.finder.reportUnknown(code, r.at, what, v)
	}
}

// routeName names the route by what is known of it.
func (r *reader) routeName() string {
	switch {
	case r.name != "":
		return "the route " + quoted(r.name)
	case r.queued != "":
		return "the route of the queue " + quoted(r.queued)
	}
	return "the route at " + r.pos.String()
}

// handler returns nil where the route has none, which Register refuses.
func (r *reader) handler() *handler {
	v := fieldOf(r.route, "Handler")
	if h, ok := v.(*handler); ok {
		return h
	}
	if !isZeroHandler(v) {
		r.report(diagnostic.UnknownHandler, "the handler of "+r.routeName()+" isn't known", firstUnknown(v))
	}
	return nil
}

// handledBy names the function of a handler.
func (r *reader) handledBy(h *handler) registered.Handler {
	program := r.finder.program
	by := registered.Handler{Made: program.Position(h.Pos)}
	if h.Fn == nil {
		return by
	}
	if _, literal := eval.Literal(h.Fn); literal != nil {
		by.Pos = program.Position(literal.Pos())
	}
	if obj := h.Fn.Obj; obj != nil {
		by.Name, by.Pos = obj.Name(), program.Position(obj.Pos())
		if recv := obj.Signature().Recv(); recv != nil {
			by.Name = "(" + registered.TypeName(recv.Type()) + ")." + by.Name
		} else {
			by.Name = obj.Pkg().Name() + "." + by.Name
		}
	}
	return by
}

// checkBody refuses handlers whose messages the contract couldn't describe.
func (r *reader) checkBody(h *handler) {
	for _, t := range []types.Type{h.Body, h.Reply} {
		switch {
		case t == nil:
		case value.HasTypeParam(t):
			r.report(diagnostic.UnknownHandler, "the handler of "+r.routeName()+" has the type parameter "+registered.TypeName(t),
				&value.Unknown{Reason: "a generic function that nobody gives a type", Pos: h.Pos})
		case isAny(t):
			r.report(diagnostic.UnknownHandler, "the handler of "+r.routeName()+" takes or returns any",
				&value.Unknown{Reason: "a type that says nothing about the messages", Pos: h.Pos})
		}
	}
}

func isAny(t types.Type) bool {
	iface, ok := types.Unalias(t).(*types.Interface)
	return ok && iface.Empty()
}

func (r *reader) text(s *value.Struct, field, what string) string {
	v := fieldOf(s, field)
	r.explainField(what, v)
	if c, ok := v.(value.Const); ok && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value)
	}
	r.unknown(what, v)
	return ""
}

func (r *reader) flag(s *value.Struct, field, what string) bool {
	v := fieldOf(s, field)
	r.explainField(what, v)
	holds, known := value.Truth(v)
	if !known {
		r.unknown(what, v)
	}
	return holds
}

func (r *reader) texts(s *value.Struct, field, what string) []string {
	var texts []string
	switch v := fieldOf(s, field).(type) {
	case value.Nil:
	case *value.Slice:
		for _, cell := range v.Elems {
			c, ok := cell.Load().(value.Const)
			if !ok {
				r.unknown(what, cell.Load())
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

// limits reads how the route is consumed, by which Register may refuse it. The contract
// shows none of it, so what isn't known is left out, and isn't a problem.
func (r *reader) limits(route *runtime.Route) {
	route.Prefetch, route.PrefetchBytes = int(r.setting("Prefetch", "prefetch")), r.setting("PrefetchBytes", "prefetchBytes")
	route.Concurrency, route.Timeout = int(r.setting("Concurrency", "concurrency")), time.Duration(r.setting("Timeout", "timeout"))
}

// setting returns 0 where the field isn't known, and notes its name in the document.
func (r *reader) setting(field, name string) int64 {
	n, known := integer(fieldOf(r.route, field))
	if !known {
		r.unset = append(r.unset, name)
	}
	return n
}

// queueName returns the name of the queue where it is known.
func (r *reader) queueName() string {
	if s, ok := fieldOf(r.route, "Queue").(*value.Struct); ok {
		if c, ok := fieldOf(s, "Name").(value.Const); ok && c.Value.Kind() == constant.String {
			return constant.StringVal(c.Value)
		}
	}
	return ""
}

func (r *reader) queue() runtime.Queue {
	s, ok := fieldOf(r.route, "Queue").(*value.Struct)
	if !ok {
		r.unknown("queue", fieldOf(r.route, "Queue"))
		return runtime.Queue{}
	}
	return r.queueOf(s)
}

// pointee returns the struct behind a pointer field, nil for a nil pointer.
func (r *reader) pointee(s *value.Struct, field, what string) *value.Struct {
	v := fieldOf(s, field)
	if p, ok := v.(value.Pointer); ok {
		v = p.Load()
	}
	if s, ok := v.(*value.Struct); ok {
		return s
	}
	if !value.IsNil(v) {
		r.unknown(what, v)
	}
	return nil
}

func (r *reader) exchange() *runtime.Exchange {
	s := r.pointee(r.route, "Exchange", "exchange")
	if s == nil {
		return nil
	}
	x := r.exchangeOf(s, contract.ExchangeArguments)
	return &x
}

func (r *reader) reply() *runtime.Address {
	s := r.pointee(r.route, "Reply", "reply address")
	if s == nil {
		return nil
	}
	return r.addressOf(s, "reply")
}

// explainField notes where the value of a field comes from. What the program
// never set comes from nowhere.
func (r *reader) explainField(field string, v value.Value) {
	if c, ok := v.(value.Const); ok && c.Origin != nil {
		r.origins = append(r.origins, registered.FieldOrigin{Field: field, Value: c.Value.ExactString(), Origin: c.Origin})
	}
}

// oneUnknown returns the reason why nothing of a route is known, such as that a
// function has filled it; nil where something is.
func oneUnknown(s *value.Struct) *value.Unknown {
	var why *value.Unknown
	for _, cell := range s.Fields {
		v := cell.Load()
		if part, ok := v.(*value.Struct); ok {
			if u := oneUnknown(part); u != nil {
				v = u
			}
		}
		u, ok := v.(*value.Unknown)
		if !ok || why != nil && (u.Pos != why.Pos || u.Reason != why.Reason) {
			return nil
		}
		why = u
	}
	return why
}
