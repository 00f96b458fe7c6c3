package sends

import (
	"go/ast"
	"go/types"
	"strconv"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A transportSend is a call of a method of a runtime.Transport, such as a broker's,
// without a publisher. Its body is bytes, of which nothing is known.
type transportSend struct {
	place
	pkg    *load.Package
	to     ast.Expr // the address; nil where it isn't at hand
	isCall bool
}

// isTransport reports whether fn is the method Publish or Call of a runtime.Transport.
func isTransport(fn *types.Func) bool {
	params := fn.Signature().Params()
	return fn.Signature().Recv() != nil && (fn.Name() == "Publish" || fn.Name() == "Call") && params.Len() == 3 &&
		isOfRuntime(params.At(1).Type(), "Address")
}

func isOfRuntime(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == load.RuntimePath && named.Obj().Name() == name
}

// transport adds what a call of a transport sends.
func (f *finder) transport(s transportSend) {
	bytes := types.NewSlice(types.Universe.Lookup("byte").Type())
	send := registered.Send{Body: bytes}
	if s.isCall {
		send.Result = bytes
	}
	if s.to != nil {
		if to, ok := f.address(source{pkg: s.pkg, expr: s.to}); ok {
			send.To = to
			f.addSend(send, s.place)
			return
		}
	}
	f.problems.Add(diagnostic.Diagnostic{
		Code: diagnostic.UnknownTarget, Severity: diagnostic.Warning, Pos: f.program.Position(f.userPos(s.place)), Type: registered.TypeName(bytes),
		What: "where the message goes that is sent here isn't known", Why: "its address isn't a constant",
		Remedy: "send it by a publisher, which has an endpoint",
	})
}

// importsPath reports whether a package imports the path.
func importsPath(pkg *load.Package, path string) bool {
	for _, file := range pkg.Files {
		for _, spec := range file.Imports {
			if text, err := strconv.Unquote(spec.Path.Value); err == nil && text == path && path != "" {
				return true
			}
		}
	}
	return false
}
