package runtime_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// noting returns a handler that notes the name of the case, and the body.
func noting(notes *[]string) runtime.Handler {
	return runtime.Consume(func(ctx context.Context, body []byte) error {
		*notes = append(*notes, runtime.DeliveryFrom(ctx).Case+":"+string(body))
		return nil
	})
}

func TestDispatch_CallsTheCaseOfTheMessage(t *testing.T) {
	message := func(typ, header, key string) *runtime.Delivery {
		return &runtime.Delivery{
			Message:    runtime.Message{Type: typ, Body: []byte("b"), Headers: map[string]any{"event": header}},
			RoutingKey: key,
		}
	}
	var notes []string
	cases := []runtime.Case{runtime.On("a", noting(&notes)), runtime.On("b", noting(&notes))}
	for _, h := range []struct {
		handler runtime.Handler
		of      func(name string) *runtime.Delivery
		by      string
	}{
		{runtime.Dispatch(cases...), func(name string) *runtime.Delivery { return message(name, "b", "b") }, "type"},
		{runtime.DispatchByHeader("event", cases...), func(name string) *runtime.Delivery { return message("b", name, "b") }, `header "event"`},
		{runtime.DispatchByKey(cases...), func(name string) *runtime.Delivery { return message("b", "b", name) }, "routing key"},
	} {
		notes = nil
		seen := ""
		decorated := h.handler.With(func(next runtime.HandlerFunc) runtime.HandlerFunc {
			return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
				seen = d.Case
				return next(ctx, d)
			}
		})
		_, err := decorated.Handle(t.Context(), h.of("a"))
		require.NoError(t, err)
		require.Equal(t, []string{"a:b"}, notes)
		require.Equal(t, "a", seen, "middleware sees the case")
		_, err = decorated.Handle(t.Context(), h.of("other"))
		require.ErrorIs(t, err, runtime.ErrNoCase)
		require.ErrorContains(t, err, h.by+` is "other"`)
		require.Empty(t, seen)
		names, by := h.handler.Cases()
		require.Equal(t, h.by, by.String())
		require.Len(t, names, 2)
	}
}

func TestDispatch_GivesTheOtherMessagesToOtherwise(t *testing.T) {
	var notes []string
	h := runtime.Dispatch(runtime.On("a", failing(errFailed)), runtime.Otherwise(noting(&notes)))
	for _, typ := range []string{"", "b"} {
		_, err := h.Handle(t.Context(), &runtime.Delivery{Message: runtime.Message{Type: typ}})
		require.NoError(t, err)
	}
	require.Equal(t, []string{":", ":"}, notes)
	cases, _ := h.Cases()
	require.Len(t, cases, 1, "the contract doesn't show it")
}

func TestDispatch_BuriesWhatNoCaseTakes(t *testing.T) {
	route := runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Failure: &runtime.FailurePolicy{}, Handler: runtime.Dispatch(runtime.On("a", failing(nil)))}
	sent := &recorder{}
	outcome := runtime.Process(t.Context(), &route, &runtime.Delivery{}, sent)
	require.True(t, outcome.Pending())
	outcome.Conclude(t.Context(), sent)
	require.Equal(t, runtime.DeadLetter, outcome.Settlement)
	dead, ok := runtime.FailureOf(&runtime.Delivery{Message: sent.sent[0].Message})
	require.True(t, ok)
	require.Equal(t, runtime.ReasonUndecodable, dead.Reason)

	unreadable := &runtime.Delivery{Unreadable: errors.New("too deep")}
	outcome = runtime.Process(t.Context(), &route, unreadable, sent)
	require.ErrorContains(t, outcome.Err, "too deep")
}

func TestDispatch_OfRequestsAnswersTheCaller(t *testing.T) {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Dispatch(
		runtime.On("price", runtime.Respond(func(context.Context, order) (quote, error) { return quote{}, nil })),
		runtime.On("name", runtime.Respond(func(context.Context, string) (string, error) { return "", errFailed })),
	)})
	route := router.Routes()[0]
	require.Equal(t, &runtime.Address{}, route.Reply)
	request := func(typ, body string) *runtime.Delivery {
		return &runtime.Delivery{Message: runtime.Message{Type: typ, Body: []byte(body), ReplyTo: "caller"}}
	}
	sent := &recorder{}
	for _, d := range []*runtime.Delivery{request("price", "{}"), request("name", `"n"`), request("other", "{}")} {
		outcome := runtime.Process(t.Context(), &route, d, sent)
		require.Equal(t, runtime.Ack, outcome.Settlement)
	}
	require.Len(t, sent.sent, 3)
	require.NotEmpty(t, sent.sent[0].Message.Body)
	require.Equal(t, runtime.CodeInternal, sent.sent[1].Message.Headers["warren-error-code"])
	require.Contains(t, sent.sent[2].Message.Headers["warren-error"], "no case takes the message")
}

func TestRegister_RefusesDispatch(t *testing.T) {
	consume, respond := failing(nil), failingRequest(nil)
	raw := runtime.Consume(func(context.Context, []byte) error { return nil })
	topic := &runtime.Exchange{Name: "x", Type: runtime.Topic}
	for _, refused := range []struct {
		route runtime.Route
		fault string
	}{
		{runtime.Route{Handler: runtime.Dispatch()}, "has no case of runtime.On"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.Otherwise(raw))}, "has no case of runtime.On"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", consume), runtime.On("a", raw))}, `has two cases for the type "a"`},
		{runtime.Route{Handler: runtime.DispatchByHeader("h", runtime.On("a", consume), runtime.On("a", raw))}, `has two cases for the header "h" "a"`},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", consume), runtime.Otherwise(raw), runtime.Otherwise(raw))}, "more than one case of runtime.Otherwise"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", consume), runtime.On("b", respond))}, "either answers all of its messages or none"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", respond), runtime.Otherwise(raw))}, "either answers all of its messages or none"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("", consume))}, "runtime.Otherwise takes what has no name"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On(strings.Repeat("a", 256), consume))}, "1 to 255 bytes"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", runtime.Handler{}))}, "has no handler"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", runtime.Dispatch(runtime.On("b", consume))))}, "is another runtime.Dispatch"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", consume), runtime.Otherwise(consume))}, "the case of runtime.Otherwise takes runtime_test.order, and its messages may be anything"},
		{runtime.Route{Handler: runtime.DispatchByHeader("", runtime.On("a", consume))}, `dispatches by the header ""`},
		{runtime.Route{Handler: runtime.DispatchByKey(runtime.On("a", consume))}, "there is no Exchange"},
		{runtime.Route{Handler: runtime.DispatchByKey(runtime.On("a.b", consume)), Exchange: topic, RoutingKeys: []string{"b.#", "a"}}, "none of RoutingKeys lets through"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", consume)), Reply: &runtime.Address{}}, "has no result"},
	} {
		refused.route.Name, refused.route.Queue.Name = "r", "q"
		require.ErrorContains(t, runtime.NewRouter().Register(refused.route), refused.fault)
	}
	router := runtime.NewRouter()
	router.MustRegister(
		runtime.Route{Name: "keys", Queue: runtime.Queue{Name: "q"}, Handler: runtime.DispatchByKey(runtime.On("a.b", consume)), Exchange: topic, RoutingKeys: []string{"b", "a.*"}},
		runtime.Route{Name: "raw", Queue: runtime.Queue{Name: "q"}, Handler: raw},
	)
	second := runtime.Route{Name: "second", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Dispatch(runtime.On("a", consume))}
	require.ErrorContains(t, router.Register(second), "make one route of them with a case of runtime.Dispatch for each")
}
