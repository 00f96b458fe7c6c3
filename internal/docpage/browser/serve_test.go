package browser

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
)

// served runs asyncapigen serve on a module until the test ends, and returns the
// address of the page.
func served(t *testing.T, module string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "asyncapigen")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/asyncapigen")
	build.Dir = modtest.Root(t)
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)

	serve := exec.CommandContext(t.Context(), program, "serve", "-addr", "127.0.0.1:0")
	serve.Dir, serve.Stderr = module, os.Stderr
	serve.Cancel = func() error { return serve.Process.Signal(os.Interrupt) }
	stdout, err := serve.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	t.Cleanup(func() { _ = serve.Wait() }) // the test's context has ended it
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "asyncapigen: serving on ")
	require.True(t, ok, line)
	return address
}

const servedProgram = `package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

type Order struct{ Number int }

func onOrder(context.Context, Order) error { return nil }

func main() {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: "order", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(onOrder)})
	_ = router
}
`

// The page in a browser is that of the code as soon as it has changed, without anybody
// touching the browser, and stays where it was read.
func TestServe_ReloadsThePage(t *testing.T) {
	module := modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "main.go", Data: []byte(servedProgram)}}})
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(module, "main.go"), []byte(text), 0o666))
	}
	v := look(t, started(t), served(t, module)+"#route-order", wide, light)
	v.becomes(hasField("Number") + ` && document.getElementById("live").textContent === "live"`)

	write(strings.Replace(servedProgram, "Number", "Total", 1))
	v.becomes(hasField("Total") + " && !" + hasField("Number") + ` && location.hash === "#route-order"`)

	write(strings.Replace(servedProgram, "Number int", "Number = int", 1))
	v.becomes(hasField("Total") + ` && document.querySelector(".findings")?.checkVisibility()`) // above the last page

	write(servedProgram)
	v.becomes(hasField("Number") + ` && !document.querySelector(".findings")`)
}

// hasField says in JavaScript that the page shows a field of the message.
func hasField(name string) string {
	return `[...document.querySelectorAll("#schema-Order .name")].some(n => n.textContent === "` + name + `")`
}

// becomes waits until an expression is true of a page that may be loaded anew meanwhile.
func (v view) becomes(expression string) {
	v.t.Helper()
	require.Eventually(v.t, func() bool {
		is, err := chromedp.Run(v.Context, chromedp.Evaluate[bool]("!!("+expression+")"))
		return err == nil && is
	}, 2*time.Minute, 50*time.Millisecond, expression)
}
