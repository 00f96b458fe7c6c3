package inclusion

import (
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Prover answers questions about schemas and remembers the answers. It isn't for
// several goroutines at a time.
type Prover struct {
	same    *goals[pair]
	proofs  *goals[string]
	numbers map[*Schema]int
	formats map[string]*jsonschema.Schema
	steps   int // of the proof that is being made
	work    int // that the search may still do
	levels  int // of values within values that it may still make
}

// NewProver returns a prover.
func NewProver() *Prover {
	return &Prover{
		same: newGoals[pair](), proofs: newGoals[string](),
		numbers: make(map[*Schema]int), formats: make(map[string]*jsonschema.Schema),
	}
}

// Includes reports whether it is proved that b accepts all that is sent by a. False
// means no more than that it isn't.
func (p *Prover) Includes(a, b *Schema) bool {
	p.steps = 0
	return p.included([]*Schema{a}, b)
}

// maxSteps bounds a proof.
const maxSteps = 200_000

// included reports whether b accepts what is sent by schemas that hold together.
func (p *Prover) included(all []*Schema, b *Schema) bool {
	p.steps++
	if p.steps > maxSteps {
		return false
	}
	return p.proofs.holds(p.key(all, b), func() bool {
		if slices.ContainsFunc(all, func(a *Schema) bool { return p.Same(a, b) }) {
			return true
		}
		cells, ok := p.cells(all)
		return ok && !slices.ContainsFunc(cells, func(c cell) bool { return !p.in(c, b) })
	})
}

// key names a goal.
func (p *Prover) key(all []*Schema, b *Schema) string {
	var text []byte
	for _, s := range append(slices.Clip(all), b) {
		n, ok := p.numbers[s]
		if !ok {
			n = len(p.numbers)
			p.numbers[s] = n
		}
		text = append(strconv.AppendInt(text, int64(n), 36), ' ')
	}
	return string(text)
}

// in reports whether b accepts what is sent by a cell.
func (p *Prover) in(c cell, b *Schema) bool {
	b = b.Resolve()
	if b == nil {
		return false
	}
	if slices.ContainsFunc(c.parts, func(a *Schema) bool { return p.Same(a, b) }) {
		return true
	}
	if c.finite {
		return !slices.ContainsFunc(c.values, func(value any) bool { return !p.Accepts(b, value) })
	}
	return p.inKeywords(c, b) || p.isEmpty(c, 0)
}

func (p *Prover) inKeywords(c cell, b *Schema) bool {
	if _, limited := b.values(); limited || b.Never || !c.hasType(b) {
		return false
	}
	parts := map[string]func(cell, *Schema) bool{"number": p.inNumber, "string": p.inText, "array": p.inArray, "object": p.inObject}
	return parts[c.kind](c, b) && p.inAll(c, b) && p.inConditions(c, b)
}

// hasType reports whether b has the type of a cell, or none.
func (c *cell) hasType(b *Schema) bool {
	if !b.AllowsType(c.kind) {
		return false
	}
	return c.kind != "number" || b.Types == nil || slices.Contains(b.Types, "number") || c.isWhole()
}

// isWhole reports whether the numbers of a cell are integers.
func (c *cell) isWhole() bool {
	return slices.ContainsFunc(c.parts, func(s *Schema) bool {
		return s.Types != nil && !slices.Contains(s.Types, "number") || s.MultipleOf != nil && s.MultipleOf.IsInt()
	})
}

func (c *cell) numbers() interval {
	var i interval
	for _, part := range c.parts {
		i.narrow(part)
	}
	if c.isWhole() {
		i.whole()
	}
	return i
}

func (p *Prover) inNumber(c cell, b *Schema) bool {
	var wanted interval
	wanted.narrow(b)
	if !c.numbers().within(wanted) {
		return false
	}
	if _, isText := textFormats[b.Format]; !isText && !c.hasFormat(b) && !slices.Contains(wideFormats, b.Format) {
		if _, known := numberFormats[b.Format]; !known {
			return false
		}
	}
	of := b.MultipleOf
	return of == nil || of.Num().IsInt64() && of.Num().Int64() == 1 && c.isWhole() ||
		slices.ContainsFunc(c.parts, func(s *Schema) bool { return s.MultipleOf != nil && isMultiple(s.MultipleOf, of) })
}

// hasFormat reports whether b has no format, or that of a part.
func (c *cell) hasFormat(b *Schema) bool {
	return b.Format == "" || slices.ContainsFunc(c.parts, func(s *Schema) bool { return s.Format == b.Format })
}

// textLength returns how long the texts of a cell are.
func (c *cell) textLength() interval {
	n := interval{low: integer(0)}
	for _, part := range c.parts {
		n.between(part.MinLength, part.MaxLength)
	}
	return n
}

func (p *Prover) inText(c cell, b *Schema) bool {
	_, isNumber := numberFormats[b.Format]
	return c.textLength().within(interval{low: b.MinLength, high: b.MaxLength}) &&
		(b.Pattern == nil || slices.ContainsFunc(c.parts, func(s *Schema) bool { return samePattern(s.Pattern, b.Pattern) })) &&
		(isNumber || slices.Contains(wideFormats, b.Format) || c.hasFormat(b)) && c.hasContent(b)
}

// hasContent reports whether b says nothing of the content of texts, or a part says it.
// What a media type is about is the content that is decoded.
func (c *cell) hasContent(b *Schema) bool {
	return b.ContentEncoding == "" && b.ContentMediaType == "" || slices.ContainsFunc(c.parts, func(s *Schema) bool {
		return s.ContentEncoding == b.ContentEncoding && (b.ContentMediaType == "" || s.ContentMediaType == b.ContentMediaType)
	})
}

// inAll is about the schemas within b for the same value.
func (p *Prover) inAll(c cell, b *Schema) bool {
	inside := func(s *Schema) bool { return p.in(c, s) }
	if slices.ContainsFunc(b.AllOf, func(s *Schema) bool { return !inside(s) }) {
		return false
	}
	if b.AnyOf != nil && !slices.ContainsFunc(b.AnyOf, inside) {
		return false
	}
	if b.OneOf == nil {
		return true
	}
	for i, choice := range b.OneOf {
		if !inside(choice) {
			continue
		}
		others := slices.Concat(b.OneOf[:i], b.OneOf[i+1:])
		return !slices.ContainsFunc(others, func(s *Schema) bool { return !p.apart(c, s) })
	}
	return false
}

func (p *Prover) inConditions(c cell, b *Schema) bool {
	if b.Not != nil && !p.apart(c, b.Not) && !slices.ContainsFunc(c.nots, func(s *Schema) bool { return p.Same(s, b.Not) }) {
		return false
	}
	if b.If == nil {
		return true
	}
	then := b.Then == nil || p.apart(c, b.If) || p.in(c, b.Then)
	otherwise := b.Else == nil || p.in(c, b.If) || p.in(c, b.Else)
	return then && otherwise
}
