package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	goruntime "runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func delivery(body string) *runtime.Delivery {
	return &runtime.Delivery{Message: runtime.Message{Body: []byte(body)}}
}

// received runs body through a Consume handler and returns what its function got.
func received[T any](t *testing.T, body string) T {
	t.Helper()
	var got T
	calls := 0
	reply, err := runtime.Consume(func(_ context.Context, value T) error {
		got = value
		calls++
		return nil
	}).Handle(context.Background(), delivery(body))
	require.NoError(t, err)
	require.Nil(t, reply)
	require.Equal(t, 1, calls)
	return got
}

func TestConsume_DecodesTheBody(t *testing.T) {
	require.Equal(t, order{ID: "a", Items: 2}, received[order](t, `{"id":"a","items":2}`))
	require.Equal(t, &order{ID: "a"}, received[*order](t, ` {"id":"a"} `))
	require.Equal(t, []order{{ID: "a"}}, received[[]order](t, `[{"id":"a"}]`))
	require.Equal(t, map[string]int{"a": 1}, received[map[string]int](t, `{"a":1}`))
	require.Equal(t, "text", received[string](t, `"text"`))
	require.Equal(t, any(1.5), received[any](t, `1.5`))
	require.Nil(t, received[any](t, `null`))
	require.JSONEq(t, `{"a":1}`, string(received[json.RawMessage](t, `{"a":1}`)))
}

func TestConsume_GivesBytesAsTheyCame(t *testing.T) {
	require.Equal(t, []byte("\x00 no JSON"), received[[]byte](t, "\x00 no JSON"))
	require.Empty(t, received[[]byte](t, ""))
}

// Only []byte itself is the raw body: another type's JSON is what Marshal writes.
func TestConsume_DecodesNamedByteSlicesAsJSON(t *testing.T) {
	type blob []byte
	require.Equal(t, blob("text"), received[blob](t, `"dGV4dA=="`))
}

func TestConsume_RefusesWhatIsNotJSONOfItsType(t *testing.T) {
	tests := []struct {
		rule    string
		handler runtime.Handler
		body    string
		want    string
	}{
		{"an empty body", consumer[order](), "", "decode the body as runtime_test.order: unexpected end of JSON input"},
		{"no JSON", consumer[order](), "hello", "decode the body as runtime_test.order: invalid character 'h' looking for beginning of value"},
		{"more than one value", consumer[order](), "{} {}", "decode the body as runtime_test.order: invalid character '{' after top-level value"},
		{
			"another type", consumer[[]order](), `{}`,
			"decode the body as []runtime_test.order: json: cannot unmarshal object into Go value of type []runtime_test.order",
		},
		{
			"another type in a field", consumer[*order](), `{"id":5}`,
			"decode the body as *runtime_test.order: json: cannot unmarshal number into Go struct field order.id of type string",
		},
		{"null for a pointer", consumer[*order](), "null", "decode the body as *runtime_test.order: the body is null"},
		{"a request", runtime.Respond(quoteOrder), "[", "decode the body as runtime_test.order: unexpected end of JSON input"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			reply, err := test.handler.Handle(context.Background(), delivery(test.body))

			require.Nil(t, reply)
			require.EqualError(t, err, test.want)
			var undecodable *runtime.DecodeError
			require.ErrorAs(t, err, &undecodable)
			require.Equal(t, test.handler.BodyType(), undecodable.Type)
			require.Equal(t, errors.Unwrap(undecodable), undecodable.Err)
		})
	}
}

// consumer returns a handler that fails in another way than by its decoding.
func consumer[T any]() runtime.Handler {
	return runtime.Consume(func(context.Context, T) error { return errors.New("the function was called") })
}

func TestDecodeError_UnwrapsToTheCauseInJSON(t *testing.T) {
	_, err := consumer[order]().Handle(context.Background(), delivery("{"))

	var syntax *json.SyntaxError
	require.ErrorAs(t, err, &syntax)
}

func TestRespond_EncodesTheResult(t *testing.T) {
	tests := []struct {
		rule    string
		handler runtime.Handler
		want    runtime.Message
	}{
		{"struct", result(quote{Price: 7}), runtime.Message{Body: []byte(`{"price":7}`), ContentType: "application/json"}},
		{"pointer", result(&quote{Price: 7}), runtime.Message{Body: []byte(`{"price":7}`), ContentType: "application/json"}},
		{"scalar", result(7), runtime.Message{Body: []byte(`7`), ContentType: "application/json"}},
		{"slice without elements", result([]int(nil)), runtime.Message{Body: []byte(`null`), ContentType: "application/json"}},
		{"interface", result[any](quote{Price: 7}), runtime.Message{Body: []byte(`{"price":7}`), ContentType: "application/json"}},
		{"bytes", result([]byte("\x00")), runtime.Message{Body: []byte("\x00")}},
		{"no bytes", result([]byte(nil)), runtime.Message{}},
		{"bytes in an interface", result[any]([]byte("text")), runtime.Message{Body: []byte(`"dGV4dA=="`), ContentType: "application/json"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			reply, err := test.handler.Handle(context.Background(), delivery(`{}`))

			require.NoError(t, err)
			require.Equal(t, &test.want, reply)
		})
	}
}

func result[T any](value T) runtime.Handler {
	return runtime.Respond(func(context.Context, order) (T, error) { return value, nil })
}

func TestRespond_RefusesWhatItCannotEncode(t *testing.T) {
	tests := []struct {
		rule    string
		handler runtime.Handler
		want    string
	}{
		{"a nil pointer", result((*quote)(nil)), "encode the reply: the message is a nil *runtime_test.quote"},
		{"a value without JSON", result(math.Inf(1)), "encode the reply: json: unsupported value: +Inf"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			reply, err := test.handler.Handle(context.Background(), delivery(`{}`))

			require.Nil(t, reply)
			require.EqualError(t, err, test.want)
		})
	}
}

func TestRespond_PassesOnTheRequestAndTheError(t *testing.T) {
	var got order
	handler := runtime.Respond(func(_ context.Context, o order) (quote, error) {
		got = o
		return quote{Price: 7}, io.ErrUnexpectedEOF
	})

	reply, err := handler.Handle(context.Background(), delivery(`{"id":"a"}`))

	require.Nil(t, reply)
	require.Equal(t, io.ErrUnexpectedEOF, err)
	require.Equal(t, order{ID: "a"}, got)
}

func TestConsume_ReturnsTheErrorAsItIs(t *testing.T) {
	handler := runtime.Consume(func(context.Context, order) error { return io.ErrUnexpectedEOF })

	_, err := handler.Handle(context.Background(), delivery(`{}`))

	require.Equal(t, io.ErrUnexpectedEOF, err)
}

func TestHandler_HasTheTypesOfItsFunction(t *testing.T) {
	consume, respond := runtime.Consume(onOrder), runtime.Respond(quoteOrder)

	require.Equal(t, reflect.TypeFor[order](), consume.BodyType())
	require.Nil(t, consume.ReplyType())
	require.Equal(t, reflect.TypeFor[order](), respond.BodyType())
	require.Equal(t, reflect.TypeFor[quote](), respond.ReplyType())
	require.Equal(t, reflect.TypeFor[error](), consumer[error]().BodyType())
}

func TestHandler_RefusesDeliveriesWhereItIsZero(t *testing.T) {
	for _, zero := range []runtime.Handler{{}, runtime.Consume[order](nil), runtime.Respond[order, quote](nil)} {
		require.True(t, zero.IsZero())
		require.Nil(t, zero.BodyType())
		require.Nil(t, zero.ReplyType())

		_, err := zero.Handle(context.Background(), &runtime.Delivery{Route: "lost"})

		require.EqualError(t, err, `route "lost" has no handler: make one by Consume or Respond`)
	}
	require.False(t, runtime.Consume(onOrder).IsZero())
}

func TestHandle_ReturnsPanicsAsErrors(t *testing.T) {
	cause := errors.New("cause")
	var none []int
	tests := []struct {
		rule  string
		panic func()
		want  string
	}{
		{"a text", func() { panic("at once") }, "the handler panicked: at once"},
		{"an error", func() { panic(cause) }, "the handler panicked: cause"},
		{"nil", func() { panic(nil) }, "the handler panicked: panic called with nil argument"},
		{"a fault of the program", func() { none[7]++ }, "the handler panicked: runtime error: index out of range [7] with length 0"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			handler := runtime.Respond(func(context.Context, order) (quote, error) {
				test.panic()
				return quote{}, nil
			})

			reply, err := handler.Handle(context.Background(), delivery(`{}`))

			require.Nil(t, reply)
			require.EqualError(t, err, test.want)
			var panicked *runtime.PanicError
			require.ErrorAs(t, err, &panicked)
			require.Contains(t, string(panicked.Stack), "TestHandle_ReturnsPanicsAsErrors")
		})
	}
}

func TestPanicError_UnwrapsToTheErrorOfThePanic(t *testing.T) {
	require.ErrorIs(t, &runtime.PanicError{Value: io.EOF}, io.EOF)
	require.NoError(t, errors.Unwrap(&runtime.PanicError{Value: "text"}))

	var fault goruntime.Error
	_, err := runtime.Consume(func(context.Context, *order) error {
		var none *order
		none.ID = "a"
		return nil
	}).Handle(context.Background(), delivery(`{}`))
	require.ErrorAs(t, err, &fault)
}

func TestHandle_ReturnsPanicsOfMiddlewareAsErrors(t *testing.T) {
	handler := runtime.Consume(onOrder).With(func(runtime.HandlerFunc) runtime.HandlerFunc {
		return func(context.Context, *runtime.Delivery) (*runtime.Message, error) { panic("at once") }
	})

	_, err := handler.Handle(context.Background(), delivery(`{}`))

	require.EqualError(t, err, "the handler panicked: at once")
}

func TestDeliveryFrom_ReturnsTheDeliveryThatIsHandled(t *testing.T) {
	sent := delivery(`{}`)
	sent.RoutingKey = "order.created"
	var got *runtime.Delivery
	handler := runtime.Consume(func(ctx context.Context, _ order) error {
		got = runtime.DeliveryFrom(ctx)
		return nil
	})

	_, err := handler.Handle(context.Background(), sent)

	require.NoError(t, err)
	require.Same(t, sent, got)
}

func TestDeliveryFrom_IsNilOutsideOfHandlers(t *testing.T) {
	require.Nil(t, runtime.DeliveryFrom(context.Background()))
}

func TestHandle_KeepsTheCallersContext(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(context.Background(), key{}, "value")
	var got any
	handler := runtime.Consume(func(ctx context.Context, _ order) error {
		got = ctx.Value(key{})
		return nil
	})

	_, err := handler.Handle(ctx, delivery(`{}`))

	require.NoError(t, err)
	require.Equal(t, "value", got)
}

// cents writes itself by a method of its pointer.
type cents int

func (c *cents) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%q", fmt.Sprint(int(*c), " ct")), nil
}

func TestRespond_EncodesByMethodsOfPointers(t *testing.T) {
	handler := runtime.Respond(func(context.Context, string) (cents, error) { return 7, nil })

	reply, err := handler.Handle(context.Background(), &runtime.Delivery{Message: runtime.Message{Body: []byte(`""`)}})

	require.NoError(t, err)
	require.Equal(t, `"7 ct"`, string(reply.Body))
}
