package rabbitmq

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// An obliging server takes every settlement.
type obliging struct{}

func (obliging) Ack(uint64, bool) error { return nil }

func (obliging) Nack(uint64, bool, bool) error { return nil }

// pooled is the pool of a route without a channel, with so many places.
func pooled(t *testing.T, places int, handle func(tag uint64)) (*pool, chan amqp.Delivery) {
	b, err := New(Config{URL: "amqp://localhost"})
	require.NoError(t, err)
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Concurrency: places,
		Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
			handle(runtime.DeliveryFrom(ctx).Tag)
			return nil
		}),
	})
	deliveries := make(chan amqp.Delivery)
	s := subscribed(obliging{}, deliveries)
	s.link, s.handling, s.dismiss = &link{filter: &headerFilter{}}, b.handling, make(chan struct{})
	return newPool(b.newConsumers(router.Routes())[0], s), deliveries
}

func isAwaited(deliveries chan amqp.Delivery, d amqp.Delivery) bool {
	synctest.Wait()
	select {
	case deliveries <- d:
		synctest.Wait()
		return true
	default:
		return false
	}
}

func TestPool_HasWorkersWhileThereIsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var running atomic.Int32
		p, deliveries := pooled(t, 3, func(uint64) { running.Add(1); <-release; running.Add(-1) })
		for first := uint64(1); first < 9; first += 4 {
			require.False(t, isAwaited(deliveries, amqp.Delivery{}), "there are no workers")
			p.begin(&amqp.Delivery{DeliveryTag: first})
			require.Nil(t, p.first)
			require.True(t, isAwaited(deliveries, amqp.Delivery{DeliveryTag: first + 1}))
			require.True(t, isAwaited(deliveries, amqp.Delivery{DeliveryTag: first + 2}))
			require.EqualValues(t, 3, running.Load())
			require.False(t, isAwaited(deliveries, amqp.Delivery{}), "all places are taken")
			p.end()
			p.end()
			require.Nil(t, p.first, "all workers are at work")
			require.NotNil(t, p.ticker, "and are looked at again")
			release <- struct{}{}
			require.True(t, isAwaited(deliveries, amqp.Delivery{DeliveryTag: first + 3}))
			p.end()
			require.Nil(t, p.first, "one has come since")
			for range 3 {
				release <- struct{}{}
			}
			synctest.Wait()
			p.end()
			require.NotNil(t, p.first, "none has come since")
			require.Nil(t, p.ticker)
			require.Nil(t, p.rest())
			p.consumer.broker.running.Wait()
		}
	})
}

// A place that is busy for long takes none from the others.
func TestPool_LeavesTheOtherPlacesToNewWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled []uint64
		release := make(chan struct{})
		var mu sync.Mutex
		p, deliveries := pooled(t, 2, func(tag uint64) {
			mu.Lock()
			handled = append(handled, tag)
			mu.Unlock()
			if tag == 1 {
				<-release
			}
		})
		p.begin(&amqp.Delivery{DeliveryTag: 1})
		synctest.Wait()
		p.end()
		p.end()
		require.NotNil(t, p.first)
		p.begin(&amqp.Delivery{DeliveryTag: 2})
		require.True(t, isAwaited(deliveries, amqp.Delivery{DeliveryTag: 3}))
		require.True(t, isAwaited(deliveries, amqp.Delivery{DeliveryTag: 4}))
		close(release)
		close(p.s.ended)
		p.consumer.broker.running.Wait()
		p.close()
		require.Equal(t, []uint64{1, 2, 3, 4}, handled)
	})
}

// The worker of an ordered route waits for what comes next while its handlers are at work.
func TestConsumption_NoticesWhileItRestsThatAllHandlersAreStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := New(Config{URL: "amqp://localhost"})
		require.NoError(t, err)
		router, release := runtime.NewRouter(), make(chan struct{})
		router.MustRegister(runtime.Route{
			Name: "r", Queue: runtime.Queue{Name: "q"}, Order: runtime.Strict(), Timeout: time.Minute,
			Handler: runtime.Consume(func(context.Context, []byte) error {
				<-release
				return nil
			}),
		})
		s := subscribed(obliging{}, make(chan amqp.Delivery))
		s.link, s.handling, s.dismiss = &link{filter: &headerFilter{}}, b.handling, make(chan struct{})
		r := &consumption{consumer: b.newConsumers(router.Routes())[0], s: s}
		r.workers = newPool(r.consumer, s)
		r.workers.begin(&amqp.Delivery{DeliveryTag: 1})
		synctest.Wait()
		r.workers.end()
		r.workers.end()
		require.NotNil(t, r.workers.first, "it rests")
		require.Equal(t, allStuck, r.rest())
		close(release)
		b.running.Wait()
	})
}

func TestPool_KeepsTheOrderOfOneAtATime(t *testing.T) {
	const messages = 20_000
	var handled []uint64
	done := make(chan struct{})
	p, deliveries := pooled(t, 1, func(tag uint64) {
		if handled = append(handled, tag); tag == messages {
			close(done)
		}
	})
	resting := make(chan struct{})
	go func() {
		for tag := range uint64(messages) {
			if tag%100 == 0 {
				<-resting
			}
			deliveries <- amqp.Delivery{DeliveryTag: tag + 1}
		}
	}()
	for ended := false; !ended; {
		rests := resting
		if p.first == nil {
			rests = nil
		}
		select {
		case rests <- struct{}{}:
		case d := <-p.first:
			p.begin(&d)
		case <-done:
			ended = true
		default:
			p.end()
		}
	}
	close(p.s.ended)
	p.consumer.broker.running.Wait()
	p.close()
	require.Len(t, handled, messages)
	for i, tag := range handled {
		require.EqualValues(t, i+1, tag)
	}
}
