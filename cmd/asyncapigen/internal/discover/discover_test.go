package discover_test

import (
	"flag"
	"fmt"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata")

// Each archive of testdata is a module. Its comment's lines of the form
// "patterns: ./..." say what is analysed, "." unless told; its file "want" lists
// the routes and the diagnostics.
func TestRoutes(t *testing.T) { modtest.Goldens(t, *update, analyse) }

func analyse(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := modtest.Write(t, archive)
	cfg := load.Config{Dir: dir, Patterns: []string{"."}}
	for line := range strings.Lines(string(archive.Comment)) {
		if patterns, ok := strings.CutPrefix(line, "patterns: "); ok {
			cfg.Patterns = strings.Fields(patterns)
		}
	}
	program, err := load.Packages(t.Context(), cfg)
	require.NoError(t, err)
	for _, pkg := range program.Roots {
		require.Empty(t, pkg.Errors)
	}
	return describe(discover.Routes(t.Context(), program), dir)
}

func describe(result discover.Result, dir string) string {
	var text strings.Builder
	for _, route := range result.Routes {
		fmt.Fprintf(&text, "%s: queue %s", route.Name, route.Queue.Name)
		if route.Exchange != nil {
			fmt.Fprintf(&text, ", %s exchange %s", route.Exchange.Type, route.Exchange.Name)
		}
		if len(route.RoutingKeys) > 0 {
			fmt.Fprintf(&text, ", keys %s", strings.Join(route.RoutingKeys, " "))
		}
		fmt.Fprintf(&text, ", takes %s", shortType(route.Body))
		if route.Result != nil {
			fmt.Fprintf(&text, ", returns %s", shortType(route.Result))
		}
		text.WriteString("\n")
	}
	for _, d := range result.Diagnostics {
		fmt.Fprintln(&text, strings.ReplaceAll(d.String(), dir+string(filepath.Separator), ""))
	}
	return text.String()
}

func shortType(t types.Type) string {
	if t == nil {
		return "nothing"
	}
	return types.TypeString(t, func(pkg *types.Package) string { return pkg.Name() })
}
