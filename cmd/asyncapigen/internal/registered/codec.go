package registered

import (
	"errors"
	"reflect"

	"github.com/warrenmq/warren/runtime"
)

// Codec stands for the codec of a program, in a Route and for the router that judges it.
// It takes every type, since only the program's own codec knows which it takes.
type Codec struct{}

var _ runtime.Codec = Codec{}

// ContentTypes returns one that means nothing.
func (Codec) ContentTypes() []string { return []string{"application/octet-stream"} }

// Takes takes everything.
func (Codec) Takes(reflect.Type) error { return nil }

var errStandsFor = errors.New("the codec of a route that was found in source writes and reads nothing")

// Marshal fails.
func (Codec) Marshal(any) ([]byte, error) { return nil, errStandsFor }

// Unmarshal fails.
func (Codec) Unmarshal([]byte, any) error { return errStandsFor }
