package registered

import (
	"cmp"
	"errors"
	"reflect"

	"github.com/warrenmq/warren/runtime"
)

// Codec stands for the codec of a program, in a Route and for the router that judges it.
// It takes every type: what the program's own doesn't take is the route's CodecFault.
type Codec struct {
	Writes string // the content type of bodies, "" where it isn't known
}

var _ runtime.Codec = Codec{}

// ContentTypes returns the one that is written, or one that means nothing.
func (c Codec) ContentTypes() []string {
	return []string{cmp.Or(c.Writes, "application/octet-stream")}
}

// Takes takes everything.
func (Codec) Takes(reflect.Type) error { return nil }

var errStandsFor = errors.New("the codec of a route that was found in source writes and reads nothing")

// Marshal fails.
func (Codec) Marshal(any) ([]byte, error) { return nil, errStandsFor }

// Unmarshal fails.
func (Codec) Unmarshal([]byte, any) error { return errStandsFor }
