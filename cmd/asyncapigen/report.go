package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/diagnostic"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// programFaults returns what the compiler would say about the packages that were
// read from source.
func programFaults(program *load.Program) diagnostic.List {
	var list diagnostic.List
	for _, e := range program.Errors() {
		list.Add(diagnostic.Diagnostic{Code: diagnostic.TypeError, Pos: e.Pos, What: e.Msg})
	}
	return list
}

func printDiagnostics(w io.Writer, list diagnostic.List) {
	for _, d := range list.Sorted() {
		fmt.Fprintln(w, d)
	}
}

// printRoutes prints the routes as a table.
func printRoutes(w io.Writer, routes []discover.Route) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ROUTE\tQUEUE\tEXCHANGE\tKEYS\tBODY\tREPLY\tPOSITION")
	for _, route := range routes {
		exchange := "-"
		if route.Exchange != nil {
			exchange = fmt.Sprintf("%s (%s)", route.Exchange.Name, route.Exchange.Type)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", route.Name, route.Queue.Name, exchange,
			cmp.Or(strings.Join(route.RoutingKeys, " "), "-"), route.BodyName(), route.ResultName(), route.Pos)
	}
	// The writer's own errors are those of stdout, which nobody can be told of.
	_ = table.Flush()
}
