package scan

import (
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A text that comes from the environment is what the program makes of its default. The
// evaluation knows only that there is one, so the program is evaluated once more as it
// runs without the variables that have one, and the texts of the same calls are taken.

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

// texts returns the texts of a run by what they are of: a consumer, a queue, an
// exchange, a binding, in the order in which the run came to them.
func (r *run) texts() []*Text {
	var all []*Text
	for _, c := range r.consumers {
		all = append(all, &c.Queue.Name)
	}
	for _, b := range r.bound {
		all = append(all, &b.Exchange.Name, &b.Key)
	}
	return all
}

// maxVariables bounds the variables of the environment that have a default.
const maxVariables = 64

// addDefaults adds the variables of texts that have a default to those that aren't set,
// and reports whether there are new ones: the default of one may be another.
func (s *scanner) addDefaults(runs []*run) bool {
	before := len(s.unset)
	for _, r := range runs {
		for _, t := range r.texts() {
			if t.fallback == "" || t.Known() {
				continue
			}
			if s.unset == nil {
				s.unset = make(map[string]bool)
			}
			s.unset[t.Env] = true
		}
	}
	return len(s.unset) > before
}

// resolve gives the texts of runs that have a default what they are in the runs without
// variables, where these came to the same consumers and bindings.
func resolve(runs, unset []*run) {
	if len(runs) != len(unset) {
		return
	}
	for i, r := range runs {
		if !r.isLike(unset[i]) {
			continue
		}
		others := unset[i].texts()
		for j, t := range r.texts() {
			if t.fallback != "" && others[j].Known() {
				t.Value, t.Why = others[j].Value, ""
			}
		}
	}
}

// isLike reports whether two runs came to the same consumers and bindings: at the same
// calls, in the same order, with the same texts where both know them.
func (r *run) isLike(other *run) bool {
	if len(r.consumers) != len(other.consumers) || len(r.bound) != len(other.bound) {
		return false
	}
	for i, c := range r.consumers {
		if c.Pos != other.consumers[i].Pos {
			return false
		}
	}
	others := other.texts()
	for i, t := range r.texts() {
		if t.Known() && others[i].Known() && t.Value != others[i].Value {
			return false
		}
	}
	return true
}
