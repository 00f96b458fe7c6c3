package difference

import (
	"fmt"
	"regexp"
	"strconv"
)

// A Version is what the documents and their changes say of the contract's.
type Version struct {
	Old, New string
	Next     string // the least that the changes ask for, "" where Old is no semantic version
	TooLow   bool   // the changes are breaking, and New doesn't say so
}

var semantic = regexp.MustCompile(`^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$`)

// numbers reads a version of three numbers.
func numbers(text string) (n [3]int, ok bool) {
	match := semantic.FindStringSubmatch(text)
	if match == nil {
		return n, false
	}
	for i := range n {
		n[i], _ = strconv.Atoi(match[i+1]) // of digits, and few
	}
	return n, true
}

// newVersion says which version is the next. Below 1.0.0 a breaking change asks for
// another minor version, as semantic versioning is used there.
func newVersion(old, new string, r *Report) Version {
	v := Version{Old: old, New: new}
	n, ok := numbers(old)
	if !ok {
		v.TooLow = r.HasBreaking() && r.Has(Breaking) && old == new
		return v
	}
	breaking := r.HasBreaking()
	next := n
	switch {
	case breaking && n[0] > 0:
		next = [3]int{n[0] + 1, 0, 0}
	case breaking || r.Has(Compatible):
		next = [3]int{n[0], n[1] + 1, 0}
	case len(r.Changes) > 0:
		next = [3]int{n[0], n[1], n[2] + 1}
	}
	v.Next = fmt.Sprintf("%d.%d.%d", next[0], next[1], next[2])
	given, ok := numbers(new)
	v.TooLow = r.Has(Breaking) && (!ok || less(given, next))
	return v
}

func less(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
