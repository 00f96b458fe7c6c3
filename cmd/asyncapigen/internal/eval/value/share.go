package value

import "slices"

// A goroutine is evaluated where the program starts it, and what it writes is
// taken back. From then on what it has written isn't known to others, and neither
// is what they write to the same variables, until they have waited for it.

// Sharing is what a goroutine writes at a time that isn't known.
type Sharing struct {
	why *Unknown

	// Released is how far the others have waited for the goroutine in the present
	// state: up to this place of the log. It is nil where the goroutine isn't
	// started, and unknown where that isn't known.
	Released *Cell

	written map[*Cell]written
}

// written is what a goroutine leaves in a variable.
type written struct {
	last    int   // its last write, in the log
	pending Value // what the others see until they have waited
	final   Value
}

// logged is what a variable held before the program wrote to it.
type logged struct {
	cell   *Cell
	old    Value
	silent bool  // it held the same before, or others had written what it holds now
	added  Value // what an entry holds that was added to the map whose vague the cell is
}

// Logged returns the length of the log of what the program writes, which begins
// with its first goroutine. Unlike the journal it has all branches in it.
func (s *State) Logged() int { return len(s.log) }

// StartLog begins the log.
func (s *State) StartLog() { s.logging = true }

// logAdded notes that an entry which holds v was added to a map: who has looked at which
// keys there are has read something else.
func (s *State) logAdded(m *Map, v Value) {
	if s.logging {
		s.log = append(s.log, logged{cell: m.vague, old: m.vague.v, added: v})
	}
}

// Touched returns the variables that were written to since a place of the log, with what
// they hold. Those that hold the same as then are among them, and those that nobody knows.
func (s *State) Touched(from int) Writes {
	touched := make(Writes)
	for _, entry := range s.log[from:] {
		if entry.added == nil && (!entry.silent || s.lent[entry.cell] != nil) {
			touched[entry.cell] = entry.cell.v
		}
	}
	return touched
}

// Share has a goroutine write what w says, at a time that isn't known. Its
// evaluation, which was undone, is in the log from a place on.
func (s *State) Share(why *Unknown, from int, w Writes) *Sharing {
	sharing := &Sharing{why: why, Released: s.Declared(Nil{}), written: make(map[*Cell]written, len(w))}
	s.Set(sharing.Released, integer(-1))
	s.started = append(s.started, sharing.Released)
	if s.sharings == nil {
		s.sharings = make(map[*Cell][]*Sharing)
	}
	between := make(map[*Cell]written, len(w))
	for i, entry := range s.log[from:] {
		if entry.added != nil {
			continue
		}
		b := between[entry.cell]
		b.last = from + i
		b.pending = mergeInto(why, b.pending, entry.old)
		between[entry.cell] = b
	}
	s.Work(perWrite * len(w))
	for cell, final := range w.All() {
		b, ok := between[cell]
		if !ok {
			b.last = len(s.log)
		}
		b.final = final
		b.pending = mergeInto(why, mergeInto(why, b.pending, final), cell.v)
		sharing.written[cell] = b
		cell.shared = true
		s.sharings[cell] = append(s.sharings[cell], sharing)
		s.put(cell, b.pending)
	}
	return sharing
}

// mergeInto returns what is either a, where it is one, or b: of an unknown, a copy
// that is no other's.
func mergeInto(why *Unknown, a, b Value) Value {
	if a == nil {
		return b
	}
	merged := Merge(why, []Value{a, b})
	if u, ok := merged.(*Unknown); ok {
		own := *u
		return &own
	}
	return merged
}

// contested returns what a variable holds after v was assigned to it: something
// unknown, where a goroutine writes to it at a time that isn't known.
func (s *State) contested(cell *Cell, v Value) Value {
	for _, sharing := range s.sharings[cell] {
		if sharing.holds(cell) {
			u := *either(sharing.why, v, cell.v)
			return &u
		}
	}
	return v
}

// holds reports whether a goroutine may write to a variable in the present state.
func (sharing *Sharing) holds(cell *Cell) bool {
	switch released := sharing.Released.v.(type) {
	case Nil:
		return false
	case Const:
		upTo, _ := IntOf(released)
		return sharing.written[cell].last >= upTo
	default:
		return true
	}
}

// Release makes known what a goroutine had written up to a place of the log: the
// running one has waited for that.
func (s *State) Release(sharing *Sharing, upTo int) {
	s.learn(sharing.Released, integer(upTo))
	s.Work(perWrite * len(sharing.written))
	for _, cell := range s.started { // by it, which others may have waited for as well
		if w, ok := sharing.written[cell]; ok && w.last < upTo {
			s.learn(cell, w.final)
		}
	}
	for cell, w := range sharing.written {
		if same(cell.v, w.pending) && !s.isHeld(cell) {
			s.learn(cell, w.final)
		}
	}
}

// learn changes a cell to what it held before, unknown to the running goroutine.
// Who waits for that one learns it by this.
func (s *State) learn(cell *Cell, v Value) {
	s.log = append(s.log, logged{cell: cell, old: cell.v, silent: true})
	s.put(cell, v)
}

func (s *State) isHeld(cell *Cell) bool {
	return slices.ContainsFunc(s.sharings[cell], func(other *Sharing) bool { return other.holds(cell) })
}

// Changes are the places of the log at which variables were written to.
type Changes struct {
	log []logged
	at  map[*Cell][]int
}

// Changes returns all that there are.
func (s *State) Changes() Changes {
	s.Work(len(s.log))
	c := Changes{s.log, make(map[*Cell][]int)}
	for i, entry := range s.log {
		if !entry.silent {
			c.at[entry.cell] = append(c.at[entry.cell], i)
		}
	}
	return c
}

// Between returns what a variable held before each write to it between two places, and
// what was added to a map.
func (c Changes) Between(cell *Cell, from, to int) (held []Value) {
	places := c.at[cell]
	first, _ := slices.BinarySearch(places, from)
	for _, i := range places[first:] {
		if i >= to {
			break
		}
		held = append(held, c.log[i].old)
		if added := c.log[i].added; added != nil {
			held = append(held, added)
		}
	}
	return held
}

// HasReferences reports whether one of the values leads to others, or is called.
func HasReferences(values ...Value) bool { return hasReferences(nil, values) }

// hasReferences is HasReferences below the errors that lead to the values: one that isn't
// known may wrap itself.
func hasReferences(above []*Cell, values []Value) bool {
	for _, v := range values {
		switch v := v.(type) {
		case Const, Nil, absent, nil:
		case *Unknown:
			if v.Pointee != nil || hasReferences(above, v.Targets) {
				return true
			}
		case Pointer:
			if !slices.Contains(above, v.To) && !isLibraryError(above, v) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// isLibraryError reports whether a pointer is an error that errors.New or fmt.Errorf
// made: the program can't write to what it leads to.
func isLibraryError(above []*Cell, p Pointer) bool {
	s, ok := p.To.v.(*Struct)
	if !ok {
		return false
	}
	named := NamedOf(s.Type)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
	case "errors.errorString", "fmt.wrapError":
		above = append(above, p.To)
		return !slices.ContainsFunc(s.Fields, func(field *Cell) bool { return hasReferences(above, []Value{field.v}) })
	default:
		return false
	}
}

// OtherReferences reports whether one of the values leads to others than the first
// one does, but for channels, which Set sees to.
func OtherReferences(values []Value) bool {
	return slices.ContainsFunc(values[1:], func(v Value) bool { return !same(v, values[0]) && !leadsToChannelsOnly(v) })
}

func leadsToChannelsOnly(v Value) bool {
	switch v := v.(type) {
	case Channel:
		return true
	case *Unknown:
		return v.Pointee == nil && !slices.ContainsFunc(v.Targets, func(target Value) bool { return !leadsToChannelsOnly(target) })
	default:
		return !HasReferences(v)
	}
}

// loseChannels makes unknown what channels hold that are assigned to a variable which was
// made unknown to a goroutine. It makes all unknown that they lead to, which may be themselves.
func (s *State) loseChannels(why *Unknown, channels Value) {
	if s.losing {
		return
	}
	s.losing = true
	defer func() { s.losing = false }()
	s.Havoc(why, channels)
}

// Blur makes a variable unknown: it may be what it is, or something that leads to
// nothing else. What is assigned to it from now on is somebody's who doesn't know
// it: of a channel, nothing is known any more.
func (s *State) Blur(cell *Cell, why *Unknown) {
	if s.lent == nil {
		s.lent = make(map[*Cell]*Unknown)
	}
	s.lent[cell] = why
	u := *why
	u.Absent, u.Foreign, u.Targets = cell.entry, true, targets(cell.v)
	s.put(cell, &u)
}
