package runtime_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// A trail is what happened, in order. Its middleware leave a mark each.
type trail []string

func (l *trail) mark(name string) runtime.Middleware {
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			*l = append(*l, name)
			reply, err := next(ctx, d)
			*l = append(*l, "/"+name)
			return reply, err
		}
	}
}

func (l *trail) handler() runtime.Handler {
	return runtime.Consume(func(context.Context, order) error {
		*l = append(*l, "handler")
		return nil
	})
}

func handle(t *testing.T, handler runtime.Handler) {
	t.Helper()
	_, err := handler.Handle(context.Background(), &runtime.Delivery{Message: runtime.Message{Body: []byte(`{}`)}})
	require.NoError(t, err)
}

func TestUse_PutsTheFirstOneOutermost(t *testing.T) {
	var log trail
	var router runtime.Router
	router.Use(log.mark("a"), log.mark("b"))
	router.Use(log.mark("c"))
	router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: log.handler()})

	handle(t, router.Routes()[0].Handler)

	require.Equal(t, trail{"a", "b", "c", "handler", "/c", "/b", "/a"}, log)
}

func TestUse_ReachesRoutesThatAreRegisteredAlready(t *testing.T) {
	var log trail
	var router runtime.Router
	router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: log.handler()})
	router.Use(log.mark("late"))

	handle(t, router.Routes()[0].Handler)

	require.Equal(t, trail{"late", "handler", "/late"}, log)
}

func TestUse_LeavesRoutesThatWereReturned(t *testing.T) {
	var log trail
	var router runtime.Router
	router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: log.handler()})
	before := router.Routes()
	router.Use(log.mark("late"))

	handle(t, before[0].Handler)

	require.Equal(t, trail{"handler"}, log)
}

func TestRoutes_WrapsOnceInEachCall(t *testing.T) {
	var log trail
	var router runtime.Router
	router.Use(log.mark("a"))
	router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: log.handler()})
	router.Routes()

	handle(t, router.Routes()[0].Handler)

	require.Equal(t, trail{"a", "handler", "/a"}, log)
}

func TestMiddleware_MayUseTheRouter(t *testing.T) {
	var router runtime.Router
	router.MustRegister(created())
	router.Use(func(next runtime.HandlerFunc) runtime.HandlerFunc {
		router.Use()
		return next
	})

	require.Len(t, router.Routes(), 1)
}

func TestWith_IsInsideOfUse(t *testing.T) {
	var log trail
	var router runtime.Router
	router.Use(log.mark("use"))
	router.MustRegister(runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"},
		Handler: log.handler().With(log.mark("a"), log.mark("b")).With(log.mark("outer")),
	})

	handle(t, router.Routes()[0].Handler)

	require.Equal(t, trail{"use", "outer", "a", "b", "handler", "/b", "/a", "/outer", "/use"}, log)
}

func TestWith_LeavesItsReceiver(t *testing.T) {
	var log trail
	plain := log.handler()
	plain.With(log.mark("a"))

	handle(t, plain)

	require.Equal(t, trail{"handler"}, log)
}

func TestWith_KeepsTheTypes(t *testing.T) {
	plain := runtime.Respond(quoteOrder)

	decorated := plain.With()

	require.Equal(t, plain.BodyType(), decorated.BodyType())
	require.Equal(t, plain.ReplyType(), decorated.ReplyType())
}

func TestWith_LeavesTheZeroHandlerZero(t *testing.T) {
	require.True(t, runtime.Handler{}.With((*trail)(nil).mark("a")).IsZero())
}

func TestMiddleware_MayAnswerInTheHandlersPlace(t *testing.T) {
	own := errors.New("too many requests")
	handler := runtime.Consume(onOrder).With(func(runtime.HandlerFunc) runtime.HandlerFunc {
		return func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, own }
	})

	_, err := handler.Handle(context.Background(), new(runtime.Delivery))

	require.Equal(t, own, err)
}

func TestMiddleware_MayPassOnAnotherBody(t *testing.T) {
	var got order
	handler := runtime.Consume(func(_ context.Context, o order) error {
		got = o
		return nil
	}).With(func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			unpacked := *d
			unpacked.Body = []byte(`{"id":"unpacked"}`)
			return next(ctx, &unpacked)
		}
	})

	handle(t, handler)

	require.Equal(t, order{ID: "unpacked"}, got)
}

func TestMiddleware_HasTheDeliveryInItsContext(t *testing.T) {
	sent := &runtime.Delivery{Message: runtime.Message{Body: []byte(`{}`)}}
	var seen *runtime.Delivery
	handler := runtime.Consume(onOrder).With(func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			seen = runtime.DeliveryFrom(ctx)
			return next(ctx, d)
		}
	})

	_, err := handler.Handle(context.Background(), sent)

	require.NoError(t, err)
	require.Same(t, sent, seen)
}
