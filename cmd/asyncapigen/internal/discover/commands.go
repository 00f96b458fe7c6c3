package discover

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// apart returns what run records.
func (f *finder) apart(run func()) recorded {
	around := f.recorded
	f.recorded = recorded{}
	defer func() { f.recorded = around }()
	run()
	return f.recorded
}

// started is what one start of the program has found.
type started struct {
	recorded
	start    *eval.Start
	declared registered.Declared
	serves   bool // a broker gets a router, or may get one
	panicked *eval.Panic
	made     []Construction
}

// record returns what the evaluation of a start has found.
func (f *finder) record() any {
	f.admit()
	f.checkServed()
	f.checkBrokers()
	f.applyPolicies()
	f.checkRepeated()
	declared := f.declaredBeside()
	s := started{recorded: f.recorded, declared: declared, panicked: f.panicked, made: f.constructions}
	s.serves = len(f.servings) > 0 || f.mayServe != nil || slices.ContainsFunc(f.found, func(r registered.Route) bool {
		router, ok := r.Router.(*value.Cell)
		return ok && router.Escaped()
	})
	return s
}

// runStarts evaluates the program for each of its starts, of those that are asked for. What is
// asked for is a command, a flag or, where that leads to nothing, a command and a flag.
func (f *finder) runStarts() {
	f.explore()
	i := strings.LastIndex(f.ev.Command, " ")
	if i < 0 || f.describesWhatWasAskedFor() {
		f.checkCommand()
		return
	}
	command, settled, starts := f.ev.Command, f.evaluation, f.starts
	f.ev.Command, f.ev.Flag = command[:i], command[i+1:]
	f.starts = nil
	if f.explore(); f.describesWhatWasAskedFor() {
		return
	}
	f.ev.Command, f.ev.Flag, f.evaluation, f.starts = command, "", settled, starts
	f.checkCommand()
}

// describesWhatWasAskedFor reports whether the starts are those of the command that was asked
// for, and register the same.
func (f *finder) describesWhatWasAskedFor() bool {
	return !f.diagnostics.HasErrors() && len(f.found) > 0 && slices.ContainsFunc(f.starts, func(s *eval.Start) bool {
		return s.HasCommand() && (f.ev.Flag == "" || s.HasFlag())
	})
}

// explore evaluates the program for each of its starts. Conditions of the
// command line on which a route depends tell starts apart as well, as long as all
// starts of a command that serve then do so alike.
func (f *finder) explore() {
	all := f.byCommand(f.ev.Starts(f.runPrograms, f.record))
	for f.hasErrors(all) && f.ev.Split() {
		split := f.byCommand(f.ev.Starts(f.runPrograms, f.record))
		all = agreeing(split, all)
	}
	for _, started := range flat(all) {
		f.starts = append(f.starts, started.start)
	}
	f.settle(flat(all))
}

// byCommand lists the starts by the commands that they run, each in the order in
// which it comes first.
func (f *finder) byCommand(starts []*eval.Start) [][]started {
	var all [][]started
	for _, start := range starts {
		s := start.Result.(started)
		s.start = start
		if start.Exhausted.IsValid() {
			s.diagnostics = append(slices.Clip(s.diagnostics), f.tooManySteps(start.Exhausted))
		}
		if start.Unclear.IsValid() {
			s.diagnostics = append(slices.Clip(s.diagnostics), f.unclearCommand(start.Unclear))
		}
		if start.More {
			s.diagnostics = append(slices.Clip(s.diagnostics), f.tooManyStarts())
		}
		if len(starts) == 1 || isFault(s) {
			s.recorded = f.apart(func() { f.addAll(s.recorded); f.reportPanic(s.panicked) })
		}
		i := slices.IndexFunc(all, func(list []started) bool { return list[0].start.Key == start.Key })
		if i < 0 {
			all = append(all, nil)
			i = len(all) - 1
		}
		all[i] = append(all[i], s)
	}
	return all
}

func flat(all [][]started) []started { return slices.Concat(all...) }

// isFault reports whether a start ends in a panic that matters, if it is one: where it has
// registered routes, or the program doesn't raise it on purpose.
func isFault(s started) bool {
	return s.panicked != nil && (len(s.found) > 0 || value.IsUnknown(s.panicked.Value) && !s.panicked.Raised)
}

func (f *finder) hasErrors(all [][]started) bool {
	return slices.ContainsFunc(flat(all), func(s started) bool { return s.diagnostics.HasErrors() })
}

// agreeing returns the starts of split, but those of before for a command whose
// starts differ in what they serve: they depend on a condition then.
func agreeing(split, before [][]started) [][]started {
	for i, list := range split {
		if alike(counting(list)) {
			continue
		}
		for _, other := range before {
			if other[0].start.Key == list[0].start.Key {
				split[i] = other
			}
		}
	}
	return split
}

// counting returns the starts that make the contract: those that serve or, if
// there are none, all that do something. A start that ends without serving has
// no consumer. One without routes counts where none has any.
func counting(all []started) []started {
	var serving, others, declaring []started
	for _, s := range all {
		switch {
		case len(s.found) == 0 && !s.diagnostics.HasErrors():
			if !s.declared.IsEmpty() {
				declaring = append(declaring, s)
			}
		case s.serves:
			serving = append(serving, s)
		default:
			others = append(others, s)
		}
	}
	switch {
	case len(serving) > 0:
		return serving
	case len(others) > 0:
		return others
	}
	return declaring
}

func alike(starts []started) bool {
	_, same := foundOnEach(starts)
	return same
}

// foundOnEach returns what is certain of the routes of all starts, and false where they
// aren't the same.
func foundOnEach(starts []started) (common []registered.Route, same bool) {
	for i, s := range starts {
		if i == 0 {
			common = s.found
		} else if common, same = commonRoutes(common, s.found); !same {
			return nil, false
		}
	}
	return common, true
}

// settle makes the contract what the starts register that count, if all do so
// alike. What isn't known of another one is reported all the same.
func (f *finder) settle(all []started) {
	f.recorded, f.constructions, f.declared = recorded{}, nil, registered.Declared{}
	count := counting(all)
	found, same := foundOnEach(count)
	if !same {
		f.reportCommands(count)
		return
	}
	f.found = found
	counted := make(map[*eval.Start]bool)
	for i, s := range count {
		counted[s.start] = true
		f.checkStart(s.found)
		if i == 0 {
			f.declared = s.declared
		} else {
			f.declared = f.declared.Common(s.declared)
		}
	}
	for _, s := range all {
		if len(f.found) == 0 || counted[s.start] {
			f.constructions = append(f.constructions, s.made...)
		}
		if s.diagnostics.HasErrors() || counted[s.start] {
			f.addAll(recorded{diagnostics: s.diagnostics})
		}
	}
}

// runAgain evaluates the program for those of its starts on which one of the loops ranges
// over a map, in another order. One that has registered nothing may register something then.
func (f *finder) runAgain(loops []token.Pos) {
	over, all := f.startsOver(loops), slices.Clone(f.starts)
	for i, start := range all {
		if slices.Contains(over, start) {
			all[i] = f.ev.Again(start, f.runPrograms, f.record)
		}
	}
	f.settle(flat(f.byCommand(all)))
}

// startsOver returns the starts on which one of the loops ranges over a map.
func (f *finder) startsOver(loops []token.Pos) (over []*eval.Start) {
	for _, start := range f.starts {
		if slices.ContainsFunc(loops, start.RangesOver) {
			over = append(over, start)
		}
	}
	return over
}

// addAll adds what was recorded apart.
func (f *finder) addAll(r recorded) {
	f.found = append(f.found, r.found...)
	f.registrations = append(f.registrations, r.registrations...)
	for _, d := range r.declarations {
		d.mark = f.Mark()
		f.declarations = append(f.declarations, d)
	}
	for _, s := range r.servings {
		s.mark = f.Mark()
		f.servings = append(f.servings, s)
	}
	for _, d := range r.diagnostics {
		f.diagnostics.Add(d)
	}
}

// otherCommand names a start on which no word is one that the program looks for.
const otherCommand = "any other"

func (f *finder) reportCommands(starts []started) {
	var names []string
	_, pos := f.ev.Commands()
	byCommand := make(map[string][]started)
	for _, s := range starts {
		byCommand[s.start.Command] = append(byCommand[s.start.Command], s)
	}
	for _, s := range starts {
		name := s.start.Name
		if alike(byCommand[s.start.Command]) {
			name = s.start.Command
		}
		name = cmp.Or(name, otherCommand)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if i := slices.Index(names, otherCommand); i >= 0 {
		names = append(slices.Delete(names, i, i+1), otherCommand)
	}
	if len(names) == 1 {
		f.report(pos, diagnostic.Diagnostic{
			Code: diagnostic.SeveralCommands, What: "the command " + names[0] + " registers different routes on different starts",
			Why: "the flag -run can't tell them apart", Remedy: "register the same on each, or give the commands different names",
		})
		return
	}
	f.report(pos, diagnostic.Diagnostic{
		Code:   diagnostic.SeveralCommands,
		What:   "the commands " + listed(names) + " register different routes",
		Why:    "each is a service of its own, with its own document",
		Remedy: "choose one by the flag -run, such as -run " + shellWord(forDirective(names)) + ", in a //go:generate directive for each",
	})
}

// forDirective returns the name to show in a //go:generate directive. Those have no single
// quotes, so that a name with "" needs escapes there: another one is rather shown.
func forDirective(names []string) string {
	plain := slices.IndexFunc(names, func(name string) bool { return !strings.Contains(name, ` ""`) })
	return names[max(0, plain)]
}

// checkCommand reports a command of which the program was seen to have others, but
// not that one.
func (f *finder) checkCommand() {
	if f.ev.Command == "" || f.diagnostics.HasErrors() || len(f.found) > 0 && slices.ContainsFunc(f.starts, (*eval.Start).HasCommand) {
		return
	}
	command, settled := f.ev.Command, f.evaluation
	f.ev.Command = ""
	f.ev.Starts(f.runPrograms, f.record)
	f.ev.Command, f.evaluation = command, settled
	if names, pos := f.ev.Commands(); len(names) > 0 && !slices.Contains(names, command) {
		f.report(pos, diagnostic.Diagnostic{
			Code: diagnostic.SeveralCommands, What: "there is no command " + quoted(command),
			Why: "the program has " + listed(names), Remedy: "name one of them by -run",
		})
	}
}

func shellWord(name string) string {
	switch {
	case strings.Contains(name, `"`):
		return "'" + name + "'"
	case strings.Contains(name, " "):
		return `"` + name + `"`
	}
	return name
}

// mostListed is how many names a sentence has.
const mostListed = 12

// listed writes names as a list in a sentence.
func listed(names []string) string {
	if n := len(names); n > mostListed+1 {
		names = append(slices.Clone(names[:mostListed]), strconv.Itoa(n-mostListed)+" others")
	}
	last := len(names) - 1
	switch last {
	case -1:
		return "none"
	case 0:
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// commonRoutes returns what is certain of the routes of two starts, and false where they
// aren't the same.
func commonRoutes(a, b []registered.Route) ([]registered.Route, bool) {
	if len(a) != len(b) {
		return nil, false
	}
	all := make([]registered.Route, len(a))
	for i := range a {
		var same bool
		if all[i], same = a[i].Common(b[i]); !same {
			return nil, false
		}
	}
	return all, true
}

// Lost implements [eval.User].
func (f *finder) Lost(at ast.Expr, why *value.Unknown, remedy string) {
	pos := at.Pos()
	if f.isOwnCode(why.Pos) {
		pos = why.Pos
	}
	f.report(pos, diagnostic.Diagnostic{
		Code: diagnostic.UnknownRoute,
		What: "the routes that " + value.Source(eval.CalledExpr(at)) + " leads to aren't known",
		Why:  "the reason is " + why.Reason, Remedy: remedy,
	})
}
