package discover_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Programs in which one thing is done COUNT times.
var growing = []struct{ name, source string }{
	{"writes to a writer that isn't followed", `
import (
	"bufio"
	"fmt"
	"os"
)

var w *bufio.Writer

func call(f func()) {
	defer func() {
		text := "fine"
		if err := recover(); err != nil {
			text = err.(error).Error()
		}
		fmt.Fprintf(w, "%s", text)
	}()
	f()
}

func main() {
	w = bufio.NewWriter(os.Stdout)
	defer w.Flush()
	var none []int
	for range COUNT {
		call(func() { _ = none[1] })
	}
}
`},
	{"functions given away that change nothing", `
import "context"

func main() {
	ctx := context.Background()
	for i := range COUNT {
		context.AfterFunc(ctx, func() { println(i) })
	}
}
`},
	{"functions given away that change a variable", `
import "context"

func main() {
	ctx, n := context.Background(), 0
	for range COUNT {
		context.AfterFunc(ctx, func() { n++ })
	}
}
`},
}

// What one more of them costs doesn't depend on how many there are.
func TestRoutes_TakesStepsInProportionToTheProgram(t *testing.T) {
	b := newBench(t)
	for _, test := range growing {
		t.Run(test.name, func(t *testing.T) {
			steps := func(count string) int {
				ctx := &asking{Context: t.Context()}
				_, err := b.routes(ctx, "package main\n"+strings.ReplaceAll(test.source, "COUNT", count))
				require.NoError(t, err)
				return ctx.asked
			}
			few, many := steps("200"), steps("1600")
			t.Log(few, many)
			require.LessOrEqual(t, many, 10*few+1)
		})
	}
}

// asking is a context that counts how often the analysis asks whether it is called off:
// it does so every few thousand steps.
type asking struct {
	context.Context
	asked int
}

func (c *asking) Err() error {
	c.asked++
	return nil
}
