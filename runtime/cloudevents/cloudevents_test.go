package cloudevents_test

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/cloudevents"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

type order struct {
	ID string `json:"id"`
}

// A seen is what a handler got.
type seen struct {
	order       order
	contentType string
	event       event.Event
	isEvent     bool
}

func serve(t *testing.T) (*runtimetest.Service, *[]seen) {
	t.Helper()
	got := new([]seen)
	router := runtime.NewRouter()
	router.Use(cloudevents.Receive)
	require.NoError(t, router.Register(runtime.Route{Name: "order.created", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(func(ctx context.Context, o order) error {
		e, ok := cloudevents.EventFrom(ctx)
		*got = append(*got, seen{o, runtime.DeliveryFrom(ctx).ContentType, e, ok})
		return nil
	})}))
	return runtimetest.Start(t, router), got
}

func publisher(t runtime.Transport, interceptors ...runtime.Interceptor) *runtime.Publisher[order] {
	return runtime.NewPublisher[order](t, runtime.Endpoint{Route: "order.created", To: runtime.Address{RoutingKey: "q"}}, runtime.WithInterceptors(interceptors...))
}

func TestEvents_ArriveInBothModes(t *testing.T) {
	attributes := cloudevents.Attributes{
		Source: "/shop", Subject: "order 17", DataSchema: "https://example.com/order.json", Extensions: map[string]any{"tenant": "a", "level": int32(3), "since": time.Unix(7, 0).UTC()},
	}
	for name, c := range map[string]struct {
		send        runtime.Interceptor
		contentType string
	}{
		"binary":     {cloudevents.SendBinary(attributes), "application/json"},
		"structured": {cloudevents.SendStructured(attributes), "application/cloudevents+json"},
	} {
		t.Run(name, func(t *testing.T) {
			service, got := serve(t)
			began := time.Now().Add(-time.Second)
			require.NoError(t, publisher(service, c.send).Publish(t.Context(), order{"17"}, runtime.WithMessageID("id-1")))
			require.NoError(t, service.Settled()[0].Err)
			s := (*got)[0]
			require.Equal(t, order{"17"}, s.order)
			require.Equal(t, c.contentType, s.contentType, "on the wire")
			require.True(t, s.isEvent)
			require.Equal(t, []string{"id-1", "/shop", "order.created", "order 17", "https://example.com/order.json", "application/json"},
				[]string{s.event.ID(), s.event.Source(), s.event.Type(), s.event.Subject(), s.event.DataSchema(), s.event.DataContentType()})
			require.True(t, s.event.Time().After(began))
			require.Equal(t, "a", s.event.Extensions()["tenant"])
			require.Equal(t, "1970-01-01T00:00:07Z", fmt.Sprint(s.event.Extensions()["since"]))
			require.EqualValues(t, 3, s.event.Extensions()["level"])
			require.JSONEq(t, `{"id":"17"}`, string(s.event.Data()))
		})
	}
}

func TestReceive_ReadsWhatOthersSend(t *testing.T) {
	service, got := serve(t)
	at := time.Unix(1700000000, 0).UTC()
	service.Send("order.created", order{"1"})
	service.Send("order.created", order{"2"},
		runtime.WithHeader("cloudEvents:specversion", "1.0"), runtime.WithHeader("cloudEvents:id", "i"), runtime.WithHeader("cloudEvents:source", "s"),
		runtime.WithHeader("cloudEvents:type", "t"), runtime.WithHeader("cloudEvents:time", at), runtime.WithHeader("other", 1))
	service.SendMessage("order.created", runtime.Message{
		ContentType: "application/cloudevents+json; charset=UTF-8", Body: []byte(`{"specversion":"1.0","id":"i","source":"s","type":"t","data_base64":"eyJpZCI6IjMifQ=="}`),
	})
	for _, settled := range service.Settled() {
		require.NoError(t, settled.Err)
	}
	require.Equal(t, []string{"1", "2", "3"}, []string{(*got)[0].order.ID, (*got)[1].order.ID, (*got)[2].order.ID})
	require.Equal(t, []bool{false, true, true}, []bool{(*got)[0].isEvent, (*got)[1].isEvent, (*got)[2].isEvent})
	require.Equal(t, at, (*got)[1].event.Time())
	require.Empty(t, (*got)[1].event.Extensions(), "a header of another kind is no attribute")
}

// Middleware before it has the delivery as it came.
func TestReceive_LeavesTheEnvelopeAsItIs(t *testing.T) {
	headers := map[string]any{"cloudEvents:id": "of the header", "other": "x"}
	d := &runtime.Delivery{Message: runtime.Message{
		ContentType: "application/cloudevents+json", Headers: maps.Clone(headers),
		Body: []byte(`{"specversion":"1.0","id":"i","source":"s","type":"t","data":1}`),
	}}
	body := string(d.Body)
	_, err := cloudevents.Receive(func(_ context.Context, unwrapped *runtime.Delivery) (*runtime.Message, error) {
		require.Equal(t, "1", string(unwrapped.Body))
		require.NotContains(t, unwrapped.Headers, "cloudEvents:id", "the envelope counts")
		require.Equal(t, "x", unwrapped.Headers["other"])
		return nil, nil
	})(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, headers, d.Headers)
	require.Equal(t, body, string(d.Body))
}

func TestReceive_LetsDispatchChooseByTypeInBothModes(t *testing.T) {
	var got []string
	noting := func(name string) runtime.Handler {
		return runtime.Consume(func(context.Context, order) error {
			got = append(got, name)
			return nil
		})
	}
	router := runtime.NewRouter()
	router.Use(cloudevents.Receive)
	router.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: "q"}, Handler: runtime.DispatchByHeader("cloudEvents_type",
		runtime.On("created", noting("created")), runtime.On("cancelled", noting("cancelled")))})
	service := runtimetest.Start(t, router)
	for _, send := range []func(cloudevents.Attributes) runtime.Interceptor{cloudevents.SendBinary, cloudevents.SendStructured} {
		for _, typ := range []string{"created", "cancelled"} {
			require.NoError(t, publisher(service, send(cloudevents.Attributes{Source: "/shop", Type: typ})).Publish(t.Context(), order{"1"}))
		}
	}
	service.SendMessage("orders", runtime.Message{
		ContentType: "application/cloudevents+json", Body: []byte(`{"specversion":"1.0","id":"i","source":"s","type":"created","data":{"id":"3"}}`),
		Headers: map[string]any{"cloudEvents_type": "cancelled"},
	})
	for _, settled := range service.Settled() {
		require.NoError(t, settled.Err)
	}
	require.Equal(t, []string{"created", "cancelled", "created", "cancelled", "created"}, got, "the envelope's type counts")
}

func TestReceive_RefusesWhatIsNoEvent(t *testing.T) {
	binary := func(headers ...string) map[string]any {
		table := map[string]any{"cloudEvents_specversion": "1.0"}
		for i := 0; i < len(headers); i += 2 {
			table["cloudEvents_"+headers[i]] = headers[i+1]
		}
		return table
	}
	for name, m := range map[string]runtime.Message{
		"id":          {Headers: binary("source", "s", "type", "t")},
		"0.3":         {Headers: map[string]any{"cloudEvents_specversion": "0.3"}},
		"time":        {Headers: binary("id", "i", "source", "s", "type", "t", "time", "noon")},
		"extension":   {Headers: binary("id", "i", "source", "s", "type", "t", "no-extension", "x")},
		"text":        {Headers: map[string]any{"cloudEvents_specversion": "1.0", "cloudEvents_id": 5}},
		"specversion": {ContentType: "application/cloudevents+json", Body: []byte(`{"specversion":"0.3","id":"i","source":"s","type":"t"}`)},
		"single":      {ContentType: "application/cloudevents-batch+json", Body: []byte("[]")},
		"CloudEvent":  {ContentType: "application/cloudevents+json", Body: []byte("no JSON")},
		"source":      {ContentType: "application/cloudevents+json", Body: []byte(`{"specversion":"1.0","id":"i","type":"t"}`)},
	} {
		service, got := serve(t)
		service.SendMessage("order.created", m)
		settled := service.Settled()[0]
		require.Equal(t, runtime.DeadLetter, settled.End, name)
		require.ErrorContains(t, settled.Err, name)
		why, _ := runtime.FailureOf(service.Queue("q.dead").Messages()[0])
		require.Equal(t, runtime.ReasonUndecodable, why.Reason)
		require.Empty(t, *got)
	}
}

// Without the middleware the envelope would be an order without an id.
func TestConsume_RefusesTheEnvelope(t *testing.T) {
	handler := runtime.Consume(func(context.Context, order) error { return nil })
	_, failed := handler.Handle(t.Context(), &runtime.Delivery{Message: runtime.Message{ContentType: "application/cloudevents+json", Body: []byte("{}")}})
	require.ErrorIs(t, failed, runtime.ErrContentType)
	require.ErrorContains(t, failed, "package cloudevents has a middleware")
}

func TestSend_RefusesAnEventWithoutItsAttributes(t *testing.T) {
	service, _ := serve(t)
	for want, a := range map[string]cloudevents.Attributes{
		"Source is empty":           {},
		"the extension not-allowed": {Source: "s", Extensions: map[string]any{"not-allowed": 1}},
	} {
		err := publisher(service, cloudevents.SendBinary(a)).Publish(t.Context(), order{})
		require.ErrorContains(t, err, want)
	}
}

func TestSendBinary_KeepsAttributesOfTheMessage(t *testing.T) {
	service, got := serve(t)
	require.NoError(t, publisher(service, cloudevents.SendBinary(cloudevents.Attributes{Source: "s"})).
		Publish(t.Context(), order{}, runtime.WithHeader("cloudEvents_subject", "mine")))
	service.Settled()
	require.Equal(t, "mine", (*got)[0].event.Subject())
	require.NotEmpty(t, (*got)[0].event.ID())
}
