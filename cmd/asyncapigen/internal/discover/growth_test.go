package discover_test

import (
	"context"
	"fmt"
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
	{"functions given away that each look at what the next one changes", `
import "context"

func main() {
	ctx := context.Background()
	set := make([]*bool, COUNT)
	for i := range COUNT {
		set[i] = new(bool)
		if i > 0 {
			from, to := set[i], set[i-1]
			context.AfterFunc(ctx, func() { *to = *from })
		}
	}
}
`},
	{"goroutines for which nobody waits", `
func main() {
	done := make(chan bool, COUNT)
	for range COUNT {
		go func() { done <- true }()
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

// Each of them is followed a few times, however many there are: what one leaves for the
// others is nothing new to them. All at each call would be 45,000 times.
func TestRoutes_FollowsManyHandlersAFewTimesEach(t *testing.T) {
	b := newBench(t)
	for name, body := range map[string]string{
		"that add a key to one map":   `seen["NUMBER"]++`,
		"that append to one slice":    `all = append(all, ctx.Err().Error())`,
		"that assign to one variable": `last = "NUMBER"`,
	} {
		t.Run(name, func(t *testing.T) {
			var handlers strings.Builder
			for i := range 300 {
				fmt.Fprintf(&handlers, "\tcontext.AfterFunc(ctx, func() { %s })\n", strings.ReplaceAll(body, "NUMBER", fmt.Sprint(i)))
			}
			ctx := &asking{Context: t.Context()}
			found, err := b.routes(ctx, `package main

import (
	"context"

	"github.com/warrenmq/warren/runtime"
)

var (
	seen = map[string]int{}
	all  []string
	last string
)

func main() {
	ctx := context.Background()
`+handlers.String()+`
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(func(context.Context, string) error { return nil })})
}
`)
			require.NoError(t, err)
			require.Len(t, found.Routes, 1, "%v", found.Diagnostics)
			t.Log(ctx.asked)
			require.Less(t, ctx.asked, 60)
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
