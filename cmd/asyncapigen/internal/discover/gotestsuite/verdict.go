package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A class is how the evaluation of a program went.
type class string

const (
	right    class = "right"    // the one route was found exactly
	refused  class = "refused"  // an error says why it isn't
	panics   class = "panics"   // it is said that the program panics, which it doesn't
	missing  class = "missing"  // there is no route, and nothing is said
	wrong    class = "wrong"    // there is another route
	crashed  class = "crashed"  // the evaluation panicked
	steps    class = "steps"    // it was given up with an error: too many steps
	hung     class = "hung"     // it took too long
	notBuilt class = "notbuilt" // the program doesn't compile as a module of its own
)

// classes are all of them, in the order in which they are printed.
var classes = []class{right, refused, panics, missing, wrong, steps, crashed, hung, notBuilt}

// A verdict is what there is to say of a program.
type verdict struct {
	Program string
	Class   class
	Reason  string
}

// judge evaluates the program in one of the packages that were loaded.
func judge(ctx context.Context, all *load.Program, name string, root *load.Package) verdict {
	if len(root.Errors) > 0 {
		return verdict{name, notBuilt, root.Errors[0].Error()}
	}
	program := *all
	program.Roots = []*load.Package{root}
	result := discover.Routes(ctx, &program)
	v := verdict{Program: name, Class: missing}
	for _, d := range result.Diagnostics {
		if d.Severity != diagnostic.Error {
			continue
		}
		v.Reason = d.String()
		v.Class = refused
		switch {
		case d.Code == diagnostic.TooManySteps && ctx.Err() != nil:
			v.Class = hung
		case d.Code == diagnostic.InternalError:
			v.Class = crashed
		case d.Code == diagnostic.TooManySteps:
			v.Class = steps
		case strings.Contains(d.What, "panics here"):
			v.Class = panics
		}
		return v
	}
	switch routes := result.Routes; {
	case len(routes) == 0:
	case len(routes) == 1 && routes[0].Name == "after" && routes[0].Queue.Name == "suite.after":
		v.Class = right
	default:
		v.Class, v.Reason = wrong, fmt.Sprintf("%+v", routes)
	}
	return v
}
