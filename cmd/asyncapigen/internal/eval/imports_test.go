package eval_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The rooms of the evaluator and what each may import of this module: arrows
// point one way, and none leads to a route.
func TestImports_PointOneWay(t *testing.T) {
	const internal = "github.com/warrenmq/warren/cmd/asyncapigen/internal/"
	allowed := map[string]string{
		internal + "eval/value": "github.com/warrenmq/warren/internal/diagnostic",
		internal + "eval/model": internal + "eval/value",
		internal + "eval":       internal + "eval/value " + internal + "eval/model " + internal + "load github.com/warrenmq/warren/internal/diagnostic",
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	require.NoError(t, err)
	seen := 0
	for line := range strings.Lines(string(out)) {
		path, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		seen++
		for imported := range strings.FieldsSeq(imports) {
			if strings.HasPrefix(imported, "github.com/warrenmq/") {
				require.Contains(t, strings.Fields(allowed[path]), imported, path)
			}
		}
	}
	require.Equal(t, len(allowed), seen)
}
