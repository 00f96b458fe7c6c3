package messages

import (
	"errors"
	"reflect"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/runtime"
)

// errorType names an error for a label of few values: by a word where package
// runtime has an error for it, by observe.ErrorType otherwise; "" for nil. An
// error may be a nil pointer, whose methods panic.
func errorType(err error) (name string) {
	defer func() {
		if recover() != nil {
			name = observe.ErrorType(err)
		}
	}()
	for _, known := range [...]struct {
		err  error
		name string
	}{
		{runtime.ErrNacked, "nacked"},
		{runtime.ErrNoExchange, "no_exchange"},
		{runtime.ErrUnroutable, "unroutable"},
		{runtime.ErrUnknown, "unknown"},
		{runtime.ErrBlocked, "blocked"},
		{runtime.ErrClosed, "closed"},
		{runtime.ErrNoDeadline, "no_deadline"},
	} {
		if errors.Is(err, known.err) {
			return known.name
		}
	}
	var undecodable *runtime.DecodeError
	if errors.As(err, &undecodable) {
		return "decode"
	}
	return observe.ErrorType(cause(err))
}

// cause returns err without what package runtime has put around it, as Reject
// does.
func cause(err error) error {
	own := reflect.TypeFor[runtime.DecodeError]().PkgPath()
	for {
		inner := errors.Unwrap(err)
		t := reflect.TypeOf(err)
		if inner == nil || t.Kind() != reflect.Pointer || t.Elem().PkgPath() != own {
			return err
		}
		err = inner
	}
}
