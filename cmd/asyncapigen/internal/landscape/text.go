package landscape

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// JSON prints a map for programs.
func (m *Map) JSON(w io.Writer) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// It has texts and lists alone; the writer's own errors are those of stdout, which
	// can't be reported anywhere.
	_ = encoder.Encode(struct {
		Version int `json:"version"` // of this form
		*Map
	}{1, m})
}

// Text prints a map for people: the flows as a table, and below it the findings.
func (m *Map) Text(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FROM\tMESSAGE\tBY\tTO\tHANDLER")
	for _, f := range m.Flows {
		mark := map[bool]string{true: "?"}[f.Undecided != ""]
		fmt.Fprintf(table, "%s\t%s%s\t%s\t%s\t%s\n", f.From.Service, strings.Join(f.Messages, ", "), mark, f.by(), f.To.Service, f.To.Operation)
	}
	// The writer's own errors are those of stdout, which can't be reported anywhere.
	_ = table.Flush()
	if len(m.Findings) > 0 {
		fmt.Fprintln(w)
	}
	for _, f := range m.Findings {
		fmt.Fprintf(w, "%s: %s: %s [%s]\n", f.At.Service, f.At.Operation, f.sentence(), f.ID)
		if f.Example != "" {
			fmt.Fprintf(w, "    example: %s\n", f.Example)
		}
	}
	fmt.Fprintf(w, "\n%s\n", m.summary())
}

// summary says how much there is.
func (m *Map) summary() string {
	return counted(len(m.Services), "service") + ", " + counted(len(m.Flows), "flow") + ", " + counted(len(m.Findings), "finding")
}

// wayOf are the words for a flow that isn't sent of the service's own accord.
var wayOf = map[Kind]string{Replied: "reply to ", DeadLetter: "dead letters to "}

// by says in words by which way messages go.
func (f Flow) by() string {
	switch {
	case f.Kind == Replied && f.Queue == "" && f.Exchange == "":
		return "reply"
	case f.Exchange == "":
		return wayOf[f.Kind] + "queue " + f.Queue
	}
	way := wayOf[f.Kind] + "exchange " + f.Exchange
	if len(f.Keys) > 0 {
		way += " " + strings.Join(f.Keys, " ")
	}
	return way
}

// sentence is what a finding is, and whether it is known.
func (f Finding) sentence() string {
	if f.Undecided {
		return "undecided: " + f.What
	}
	return f.What
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// HasCertain reports whether there is a finding that is known to be one.
func (m *Map) HasCertain() bool {
	return slices.ContainsFunc(m.Findings, func(f Finding) bool { return !f.Undecided })
}
