package gotype

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/schema"
)

// Sources is a DocSource that also has directives, constants and the bodies of
// methods, as [load.Program] does. [New] uses them if its DocSource is one.
type Sources interface {
	DocSource
	TypeDirectives(obj *types.TypeName) []load.Directive
	FieldDirectives(field *types.Var) []load.Directive

	// Constants and Method return a package as checked from source, nil where
	// its source isn't available: with all its constants at least, or with the
	// method.
	Constants(path string) *load.Package
	Method(f *types.Func) *load.Package
	InStandardLibrary(path string) bool

	// IsOwn reports whether a package is the user's own: what is declared elsewhere
	// has no position, since nobody can edit it there.
	IsOwn(path string) bool
}

func (g goType) Source() *schema.Source {
	named, ok := g.t.(*types.Named)
	if !ok || g.types.sources == nil || named.Obj().Pkg() == nil {
		return nil
	}
	id := g.types.identity(named)
	source, ok := g.types.known[id]
	if !ok {
		source = g.types.readSource(named)
		g.types.known[id] = source
	}
	return source
}

func (ts *Types) readSource(named *types.Named) *schema.Source {
	object := named.Origin().Obj()
	source := &schema.Source{Directives: directives(ts.sources.TypeDirectives(object))}
	if ts.sources.InStandardLibrary(object.Pkg().Path()) {
		return source
	}
	source.Constants = ts.constants(object)
	source.Marshal = ts.marshalBodies(named)
	source.Unmarshal = ts.unmarshalBodies(named)
	return source
}

func directives(comments []load.Directive) []schema.Directive {
	var all []schema.Directive
	for _, comment := range comments {
		all = append(all, schema.Directive(comment))
	}
	return all
}

func (g goType) JSONSchema() (string, error) {
	if g.Kind() == reflect.Pointer || g.Kind() == reflect.Interface || g.Method(schema.JSONSchema) == schema.NoReceiver {
		return "", nil
	}
	method := g.types.method(g.t, schema.JSONSchema)
	if method == nil {
		return "", fmt.Errorf("its source isn't at hand")
	}
	statements := method.decl.Body.List
	if len(statements) == 1 {
		returned, ok := statements[0].(*ast.ReturnStmt)
		if ok && len(returned.Results) == 1 {
			value := method.pkg.Info.Types[returned.Results[0]].Value
			if value != nil && value.Kind() == constant.String {
				return constant.StringVal(value), nil
			}
		}
	}
	return "", fmt.Errorf("it does more than returning a constant")
}

// A method is one whose source is available.
type method struct {
	pkg      *load.Package
	decl     *ast.FuncDecl
	promoted bool       // from an embedded field
	receiver types.Type // the type that declares it, no pointer
}

// method finds the method of t or of its pointer, nil where its source isn't
// available.
func (ts *Types) method(t types.Type, m schema.Method) *method {
	selection := ts.methods.MethodSet(types.NewPointer(t)).Lookup(nil, m.String())
	if ts.sources == nil || selection == nil {
		return nil
	}
	f, ok := selection.Obj().(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() == nil {
		return nil
	}
	receiver := types.Unalias(f.Signature().Recv().Type())
	if pointer, ok := receiver.(*types.Pointer); ok {
		receiver = types.Unalias(pointer.Elem())
	}
	named, ok := receiver.(*types.Named)
	if !ok {
		return nil // of an embedded interface
	}
	found := &method{promoted: len(selection.Index()) > 1, receiver: receiver}
	if found.pkg = ts.sources.Method(f); found.pkg == nil || found.pkg.Info == nil {
		return nil
	}
	found.decl = declaration(found.pkg.Files, named.Obj().Name(), f.Name())
	if found.decl == nil || found.decl.Body == nil {
		return nil
	}
	return found
}

// declaration finds a method by the names of its receiver and its own.
func declaration(files []*ast.File, receiver, name string) *ast.FuncDecl {
	for _, file := range files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && f.Name.Name == name && f.Recv != nil && len(f.Recv.List) == 1 && receiverName(f.Recv.List[0].Type) == receiver {
				return f
			}
		}
	}
	return nil
}

func receiverName(expr ast.Expr) string {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.StarExpr:
		return receiverName(expr.X)
	case *ast.IndexExpr:
		return receiverName(expr.X)
	case *ast.IndexListExpr:
		return receiverName(expr.X)
	case *ast.Ident:
		return expr.Name
	default:
		return ""
	}
}
