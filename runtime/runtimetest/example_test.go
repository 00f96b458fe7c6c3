package runtimetest_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

// The service that these tests are about: it reserves what was ordered, and says so.

type order struct {
	ID    string `json:"id"`
	Items int    `json:"items"`
}

type reserved struct {
	Order string `json:"order"`
}

type warehouse struct {
	mu       sync.Mutex
	reserved map[string]int
	down     int // how often it isn't to be reached yet

	events *runtime.Publisher[reserved]
}

func newWarehouse(t runtime.Transport) *warehouse {
	return &warehouse{reserved: make(map[string]int), events: runtime.NewPublisher[reserved](t, runtime.Endpoint{
		To: runtime.Address{Exchange: "shop", RoutingKey: "order.reserved"},
	})}
}

func (w *warehouse) register(r *runtime.Router) error {
	shop := &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true}
	return r.Register(
		runtime.Route{
			Name: "order.created", Queue: runtime.Queue{Name: "orders", Durable: true},
			Exchange: shop, RoutingKeys: []string{"order.created"}, Handler: runtime.Consume(w.orderCreated),
		},
		runtime.Route{
			Name: "order.audit", Queue: runtime.Queue{Name: "audit", Durable: true},
			Exchange: shop, RoutingKeys: []string{"order.*"}, Handler: runtime.Consume(func(context.Context, []byte) error { return nil }),
		},
		runtime.Route{
			Name: "order.find", Queue: runtime.Queue{Name: "orders.find"}, Handler: runtime.Respond(w.find), Reply: &runtime.Address{},
		},
	)
}

func (w *warehouse) orderCreated(ctx context.Context, o order) error {
	if o.ID == "" {
		return runtime.Reject(errors.New("the order has no id"))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down > 0 {
		w.down--
		return errors.New("the warehouse is down")
	}
	w.reserved[o.ID] = o.Items
	return w.events.Publish(ctx, reserved{o.ID})
}

func (w *warehouse) find(_ context.Context, id string) (order, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return order{ID: id, Items: w.reserved[id]}, nil
}

// start returns the service under test.
func start(t *testing.T) (*warehouse, *runtimetest.Service) {
	t.Helper()
	service, router := runtimetest.New(t), runtime.NewRouter()
	w := newWarehouse(service)
	require.NoError(t, w.register(router))
	service.Start(router)
	return w, service
}

func TestOrderCreated_ReservesTheItems(t *testing.T) {
	w, service := start(t)
	service.Send("order.created", order{ID: "17", Items: 3})
	service.Settled()
	require.Equal(t, map[string]int{"17": 3}, w.reserved)
}

func TestOrderCreated_IsTriedAgainUntilTheWarehouseIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, service := start(t)
		w.down = 2
		began := time.Now()
		service.Send("order.created", order{ID: "17", Items: 3})
		service.Settled()
		require.Equal(t, 3, w.reserved["17"])
		require.InDelta(t, 3, time.Since(began).Seconds(), 0.7, "1 s, then 2 s, less up to a fifth of each")
	})
}

func TestOrderCreated_IsDeadLetterInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, service := start(t)
		w.down = 100
		service.Send("order.created", order{ID: "17"})
		service.Settled()
		require.Equal(t, 1, service.Queue("orders.dead").Len())
		why, _ := runtime.FailureOf(service.Queue("orders.dead").Messages()[0])
		require.Equal(t, runtime.ReasonAttempts, why.Reason)
		require.Equal(t, "the warehouse is down", why.Error)
	})
}

func TestOrderCreated_IsDeadLetterAtOnceWithoutAnID(t *testing.T) {
	_, service := start(t)
	service.Send("order.created", order{})
	for _, settled := range service.Settled() {
		if settled.Route == "order.created" {
			require.Equal(t, runtime.DeadLetter, settled.End)
			require.ErrorContains(t, settled.Err, "no id")
			require.Equal(t, 1, settled.Delivery.Attempt)
		}
	}
}

func TestOrderCreated_IsTriedAgainWhenTheEventCannotBeSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, service := start(t)
		service.FailNextPublish(runtime.ErrNacked)
		service.Send("order.created", order{ID: "17"})
		var ends []string
		for _, settled := range service.Settled() {
			if settled.Route == "order.created" {
				ends = append(ends, settled.String())
			}
		}
		require.Len(t, ends, 2)
		require.Contains(t, ends[0], "order.created, attempt 1: retry (")
		require.Contains(t, ends[0], runtime.ErrNacked.Error())
		require.Equal(t, "order.created, attempt 2: ack", ends[1])
	})
}

func TestOrderCreated_SendsTheEventTwiceWhereTheConfirmIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, service := start(t)
		service.LoseNextConfirm()
		service.Send("order.created", order{ID: "17"})
		events := 0
		for _, settled := range service.Settled() {
			if settled.Delivery.RoutingKey == "order.reserved" {
				events++
			}
		}
		require.Equal(t, 2, events)
	})
}

func TestOrderCreated_ComesAgainAfterALostConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service, router := runtimetest.New(t), runtime.NewRouter()
		release, seen := make(chan struct{}), 0
		router.MustRegister(runtime.Route{
			Name: "order.created", Queue: runtime.Queue{Name: "orders"},
			Handler: runtime.Consume(func(ctx context.Context, o order) error {
				seen++
				if !runtime.DeliveryFrom(ctx).Redelivered {
					<-release
				}
				return nil
			}),
		})
		service.Start(router)
		service.Send("order.created", order{ID: "17"})
		synctest.Wait()
		service.Disconnect()
		close(release)
		service.Settled()
		require.Equal(t, 2, seen)
	})
}

func TestOrderFind_Answers(t *testing.T) {
	w, service := start(t)
	w.reserved["17"] = 3
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	find := runtime.NewCaller[string, order](service, runtime.Endpoint{To: runtime.Address{RoutingKey: "orders.find"}})
	found, err := find.Call(ctx, "17")
	require.NoError(t, err)
	require.Equal(t, order{"17", 3}, found)
}

func TestPublish_FailsWhileTheBrokerIsBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, service := start(t)
		unblock := service.Block()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, w.events.Publish(ctx, reserved{"17"}), runtime.ErrBlocked)
		time.AfterFunc(time.Second, unblock)
		require.NoError(t, w.events.Publish(t.Context(), reserved{"17"}))
	})
}

func TestOrderAudit_GetsWhateverHappensToAnOrder(t *testing.T) {
	_, service := start(t)
	for i := range 3 {
		service.SendKey("order.audit", fmt.Sprintf("order.event%d", i), []byte("no JSON"), runtime.WithMessageID("m"))
	}
	require.Len(t, service.Settled(), 3)
	require.Empty(t, service.Settled(), "those since the last call")
}
