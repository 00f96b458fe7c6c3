// Command benchtable writes the results of go test -bench, which it reads from
// its standard input, as a table into a Markdown page: everything from the line
// "<!-- results -->" on is replaced.
//
//	go test -run '^$' -bench . ./... | go run ./internal/benchtable docs/benchmarks.md
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

const marker = "<!-- results -->\n"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -bench ... | benchtable PAGE")
		os.Exit(2)
	}
	if err := run(os.Stdin, os.Stderr, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "benchtable:", err)
		os.Exit(1)
	}
}

// run shows the input on progress while it is read.
func run(in io.Reader, progress io.Writer, page string) error {
	results, err := read(io.TeeReader(in, progress))
	if err != nil {
		return err
	}
	if len(results.benchmarks) == 0 {
		return fmt.Errorf("the input has no benchmark: is it the output of go test -bench?")
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	above, _, found := bytes.Cut(text, []byte(marker))
	if !found {
		return fmt.Errorf("%s has no line %q", page, strings.TrimSpace(marker))
	}
	return os.WriteFile(page, append(above, marker+results.table()...), 0o644)
}

// results are what go test prints.
type results struct {
	machine    string
	benchmarks []benchmark
}

type benchmark struct {
	name    string
	metrics []metric
}

type metric struct{ value, unit string }

func read(in io.Reader) (*results, error) {
	r := new(results)
	failed := false
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		if cpu, ok := strings.CutPrefix(line, "cpu: "); ok {
			r.machine = cpu
		}
		failed = failed || strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL")
		if b, ok := parse(line); ok {
			r.benchmarks = append(r.benchmarks, b)
		}
	}
	if failed {
		return nil, fmt.Errorf("a benchmark failed")
	}
	return r, lines.Err()
}

// parse reads a line such as
//
//	BenchmarkX-2   3   152.3 MiB   2.892 x-go-list
func parse(line string) (benchmark, bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return benchmark{}, false
	}
	if _, err := strconv.Atoi(fields[1]); err != nil {
		return benchmark{}, false
	}
	name := strings.TrimPrefix(fields[0], "Benchmark")
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		name = name[:i] // the number of processors
	}
	b := benchmark{name: name}
	for pair := range slices.Chunk(fields[2:], 2) {
		if len(pair) == 2 {
			b.metrics = append(b.metrics, metric{pair[0], pair[1]})
		}
	}
	return b, true
}

func (r *results) table() string {
	var text strings.Builder
	fmt.Fprintf(&text, "\nMeasured on %s.\n\n| benchmark | results |\n|---|---|\n", r.machine)
	for _, b := range r.benchmarks {
		values := make([]string, len(b.metrics))
		for i, m := range b.metrics {
			values[i] = m.value + " " + m.unit
		}
		fmt.Fprintf(&text, "| %s | %s |\n", b.name, strings.Join(values, ", "))
	}
	return text.String()
}
