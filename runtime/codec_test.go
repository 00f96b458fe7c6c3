package runtime_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// ordersOnly is a codec that takes one type.
type ordersOnly struct{ lengthCodec }

func (ordersOnly) Takes(t reflect.Type) error {
	if t != reflect.TypeFor[order]() {
		return errors.New("it has no schema")
	}
	return nil
}

// The codec is asked about each type of each case, but not about bytes, which it isn't
// given.
func TestRegister_AsksTheCodecAboutItsTypes(t *testing.T) {
	register := func(handler runtime.Handler) error {
		return runtime.NewRouter().Register(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: handler, Codec: ordersOnly{}})
	}
	bytes := runtime.Consume(func(context.Context, []byte) error { return nil })
	require.NoError(t, register(runtime.Consume(onOrder)))
	require.NoError(t, register(bytes))
	require.NoError(t, register(runtime.Dispatch(runtime.On("order", runtime.Consume(onOrder)), runtime.On("bytes", bytes))))
	require.ErrorContains(t, register(runtime.Respond(quoteOrder)), "Codec: runtime_test.ordersOnly doesn't take runtime_test.quote: it has no schema")
	quotes := runtime.Consume(func(context.Context, quote) error { return nil })
	require.ErrorContains(t, register(runtime.Dispatch(runtime.On("order", runtime.Consume(onOrder)), runtime.On("quote", quotes))), "doesn't take runtime_test.quote")
}
