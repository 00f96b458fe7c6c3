package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The work is linear in the number of routes, whether a loop registers them or
// a call each.
func BenchmarkRoutes10(b *testing.B)   { benchmarkRoutes(b, 10) }
func BenchmarkRoutes100(b *testing.B)  { benchmarkRoutes(b, 100) }
func BenchmarkRoutes1000(b *testing.B) { benchmarkRoutes(b, 1000) }

const benchSource = `package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/warrenmq/warren/runtime"
)

func on(context.Context, int) error { return nil }

var router = runtime.NewRouter()

var routes int

func add(text string) {
	routes++
	name := strconv.Itoa(routes)
	router.MustRegister(runtime.Route{Name: name, Description: text, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
}

func unused(...any) {}

`

func benchmarkRoutes(b *testing.B, n int) {
	var calls strings.Builder
	for i := range n {
		fmt.Fprintf(&calls, "\trouter.MustRegister(runtime.Route{Name: \"r%d\", Queue: runtime.Queue{Name: \"orders.\" + \"%d\", Durable: true}, Handler: runtime.Consume(on)})\n", i, i)
	}
	for name, body := range map[string]string{
		"loop":  fmt.Sprintf("for i := range %d {\n\tadd(fmt.Sprintf(\"orders.%%d\", i))\n}\n", n),
		"calls": calls.String(),
	} {
		b.Run(name, func(b *testing.B) {
			bench := newBench(b)
			source := benchSource + "func main() {\nunused(fmt.Sprint)\n" + body + "}\n"
			for b.Loop() {
				result, err := bench.routes(b.Context(), source)
				require.NoError(b, err)
				require.Len(b, result.Routes, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/route")
		})
	}
}
