package value

// Arguments are a list of words of the command line: the program's own, or those
// that are left when flags have been parsed. The words aren't known, but that one
// of them is the same wherever the program looks at it.
type Arguments struct {
	Name string // tells the list from others of the program, such as "os.Args"

	// Offset is the number of the command's words before the first of the list: -1
	// where the list begins with the program's own name.
	Offset int

	Base *Arguments // the list of which it is a part; nil for none

	changed bool
}

// Change notes that the program may have changed the list. Its words are as
// unknown as any value then.
func (a *Arguments) Change() {
	for ; a != nil; a = a.Base {
		a.changed = true
	}
}

func (a *Arguments) isChanged() bool {
	return a != nil && (a.changed || a.Base.isChanged())
}

// A Part is a part of Arguments.
type Part struct {
	Of   *Arguments
	Kind PartKind
	At   int // the index of the word, or of the first word of several
}

// PartKind says what a part is.
type PartKind int

// The parts of a list: all words from an index on, one word, and how many there
// are from an index on.
const (
	Words PartKind = iota
	Word
	WordCount
)

// PartOf returns the part of the command line that v is, if it is one of a kind.
func PartOf(v Value, kind PartKind) (Part, bool) {
	u, ok := v.(*Unknown)
	if !ok || u.Part == nil || u.Part.Kind != kind || kind == Words && u.Part.Of.isChanged() {
		return Part{}, false
	}
	return *u.Part, true
}

// UnknownPart returns the unknown that is a part of the command line, for the
// reasons of another.
func (u *Unknown) UnknownPart(p Part) *Unknown {
	part := u.Bare()
	part.Part = &p
	return part
}

// Bare returns an unknown for the reasons of u, of which nothing else is known.
func (u *Unknown) Bare() *Unknown {
	return &Unknown{
		Reason: u.Reason, Pos: u.Pos, Origin: u.Origin, Unread: u.Unread, Computed: u.Computed, Foreign: u.Foreign, CommandLine: u.CommandLine,
		Env: u.Env, Fallback: u.Fallback, Remedy: u.Remedy, Field: u.Field, Place: u.Place,
	}
}

// changeArguments notes that the words of a list may have been written to.
func (u *Unknown) changeArguments() {
	if u.Part != nil && u.Part.Kind == Words {
		u.Part.Of.Change()
	}
}
