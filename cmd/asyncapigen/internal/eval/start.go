package eval

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Who starts a program chooses by the command line what it does. So the program
// is evaluated once for each start that the command line can choose between, and
// what is found on one start is what the program does on that one.
//
// Starts differ by words, whose texts the program compares (commandline.go); by
// the command that a framework runs (Alternatives); and by the branches of
// conditions that the user asks to have decided (Split).

// A Start is a way to start the program.
type Start struct {
	Name    string // the command, as its words or a framework name it; "" for none
	Command string // the same without the arguments that tell starts of it apart
	Key     string // tells the starts of one name from others

	Exhausted token.Pos // where it was given up, if it was
	More      bool      // there are further starts, which weren't evaluated
	Unclear   token.Pos // where a second value was taken for the command that was asked for, if one was
	Result    any       // what the user has recorded on it

	words    map[word]string
	choices  []choice
	next     int                // the choice that comes next
	loops    map[token.Pos]bool // over maps of several entries
	diverged bool               // what there is to choose isn't the same any more
	command  any                // what was taken for the command that was asked for, nil for nothing yet
	flag     any                // the same of the flag
	asked    map[word]string    // the words of the command that was asked for that were looked at
}

// word is one of the command line.
type word struct {
	of    string // its list
	at    int
	after int // the words of the command before the list
}

// choice is one that the evaluation has come to.
type choice struct {
	options []string // each another text
	taken   int
	name    string // what it adds to the name of the start
	command string // the same without [model.Way.Arguments]
}

// starts is what the evaluator remembers of a program's starts.
type starts struct {
	current *Start
	lists   map[string]*value.Arguments
	offered []map[word]string // the words that the program compares others with
	names   []string          // of the commands that it has
	pos     token.Pos         // where it looks for one first
	split   map[token.Pos]bool
	wanted  map[token.Pos]bool
	forks   map[token.Pos]bool // conditions of the command line
}

// Bounds of what is looked at.
const (
	maxStarts     = 256
	maxStartSteps = 4 * maxSteps // of all starts
)

// Starts evaluates the program for each of its starts: several times for each,
// see foreign.go, of which the last one counts. record returns what the user has
// recorded on it.
func (ev *Evaluator) Starts(evaluate func(), record func() any) []*Start {
	ev.beginReading()
	var all []*Start
	for range maxRounds {
		all = ev.explore(evaluate, record)
		if !slices.ContainsFunc(all, func(s *Start) bool { return s.diverged }) {
			break // else more is known now than when the first starts were evaluated
		}
	}
	return all
}

// explore evaluates the starts, the one on which the program finds none of the
// words that it looks for first.
func (ev *Evaluator) explore(evaluate func(), record func() any) []*Start {
	var all []*Start
	seen, steps := map[string]bool{"": true}, 0
	for queue := []map[word]string{nil}; len(queue) > 0; queue = queue[1:] {
		ev.starts.offered = nil
		s := &Start{words: queue[0]}
		for s != nil {
			ev.run(s, evaluate, record)
			all, steps = append(all, s), steps+ev.steps
			if s.diverged || ev.ctx.Err() != nil {
				return all
			}
			next := s.following()
			if len(all) == maxStarts || steps > maxStartSteps {
				s.More = next != nil || len(queue) > 1 || len(ev.starts.offered) > 0
				return all
			}
			s = next
		}
		for _, words := range ev.starts.offered {
			if key := wordsKey(words); !seen[key] {
				seen[key] = true
				queue = append(queue, words)
			}
		}
	}
	return all
}

// Again evaluates the program for one of its starts. What there is to choose may
// come in another order.
func (ev *Evaluator) Again(s *Start, evaluate func(), record func() any) *Start {
	again := &Start{words: s.words, choices: s.choices}
	ev.run(again, evaluate, record)
	if again.diverged || again.Key != s.Key {
		again.Exhausted = ev.last
	}
	return again
}

// HasCommand reports whether something on the start was taken for the command that was asked for.
func (s *Start) HasCommand() bool { return s.command != nil }

// HasFlag reports whether something on the start was taken for the flag that was asked for.
func (s *Start) HasFlag() bool { return s.flag != nil }

// RangesOver reports whether a loop, as MapLoops has it, has ranged over a map of several
// entries on the start.
func (s *Start) RangesOver(loop token.Pos) bool { return s.loops[loop] }

// run evaluates the program for a start, in rounds.
func (ev *Evaluator) run(s *Start, evaluate func(), record func() any) {
	ev.starts.current = s
	defer func() { ev.starts.current = nil }()
	given := s.choices
	s.Exhausted = ev.rounds(func() {
		s.choices, s.next, s.diverged, s.loops = slices.Clone(given), 0, false, make(map[token.Pos]bool)
		s.command, s.flag, s.asked, s.Unclear = nil, nil, make(map[word]string), token.NoPos
		clear(ev.starts.lists) // what another round has seen change may not change in this one
		evaluate()
	})
	s.finish()
	s.Result = record()
}

// finish names a start by what it has come to.
func (s *Start) finish() {
	var names, commands, arguments []string
	words := make(map[word]string)
	maps.Copy(words, s.asked)
	maps.Copy(words, s.words)
	for _, w := range slices.SortedFunc(maps.Keys(words), compareWords) {
		text := words[w]
		if text == "" {
			text = model.NoWord
		}
		switch {
		case w.after > 0:
			arguments = append(arguments, text)
		case !slices.Contains(names, text):
			names = append(names, text)
		}
	}
	s.Key, commands = wordsKey(s.words), slices.Clone(names)
	for _, c := range s.choices {
		if c.name != "" {
			names, commands = append(names, c.name), append(commands, cmp.Or(c.command, c.name))
			s.Key += "\n" + c.options[c.taken]
		}
	}
	s.Name = strings.TrimSpace(strings.Join(append(names, arguments...), " "))
	s.Command = strings.TrimSpace(strings.Join(append(commands, arguments...), " "))
}

// following returns the start of the same words that comes after s, nil after the
// last one.
func (s *Start) following() *Start {
	for i := len(s.choices) - 1; i >= 0; i-- {
		if c := s.choices[i]; c.taken+1 < len(c.options) {
			c.taken++
			return &Start{words: s.words, choices: append(slices.Clone(s.choices[:i]), c)}
		}
	}
	return nil
}

func compareWords(a, b word) int {
	if a.after+a.at != b.after+b.at {
		return a.after + a.at - b.after - b.at
	}
	return strings.Compare(a.of, b.of)
}

func wordsKey(words map[word]string) string {
	var b strings.Builder
	for _, w := range slices.SortedFunc(maps.Keys(words), compareWords) {
		b.WriteString(w.of + "[" + strconv.Itoa(w.at) + "]=" + strconv.Quote(words[w]) + " ")
	}
	return b.String()
}

// take returns which of the options the running start takes. They have names if
// they name the start.
func (ev *Evaluator) take(options, names []string) int {
	s := ev.starts.current
	if s == nil || len(options) < 2 {
		return 0
	}
	if s.next == len(s.choices) {
		s.choices = append(s.choices, choice{options: options})
	}
	c := &s.choices[s.next]
	s.next++
	i := slices.Index(options, c.options[c.taken])
	s.diverged = s.diverged || i < 0 || len(options) != len(c.options)
	i = max(i, 0)
	if names != nil {
		c.name = names[i]
	}
	return i
}

// Alternatives goes on in one of several ways, such as one of the program's
// commands: another one on each start.
func (ev *Evaluator) Alternatives(at ast.Expr, ways []model.Way) {
	var names, starts, options []string
	for _, way := range ways {
		start := strings.TrimSpace(way.Name + " " + way.Arguments)
		ev.offer(at.Pos(), way.Name)
		ev.offer(at.Pos(), start)
		names, starts = append(names, way.Name), append(starts, start)
		options = append(options, start+" "+strconv.Itoa(count(starts, start)))
	}
	i := ev.take(options, starts)
	if s := ev.starts.current; s != nil && len(options) > 1 {
		s.choices[s.next-1].command = names[i]
	}
	if ev.Command != "" && (names[i] == "" || names[i] != ev.commandOf(names) || starts[i] != ev.Command && slices.Contains(starts, ev.Command)) {
		ev.Exit() // it isn't the start that was asked for
	}
	if ev.Command != "" {
		ev.takeForCommand(at.Pos(), commandWords)
	}
	ways[i].Run()
}

// commandWords are the words of the command line, as what was taken for the command.
const commandWords = "words"

// takeForCommand notes what is taken for the command that was asked for.
func (ev *Evaluator) takeForCommand(at token.Pos, of any) {
	if s := ev.starts.current; s != nil {
		ev.takeAs(&s.command, at, of)
	}
}

// takeAs notes what is taken for the command or the flag that was asked for. It is one value:
// what else is compared with the same text may be something else.
func (ev *Evaluator) takeAs(asked *any, at token.Pos, of any) {
	if s := ev.starts.current; *asked != nil && *asked != of && !s.Unclear.IsValid() {
		s.Unclear = ev.OwnPos(at)
	}
	*asked = of
}

// takesFlag reports whether a branch of a condition that is decided by texts is that of the
// flag that was asked for, or of the command, if there is no flag: a flag may name that, too.
func (ev *Evaluator) takesFlag(cond *Condition, texts []string) bool {
	s, asked, by := ev.starts.current, cmp.Or(ev.Flag, ev.Command), cmp.Or[any](cond.compares, cond)
	if asked == "" || !slices.Contains(texts, asked) {
		return false
	}
	switch {
	case s == nil:
	case ev.Flag != "":
		ev.takeAs(&s.flag, cond.Pos, by)
	default:
		ev.takeAs(&s.command, cond.Pos, by)
	}
	return true
}

// commandOf returns the name of the command that the program is started with: the
// longest of the names with which it begins.
func (ev *Evaluator) commandOf(names []string) string {
	longest := ""
	for _, name := range names {
		if strings.HasPrefix(ev.Command+" ", name+" ") && len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

// takeBranch returns which branch of a condition the running start takes.
func (ev *Evaluator) takeBranch(cond *Condition, n int) int {
	if cond.Texts == nil {
		return ev.take(numbered(n), nil)
	}
	names := make([]string, n)
	for i, texts := range cond.Texts {
		if len(texts) > 0 {
			names[i] = texts[0]
			ev.offer(cond.Pos, names[i])
		}
		if ev.takesFlag(cond, texts) {
			return i
		}
	}
	return ev.take(numbered(n), names)
}

// offer notes the name of a command that the program has, and where it looks for
// it.
func (ev *Evaluator) offer(at token.Pos, name string) {
	if !ev.starts.pos.IsValid() {
		ev.starts.pos = ev.OwnPos(at)
	}
	if name != "" && !slices.Contains(ev.starts.names, name) {
		ev.starts.names = append(ev.starts.names, name)
	}
}

// count returns how often a text is in a list.
func count(list []string, text string) int {
	n := 0
	for _, other := range list {
		if other == text {
			n++
		}
	}
	return n
}

// Commands returns the names of the commands that the program was seen to have,
// and where it looks for one first.
func (ev *Evaluator) Commands() ([]string, token.Pos) { return ev.starts.names, ev.starts.pos }

// Split has the conditions of the command line decided by which starts differ,
// if they were asked for by Decide since it was last called. It reports whether
// there are any.
func (ev *Evaluator) Split() bool {
	more := false
	for pos := range ev.starts.wanted {
		more = more || !ev.starts.split[pos]
		ev.starts.split[pos] = true
	}
	clear(ev.starts.wanted)
	return more
}

// maxAsked bounds the conditions of the command line that are decided where it isn't known which
// of them matters.
const maxAsked = 4

// Decide asks that a condition be decided where the command line does: something
// that is recorded depends on it. Where it depends on what the branches of others have left,
// such as the name of a command, these are decided.
func (ev *Evaluator) Decide(cond *Condition) {
	if cond.Why == nil || !cond.Why.CommandLine {
		return
	}
	ev.decideAt(cond.Pos)
	if (cond.Call || !ev.starts.forks[cond.Pos]) && len(ev.starts.forks) <= maxAsked {
		maps.Copy(ev.starts.wanted, ev.starts.forks)
	}
}

func (ev *Evaluator) decideAt(pos token.Pos) {
	if ev.starts.forks[pos] {
		ev.starts.wanted[pos] = true
	}
}

// splits reports whether starts differ by the branches of a condition. One that
// is met any number of times isn't split.
func (ev *Evaluator) splits(cond *Condition) bool {
	if cond.Why == nil || !cond.Why.CommandLine || cond.Loop || ev.Part {
		return false
	}
	ev.starts.forks[cond.Pos] = true
	return len(ev.conds) == 0 && ev.starts.split[cond.Pos]
}

// numbered returns names for n branches.
func numbered(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}
