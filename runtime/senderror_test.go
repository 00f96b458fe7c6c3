package runtime_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func TestPublish_FailsWithSendErrors(t *testing.T) {
	unroutable := &recorder{err: runtime.ErrUnroutable}
	tests := []struct {
		rule  string
		err   error
		stage string
		want  string
	}{
		{
			"a nil pointer", publishing((*order)(nil))(unroutable),
			"encode", `route "order.created": encode: the message is a nil *runtime_test.order`,
		},
		{
			"a value without JSON", publishing(math.NaN())(unroutable),
			"encode", `route "order.created": encode: json: unsupported value: NaN`,
		},
		{
			"the transport's error", publishing(order{})(unroutable),
			"send", `route "order.created": send: no queue is bound for the message`,
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			requireSendError(t, test.err, "order.created", test.stage, test.want)
		})
	}
	require.ErrorIs(t, tests[2].err, runtime.ErrUnroutable)
}

func requireSendError(t *testing.T, err error, route, stage, want string) {
	t.Helper()
	require.EqualError(t, err, want)
	var failed *runtime.SendError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, route, failed.Route)
	require.Equal(t, stage, failed.Stage)
}

func TestCall_FailsWithSendErrors(t *testing.T) {
	tests := []struct {
		rule      string
		transport recorder
		request   *order
		stage     string
		want      string
	}{
		{
			"a nil pointer",
			recorder{},
			nil,
			"encode", `route "quote": encode: the message is a nil *runtime_test.order`,
		},
		{
			"the transport's error",
			recorder{err: runtime.ErrNoDeadline},
			&order{},
			"send", `route "quote": send: the context of a call has no deadline: use context.WithTimeout`,
		},
		{
			"a lost reply",
			recorder{},
			&order{},
			"send", `route "quote": send: the transport or an interceptor returned neither a reply nor an error`,
		},
		{
			"the handler's failure",
			recorder{reply: &runtime.Message{Headers: map[string]any{"warren-error": "out of stock"}}},
			&order{},
			"reply", `route "quote": reply: the handler answered with an error: out of stock`,
		},
		{
			"the handler's failure with a code",
			recorder{reply: &runtime.Message{Headers: map[string]any{"warren-error": "out of stock", "warren-error-code": "stock"}}},
			&order{},
			"reply", `route "quote": reply: the handler answered with an error: out of stock (stock)`,
		},
		{
			"the handler's failure without a text",
			recorder{reply: &runtime.Message{Headers: map[string]any{"warren-error": ""}}},
			&order{},
			"reply", `route "quote": reply: the handler answered with an error: `,
		},
		{
			"a reply without JSON",
			recorder{reply: &runtime.Message{Body: []byte("{")}},
			&order{},
			"decode the reply", `route "quote": decode the reply: decode the body as *runtime_test.quote: unexpected end of JSON input`,
		},
		{
			"null",
			recorder{reply: &runtime.Message{Body: []byte("null")}},
			&order{},
			"decode the reply", `route "quote": decode the reply: decode the body as *runtime_test.quote: the body is null`,
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got, err := runtime.NewCaller[*order, *quote](&test.transport, pricing).Call(context.Background(), test.request)

			require.Nil(t, got)
			requireSendError(t, err, "quote", test.stage, test.want)
		})
	}
}

func TestCall_KeepsTheCausesOfErrors(t *testing.T) {
	call := func(transport *recorder) error {
		_, err := runtime.NewCaller[order, quote](transport, pricing).Call(context.Background(), order{})
		return err
	}

	require.ErrorIs(t, call(&recorder{err: runtime.ErrNoDeadline}), runtime.ErrNoDeadline)

	var answered *runtime.ReplyError
	require.ErrorAs(t, call(&recorder{reply: &runtime.Message{Headers: map[string]any{"warren-error": "out of stock"}}}), &answered)
	require.Equal(t, "out of stock", answered.Message)

	var undecodable *runtime.DecodeError
	require.ErrorAs(t, call(&recorder{reply: &runtime.Message{Body: []byte("{")}}), &undecodable)
}
