package main

import (
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

// sample are programs of GOROOT/test that were wrong once.
var sample = []string{
	"chan/select3.go", "chancap.go", "closedchan.go", "cmp.go", "const.go", "const4.go",
	"devirtualization_nil_panics.go", "fixedbugs/issue15002.go", "fixedbugs/issue15039.go", "fixedbugs/issue15975.go",
	"fixedbugs/issue16130.go", "fixedbugs/issue19113.go", "fixedbugs/issue19911.go", "fixedbugs/issue21221.go",
	"fixedbugs/issue23017.go", "fixedbugs/issue23545.go", "fixedbugs/issue23734.go", "fixedbugs/issue26094.go",
	"fixedbugs/issue27695b.go", "fixedbugs/issue28748.go", "fixedbugs/issue28797.go", "fixedbugs/issue29190.go",
	"fixedbugs/issue29504.go",
	"fixedbugs/issue4085b.go", "fixedbugs/issue41239.go", "fixedbugs/issue44830.go", "fixedbugs/issue50190.go",
	"fixedbugs/issue6055.go", "fixedbugs/issue60601.go", "fixedbugs/issue65417.go", "fixedbugs/issue68816.go",
	"fixedbugs/issue72844.go", "fixedbugs/issue73476.go", "fixedbugs/issue7550.go", "fixedbugs/issue8606.go",
	"interface/fail.go", "interface/noeq.go", "interface/returntype.go", "ken/cplx2.go", "makeslice.go", "method.go",
	"method5.go", "nil.go", "nilptr.go", "range.go", "typeparam/dottype.go", "typeparam/issue49295.go",
	"typeparam/issue54456.go", "unsafebuiltins.go", "zerosize.go", "convert4.go", "fixedbugs/bug227.go",
	"fixedbugs/bug243.go", "fixedbugs/issue15992.go", "fixedbugs/issue19040.go", "fixedbugs/issue29304.go",
	"fixedbugs/issue30116.go", "fixedbugs/issue30116u.go", "fixedbugs/issue37975.go", "recover2.go", "recover3.go",
	"slicecap.go", "reflectmethod1.go", "reflectmethod2.go", "typeparam/mdempsky/16.go", "zerodivide.go",
}

func TestRoutes_ComeAfterProgramsOfTheGoProject(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	test := filepath.Join(strings.TrimSpace(string(root)), "test")
	require.DirExists(t, test, "the Go distribution has no test programs")
	dir := t.TempDir()
	require.NoError(t, layOut(dir, test, modtest.Root(t), sample))
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"./..."}})
	require.NoError(t, err)
	require.Len(t, program.Roots, len(sample))
	for _, pkg := range program.Roots {
		v := judge(t.Context(), program, path.Base(pkg.Path), pkg)
		require.Equal(t, right, v.Class, "%s: %s", v.Program, v.Reason)
	}
}
