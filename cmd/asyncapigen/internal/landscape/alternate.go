package landscape

import (
	"fmt"
	"slices"

	"github.com/warrenmq/warren/internal/topic"
)

// overflows says by which keys, but those that reach it anyway, a target may get to a
// queue through alternate exchanges, which get what no queue of an exchange takes. That
// is never certain: another service may have a queue that takes it.
func (j *joining) overflows(to target, r *receiver, but []string) (keys []string, how answer) {
	to.keys = slices.DeleteFunc(slices.Clone(to.keys), func(key string) bool { return slices.Contains(but, key) })
	seen := map[string]bool{to.exchange: true}
	for at := []target{to}; len(at) > 0; at = at[1:] {
		from := at[0]
		from.keys = slices.DeleteFunc(slices.Clone(from.keys), func(key string) bool { return j.isTaken(from, key) })
		for _, alternate := range j.alternates(from.exchange) {
			if seen[alternate] {
				continue
			}
			seen[alternate] = true
			next := from
			next.exchange = alternate
			if reached, _ := next.reaches(r); len(reached) > 0 {
				keys = append(keys, reached...)
				how.undecided = fmt.Sprintf("the alternate exchange %s gets only what no queue takes from the exchange %s", alternate, from.exchange)
			}
			at = append(at, next)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), how
}

// isTaken reports whether a queue surely takes whatever is sent with a key.
func (j *joining) isTaken(to target, key string) bool {
	if topic.HasWildcard(key) {
		return false // of the keys that the sender may choose others perhaps aren't
	}
	return slices.ContainsFunc(j.services, func(s *service) bool {
		return slices.ContainsFunc(s.receives, func(r *receiver) bool { return to.keyReaches(key, r).is })
	})
}

// alternates returns the alternate exchanges that documents give an exchange.
func (j *joining) alternates(exchange string) []string {
	var all []string
	for _, s := range j.services {
		for _, r := range s.receives {
			for _, b := range r.bindings {
				if b.exchange == exchange && b.alternate != "" && !slices.Contains(all, b.alternate) {
					all = append(all, b.alternate)
				}
			}
		}
	}
	return all
}
