package gotype

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/internal/schema"
)

// marshalBodies returns what the method MarshalJSON of t hands to encoding/json,
// nil unless every one of its returns is understood (rule 34). A promoted method
// writes the embedded value.
func (ts *Types) marshalBodies(t *types.Named) []schema.Body {
	if goTypeOf(ts, t).Method(schema.MarshalJSON) == schema.NoReceiver {
		return nil
	}
	selection := ts.methods.MethodSet(types.NewPointer(t)).Lookup(nil, "MarshalJSON")
	if embedded := promotedFrom(selection); embedded != nil {
		return []schema.Body{{Type: ts.Of(embedded), Addressed: true}}
	}
	m := ts.method(t, schema.MarshalJSON)
	if m == nil || t.TypeArgs().Len() > 0 || changesResults(m.decl) {
		return nil
	}
	var bodies []schema.Body
	for _, results := range returns(m.decl.Body) {
		if failed(results) {
			continue
		}
		body, ok := ts.written(m, results)
		if !ok {
			return nil
		}
		bodies = append(bodies, body)
	}
	return bodies
}

// promotedFrom returns the type of the embedded field that a method comes from,
// nil where it isn't promoted from a concrete type.
func promotedFrom(selection *types.Selection) types.Type {
	if selection == nil || len(selection.Index()) < 2 {
		return nil
	}
	receiver := selection.Obj().(*types.Func).Signature().Recv().Type()
	if pointer, ok := types.Unalias(receiver).(*types.Pointer); ok {
		receiver = pointer.Elem()
	}
	if types.IsInterface(receiver) {
		return nil
	}
	return receiver
}

// changesResults reports whether a deferred function may set the results after the
// return: it can where they have names.
func changesResults(decl *ast.FuncDecl) bool {
	deferred := false
	ast.Inspect(decl.Body, func(node ast.Node) bool {
		if _, ok := node.(*ast.DeferStmt); ok {
			deferred = true
		}
		return !deferred
	})
	return deferred && len(decl.Type.Results.List[0].Names) > 0
}

func goTypeOf(ts *Types, t types.Type) goType { return goType{types: ts, t: t} }

// returns are the results of the returns of a function, those of functions
// within it aside.
func returns(body *ast.BlockStmt) [][]ast.Expr {
	var all [][]ast.Expr
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			all = append(all, node.Results)
		}
		return true
	})
	return all
}

// failed reports whether the results are nil and an error.
func failed(results []ast.Expr) bool {
	return len(results) == 2 && isNil(results[0]) && !isNil(results[1])
}

func isNil(expr ast.Expr) bool {
	ident, ok := ast.Unparen(expr).(*ast.Ident)
	return ok && ident.Name == "nil"
}

// written says what the results of a MarshalJSON are.
func (ts *Types) written(m *method, results []ast.Expr) (schema.Body, bool) {
	switch {
	case len(results) == 1:
		call, ok := ast.Unparen(results[0]).(*ast.CallExpr)
		if !ok {
			return schema.Body{}, false
		}
		return ts.marshalled(m, call)
	case len(results) == 2 && isNil(results[1]):
		name := textType(m.pkg.Info, results[0])
		return schema.Body{JSON: name}, name != ""
	default:
		return schema.Body{}, false
	}
}

// marshalled understands json.Marshal(v) and v.MarshalJSON().
func (ts *Types) marshalled(m *method, call *ast.CallExpr) (schema.Body, bool) {
	f, ok := typeutil.Callee(m.pkg.Info, call).(*types.Func)
	switch {
	case !ok:
		return schema.Body{}, false
	case f.FullName() == "encoding/json.Marshal" && len(call.Args) == 1:
		return ts.handedOver(m, call.Args[0])
	case f.Name() == "MarshalJSON" && f.Signature().Recv() != nil && hasSignature(f.Signature(), schema.MarshalJSON):
		selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return schema.Body{}, false
		}
		body, ok := ts.handedOver(m, selector.X)
		body.Addressed = true
		return body, ok
	default:
		return schema.Body{}, false
	}
}

// handedOver describes the argument of json.Marshal or json.Unmarshal by its
// static type. An interface may hold anything, and the method's own type would be
// written by the method again.
func (ts *Types) handedOver(m *method, expr ast.Expr) (schema.Body, bool) {
	t := m.pkg.Info.TypeOf(expr)
	if t == nil {
		return schema.Body{}, false
	}
	t = types.Unalias(types.Default(t))
	body := schema.Body{}
	if pointer, ok := t.(*types.Pointer); ok && isAddress(m, expr) {
		t, body.Addressed = types.Unalias(pointer.Elem()), true
	}
	elem := t
	if pointer, ok := elem.(*types.Pointer); ok {
		elem = types.Unalias(pointer.Elem())
	}
	if types.IsInterface(elem) || elem == types.Typ[types.UntypedNil] || ts.identity(elem) == ts.identity(m.receiver) {
		return schema.Body{}, false
	}
	if named, ok := elem.(*types.Named); ok && isLocal(named.Obj()) {
		if t != elem { // a pointer that may be nil
			return schema.Body{}, false
		}
		body.Inline = true
	}
	body.Type = ts.Of(t)
	return body, true
}

// isAddress reports whether a pointer can't be nil: it is &x, or a conversion of
// the receiver or of an address.
func isAddress(m *method, expr ast.Expr) bool {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.UnaryExpr:
		return expr.Op == token.AND
	case *ast.CallExpr:
		return len(expr.Args) == 1 && m.pkg.Info.Types[expr.Fun].IsType() && (isReceiver(m, expr.Args[0]) || isAddress(m, expr.Args[0]))
	default:
		return false
	}
}

func isReceiver(m *method, expr ast.Expr) bool {
	ident, ok := ast.Unparen(expr).(*ast.Ident)
	names := m.decl.Recv.List[0].Names
	return ok && len(names) == 1 && m.pkg.Info.Uses[ident] == m.pkg.Info.Defs[names[0]]
}

// calledName is the full name of the called function or method.
func calledName(info *types.Info, call *ast.CallExpr) string {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok {
		return ""
	}
	return f.FullName()
}

// textType is the JSON type of the text that an expression of type []byte makes,
// "" where it isn't clear.
func textType(info *types.Info, expr ast.Expr) string {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok {
		return ""
	}
	if info.Types[call.Fun].IsType() && len(call.Args) == 1 { // []byte(text)
		return stringType(info, call.Args[0])
	}
	if len(call.Args) < 2 || !isEmptyBytes(info, call.Args[0]) {
		return ""
	}
	switch calledName(info, call) {
	case "strconv.AppendQuote", "strconv.AppendQuoteToASCII":
		return "string"
	case "strconv.AppendInt", "strconv.AppendUint":
		return "integer"
	case "strconv.AppendFloat":
		return "number"
	case "strconv.AppendBool":
		return "boolean"
	case "fmt.Appendf":
		return formatType(info, call.Args[1:])
	default:
		return ""
	}
}

// isEmptyBytes reports whether expr is nil, []byte{} or make([]byte, 0, n).
func isEmptyBytes(info *types.Info, expr ast.Expr) bool {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return isNil(expr)
	case *ast.CompositeLit:
		return len(expr.Elts) == 0
	case *ast.CallExpr:
		if f, ok := expr.Fun.(*ast.Ident); !ok || f.Name != "make" || len(expr.Args) < 2 {
			return false
		}
		length := info.Types[expr.Args[1]].Value
		return length != nil && constant.Sign(length) == 0
	default:
		return false
	}
}

// stringType is the JSON type of the text of a string expression.
func stringType(info *types.Info, expr ast.Expr) string {
	if text, ok := constantText(info, expr); ok {
		return jsonType(text)
	}
	switch expr := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		first, _ := constantText(info, leftmost(expr))
		last, _ := constantText(info, expr.Y)
		if strings.HasPrefix(first, `"`) && strings.HasSuffix(last, `"`) {
			return "string"
		}
	case *ast.CallExpr:
		switch calledName(info, expr) {
		case "strconv.Quote", "strconv.QuoteToASCII":
			return "string"
		case "strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint":
			return "integer"
		case "strconv.FormatBool":
			return "boolean"
		case "fmt.Sprintf":
			return formatType(info, expr.Args)
		}
	}
	return ""
}

func leftmost(expr ast.Expr) ast.Expr {
	for {
		binary, ok := ast.Unparen(expr).(*ast.BinaryExpr)
		if !ok {
			return expr
		}
		expr = binary.X
	}
}

func constantText(info *types.Info, expr ast.Expr) (string, bool) {
	value := info.Types[expr].Value
	if value == nil || value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(value), true
}

// formatType is the JSON type of what a format, the first of args, makes of its
// operands. What is within quotes is a string whatever they are.
func formatType(info *types.Info, args []ast.Expr) string {
	format, ok := constantText(info, args[0])
	switch {
	case !ok:
		return ""
	case len(format) > 1 && strings.HasPrefix(format, `"`) && strings.HasSuffix(format, `"`):
		return "string"
	case len(args) != 2:
		return ""
	}
	switch operand := scalar(info.TypeOf(args[1])); {
	case format == "%q" && operand&types.IsString != 0:
		return "string"
	case format == "%d" && operand&types.IsInteger != 0:
		return "integer"
	case format == "%t" && operand&types.IsBoolean != 0:
		return "boolean"
	default:
		return ""
	}
}

// scalar says what a type is that fmt writes as one value, 0 for others and for
// those that write themselves.
func scalar(t types.Type) types.BasicInfo {
	if t == nil {
		return 0
	}
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || types.NewMethodSet(t).Lookup(nil, "Format") != nil {
		return 0
	}
	return basic.Info()
}

// jsonType is the JSON type of text, "" where it is no JSON or has parts.
func jsonType(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return ""
	}
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	default:
		return ""
	}
}

// unmarshalBodies understands an UnmarshalJSON that does nothing but
// return json.Unmarshal(text, target).
func (ts *Types) unmarshalBodies(t *types.Named) []schema.Body {
	if goTypeOf(ts, t).Method(schema.UnmarshalJSON) == schema.NoReceiver {
		return nil
	}
	selection := ts.methods.MethodSet(types.NewPointer(t)).Lookup(nil, "UnmarshalJSON")
	if embedded := promotedFrom(selection); embedded != nil {
		return []schema.Body{{Type: ts.Of(embedded), Addressed: true}}
	}
	m := ts.method(t, schema.UnmarshalJSON)
	if m == nil || t.TypeArgs().Len() > 0 {
		return nil
	}
	call := onlyCall(m.decl.Body)
	if call == nil || calledName(m.pkg.Info, call) != "encoding/json.Unmarshal" || len(call.Args) != 2 || !isParameter(m, call.Args[0]) {
		return nil
	}
	body, ok := ts.handedOver(m, call.Args[1])
	if !ok || !body.Addressed {
		return nil
	}
	return []schema.Body{body}
}

// onlyCall returns the call that a function returns, nil where it does more than
// that and declaring types.
func onlyCall(body *ast.BlockStmt) *ast.CallExpr {
	for i, statement := range body.List {
		switch statement := statement.(type) {
		case *ast.DeclStmt:
		case *ast.ReturnStmt:
			if i < len(body.List)-1 || len(statement.Results) != 1 {
				return nil
			}
			call, _ := ast.Unparen(statement.Results[0]).(*ast.CallExpr)
			return call
		default:
			return nil
		}
	}
	return nil
}

func isParameter(m *method, expr ast.Expr) bool {
	ident, ok := ast.Unparen(expr).(*ast.Ident)
	params := m.decl.Type.Params.List
	return ok && len(params) == 1 && len(params[0].Names) == 1 &&
		m.pkg.Info.Uses[ident] == m.pkg.Info.Defs[params[0].Names[0]]
}
