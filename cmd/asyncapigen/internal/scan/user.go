package scan

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// What the evaluation asks. A scan takes what the program does on any of its ways,
// so it doesn't ask under which conditions something is recorded.

// Call implements [eval.User].
func (s *scanner) Call(call *model.Call) (value.Value, bool) {
	fn := call.Fn.Obj.Origin()
	if fn.Pkg() == nil {
		return nil, false
	}
	if kind, ok := s.kinds[call.At.Pos()]; ok && kind == dispatches {
		s.reached[call.At.Pos()] = true // it is known whose method it is
	}
	switch path := fn.Pkg().Path(); {
	case path == "os" && s.isUnset(call):
		if v, ok := unsetVariable(fn.Name()); ok {
			return v, true
		}
	case path == "flag":
		return s.flagCall(call, fn.Name())
	case Clients[path]:
		return s.clientCall(call, fn)
	case isWagslane(path):
		return s.wagslaneCall(call, fn)
	case isWatermill(path):
		if v, ok := s.watermillCall(call, fn); ok {
			return v, true
		}
	}
	return s.contentCall(call, fn)
}

// Opaque implements [eval.User].
func (s *scanner) Opaque(ast.Expr, *value.Func, []value.Value) {}

// Explores implements [eval.Explorer]: handlers are chosen by what a message says.
func (s *scanner) Explores(ast.Expr) bool { return true }

// Leads implements [eval.User]: a function that is given to others may consume, or
// handle what is consumed.
func (s *scanner) Leads(pkg *load.Package, _ ast.Node) bool { return s.program.IsOwn(pkg.Path) }

// MayServe implements [eval.User].
func (s *scanner) MayServe(*load.Package, ast.Node) bool { return false }

// Replacement implements [eval.User].
func (s *scanner) Replacement(eval.Expression) func(value.Value) value.Value { return nil }

// Replaceable implements [eval.User].
func (s *scanner) Replaceable(types.Type) bool { return false }

// Given implements [eval.User].
func (s *scanner) Given(token.Pos, types.Type) (value.Value, bool) { return nil, false }

// Mark implements [eval.User].
func (s *scanner) Mark() int { return 0 }

// Rewind implements [eval.User].
func (s *scanner) Rewind(int) {}

// Conditional implements [eval.User].
func (s *scanner) Conditional(int, int, *eval.Condition) {}

// Serves implements [eval.User].
func (s *scanner) Serves() bool { return true }

// Detached implements [eval.User].
func (s *scanner) Detached(f func()) any {
	f()
	return nil
}

// Attach implements [eval.User].
func (s *scanner) Attach(any) {}

// Unwaited implements [eval.User].
func (s *scanner) Unwaited(token.Pos, any) {}

// Undefined implements [eval.User].
func (s *scanner) Undefined(token.Pos) {}

// Lost implements [eval.User].
func (s *scanner) Lost(ast.Expr, *value.Unknown, string) {}
