package scan

import (
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What comes from the environment or a flag is what the program makes of its default. The
// evaluation knows only that there is one, so the program is evaluated once more as it
// runs without the variables that have one and without flags, and what isn't known
// because of them is taken from there. See docs/decisions/0086.

// isUnset reports whether a call names a variable that isn't set.
func (s *scanner) isUnset(call *model.Call) bool {
	if s.unset == nil || len(call.Args) != 1 {
		return false
	}
	name, ok := value.TextOf(call.Args[0])
	return ok && s.unset[name]
}

// unsetVariable evaluates the functions of package os that read a variable which isn't
// set.
func unsetVariable(name string) (value.Value, bool) {
	empty := value.NewConst(constant.MakeString(""), types.Typ[types.String])
	switch name {
	case "Getenv":
		return empty, true
	case "LookupEnv":
		return value.Tuple{empty, value.NewConst(constant.MakeBool(false), types.Typ[types.Bool])}, true
	}
	return nil, false
}

// definesFlag are the functions of package flag that define one, with its name and its
// default: String and its like, and StringVar and its like.
var definesFlag = regexp.MustCompile(`^(Bool|Int|Int64|Uint|Uint64|Float64|String|Duration)(Var)?$`)

// flagCall notes the name of a flag that is defined. Without flags, what it is bound to
// has its default.
func (s *scanner) flagCall(call *model.Call, name string) (value.Value, bool) {
	if setsFlags(call, name) {
		s.setFlags = true
		clear(s.flags)
	}
	if s.setFlags || !definesFlag.MatchString(name) || len(call.Args) < 3 {
		return nil, false
	}
	args := call.Args[len(call.Args)-3:] // name, default, usage
	if text, ok := value.TextOf(args[0]); ok {
		s.flags[call.At.Pos()] = "-" + text
	}
	if s.unset == nil {
		return nil, false
	}
	if len(call.Args) == 3 {
		t := call.Fn.Obj.Signature().Results().At(0).Type()
		return value.Pointer{Type: t, To: value.NewCell(value.Retyped(args[1], value.Pointee(t)))}, true
	}
	bound, ok := call.Args[0].(value.Pointer)
	if !ok {
		return nil, false
	}
	call.Store(bound.To, value.Retyped(args[1], value.Pointee(bound.Type)), value.Pointee(bound.Type))
	return value.Tuple{}, true
}

// setsFlags reports whether a call gives flags other values than the command line does:
// Set, or Parse of something else. The defaults of flags say nothing then: it isn't
// followed of which set of flags each is.
func setsFlags(call *model.Call, name string) bool {
	return name == "Set" || name == "Parse" && len(call.Args) == 1 && !model.IsCommandLine(call.Args[0])
}

// maxVariables bounds the variables of the environment that have a default.
const maxVariables = 64

// addDefaults adds the variables of texts that have a default to those that aren't set,
// and reports whether there are new ones, or now there are flags: the default of one may
// be another.
func (s *scanner) addDefaults(runs []*run) bool {
	before, first := len(s.unset), s.unset == nil
	for _, r := range runs {
		for _, c := range r.consumers {
			if !c.hasDefaults() {
				continue
			}
			if s.unset == nil {
				s.unset = make(map[string]bool)
			}
			for _, t := range c.texts() {
				if t.fallback != "" && !t.Known() {
					s.unset[t.Env] = true
				}
			}
		}
	}
	return len(s.unset) > before || first && s.unset != nil
}

// texts returns those that may have a default.
func (c *Consumer) texts() []*Text {
	all := []*Text{&c.Queue.Name}
	for i := range c.Bindings {
		b := &c.Bindings[i]
		all = append(all, &b.Exchange.Name, &b.Exchange.Kind, &b.Key)
	}
	return all
}

// hasDefaults reports whether something isn't known of a consumer that has a default.
func (c *Consumer) hasDefaults() bool {
	return slices.ContainsFunc(c.texts(), func(t *Text) bool { return !t.Known() && t.hasDefault() }) ||
		slices.ContainsFunc(c.gaps(), func(g Gap) bool { return g.flag != "" })
}

// resolve gives the consumers of runs what they are in the runs by default. Those of a
// call are the same where these came to as many, which are like them.
func resolve(runs, byDefault []*run) {
	if len(runs) != len(byDefault) {
		return
	}
	for i, r := range runs {
		others := byDefault[i].byCall()
		for at, consumers := range r.byCall() {
			if !slices.EqualFunc(consumers, others[at], (*Consumer).isLike) {
				continue
			}
			for j, c := range consumers {
				c.takeDefaults(others[at][j])
			}
		}
	}
}

// byCall returns the consumers by the positions of their calls, in the order in which
// the run came to them.
func (r *run) byCall() map[token.Position][]*Consumer {
	all := make(map[token.Position][]*Consumer)
	for _, c := range r.consumers {
		all[c.Pos] = append(all[c.Pos], c)
	}
	return all
}

// isLike reports whether two consumers of a call are the same in two runs: with as many
// bindings, and with the same texts where both are known.
func (c *Consumer) isLike(other *Consumer) bool {
	if c.Queue.Server != other.Queue.Server || len(c.Bindings) != len(other.Bindings) {
		return false
	}
	return slices.EqualFunc(c.texts(), other.texts(), func(a, b *Text) bool { return !a.Known() || !b.Known() || a.Value == b.Value })
}

// takeDefaults takes what isn't known of a consumer, and has a default, from the same
// consumer by default.
func (c *Consumer) takeDefaults(by *Consumer) {
	others := by.texts()
	for i, t := range c.texts() {
		if t.Known() || !t.hasDefault() || !others[i].Known() || t == &c.Queue.Name && others[i].Value == "" {
			continue
		}
		t.Value, t.Why = others[i].Value, ""
	}
	for _, b := range c.Bindings {
		c.addChange(b.Exchange.Kind.setting())
	}
	if c.fill(&c.Unknowns, by.Unknowns) {
		c.AutoAck, c.Prefetch = by.AutoAck, by.Prefetch
	}
	if q := &c.Queue; c.fill(&q.Unknowns, by.Queue.Unknowns) {
		q.Durable, q.AutoDelete, q.Exclusive, q.Arguments = by.Queue.Durable, by.Queue.AutoDelete, by.Queue.Exclusive, by.Queue.Arguments
	}
	for i := range c.Bindings {
		b, from := &c.Bindings[i], by.Bindings[i]
		if c.fill(&b.Unknowns, from.Unknowns) {
			b.Arguments = from.Arguments
		}
		if x := &b.Exchange; c.fill(&x.Unknowns, from.Exchange.Unknowns) {
			x.Durable, x.AutoDelete, x.Arguments = from.Exchange.Durable, from.Exchange.AutoDelete, from.Exchange.Arguments
		}
	}
}

// fill removes the gaps that are there because of a flag, and by default aren't, and
// reports whether there are such.
func (c *Consumer) fill(gaps *Unknowns, byDefault Unknowns) bool {
	before := len(gaps.Gaps)
	gaps.Gaps = slices.DeleteFunc(slices.Clone(gaps.Gaps), func(g Gap) bool { // other consumers of the queue have them too
		filled := g.flag != "" && !byDefault.lacks(g.What)
		if filled {
			c.addChange(g.flag)
		}
		return filled
	})
	return len(gaps.Gaps) < before
}
