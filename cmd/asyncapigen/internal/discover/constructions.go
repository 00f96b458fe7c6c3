package discover

import (
	"go/ast"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// A Construction is a call of runtime.NewPublisher or NewCaller that the evaluation
// came to.
type Construction struct {
	At             ast.Expr         // the call
	Body           types.Type       // of the messages
	Result         types.Type       // of the replies; nil of a publisher
	Endpoint       runtime.Endpoint // its Codec stands for the program's
	HeadersUnknown bool             // not all headers are known; the endpoint has those that are

	// Lost says why the endpoint isn't known, but for what needs it; nil where it is.
	Lost *diagnostic.Diagnostic
}

// Constructions has Routes note the publishers and callers that are made, in
// Result.Constructions.
func Constructions() Option { return func(f *finder) { f.wantConstructions = true } }

// Constructions returns the publishers and callers that the program makes at its
// start, one for each evaluation of the call.
func (r Result) Constructions() []Construction { return r.finder.constructions }

// Entries returns the packages at which the program begins: a main package, or the
// libraries that were named where there is none.
func (r Result) Entries() []*load.Package { return r.finder.entryPackages }

// Entered reports whether the body of a function was evaluated.
func (r Result) Entered(body *ast.BlockStmt) bool { return r.finder.ev.Entered(body) }

// senderCall notes a call of NewPublisher or NewCaller, whose result stays unknown.
func senderCall(f *finder, call *model.Call) (value.Value, bool) {
	if !f.wantConstructions || len(call.Args) < 2 || len(call.Fn.TArgs) == 0 {
		return nil, false
	}
	f.ev.Need(call.Args[1:2])
	made := Construction{At: call.At, Body: call.Fn.TArgs[0]}
	if len(call.Fn.TArgs) > 1 {
		made.Result = call.Fn.TArgs[1]
	}
	r := reader{finder: f, at: call.At, quiet: true}
	if s, ok := call.Args[1].(*value.Struct); ok {
		r.route = s
		made.Endpoint = r.endpoint()
		made.HeadersUnknown = len(r.missing) > 0
	} else {
		r.unknown("endpoint", call.Args[1])
	}
	if len(r.unknowns) > 0 {
		pos, d := f.unknown(diagnostic.UnknownTarget, call.At, r.unknowns[0].value)
		d.Pos = f.program.Position(pos)
		made.Lost = &d
	}
	f.constructions = append(f.constructions, made)
	return nil, false
}

// endpoint reads a runtime.Endpoint.
func (r *reader) endpoint() runtime.Endpoint {
	e := runtime.Endpoint{
		Route:    r.text(r.route, "Route", "route"),
		Keys:     r.texts(r.route, "Keys", "keys"),
		Patterns: r.texts(r.route, "Patterns", "patterns"),
		Type:     r.text(r.route, "Type", "type"),
		Headers:  r.table(r.route, "Headers", "Headers"),
	}
	if to, ok := fieldOf(r.route, "To").(*value.Struct); ok {
		e.To = *r.addressOf(to, "target's")
	} else {
		r.unknown("target", fieldOf(r.route, "To"))
	}
	switch codec := fieldOf(r.route, "Codec"); {
	case value.IsUnknown(codec):
		r.unknown("codec", codec)
	case codec != nil && !value.IsNil(codec):
		e.Codec = registered.Codec{}
	}
	return e
}
