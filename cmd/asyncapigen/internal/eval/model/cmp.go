package model

import "github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"

// cmpOr is the model of cmp.Or: the first of its arguments that isn't the zero
// value.
func cmpOr(c *Call) (value.Value, bool) {
	all, ok := elements(c.Args[0])
	if !ok || len(c.Fn.TArgs) != 1 {
		return nil, false
	}
	zero := c.Zero(c.Fn.TArgs[0])
	for i, v := range all {
		switch c.compare(v, zero) {
		case value.No:
			return v, true
		case value.Perhaps:
			why := c.because(v).Bare()
			why.Pos = c.At.Pos()
			return value.Merge(why, all[i:]), true
		}
	}
	return zero, true
}
