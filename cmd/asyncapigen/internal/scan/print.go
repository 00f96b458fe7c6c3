package scan

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// Print prints what is known of each consumer, for people.
func (r Result) Print(w io.Writer) {
	for i, c := range r.Consumers {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s, by %s\n", c.Pos, c.Queue.sentence(), c.Client)
		for _, b := range c.Bindings {
			fmt.Fprintf(w, "  bound to %s by %s\n", b.Exchange.sentence(), b.sentence())
		}
		fmt.Fprintf(w, "  %s\n", c.settlement())
		if len(c.ChangedBy) > 0 {
			fmt.Fprintf(w, "  by default: changed by %s\n", strings.Join(c.ChangedBy, ", "))
		}
		for _, b := range c.Bodies {
			fmt.Fprintf(w, "  decoded into %s by %s at %s\n", registered.TypeName(b.Type), b.Format, b.Pos)
		}
		if c.Replies {
			fmt.Fprintf(w, "  replies with %s\n", cmp.Or(registered.TypeName(c.Reply), "-"))
		}
		for _, g := range c.gaps() {
			fmt.Fprintf(w, "  not known: %s: %s%s\n", g.What, g.Why, g.place())
		}
	}
}

func (g Gap) place() string {
	if !g.Pos.IsValid() {
		return ""
	}
	return " (" + g.Pos.String() + ")"
}

// quoted returns a text as a message has it.
func (t Text) quoted() string {
	switch {
	case !t.Known():
		return "?"
	case t.setting() != "":
		return fmt.Sprintf("%q (unless %s is set)", t.Value, t.setting())
	}
	return strconv.Quote(t.Value)
}

func (q Queue) sentence() string {
	text := "queue " + q.Name.quoted()
	if q.Server {
		text = "a queue that the broker names"
	}
	var is []string
	for _, property := range []struct {
		holds bool
		name  string
	}{{q.Durable, "durable"}, {q.AutoDelete, "auto-delete"}, {q.Exclusive, "exclusive"}} {
		if property.holds {
			is = append(is, property.name)
		}
	}
	if is = append(is, arguments(q.Arguments)...); len(is) > 0 {
		text += " (" + strings.Join(is, ", ") + ")"
	}
	return text
}

func (x Exchange) sentence() string {
	text := x.Name.quoted()
	if kind := x.kind(); kind != "" {
		text += " (" + kind
		if x.Durable {
			text += ", durable"
		}
		text += ")"
	}
	return text
}

func (b Binding) sentence() string {
	text := b.Key.quoted()
	if len(b.Arguments) > 0 {
		text += " (" + strings.Join(arguments(b.Arguments), ", ") + ")"
	}
	return text
}

func (c *Consumer) settlement() string {
	prefetch := "no prefetch"
	if c.Prefetch > 0 {
		prefetch = fmt.Sprintf("prefetch %d", c.Prefetch)
	} else if c.lacks(whichPrefetch) {
		prefetch = "prefetch ?"
	}
	switch {
	case c.lacks(whenAcknowledged):
		return "acknowledged in a way that isn't known, " + prefetch
	case c.AutoAck:
		return "acknowledged when they are sent, " + prefetch
	case c.Settles:
		return "acknowledged by hand, " + prefetch
	default:
		return "acknowledged by code that isn't followed, " + prefetch
	}
}

// arguments lists a table, for people.
func arguments(table map[string]any) []string {
	var all []string
	for _, name := range sortedNames(table) {
		all = append(all, name+"="+argument(table[name]))
	}
	return all
}

// argument returns an argument as Go has it, "?" where it isn't known.
func argument(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	default:
		return "?"
	}
}

func sortedNames(table map[string]any) []string { return slices.Sorted(maps.Keys(table)) }
