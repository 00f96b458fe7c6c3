package main

import (
	"fmt"
	"os"
	"path"
	"strings"
)

// A coverage has the blocks of statements of each file, and whether tests ran them.
type coverage map[string][]block // by the package's import path, a slash and the file's name

type block struct {
	from, to position
	ran      bool
}

type position struct{ line, column int }

func (p position) before(q position) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// readCoverage reads a profile that go test wrote.
func readCoverage(file string) (coverage, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := coverage{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		i := strings.LastIndex(line, ":")
		var b block
		var statements, count int
		if _, err := fmt.Sscanf(line[i+1:], "%d.%d,%d.%d %d %d", &b.from.line, &b.from.column, &b.to.line, &b.to.column, &statements, &count); err != nil {
			return nil, fmt.Errorf("read the coverage %s: %w: %s", file, err, line)
		}
		b.ran = count > 0
		c[line[:i]] = append(c[line[:i]], b)
	}
	return c, nil
}

// has reports whether the changed place ran, or may have: the expressions of a case
// belong to no block.
func (c coverage) has(importPath string, m mutation) bool {
	at := position{m.line, m.column}
	inBlock := false
	for _, b := range c[importPath+"/"+path.Base(m.path)] {
		if !at.before(b.from) && at.before(b.to) {
			if b.ran {
				return true
			}
			inBlock = true
		}
	}
	return !inBlock
}
