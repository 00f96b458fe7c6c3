package value

// A Walk visits the values that values consist of and point to, within reason.
type Walk struct {
	Visit func(cell *Cell, v Value) // cell is nil for the values themselves
	seen  map[*Cell]bool
}

const maxWalk = 10_000

// All visits the values, what they consist of and what they point to.
func (w *Walk) All(values []Value) {
	w.seen = make(map[*Cell]bool)
	for _, v := range values {
		w.value(nil, v)
	}
}

// IsWhole reports whether the walk came to everything: one of very much ends early.
func (w *Walk) IsWhole() bool { return len(w.seen) < maxWalk }

func (w *Walk) value(cell *Cell, v Value) {
	w.Visit(cell, v)
	switch v := v.(type) {
	case *Struct:
		w.cells(v.Fields)
	case *Array:
		w.cells(v.Elems)
	case *Slice:
		w.cells(v.Elems)
	case *Map:
		for _, entry := range v.ordered() {
			w.value(nil, entry.key)
			w.cell(entry.cell)
		}
		w.cell(v.vague)
	case Pointer:
		w.cell(v.To)
	case UnsafePointer:
		w.cell(v.Of.To)
	case Channel:
		w.cells(v.State.cells())
	case *Unknown:
		for _, target := range v.Targets {
			w.value(nil, target)
		}
	}
}

func (w *Walk) cells(cells []*Cell) {
	for _, cell := range cells {
		w.cell(cell)
	}
}

func (w *Walk) cell(cell *Cell) {
	if !w.seen[cell] && len(w.seen) < maxWalk {
		w.seen[cell] = true
		w.value(cell, cell.Load())
	}
}
