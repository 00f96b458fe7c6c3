package runtime_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// marking returns an interceptor that leaves a mark before and after.
func marking(log *trail, name string) runtime.Interceptor {
	return func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			*log = append(*log, name)
			reply, err := next(ctx, s)
			*log = append(*log, "/"+name)
			return reply, err
		}
	}
}

func TestWithInterceptors_PutsTheFirstOneOutermost(t *testing.T) {
	var log trail
	publisher := runtime.NewPublisher[order](new(recorder), shop,
		runtime.WithInterceptors(marking(&log, "a"), marking(&log, "b")),
		runtime.WithInterceptors(marking(&log, "c")))

	require.NoError(t, publisher.Publish(context.Background(), order{}))

	require.Equal(t, trail{"a", "b", "c", "/c", "/b", "/a"}, log)
}

func TestInterceptor_SeesTheWholeSending(t *testing.T) {
	var seen []runtime.Sending
	watch := runtime.WithInterceptors(func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			seen = append(seen, *s)
			return next(ctx, s)
		}
	})
	transport := &recorder{reply: &runtime.Message{Body: []byte(`{}`)}}

	require.NoError(t, runtime.NewPublisher[order](transport, keyed, watch).PublishKey(context.Background(), "stock", order{}, runtime.WithPriority(1)))
	_, err := runtime.NewCaller[order, quote](transport, pricing, watch).Call(context.Background(), order{})

	require.NoError(t, err)
	body := []byte(`{"id":""}`)
	require.Equal(t, []runtime.Sending{
		{
			Route: "any", To: runtime.Address{Exchange: "shop", RoutingKey: "stock"},
			Message: &runtime.Message{Body: body, ContentType: "application/json", Priority: 1},
		},
		{
			Route: "quote", To: runtime.Address{RoutingKey: "quotes"}, Call: true,
			Message: &runtime.Message{Body: body, ContentType: "application/json"},
		},
	}, seen)
}

func TestInterceptor_MayChangeTheSending(t *testing.T) {
	transport := new(recorder)
	elsewhere := runtime.Address{Exchange: "elsewhere", RoutingKey: "key"}
	publisher := runtime.NewPublisher[order](transport, shop, runtime.WithInterceptors(func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			s.To, s.Message = elsewhere, &runtime.Message{Body: []byte("other")}
			return next(ctx, s)
		}
	}))

	require.NoError(t, publisher.Publish(context.Background(), order{}))
	require.Equal(t, []sent{{To: elsewhere, Message: runtime.Message{Body: []byte("other")}}}, transport.sent)
}

func TestInterceptor_MayAnswerInTheTransportsPlace(t *testing.T) {
	transport := new(recorder)
	caller := runtime.NewCaller[order, quote](transport, pricing, runtime.WithInterceptors(func(runtime.SendFunc) runtime.SendFunc {
		return func(context.Context, *runtime.Sending) (*runtime.Message, error) {
			return &runtime.Message{Body: []byte(`{"price":1}`)}, nil
		}
	}))

	got, err := caller.Call(context.Background(), order{})

	require.NoError(t, err)
	require.Equal(t, quote{Price: 1}, got)
	require.Empty(t, transport.sent)
}

func TestPublish_PassesTheContextOn(t *testing.T) {
	type key struct{}
	var got any
	publisher := runtime.NewPublisher[order](new(recorder), shop, runtime.WithInterceptors(func(runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, _ *runtime.Sending) (*runtime.Message, error) {
			got = ctx.Value(key{})
			return nil, errors.New("enough")
		}
	}))

	require.Error(t, publisher.Publish(context.WithValue(context.Background(), key{}, "value"), order{}))

	require.Equal(t, "value", got)
}

func TestIntercept_WrapsReplies(t *testing.T) {
	var log trail
	var seen []runtime.Sending
	router := runtime.NewRouter()
	router.Intercept(marking(&log, "a"))
	router.MustRegister(runtime.Route{
		Name: "quote", Queue: runtime.Queue{Name: "quotes"}, Reply: toTheShop,
		Handler: runtime.Respond(func(context.Context, order) (quote, error) { return quote{Price: 7}, nil }),
	})
	router.Intercept(marking(&log, "b"), func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			seen = append(seen, *s)
			return next(ctx, s)
		}
	})
	transport := new(recorder)
	route := router.Routes()[0]
	request := delivery(`{}`)

	outcome := runtime.Process(context.Background(), &route, request, transport)
	settlement, err := outcome.Settlement, outcome.Err

	require.NoError(t, err)
	require.Equal(t, runtime.Ack, settlement)
	require.Equal(t, trail{"a", "b", "/b", "/a"}, log)
	require.Len(t, transport.sent, 1)
	require.Equal(t, []runtime.Sending{{Route: "quote", To: *toTheShop, Message: &transport.sent[0].Message, Request: request}}, seen)
}

func TestIntercept_MayRefuseReplies(t *testing.T) {
	router := runtime.NewRouter()
	router.Intercept(func(runtime.SendFunc) runtime.SendFunc {
		return func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, errFailed }
	})
	router.MustRegister(runtime.Route{
		Name: "quote", Queue: runtime.Queue{Name: "quotes"}, Reply: toQueue,
		Handler: runtime.Respond(func(context.Context, order) (quote, error) { return quote{}, nil }),
	})
	transport := new(recorder)
	route := router.Routes()[0]

	outcome := runtime.Process(context.Background(), &route, delivery(`{}`), transport)
	settlement, err := outcome.Settlement, outcome.Err

	require.ErrorIs(t, err, errFailed)
	require.Equal(t, runtime.Retry, settlement)
	require.Empty(t, transport.sent)
}
