// Package discover finds the routes that a program registers, without running
// it.
//
// It has the program evaluated from its entry points (package eval) and notes
// what is registered. What Go determines before the program meets the outside
// world is determined here as well. What isn't known becomes a diagnostic only
// when a route depends on it. There is no guess and no omission: a route is
// found completely, or something is said about it.
//
//	program, err := load.Packages(ctx, load.Config{Patterns: []string{"."}})
//	result := discover.Routes(ctx, program)
//	for _, route := range result.Routes { ... }
//
// The contract describes the service that has started: a way that ends the
// process makes nothing conditional that the others do. What is assumed, and
// what is proved, is in docs/decisions/0001.
//
// The entry points are main and the init functions of a main package. Without
// one, they are the exported functions and methods of the packages that were
// named, with a Router for a Router parameter and unknown values for the others,
// except those that another of them calls with values of its own.
//
// Which file is which:
//
//	discover.go, roots.go, references.go
//	                 the entry points, and what can reach a registration
//	runtimecalls.go, called.go
//	                 what the functions of package runtime mean, and call
//	register.go, readroute.go, refusal.go, checkroutes.go
//	                 the routes that are registered
//	declaredbeside.go, readtopology.go
//	                 what routers declare beside the routes
//	constructions.go the publishers and callers that are made
//	commands.go, served.go
//	                 the starts of a program, and which of them serve
//	directive.go     //asyncapigen:value
//
// The tests are modules in txtar archives: a few in testdata here, most of them
// in /testdata/golden, where cmd/asyncapigen runs them as commands and holds
// each document against that of the running program.
package discover

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A Result is what was found.
type Result struct {
	Routes      []registered.Route // in the order of their registration
	Declared    registered.Declared
	Diagnostics diagnostic.List // sorted

	finder *finder
}

// Routes evaluates the program and returns the routes that it registers. When a
// diagnostic is an error, routes are missing.
func Routes(ctx context.Context, program *load.Program, options ...Option) Result {
	f := &finder{program: program, valueDirectives: make(map[*load.Package]map[lineOf]*directive)}
	f.ev = eval.New(ctx, program, f)
	for _, option := range options {
		option(f)
	}
	f.guarded(func() {
		f.run()
		f.checkRoutes()
		f.checkUncalled()
		f.checkDirectives()
	})
	return Result{Routes: f.found, Declared: f.declared, Diagnostics: f.byCause(), finder: f}
}

// An Option changes what Routes finds out.
type Option func(*finder)

// Explain has Routes note where the values of the routes' fields come from, in
// Route.Origins.
func Explain() Option { return func(f *finder) { f.ev.Explain = true } }

// Command has Routes follow one command of the program, by its name, of several
// that could run.
func Command(name string) Option { return func(f *finder) { f.ev.Command = name } }

// finder is the evaluator's user: it records the routes that are registered.
type finder struct {
	ev              *eval.Evaluator
	program         *load.Program
	valueDirectives map[*load.Package]map[lineOf]*directive
	directed        bool   // whether one of the packages in readFrom has some
	readFrom        int    // how many of the own packages were searched for them
	runPrograms     func() // evaluates the entry points

	recordingCode *references   // see Leads; nil until asked for
	servingCode   *references   // see MayServe; nil until asked for
	runsHandlers  bool          // what handlers change matters, see noteLate
	starts        []*eval.Start // all of the program, with maps in ascending order
	methodSets    typeutil.MethodSetCache

	wantConstructions bool
	entryPackages     []*load.Package
	subjects          map[diagnostic.Diagnostic]subject // of those that are one with others of their cause

	evaluation                     // the running one; in the end what counts of all
	declared   registered.Declared // by the starts that count
}

// evaluation is what one evaluation of the program notes.
type evaluation struct {
	recorded
	constructions []Construction
	serving       *value.Cell                     // holds a value once the router was given to a broker
	consumed      map[any]*value.Cell             // by router: holds a value once a broker has read its routes
	filled        map[*value.Cell]bool            // the routers that have got something, see filled.go
	times         map[registeringCall]*value.Cell // how often routes were registered, up to twice
	replaced      map[*value.Cell]bool            // those of them that were assigned to
	made          int                             // how many routers NewRouter has made
	mayServe      *value.Unknown                  // a router that was and isn't known, nil for none
	reachable     map[reference]bool              // those that were asked for, with what has been read
	panicked      *eval.Panic                     // how the program ended, nil where it doesn't by a panic
	policies      policies
	repeated      []repetition              // routes that are in found, of another router
	beforehand    []registration            // what was registered before the running goroutine was started
	brokers       map[any]*value.Cell       // by broker: holds which router it has got
	begun         map[*value.Cell]token.Pos // where a router was given to a broker
	ran           *value.Cell               // holds which router Run has served, and returned
	belated       []belated
}

// recorded is what a part of an evaluation has found.
type recorded struct {
	registrations []registration
	found         []registered.Route // those that make routes of the contract
	declarations  []declaration
	servings      []serving
	diagnostics   diagnostic.List
}

// Skipped reports whether pos is in the body of a function that had no part in
// the evaluation, such as a handler's. What is wrong there is not wrong with
// the routes.
func (r Result) Skipped(pos token.Pos) bool {
	var innermost *ast.BlockStmt
	for _, pkg := range r.finder.program.Checked() {
		for _, file := range pkg.Files {
			ast.Inspect(file, func(node ast.Node) bool {
				if node == nil || pos < node.Pos() || pos >= node.End() {
					return false
				}
				switch node := node.(type) {
				case *ast.FuncDecl:
					innermost = node.Body
				case *ast.FuncLit:
					innermost = node.Body
				}
				return true
			})
		}
	}
	return innermost != nil && innermost.Pos() <= pos && !r.finder.ev.Entered(innermost)
}

// guarded runs the analysis. A fault of it, which no program should lead to, ends it
// with an error where the program was being read, instead of a crash.
func (f *finder) guarded(analyse func()) {
	defer func() {
		fault := recover()
		if fault == nil {
			return
		}
		f.report(f.ev.Last(), diagnostic.Diagnostic{
			Code:   diagnostic.InternalError,
			What:   "the analysis failed here",
			Why:    fmt.Sprintf("a fault of asyncapigen, not of the program: %v, in %s", fault, diagnostic.PanicSite()),
			Remedy: "report it with this program at https://github.com/warrenmq/warren/issues, and write this part in another way until then",
		})
	}()
	analyse()
}

// run evaluates every entry point. A program that takes too many steps is given
// up with a diagnostic.
func (f *finder) run() {
	mains, libraries := f.split()
	if len(mains) > 1 {
		f.reportMains(mains)
		return
	}
	f.ev.Part = len(mains) == 0
	f.entryPackages = mains
	if f.ev.Part {
		f.entryPackages = libraries
	}
	f.runPrograms = func() {
		if len(mains) == 1 {
			f.runMain(mains[0])
			return
		}
		f.runLibraries(libraries)
	}
	f.runStarts()
	f.compareOrders()
}

func (f *finder) tooManyStarts() diagnostic.Diagnostic {
	_, pos := f.ev.Commands()
	remedy := "choose a command by the flag -run"
	if f.ev.Command != "" {
		remedy = "name more of its words by -run, or give the value here by //asyncapigen:value"
	}
	return diagnostic.Diagnostic{
		Code:   diagnostic.TooManySteps,
		Pos:    f.program.Position(pos),
		What:   "the analysis was given up here",
		Why:    "the command line can start the program in too many ways",
		Remedy: remedy,
	}
}

// unclearCommand says that several values are compared with the command that was asked for.
func (f *finder) unclearCommand(pos token.Pos) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code:   diagnostic.SeveralCommands,
		Pos:    f.program.Position(pos),
		What:   "it isn't clear what the command " + quoted(f.ev.Command) + " is",
		Why:    "the flag -run stands for one word or one flag, and here another one is compared with its text",
		Remedy: "give the value here by //asyncapigen:value, or compare it with another text",
	}
}

func (f *finder) tooManySteps(pos token.Pos) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{
		Code:   diagnostic.TooManySteps,
		Pos:    f.program.Position(pos),
		What:   "the analysis was given up here",
		Why:    "the program takes too many steps before it has registered its routes",
		Remedy: "register the routes before the work begins",
	}
}
