package topology

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// limits are what makes a queue drop messages, by the names that policies have
// for them. An argument has the same name after "x-".
type limits map[string]any

var (
	limitsOfSize = []string{"max-length", "max-length-bytes"}
	limitsOfTime = []string{"message-ttl", "expires", "max-age"}
)

// mergeLimits returns the limits that a queue's arguments and its policy set.
func mergeLimits(arguments, policy map[string]any) limits {
	all := make(limits)
	for _, name := range slices.Concat(limitsOfSize, limitsOfTime) {
		if value, ok := arguments["x-"+name]; ok {
			all[name] = value
		}
	}
	return all.merge(policy)
}

// merge adds the limits of a policy to l, which it returns. Where both have one,
// the broker takes the lower.
func (l limits) merge(policy map[string]any) limits {
	for _, name := range slices.Concat(limitsOfSize, limitsOfTime) {
		if value, ok := policy[name]; ok && l.isStricter(name, value) {
			l[name] = value
		}
	}
	return l
}

// size returns a limit as a number. It isn't one if there is none, or if it is a
// max-age, such as "7D".
func (l limits) size(name string) (int64, bool) {
	number, ok := plain(l[name]).(int64)
	return number, ok
}

// isStricter reports whether value, of another queue, limits more than l, or may.
func (l limits) isStricter(name string, value any) bool {
	if _, ok := l[name]; !ok {
		return true
	}
	have, isNumber := l.size(name)
	if want, ok := plain(value).(int64); ok && isNumber {
		return want < have
	}
	return !reflect.DeepEqual(plain(value), plain(l[name]))
}

// stricterOfTime describes the limits of time that wanted has and l hasn't, or
// that are shorter there. It is empty if there are none.
func (l limits) stricterOfTime(wanted limits) string {
	var all []string
	for _, name := range limitsOfTime {
		if value, ok := wanted[name]; ok && l.isStricter(name, value) {
			all = append(all, fmt.Sprintf("%s %v (now %s)", name, value, shown(l[name])))
		}
	}
	return strings.Join(all, ", ")
}
