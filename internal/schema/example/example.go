// Package example makes values that a schema accepts, for readers of a document.
//
//	maker := example.New(set.Components)
//	small, ok := maker.Small(payload) // {"id":"id"}
//	full, ok := maker.Full(payload)   // {"id":"id","note":"note","lines":[{"sku":"sku"}]}
//
// A value is put together keyword by keyword and then tried on the schema; there is
// none where that fails, or can't be decided, such as for a pattern that Go's
// regular expressions don't have. Examples that authors have written in comments and
// tags come first. Equal schemas give equal values: nothing is random.
//
// The package depends on no validator of JSON Schema, so that running programs can
// have examples. Its tests hold it against one.
//
// # Files
//
// value.go are the values, build.go makes those of a schema, with merge.go for
// schemas that hold together, text.go, pattern.go and number.go for values without
// parts. accept.go tries a value on a schema, format.go a text on a format.
package example

import (
	"encoding/json"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// Bounds on the work for one example, and on its size.
const (
	maxDepth  = 24     // of values within values
	fullDepth = 5      // to which a full example has what isn't required
	maxParts  = 80     // after which it has no more of that
	maxSteps  = 40_000 // of looking for a value and trying it
)

// A Maker makes examples of schemas that refer to its components. It isn't safe for
// concurrent use.
type Maker struct {
	components map[string]*schema.Schema
	patterns   map[string]*pattern // nil where Go has none
	steps      int                 // that the example has taken which is made
}

// New returns a Maker for the schemas of a set with the components.
func New(components []schema.Component) *Maker {
	m := &Maker{components: make(map[string]*schema.Schema, len(components)), patterns: make(map[string]*pattern)}
	for _, c := range components {
		m.components[c.Key] = c.Schema
	}
	return m
}

// Small returns a value with no more than s requires.
func (m *Maker) Small(s *schema.Schema) (json.RawMessage, bool) { return m.make(s, false) }

// Full returns a value with all that s lists: each member, and one of each array and
// map. Of a type that lies within itself the inner one has what is required, and so
// has what lies deep or comes late in a large value.
func (m *Maker) Full(s *schema.Schema) (json.RawMessage, bool) { return m.make(s, true) }

// make puts a value together, of which each part is tried.
func (m *Maker) make(s *schema.Schema, full bool) (json.RawMessage, bool) {
	if s == nil {
		return nil, false
	}
	m.steps = 0
	b := builder{Maker: m, full: full, open: make(map[*schema.Schema]int)}
	value, ok := b.value(s, place{})
	if !ok {
		return nil, false
	}
	text, err := marshal(value)
	return text, err == nil
}

// tired counts a step, and reports whether there were too many.
func (m *Maker) tired() bool {
	m.steps++
	return m.steps > maxSteps
}

// resolve follows references to what they lead to, nil where they lead nowhere.
func (m *Maker) resolve(s *schema.Schema) *schema.Schema {
	for range maxDepth {
		if s == nil || s.Ref == "" {
			return s
		}
		s = m.components[strings.TrimPrefix(s.Ref, schema.RefPrefix)]
	}
	return nil
}
