// Package scan finds what a program consumes by a client of RabbitMQ that isn't
// warren: amqp091-go, streadway/amqp, wagslane/go-rabbitmq or watermill-amqp.
//
//	program, err := load.Packages(ctx, load.Config{Patterns: patterns, Clients: scan.Clients})
//	result := scan.Find(ctx, program)
//	for _, consumer := range result.Consumers { ... }
//
// It has the program evaluated (package eval) and notes what is declared, bound and
// consumed. Each consumer is given one delivery, whose body is followed into the
// functions that handle it: what decodes it says of which type it is. What main
// doesn't lead to, such as a method that a framework calls, is evaluated on its own,
// with parameters that aren't known.
//
// A scan describes a program that others have written, to those who know it: it
// tells what it couldn't find out, and takes what the program does on any of its
// ways for what it does. See docs/decisions/0088.
//
// Which file is which:
//
//	scan.go, entry.go    what is evaluated, and what becomes of it
//	defaults.go          variables of the environment and flags that have a default
//	consumer.go          what is found
//	user.go              what the evaluation asks
//	amqp.go, wagslane.go, watermill.go
//	                     what the functions of the clients mean
//	content.go           bodies, and what decodes them
//	forward.go           messages that are sent on over channels
//	route.go             consumers as routes of warren
//	source.go            the Go source of these routes
//	print.go, json.go    what is found, for people and for programs
package scan

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// Clients are the packages whose importers are read, by their paths. Those of
// wagslane/go-rabbitmq and watermill-amqp are among the importers.
var Clients = map[string]bool{amqp091Path: true, streadwayPath: true}

// A Result is what was found.
type Result struct {
	Consumers []*Consumer // in the order of their positions
	Problems  []Problem   // about what isn't any consumer's
}

// A Problem is something that couldn't be told.
type Problem struct {
	Pos  token.Position
	Text string
}

func (p Problem) String() string {
	if p.Pos.IsValid() {
		return p.Pos.String() + ": " + p.Text
	}
	return p.Text
}

// Find evaluates the program: each of its main packages, and then what these don't
// lead to.
func Find(ctx context.Context, program *load.Program) Result {
	s := &scanner{program: program, kinds: make(map[token.Pos]siteKind), flags: make(map[token.Pos]string), reached: make(map[token.Pos]bool), consumed: make(map[string]bool)}
	sites := s.sites()
	for _, at := range sites {
		s.kinds[at.pos] = at.kind
	}
	for _, pkg := range program.Roots {
		if pkg.Types != nil && pkg.Name == "main" {
			s.evaluate(ctx, entry{pkg: pkg, main: true})
		}
	}
	for _, whole := range []bool{true, false} {
		for _, e := range s.entriesTo(sites, whole) {
			s.evaluate(ctx, e)
		}
	}
	for _, at := range sites {
		if !s.isReached(at) {
			s.problem(at.pos, "this call may consume, and nothing is known of it: no way that is followed leads here")
		}
	}
	return Result{Consumers: s.merged(), Problems: s.problems}
}

// scanner finds the consumers of a program.
type scanner struct {
	program  *load.Program
	ev       *eval.Evaluator
	run      *run
	runs     []*run
	kinds    map[token.Pos]siteKind // of the sites
	reached  map[token.Pos]bool     // the sites that were evaluated
	consumed map[string]bool        // names of functions that consume and were called elsewhere
	entered  []*eval.Evaluator

	sent      map[token.Pos]*forward    // over channels, by the calls that made them; nil where that isn't noted
	forwarded map[token.Pos]value.Value // what is received from channels
	unset     map[string]bool           // variables of the environment that aren't set; nil where flags may be
	flags     map[token.Pos]string      // the names of flags, by the calls that define them
	setFlags  bool                      // the program sets flags itself
	problems  []Problem
}

func (s *scanner) problem(pos token.Pos, text string) {
	p := Problem{s.program.Position(pos), text}
	if !slices.Contains(s.problems, p) {
		s.problems = append(s.problems, p)
	}
}

// evaluate evaluates the program from an entry point, once for each start that the
// command line can choose. Where something comes from the environment or a flag and has
// a default, it is evaluated again without these variables and without flags.
func (s *scanner) evaluate(ctx context.Context, e entry) {
	s.unset, s.setFlags = nil, false
	runs := s.followed(ctx, e)
	byDefault := runs
	for len(s.unset) < maxVariables && s.addDefaults(byDefault) {
		byDefault = s.starts(ctx, e)
	}
	if s.unset != nil {
		resolve(runs, byDefault)
	}
	s.runs = append(s.runs, runs...)
}

// starts evaluates the program for each of its starts. A fault of the evaluation is a
// problem.
func (s *scanner) starts(ctx context.Context, e entry) (runs []*run) {
	s.ev = eval.New(ctx, s.program, s)
	s.ev.Part = !e.main
	s.entered = append(s.entered, s.ev)
	defer func() {
		if fault := recover(); fault != nil {
			s.problem(s.ev.Last(), fmt.Sprintf("the analysis failed here, by a fault of asyncapigen: %v: report it with this program at https://github.com/warrenmq/warren/issues", fault))
			runs = append(runs, s.run.finished())
		}
	}()
	for _, start := range s.ev.Starts(func() { s.run = newRun(); s.enter(e) }, func() any { return s.run }) {
		runs = append(runs, start.Result.(*run).finished())
		if start.Exhausted.IsValid() {
			s.problem(start.Exhausted, "the analysis was given up here: the program takes too many steps")
		}
	}
	return runs
}

// merged returns the consumers of all runs, each once.
func (s *scanner) merged() []*Consumer {
	var all []*Consumer
	for _, r := range s.runs {
		for _, c := range r.consumers {
			if i := slices.IndexFunc(all, c.isAlso); i >= 0 {
				all[i].add(c)
				continue
			}
			all = append(all, c)
		}
	}
	for _, c := range all { // a map of handlers has no order
		slices.SortStableFunc(c.Bodies, func(a, b Body) int {
			return cmp.Or(compare(a.Pos, b.Pos), cmp.Compare(registered.TypeName(a.Type), registered.TypeName(b.Type)))
		})
	}
	slices.SortStableFunc(all, func(a, b *Consumer) int {
		return cmp.Or(compare(a.Pos, b.Pos), cmp.Compare(a.Queue.key(), b.Queue.key()), cmp.Compare(a.Prefetch, b.Prefetch))
	})
	return all
}

func compare(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
