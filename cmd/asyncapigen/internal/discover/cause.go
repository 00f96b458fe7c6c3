package discover

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/diagnostic"
)

// A subject is what a finding is about, where other routes may have the same one:
// some fields of a route that aren't known, or a route that is registered in a way
// that isn't known.
type subject struct {
	fields []string // such as "the queue name"; nil where it is the route itself
	route  string   // such as "the route \"a\""
	verb   string   // what the fields aren't, or the route is
}

// maxNamed is how many routes a finding names at most.
const maxNamed = 8

// reportAbout reports a finding about a subject, which says what was found.
func (f *finder) reportAbout(pos token.Pos, about subject, d diagnostic.Diagnostic) {
	d.What = whatOf([]subject{about})
	f.report(pos, d)
	d.Pos = f.program.Position(pos)
	if f.subjects == nil {
		f.subjects = make(map[diagnostic.Diagnostic]subject)
	}
	f.subjects[d] = about
}

// byCause returns the diagnostics in their order, those of one cause as one.
func (f *finder) byCause() diagnostic.List {
	type cause struct {
		diagnostic diagnostic.Diagnostic
		verb       string
	}
	var all diagnostic.List
	var causes []cause
	subjects := make(map[cause][]subject)
	for _, d := range f.diagnostics.Sorted() {
		about, ok := f.subjects[d]
		if !ok {
			all.Add(d)
			continue
		}
		of := cause{d, about.verb}
		of.diagnostic.What = ""
		if subjects[of] == nil {
			causes = append(causes, of)
		}
		subjects[of] = append(subjects[of], about)
	}
	for _, of := range causes {
		of.diagnostic.What = whatOf(subjects[of])
		all.Add(of.diagnostic)
	}
	return all.Sorted()
}

// whatOf says what is wrong with the subjects of one cause.
func whatOf(all []subject) string {
	if routes := routesOf(all); all[0].fields == nil && len(all) == 1 {
		return routes + " is " + all[0].verb
	} else if all[0].fields == nil {
		return routes + " are " + all[0].verb
	}
	var groups [][]subject // of the same fields
	for _, s := range all {
		i := slices.IndexFunc(groups, func(group []subject) bool { return slices.Equal(group[0].fields, s.fields) })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], s)
	}
	var texts []string
	for _, group := range groups {
		of := " of "
		if len(group) > 1 {
			of = " of each of "
		}
		texts = append(texts, enumerated(group[0].fields)+of+routesOf(group))
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0] + areNot(all[0].fields) + all[0].verb
	}
	return strings.Join(texts[:last], ", ") + ", and " + texts[last] + " aren't " + all[0].verb
}

// routesOf names the routes of some subjects.
func routesOf(all []subject) string {
	if len(all) == 1 {
		return all[0].route
	}
	var names []string
	for _, s := range all {
		names = append(names, strings.TrimPrefix(s.route, "the route "))
	}
	if len(names) > maxNamed {
		names = append(names[:maxNamed-1], fmt.Sprintf("%d others", len(names)-maxNamed+1))
	}
	return "the routes " + enumerated(names)
}

// areNot is the verb of one field, or of several.
func areNot(fields []string) string {
	if len(fields) == 1 && !strings.HasSuffix(fields[0], "s") {
		return " isn't "
	}
	return " aren't "
}

// enumerated writes "a, b and c".
func enumerated(names []string) string {
	last := len(names) - 1
	if last <= 0 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
