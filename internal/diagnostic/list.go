package diagnostic

import (
	"cmp"
	"slices"
)

// A List collects diagnostics. The zero value is empty and ready to use.
type List []Diagnostic

// Add appends d unless the list has it: code that is evaluated twice reports
// everything twice.
func (l *List) Add(d Diagnostic) {
	if !slices.Contains(*l, d) {
		*l = append(*l, d)
	}
}

// Sorted returns the diagnostics in the order of their positions. It doesn't
// change l.
func (l List) Sorted() List {
	sorted := slices.Clone(l)
	slices.SortStableFunc(sorted, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.finding(), b.finding()),
			cmp.Compare(a.Why, b.Why),
		)
	})
	return sorted
}

// HasErrors reports whether one of the diagnostics stops the generation.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}
