package inclusion

import (
	"fmt"
	"time"

	"github.com/dlclark/regexp2"
)

// A Pattern is a regular expression of ECMA 262, as JSON Schema has them.
type Pattern struct {
	Source   string
	compiled *regexp2.Regexp
}

// matchTimeout ends the search by an expression that backtracks without end.
const matchTimeout = 5 * time.Second

// newPattern compiles a regular expression.
func newPattern(source string) (*Pattern, error) {
	compiled, err := regexp2.Compile(source, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, fmt.Errorf("the pattern %q is no regular expression of ECMA 262: %w", source, err)
	}
	compiled.MatchTimeout = matchTimeout
	return &Pattern{source, compiled}, nil
}

// match reports whether a part of the text matches, and an error where that took
// too long to tell.
func (p *Pattern) match(text string) (bool, error) { return p.compiled.MatchString(text) }

// Example returns a text that matches, the pattern itself where none is found.
func (p *Pattern) Example() string {
	for _, text := range matching(p, nil) {
		if ok, err := p.match(text); ok && err == nil {
			return text
		}
	}
	return p.Source
}
