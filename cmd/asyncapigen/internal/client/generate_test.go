package client_test

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenerate generates the clients of all archives in testdata, as in a fresh
// module of a user, builds and vets them, and runs the programs that come with
// them. An archive says in its first lines what it shows.
func TestGenerate(t *testing.T) {
	cases := readCases(t)
	ws := newWorkspace(t, cases)
	for _, c := range cases {
		ws.generate(t, c)
	}
	ws.run(t, "vet", "./...")
	bin := filepath.Join(ws.dir, "bin") + string(filepath.Separator)
	require.NoError(t, os.Mkdir(bin, 0o755))
	ws.run(t, "build", "-o", bin, "./...")

	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			formatted, err := format.Source(c.source)
			require.NoError(t, err)
			require.Equal(t, string(formatted), string(c.source), "gofmt-clean")
			c.want(t, "want/client.go", c.source)
			c.want(t, "want/problems", []byte(strings.Join(append(c.problem, ""), "\n")))
			if program := c.file("want/output"); program != nil {
				out, err := exec.Command(bin + c.name).CombinedOutput()
				require.NoError(t, err, "%s", out)
				c.want(t, "want/output", out)
			}
		})
	}
}
