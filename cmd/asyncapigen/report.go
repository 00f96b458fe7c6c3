package main

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// diagnostics returns everything to report about the packages and their routes. Of
// several programs it reports only that there are several: other problems, such as
// a client that isn't generated yet, are those of one program. It leaves out what
// isn't known only because the package doesn't compile there.
func diagnostics(program *load.Program, result discover.Result) diagnostic.List {
	several := func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.SeveralPrograms }
	if slices.ContainsFunc(result.Diagnostics, several) {
		return result.Diagnostics
	}
	all := programFaults(program, result)
	faulty := make(map[token.Position]bool)
	for _, d := range all {
		faulty[d.Pos] = true
	}
	for _, d := range result.Diagnostics {
		if !d.Pos.IsValid() || !faulty[d.Pos] {
			all.Add(d)
		}
	}
	return all
}

// programFaults returns the compiler's errors of the packages that were read from
// source. A fault in the body of a function that has no part in the
// routes, such as a handler's, is a warning: the routes can be read all the same.
// So is a package that isn't there: where a route depends on it, there is an error
// about that. Services that use each other's clients could be generated in no
// order otherwise. See docs/decisions/0020.
func programFaults(program *load.Program, result discover.Result) diagnostic.List {
	var list diagnostic.List
	for _, e := range program.Errors() {
		d := diagnostic.Diagnostic{Code: diagnostic.TypeError, Pos: e.Pos, What: e.Msg}
		if len(result.Routes) > 0 && e.At.IsValid() && (e.Missing || result.Skipped(e.At)) {
			d.Severity = diagnostic.Warning
		}
		if e.Missing {
			d.Why = "what it registers, if anything, isn't known"
			d.Remedy = "if it is the client of another service, generate that one too"
		}
		list.Add(d)
	}
	return list
}

func printDiagnostics(w io.Writer, list diagnostic.List) {
	for _, d := range list.Sorted() {
		fmt.Fprintln(w, d)
	}
}

// printRoutes prints the routes as a table.
func printRoutes(w io.Writer, routes []registered.Route) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ROUTE\tQUEUE\tEXCHANGE\tKEYS\tBODY\tREPLY\tPOSITION")
	for _, route := range routes {
		exchange := "-"
		if route.Exchange != nil {
			exchange = fmt.Sprintf("%s (%s)", route.Exchange.Name, route.Exchange.Type)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", inTable(route.Name), inTable(route.Queue.Name), inTable(exchange),
			inTable(cmp.Or(strings.Join(route.RoutingKeys, " "), "-")), route.BodyName(), route.ResultName(), route.Pos)
	}
	// The writer's own errors are those of stdout, which can't be reported anywhere.
	_ = table.Flush()
}

// inTable quotes a text with tabs or ends of lines, which would break the table.
func inTable(text string) string {
	if strings.ContainsFunc(text, unicode.IsControl) {
		return strconv.Quote(text)
	}
	return text
}

// printOrigins prints where the values of the routes come from: for each field
// the expression that gave its value, and indented below it what that was
// computed from.
func printOrigins(w io.Writer, routes []registered.Route) {
	for i, route := range routes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: route %q\n", route.Pos, route.Name)
		for _, field := range route.Origins {
			fmt.Fprintf(w, "  %s: %s\n", field.Field, field.Value)
			printOrigin(w, field.Origin, 2)
		}
	}
}

func printOrigin(w io.Writer, origin *diagnostic.Origin, depth int) {
	fmt.Fprintf(w, "%s%s: %s\n", strings.Repeat("  ", depth), origin.Pos, origin.Text)
	for _, from := range origin.From {
		printOrigin(w, from, depth+1)
	}
}
