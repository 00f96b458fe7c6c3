package difference

import (
	"fmt"
	"io"
	"strings"
)

func (p Position) String() string {
	if !p.IsValid() {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// place is where to look first: in the new document, where the change is in it.
func (c Change) place() Position {
	if c.New.IsValid() {
		return c.New
	}
	return c.Old
}

// sentence is what a change is, with the operation that it is in.
func (c Change) sentence() string {
	if c.Subject == "" || !strings.HasPrefix(c.ID, "schema-") && strings.Contains(c.What, c.Subject) {
		return c.What
	}
	return c.Subject + ": " + c.What
}

// Text prints a report for people: for each change a line with its place, and
// below it what it does to each side. Changes that no side notices have their line
// alone.
func (r *Report) Text(w io.Writer) {
	for _, c := range r.Changes {
		if at := c.place(); at.IsValid() {
			fmt.Fprintf(w, "%s: ", at)
		}
		fmt.Fprintf(w, "%s: %s [%s]\n", c.Severity, c.sentence(), c.ID)
		if c.Severity == Documentation {
			continue
		}
		fmt.Fprintf(w, "    publisher: %s\n    consumer:  %s\n", c.Publisher, c.Consumer)
		if c.Example != "" {
			fmt.Fprintf(w, "    example:   %s\n", c.Example)
		}
		if c.Old.IsValid() && c.New.IsValid() {
			fmt.Fprintf(w, "    before:    %s\n", c.Old)
		}
	}
	for _, silent := range r.Silent {
		fmt.Fprintf(w, "note: neither document describes %s, so that nothing is known of it\n", silent)
	}
	fmt.Fprintln(w, r.summary())
}

// summary counts the changes, and says which version comes next.
func (r *Report) summary() string {
	if len(r.Changes) == 0 {
		return "no changes"
	}
	counts := fmt.Sprintf("%d breaking, %d undecided, %d compatible, %d documentation",
		r.Count(Breaking), r.Count(Undecided), r.Count(Compatible), r.Count(Documentation))
	switch v := r.Version; {
	case v.Next != "" && v.New != v.Old:
		return fmt.Sprintf("%s; version %s after %s, and at least %s is asked for", counts, orNone(v.New), v.Old, v.Next)
	case v.Next != "":
		return fmt.Sprintf("%s; the next version after %s is %s", counts, v.Old, v.Next)
	}
	return counts
}
