package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// What Process sends to a caller is what the caller gets.
func TestPublic_DecidesWhatTheCallerSees(t *testing.T) {
	secret := errors.New("dial 10.0.0.7: password123")
	noOrder := runtime.Public(errors.New("there is no order 7"), "not-found")
	hidden := runtime.ReplyError{Message: "internal error", Code: runtime.CodeInternal}
	tests := []struct {
		rule    string
		handler runtime.Handler
		body    string
		want    runtime.ReplyError
	}{
		{"an error that isn't marked", failingRequest(secret), `{}`, hidden},
		{"a marked one", failingRequest(noOrder), `{}`, runtime.ReplyError{Message: "there is no order 7", Code: "not-found"}},
		{"what wraps it isn't shown", failingRequest(fmt.Errorf("%w: %w", secret, noOrder)), `{}`, runtime.ReplyError{Message: "there is no order 7", Code: "not-found"}},
		{"the outermost holds", failingRequest(runtime.Public(noOrder, "gone")), `{}`, runtime.ReplyError{Message: "there is no order 7", Code: "gone"}},
		{"beside Reject", failingRequest(runtime.Reject(noOrder)), `{}`, runtime.ReplyError{Message: "there is no order 7", Code: "not-found"}},
		{"no code", failingRequest(runtime.Public(errFailed, "")), `{}`, runtime.ReplyError{Message: "the warehouse is closed"}},
		{"a request that isn't JSON", failingRequest(secret), `{"id":1}`, runtime.ReplyError{
			Message: "decode the body: json: cannot unmarshal number into Go struct field order.id of type string", Code: runtime.CodeUndecodable,
		}},
		{"the reply of a call of its own", failingRequest(&runtime.SendError{Err: &runtime.ReplyError{Message: "secret"}}), `{}`, hidden},
		{"a reply to a call of its own that isn't JSON", failingRequest(&runtime.SendError{Err: &runtime.DecodeError{Err: secret}}), `{}`, hidden},
		{"a DecodeError without a cause", failingRequest(&runtime.DecodeError{}), `{}`, runtime.ReplyError{Message: "decode the body: <nil>", Code: runtime.CodeUndecodable}},
		{"a panic", panicking(), `{}`, hidden},
		{"a panic of a public error", runtime.Respond(func(context.Context, order) (quote, error) { panic(noOrder) }), `{}`, hidden},
		{"a case that is missing", runtime.Dispatch(runtime.On("quote", failingRequest(secret))), `{}`, runtime.ReplyError{
			Message: "no case takes the message", Code: runtime.CodeUndecodable,
		}},
		{"the route's Timeout", failingRequest(fmt.Errorf("%w of 1s: %w", runtime.ErrTimeout, secret)), `{}`, runtime.ReplyError{Message: "the handler has used up the route's Timeout", Code: runtime.CodeTimeout}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			transport := new(recorder)
			_, err := process(runtime.Route{Handler: test.handler, Reply: toCaller}, test.body, transport)
			require.Error(t, err)
			transport.reply = &transport.sent[0].Message

			_, err = runtime.NewCaller[order, quote](transport, pricing).Call(context.Background(), order{})

			var answered *runtime.ReplyError
			require.ErrorAs(t, err, &answered)
			require.Equal(t, test.want, *answered)
		})
	}
}

func TestPublic_KeepsTheError(t *testing.T) {
	require.NoError(t, runtime.Public(nil, "code"))

	err := runtime.Public(errFailed, "code")
	require.EqualError(t, err, "the warehouse is closed")
	require.ErrorIs(t, err, errFailed)
}
