package rabbitmq_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
)

// declarations declares queues by their fields. What Register takes the server takes,
// and what Register refuses it refuses, so that nobody is kept from what is allowed.
func declarations(t *testing.T, node *rabbitnode.Node) {
	for name, q := range map[string]runtime.Queue{
		"classic": {
			Type: runtime.Classic, Durable: true, MessageTTL: time.Minute, Expires: time.Hour, MaxLength: 10, MaxLengthBytes: 1000,
			Overflow: runtime.RejectPublishDeadLetter, DeadLetter: &runtime.Address{RoutingKey: "dead"}, MaxPriority: 5, SingleActiveConsumer: true,
		},
		"quorum": {
			Type: runtime.Quorum, Durable: true, MessageTTL: time.Minute, Expires: time.Hour, MaxLength: 10, MaxLengthBytes: 1000,
			Overflow: runtime.RejectPublish, DeadLetter: &runtime.Address{Exchange: "amq.topic"}, SingleActiveConsumer: true, DeliveryLimit: 5, Replicas: 1,
		},
		"stream":           {Type: runtime.Stream, Durable: true, MaxLengthBytes: 1_000_000, MaxAge: time.Hour, SegmentBytes: 500_000, Replicas: 1},
		"of no type":       {Durable: true, MaxLength: 1, Overflow: runtime.DropHead},
		"for passing data": {AutoDelete: true, Exclusive: true, MessageTTL: time.Second},
	} {
		t.Run(name+" is taken", func(t *testing.T) {
			q.Name = queue(t).Name
			router := runtime.NewRouter()
			require.NoError(t, router.Declare(runtime.Topology{Queues: []runtime.Queue{q}}))
			require.NoError(t, open(t, node.URL()).Start(t.Context(), router))
			channel := channelOf(t, node)
			if !q.Exclusive {
				_, err := channel.QueueDelete(q.Name, false, false, false)
				require.NoError(t, err)
			}
		})
	}
	for name, q := range map[string]runtime.Queue{
		"a quorum queue that isn't durable":     {Type: runtime.Quorum},
		"a quorum queue of one connection":      {Type: runtime.Quorum, Durable: true, Exclusive: true},
		"a quorum queue that isn't kept":        {Type: runtime.Quorum, Durable: true, AutoDelete: true},
		"a stream that isn't durable":           {Type: runtime.Stream},
		"a stream with a time to live":          {Type: runtime.Stream, Durable: true, MessageTTL: time.Second},
		"a stream that expires":                 {Type: runtime.Stream, Durable: true, Expires: time.Second},
		"a stream with a length":                {Type: runtime.Stream, Durable: true, MaxLength: 10},
		"a stream with an overflow":             {Type: runtime.Stream, Durable: true, Overflow: runtime.RejectPublish},
		"a stream with dead letters":            {Type: runtime.Stream, Durable: true, DeadLetter: &runtime.Address{RoutingKey: "dead"}},
		"a stream with one consumer":            {Type: runtime.Stream, Durable: true, SingleActiveConsumer: true},
		"a classic queue with a delivery limit": {Type: runtime.Classic, Durable: true, DeliveryLimit: 5},
		"a classic queue with an age":           {Type: runtime.Classic, Durable: true, MaxAge: time.Hour},
		"a quorum queue with priorities":        {Type: runtime.Quorum, Durable: true, MaxPriority: 5},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			q.Name = queue(t).Name
			require.Error(t, runtime.NewRouter().Declare(runtime.Topology{Queues: []runtime.Queue{q}}))
			arguments := runtime.Route{Queue: q}.WithDefaults().Queue.Arguments
			_, err := channelOf(t, node).QueueDeclare(q.Name, q.Durable, q.AutoDelete, q.Exclusive, false, arguments)
			require.Error(t, err, arguments)
		})
	}
	t.Run("a quorum queue that dead-letters what it refuses is taken, without an effect, and refused here", func(t *testing.T) {
		q := runtime.Queue{Name: queue(t).Name, Type: runtime.Quorum, Durable: true, Overflow: runtime.RejectPublishDeadLetter}
		require.Error(t, runtime.NewRouter().Declare(runtime.Topology{Queues: []runtime.Queue{q}}))
		arguments := runtime.Route{Queue: q}.WithDefaults().Queue.Arguments
		_, err := channelOf(t, node).QueueDeclare(q.Name, true, false, false, false, arguments)
		require.NoError(t, err)
	})
}
