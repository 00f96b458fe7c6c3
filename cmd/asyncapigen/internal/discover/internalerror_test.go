package discover

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A fault of the analysis is an error with the position that was being read.
func TestRoutes_ReportsAFaultOfItsOwn(t *testing.T) {
	f := &finder{program: &load.Program{Fset: token.NewFileSet()}}
	f.ev = eval.New(t.Context(), f.program, f)
	f.guarded(func() { panic("a case that wasn't thought of") })
	require.Len(t, f.diagnostics, 1)
	d := f.diagnostics[0]
	require.Equal(t, diagnostic.InternalError, d.Code)
	require.Equal(t, diagnostic.Error, d.Code.Severity())
	require.Regexp(t, `a case that wasn't thought of, in discover\.TestRoutes_ReportsAFaultOfItsOwn\.func1 \(internalerror_test\.go:\d+\)`, d.String())
	require.Contains(t, d.String(), "https://github.com/warrenmq/warren/issues")
}
