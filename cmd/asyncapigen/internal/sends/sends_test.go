package sends_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/client"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/sends"
	"github.com/warrenmq/warren/internal/modtest"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata")

// Each archive of testdata is a module. Its file "want" lists what the program sends,
// and the warnings.
func TestFind(t *testing.T) { modtest.Goldens(t, *update, find) }

func find(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := modtest.Write(t, archive)
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}, ClientDir: filepath.Join(dir, "shopclient")})
	require.NoError(t, err)
	for _, pkg := range program.Checked() {
		require.Empty(t, pkg.Errors)
	}
	result := discover.Routes(t.Context(), program, discover.Constructions())
	require.Empty(t, result.Diagnostics)
	found, problems := sends.Find(program, result, client.Sends(result.Routes))
	var text strings.Builder
	for _, s := range found {
		fmt.Fprintf(&text, "%s:%d: %q to %v", filepath.ToSlash(s.Pos.Filename), s.Pos.Line, s.Route, s.To)
		if keys := slices.Concat(s.Keys, s.Patterns); keys != nil {
			fmt.Fprintf(&text, ", one of the keys %q", keys)
		}
		fmt.Fprintf(&text, ": %s", registered.TypeName(s.Body))
		if s.Result != nil {
			fmt.Fprintf(&text, ", replied to by %s", registered.TypeName(s.Result))
		}
		for _, extra := range []any{s.Type, s.Headers, s.Codec} {
			if text.WriteString(shown(extra)); extra == nil {
				continue
			}
		}
		if s.HeadersUnknown {
			text.WriteString(", and other headers")
		}
		text.WriteString("\n")
	}
	for _, d := range problems.Sorted() {
		fmt.Fprintln(&text, strings.ReplaceAll(d.String(), dir+string(filepath.Separator), ""))
	}
	return text.String()
}

// shown writes what is set.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if v == "" {
			return ""
		}
	case map[string]any:
		if len(v) == 0 {
			return ""
		}
	}
	return fmt.Sprintf(", %v", v)
}
