package messages_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// ill is a broker that isn't well.
type ill struct{}

func (ill) Live() error { return errors.New("stuck") }

func (ill) EventsDropped() uint64 { return 3 }

func (ill) Ready() error {
	return &runtime.NotReadyError{Problems: []runtime.Problem{
		{Connection: "publishing", Err: errors.New("blocked")},
		{Route: "a", Queue: "orders", Err: errors.New("stuck")},
		{Route: "b", Queue: "orders", Err: errors.New("refused")},
		{Route: "c", Queue: "second", Err: errors.New("refused")},
	}}
}

func TestMetrics_TellHowABrokerIs(t *testing.T) {
	metrics := messages.NewMetrics(messages.Limits{Destinations: 1})
	names := []string{"messaging_broker_live", "messaging_broker_ready", "messaging_broker_problems", "messaging_broker_events_dropped_total"}
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(""), names...), "of no broker there is nothing to tell")
	broker := memory.New(memory.Config{})
	defer broker.Shutdown(t.Context())
	metrics.Watch(broker)
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_broker_events_dropped_total Events that hooks haven't got, because too many waited.
# TYPE messaging_broker_events_dropped_total counter
messaging_broker_events_dropped_total 0
# HELP messaging_broker_live 1 unless only a restart helps.
# TYPE messaging_broker_live gauge
messaging_broker_live 1
# HELP messaging_broker_ready 1 while the broker does all that it is for.
# TYPE messaging_broker_ready gauge
messaging_broker_ready 1
`), names...))
	metrics.Watch(ill{})
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_broker_events_dropped_total Events that hooks haven't got, because too many waited.
# TYPE messaging_broker_events_dropped_total counter
messaging_broker_events_dropped_total 3
# HELP messaging_broker_live 1 unless only a restart helps.
# TYPE messaging_broker_live gauge
messaging_broker_live 0
# HELP messaging_broker_problems Reasons why the broker isn't ready.
# TYPE messaging_broker_problems gauge
messaging_broker_problems{connection="",messaging_destination_name="_other"} 1
messaging_broker_problems{connection="",messaging_destination_name="orders"} 2
messaging_broker_problems{connection="publishing",messaging_destination_name=""} 1
# HELP messaging_broker_ready 1 while the broker does all that it is for.
# TYPE messaging_broker_ready gauge
messaging_broker_ready 0
`), names...))
	var none *messages.Metrics
	none.Watch(broker)
	require.Nil(t, none.Events().Connected)
}

func TestMetrics_CountEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		metrics := messages.NewMetrics(messages.Limits{})
		broker := memory.New(memory.Config{Events: []runtime.Events{metrics.Events()}})
		router := runtime.NewRouter()
		release := make(chan struct{})
		router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Respond(func(context.Context, []byte) ([]byte, error) {
			<-release
			return nil, nil
		})})
		require.NoError(t, broker.Start(t.Context(), router))
		ctx, cancel := context.WithTimeout(t.Context(), 1)
		defer cancel()
		_, err := broker.Call(ctx, runtime.Address{RoutingKey: "q"}, &runtime.Message{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		close(release)
		synctest.Wait()
		require.NoError(t, broker.Shutdown(t.Context()))
		require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP messaging_broker_events_total What has happened to connections and routes of brokers.
# TYPE messaging_broker_events_total counter
messaging_broker_events_total{connection="",event="late_reply"} 1
`), "messaging_broker_events_total"))
	})
}
