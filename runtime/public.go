package runtime

import (
	"errors"
	"fmt"
)

// Codes of a [*ReplyError] that the runtime itself gives. Handlers give others, or
// these, by [Public].
const (
	CodeInternal    = "internal"    // the handler failed, and showed nothing of it by Public
	CodeUndecodable = "undecodable" // the request isn't one that the handler takes
	CodeTimeout     = "timeout"     // the handler has used up the route's Timeout
)

// Public marks err as one that the caller of a request gets to see: its
// [*ReplyError] has the text of err, and the code, by which programs tell failures
// apart. What wraps the result isn't shown. Without it the caller gets the text
// "internal error" and [CodeInternal], because an error may hold what is nobody
// else's: addresses, queries, personal data. Of several marks the outermost holds.
//
//	if order == nil {
//		return nil, runtime.Public(fmt.Errorf("there is no order %q", id), "order-not-found")
//	}
//
// The code should be a short constant, since clients depend on it; more than 255 bytes
// of it are cut. Public returns nil for a nil err. It has no effect on what else becomes
// of a message, and none where the handler replies to no caller.
// See docs/decisions/0068.
func Public(err error, code string) error {
	if err == nil {
		return nil
	}
	return &publicError{err, code}
}

// A publicError is an error of a handler that its caller may see.
type publicError struct {
	error
	code string
}

func (e *publicError) Unwrap() error { return e.error }

// Headers of the reply to a request whose handler failed.
const (
	errorHeader     = "warren-error"      // the text that the caller may see
	errorCodeHeader = "warren-error-code" // and the code
)

// errorReply is the reply to a request whose handler failed with err. What isn't
// public stays in this process.
func errorReply(err error) *Message {
	text, code := shown(err)
	return &Message{Headers: map[string]any{errorHeader: bounded(text, maxErrorText), errorCodeHeader: bounded(code, maxName)}}
}

// shown returns what the caller sees of err. An error of the handler's own calls
// isn't about its request, though a DecodeError may be in it.
func shown(err error) (text, code string) {
	var public *publicError
	var panicked *PanicError
	var called *SendError
	var undecodable *DecodeError
	switch {
	case errors.As(err, &panicked):
		return "internal error", CodeInternal
	case errors.As(err, &public):
		return public.Error(), public.code
	case errors.Is(err, ErrTimeout):
		return ErrTimeout.Error(), CodeTimeout
	case errors.As(err, &called):
		return "internal error", CodeInternal
	case errors.As(err, &undecodable):
		return fmt.Sprintf("decode the body: %v", undecodable.Err), CodeUndecodable
	case errors.Is(err, ErrNoCase):
		return ErrNoCase.Error(), CodeUndecodable
	}
	return "internal error", CodeInternal
}

// replyError returns the failure that a reply tells of, nil for a result. Services
// that don't send a code are older ones, and those of other libraries.
func replyError(reply *Message) error {
	text, failed := reply.Headers[errorHeader].(string)
	if !failed {
		return nil
	}
	code, _ := reply.Headers[errorCodeHeader].(string)
	return &ReplyError{Message: text, Code: code}
}
