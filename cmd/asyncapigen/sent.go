package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// printSends prints what the service sends as a table, nothing where it sends nothing.
func printSends(w io.Writer, sends []registered.Send) {
	if len(sends) == 0 {
		return
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SENDS TO\tEXCHANGE\tKEY\tBODY\tREPLY\tPOSITION")
	for _, s := range sends {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", inTable(cmp.Or(s.Route, "-")), inTable(cmp.Or(s.To.Exchange, "-")),
			inTable(cmp.Or(keysOf(s), "-")), registered.TypeName(s.Body), registered.TypeName(s.Result), s.Pos)
	}
	// The writer's own errors are those of stdout, which can't be reported anywhere.
	_ = table.Flush()
}

// keysOf are the routing keys with which s is sent, one or those from which is chosen.
func keysOf(s registered.Send) string {
	if keys := slices.Concat(s.Keys, s.Patterns); len(keys) > 0 {
		return strings.Join(keys, " ")
	}
	return s.To.RoutingKey
}

// printSendSentences says in sentences what the service sends.
func printSendSentences(w io.Writer, sends []registered.Send) {
	for _, s := range sends {
		fmt.Fprintf(w, "\n%s: sends %s\n", s.Pos, bodyOfSend(s))
		fmt.Fprintf(w, "  It goes to %s\n", targetOf(s))
		if s.Route != "" {
			fmt.Fprintf(w, "  The route there is called %q\n", s.Route)
		}
		if s.Result != nil {
			fmt.Fprintf(w, "  The sender waits for a reply of the type %s\n", registered.TypeName(s.Result))
		}
	}
}

func bodyOfSend(s registered.Send) string {
	if s.Codec != nil {
		return "a message of the type " + registered.TypeName(s.Body) + ", by a codec"
	}
	return bodyOf(s.Body)
}

func targetOf(s registered.Send) string {
	to := fmt.Sprintf("the queue %q", s.To.RoutingKey)
	if s.To.Exchange != "" {
		to = fmt.Sprintf("the exchange %q with the key %q", s.To.Exchange, s.To.RoutingKey)
	}
	if keys := slices.Concat(s.Keys, s.Patterns); len(keys) > 0 {
		to = fmt.Sprintf("the exchange %q with a key of %s", s.To.Exchange, quotedList(keys))
	}
	if s.Type != "" {
		to += fmt.Sprintf(", with the property type %q", s.Type)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		to += fmt.Sprintf(", with the header %q of %v", name, s.Headers[name])
	}
	if s.HeadersUnknown {
		to += ", with headers that the code doesn't determine"
	}
	return to
}

func quotedList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = fmt.Sprintf("%q", text)
	}
	return strings.Join(quoted, ", ")
}

// jsonSends are those of list and explain.
func jsonSends(sends []registered.Send) []jsonSend {
	var all []jsonSend
	for _, s := range sends {
		send := jsonSend{
			Route: s.Route, Exchange: s.To.Exchange, RoutingKey: s.To.RoutingKey, RoutingKeys: orEmpty(slices.Concat(s.Keys, s.Patterns)),
			Type: s.Type, Headers: orNone(s.Headers), Body: registered.TypeName(s.Body), Position: jsonPositionOf(s.Pos),
		}
		if s.HeadersUnknown {
			send.Unknown = []string{"headers"}
		}
		if s.Result != nil {
			send.Result = registered.TypeName(s.Result)
		}
		all = append(all, send)
	}
	return all
}
