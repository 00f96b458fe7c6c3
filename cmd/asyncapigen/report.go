package main

import (
	"cmp"
	"fmt"
	"go/types"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A reporter prints what becomes of the services of a run.
type reporter interface {
	service(o service.Outcome)
	end()
}

// newReporter returns the reporter of a run. The warnings are those of the
// directives.
func newReporter(services []*service.Options, warnings diagnostic.List, stdout, stderr io.Writer) reporter {
	r := &textReporter{stdout: stdout, stderr: stderr, several: len(services) > 1}
	switch services[0].Format {
	case service.JSON:
		return newJSONReporter(services[0].Mode, warnings, stdout)
	case service.GitHub:
		g := &githubReporter{textReporter: r}
		g.print(warnings)
		return g
	case service.SARIF:
		return newSARIFReporter(warnings, stdout)
	default:
		printDiagnostics(stderr, warnings)
		return r
	}
}

// A textReporter prints for people: what they asked for to stdout, and what there
// is to say about it to stderr.
type textReporter struct {
	stdout, stderr io.Writer
	several        bool // each service has a heading
	headings       int
}

func (r *textReporter) service(o service.Outcome) {
	printDiagnostics(r.stderr, o.Found)
	r.results(o)
	if o.Fault != nil {
		fmt.Fprintf(r.stderr, "asyncapigen: %v\n", named(o, o.Fault))
	}
}

func (r *textReporter) end() {}

// results prints what was asked for.
func (r *textReporter) results(o service.Outcome) {
	switch {
	case o.Unread:
	case o.Unchanged:
		if o.Service.Verbose {
			fmt.Fprintf(r.stderr, "%s: no change can have touched it\n", service.LineAt(o.Service.At))
		}
	case o.Service.Mode == service.List:
		r.heading(o)
		printRoutes(r.stdout, o.Routes)
		printSends(r.stdout, o.Sends)
		printDeclared(r.stdout, o.Declared)
	case o.Service.Mode == service.Explain:
		r.heading(o)
		printOrigins(r.stdout, o.Routes)
		printSendSentences(r.stdout, o.Sends)
		printDeclared(r.stdout, o.Declared)
	default:
		r.files(o)
	}
}

// named adds to an error the directive of the service that it is about, where it
// has one.
func named(o service.Outcome, err error) error {
	if !o.Service.At.IsValid() {
		return err
	}
	return fmt.Errorf("%s: %w", service.LineAt(o.Service.At), err)
}

// heading tells the tables of several services apart.
func (r *textReporter) heading(o service.Outcome) {
	if !r.several {
		return
	}
	if r.headings++; r.headings > 1 {
		fmt.Fprintln(r.stdout)
	}
	fmt.Fprintf(r.stdout, "# %s\n", service.LineAt(o.Service.At))
}

// files prints differences to stdout, where a patch belongs, and a line for each
// stale file to stderr.
func (r *textReporter) files(o service.Outcome) {
	for _, s := range o.Files {
		switch {
		case s.Diff != "":
			fmt.Fprintf(r.stderr, "%s: is %s: run go generate and commit the result\n", s.Path, s.State)
			fmt.Fprint(r.stdout, strings.TrimSuffix(s.Diff, "\n")+"\n")
		case o.Service.Verbose && s.State == service.Written:
			fmt.Fprintln(r.stderr, "wrote "+s.Path)
		case o.Service.Verbose:
			fmt.Fprintln(r.stderr, s.Path+" is up to date")
		}
	}
	if o.Service.Mode == service.Check && o.Service.Verbose && len(o.Files) > 0 && o.Service.AreExact() {
		fmt.Fprintln(r.stderr, "arguments and routing keys weren't compared, because exact documents have no place for them: -o extended=FILE writes one that has")
	}
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

// printOrigins says in sentences what the routes are, and where their values come
// from: for each field the expression that gave its value, and indented below it
// what that was computed from.
func printOrigins(w io.Writer, routes []registered.Route) {
	for i, route := range routes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: the route %q\n", route.Pos, route.Name)
		fmt.Fprintf(w, "  %s\n", handlerSentence(route))
		for _, sentence := range bodySentences(route) {
			fmt.Fprintf(w, "  %s\n", sentence)
		}
		fmt.Fprintf(w, "  %s\n", replySentence(route))
		for _, sentence := range queueSentences(route) {
			fmt.Fprintf(w, "  %s\n", sentence)
		}
		for _, field := range route.Origins {
			fmt.Fprintf(w, "  %s\n", valueSentence(field))
			for _, from := range field.Origin.From {
				printOrigin(w, from, 2)
			}
		}
	}
}

func printOrigin(w io.Writer, origin *diagnostic.Origin, depth int) {
	fmt.Fprintf(w, "%sfrom %s at %s\n", strings.Repeat("  ", depth), origin.Text, origin.Pos)
	for _, from := range origin.From {
		printOrigin(w, from, depth+1)
	}
}

func valueSentence(field registered.FieldOrigin) string {
	is := "The " + field.Field + " is " + field.Value
	if field.Field == "tags" || field.Field == "routing keys" {
		is = "One of the " + field.Field + " is " + field.Value
	}
	origin := field.Origin
	if len(origin.From) == 0 && strings.HasPrefix(field.Value, strings.TrimSuffix(origin.Text, "...")) {
		return is + ", as written at " + origin.Pos.String()
	}
	return is + ", from " + origin.Text + " at " + origin.Pos.String()
}

func handlerSentence(route registered.Route) string {
	by := route.HandledBy
	how := "Consume"
	switch {
	case route.Result != nil:
		how = "Respond"
	case route.Batch != nil:
		how = "ConsumeBatch"
	}
	switch {
	case route.Cases != nil:
		return fmt.Sprintf("Its messages are handled by the cases of Dispatch at %s, by their %v", by.Made, route.DispatchedBy)
	case route.Body == nil:
		return "It has no handler"
	case by.Name != "":
		return fmt.Sprintf("Its messages are handled by %s at %s, made a handler by %s at %s", by.Name, by.Pos, how, by.Made)
	case by.Pos.IsValid():
		return fmt.Sprintf("Its messages are handled by the function at %s, made a handler by %s at %s", by.Pos, how, by.Made)
	}
	return fmt.Sprintf("Its messages are handled by a function made a handler by %s at %s", how, by.Made)
}

func bodySentences(route registered.Route) []string {
	if route.Cases == nil {
		return []string{"A message is " + bodyOf(route.Body)}
	}
	sentences := make([]string, len(route.Cases))
	for i, c := range route.Cases {
		sentences[i] = fmt.Sprintf("A message %q is %s", c.Name, bodyOf(c.Body))
		if c.Otherwise {
			sentences[i] = "Any other message is handled, too, and the document doesn't show it"
		}
	}
	return sentences
}

func bodyOf(body types.Type) string {
	if name := registered.TypeName(body); name != "[]byte" {
		return "JSON of the type " + name
	}
	return "bytes, of which the document says nothing"
}

func replySentence(route registered.Route) string {
	switch {
	case !route.Replies():
		return "It sends no reply"
	case route.Reply == nil || route.Reply.IsZero():
		return "A reply of the type " + route.ResultName() + " goes to whoever asked"
	}
	return fmt.Sprintf("A reply of the type %s goes to %s", route.ResultName(), route.Reply)
}
