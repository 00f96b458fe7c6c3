package model

import "github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"

// pull is the model of iter.Pull and Pull2. How much of the iterator runs, and when,
// is for the calls of next and stop to say, which aren't followed.
func pull(c *Call) (value.Value, bool) {
	why := value.UnknownResult(c.At)
	c.Expose(c.At, c.Args, why)
	function := &value.Unknown{Reason: why.Reason, Pos: why.Pos, NonNil: true}
	return value.Tuple{function, function}, true
}
