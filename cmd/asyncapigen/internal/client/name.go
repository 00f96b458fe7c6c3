package client

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/warrenmq/warren/internal/methodname"
)

// exported returns name with an upper-case first letter. Leading underscores
// go, and scripts without case get a T before them.
func exported(name string) string {
	name = strings.TrimLeft(name, "_")
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(unicode.ToUpper(r)) {
		return "T" + name
	}
	return methodname.UpperFirst(name)
}

// scope is a set of identifiers that are taken.
type scope map[string]bool

func newScope(names ...string) scope {
	s := make(scope)
	for _, name := range names {
		s[name] = true
	}
	return s
}

// take returns the first candidate that is free and marks it as taken; where
// none is, the last one with the first number that makes it free.
func (s scope) take(candidates ...string) string {
	for _, name := range candidates {
		if !s[name] {
			s[name] = true
			return name
		}
	}
	last := candidates[len(candidates)-1]
	for n := 2; ; n++ {
		if name := last + strconv.Itoa(n); !s[name] {
			s[name] = true
			return name
		}
	}
}
