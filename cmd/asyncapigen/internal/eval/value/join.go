package value

import "slices"

// joining finds what variables hold after one of several ways through the program.
type joining struct {
	state  *State
	why    *Unknown // why it isn't known which way it is
	ways   int
	joined Writes
	in     func(way int, cell *Cell) Value // what a variable holds after a way
}

// join joins what a variable holds, unless it was joined with what it is a part of.
func (j *joining) join(cell *Cell) {
	if _, done := j.joined[cell]; done {
		return
	}
	values := make([]Value, j.ways)
	for way := range values {
		values[way] = j.in(way, cell)
	}
	j.state.numberCell(cell)
	j.joined[cell] = j.merge(cell, values)
}

// merge joins the values that a variable has after each of the ways. A variable that has
// parts after one of them goes on to have them: others may point to them.
func (j *joining) merge(cell *Cell, values []Value) Value {
	i := slices.IndexFunc(values, func(v Value) bool { return parts(v) != nil })
	if i < 0 || !cell.plain || cell.box || cell.entry || slices.ContainsFunc(values, func(v Value) bool { return !arePartsOf(values[i], v) }) {
		return Merge(j.why, values)
	}
	of := values[i]
	if !slices.ContainsFunc(values, func(v Value) bool { return !haveSameParts(of, v) }) {
		return of // each part is joined by itself
	}
	cells := parts(of)
	j.state.Work(len(cells) * j.ways)
	for i, part := range cells {
		ofWays := make([]Value, j.ways)
		for way, v := range values {
			if u, ok := v.(*Unknown); ok {
				ofWays[way] = j.state.partOf(u, of, i)
			} else {
				ofWays[way] = j.in(way, parts(v)[i])
			}
		}
		j.state.numberCell(part)
		j.joined[part] = j.merge(part.IsOf(partType(of, i)), ofWays)
	}
	return of
}

// arePartsOf reports whether a value that isn't known, or is another one of its type, can be
// told by the parts of a struct or an array.
func arePartsOf(of, v Value) bool {
	if u, ok := v.(*Unknown); ok {
		return !u.Absent
	}
	return SameType(TypeOf(of), TypeOf(v)) && len(parts(v)) == len(parts(of))
}

// haveSameParts reports whether two values are made of the same variables.
func haveSameParts(a, b Value) bool { return slices.Equal(parts(a), parts(b)) }
