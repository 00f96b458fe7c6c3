package value

// Reach visits the variables that values lead to, always in the same order.
type Reach struct {
	// Captured returns what a function literal has around it.
	Captured func(closure any) []*Cell

	// Visit sees each of the values, and what the variables hold; it may be nil.
	Visit func(Value)

	Cells []*Cell
	seen  map[*Cell]bool
	lists map[any]bool // the slices that were visited
}

// Values adds what values lead to.
func (r *Reach) Values(values ...Value) {
	for _, v := range values {
		r.value(v)
	}
}

// Add adds variables and what they lead to.
func (r *Reach) Add(cells ...*Cell) {
	if r.seen == nil {
		r.seen = make(map[*Cell]bool)
	}
	for _, cell := range cells {
		if !r.seen[cell] {
			r.seen[cell] = true
			r.Cells = append(r.Cells, cell)
			r.value(cell.v)
		}
	}
}

func (r *Reach) value(v Value) {
	if list, ok := v.(*Slice); ok && r.hasVisited(list) {
		return
	}
	if r.Visit != nil {
		r.Visit(v)
	}
	switch v := v.(type) {
	case *Struct:
		r.Add(v.Fields...)
	case *Array:
		r.Add(v.Elems...)
	case *Slice:
		r.Add(v.Elems[:cap(v.Elems)]...)
	case *Map:
		for _, entry := range v.ordered() {
			r.Values(entry.key)
			r.Add(entry.cell)
		}
		r.Add(v.vague)
	case Pointer:
		r.Add(v.To)
	case UnsafePointer:
		r.Add(v.Of.To)
	case Channel:
		r.Add(v.State.cells()...)
	case *Func:
		if v.Bound {
			r.value(v.Recv)
		}
		if v.Closure != nil {
			r.Add(r.Captured(v.Closure)...)
		}
	case Tuple:
		r.Values(v...)
	case Holder:
		r.Values(v.Held()...)
	case *Unknown:
		if v.Pointee != nil {
			r.Add(v.Pointee)
		}
		r.Values(v.Targets...)
	}
}

// hasVisited reports whether a slice was visited, and notes that it is.
func (r *Reach) hasVisited(list *Slice) bool {
	of := targetOf(list)
	if r.lists == nil {
		r.lists = make(map[any]bool)
	}
	visited := r.lists[of]
	r.lists[of] = true
	return visited
}

// Reads runs f and returns the indexes of the variables that were looked at
// meanwhile.
func Reads(cells []*Cell, f func()) (read []int) {
	watch(cells, f, func(i int, cell *Cell) {
		if cell.read {
			read = append(read, i)
		}
	})
	return read
}

// Uses runs f, which follows a function that has escaped, and returns those of the
// variables that were looked at or assigned to meanwhile. A goroutine in which that
// happens hasn't looked at them: the function is followed again where they have changed.
func Uses(cells []*Cell, f func()) (used []*Cell) {
	watch(cells, f, func(_ int, cell *Cell) {
		if cell.read || cell.written {
			used = append(used, cell)
		}
		cell.read = false
	})
	return used
}

// Used returns those of new variables that were looked at or assigned to since they
// were made.
func Used(cells []*Cell) (used []*Cell) {
	for _, cell := range cells {
		if cell.read || cell.written {
			used = append(used, cell)
		}
	}
	return used
}

// watch runs f and visits the variables, each of which says what was done with it
// meanwhile.
func watch(cells []*Cell, f func(), visit func(int, *Cell)) {
	type use struct{ read, written bool }
	before := make([]use, len(cells))
	for i, cell := range cells {
		before[i] = use{cell.read, cell.written}
		cell.read, cell.written = false, false
	}
	defer func() { // f may be given up
		for i, cell := range cells {
			visit(i, cell)
		}
		for i, cell := range cells { // one may be there twice
			cell.read, cell.written = cell.read || before[i].read, cell.written || before[i].written
		}
	}()
	f()
}

// Watch has the changes of a variable noted.
func (c *Cell) Watch() { c.watched = true }

// Keys counts the keys that were ever added to a map, of the variable that stands for
// those that it doesn't have.
func (c *Cell) Keys() uint32 { return c.keys }

// Stirred returns the watched variables that have changed, or changed back, since it was
// last called.
func (s *State) Stirred() []*Cell {
	cells := s.stirred
	s.stirred = nil
	for _, cell := range cells {
		cell.stirred = false
	}
	return cells
}

// HasStirred reports whether there are any.
func (s *State) HasStirred() bool { return len(s.stirred) > 0 }

func (s *State) stir(cell *Cell) {
	if cell.watched && !cell.stirred {
		cell.stirred = true
		s.stirred = append(s.stirred, cell)
	}
}

// stirTo notes that a variable is to hold v.
func (s *State) stirTo(cell *Cell, v Value) {
	if cell.watched && !same(cell.v, v) {
		s.stir(cell)
	}
}
