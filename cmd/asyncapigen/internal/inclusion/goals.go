package inclusion

import "math"

// Goals are statements about all values, some of which rest on each other: those
// about a schema that refers to itself. A goal that is being proved may be taken to
// hold, for each step goes to a part of the value, and values are finite.
type goals[K comparable] struct {
	settled   map[K]bool
	open      map[K]int // those being proved, with their depth
	tentative map[K]int // proved, if the open goals from that depth on hold
	trail     []K       // the tentative ones, in order
	lowest    int       // the depth of the outermost open goal that was used
}

func newGoals[K comparable]() *goals[K] {
	return &goals[K]{settled: make(map[K]bool), open: make(map[K]int), tentative: make(map[K]int), lowest: math.MaxInt}
}

// holds reports whether a goal is proved, by a function that asks for others.
func (g *goals[K]) holds(key K, prove func() bool) bool {
	if known, ok := g.settled[key]; ok {
		return known
	}
	if depth, ok := g.open[key]; ok {
		g.lowest = min(g.lowest, depth)
		return true
	}
	if depth, ok := g.tentative[key]; ok {
		g.lowest = min(g.lowest, depth)
		return true
	}
	outer, depth, from := g.lowest, len(g.open), len(g.trail)
	g.lowest = math.MaxInt
	g.open[key] = depth
	ok := prove()
	delete(g.open, key)
	lowest := g.lowest
	g.lowest = outer
	if ok && lowest < depth {
		g.tentative[key] = lowest
		g.trail = append(g.trail, key)
		g.lowest = min(outer, lowest)
		return true
	}
	for _, within := range g.trail[from:] {
		delete(g.tentative, within)
		if ok {
			g.settled[within] = true
		}
	}
	g.trail = g.trail[:from]
	g.settled[key] = ok
	return ok
}
