package rabbitmq_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// bury puts n messages among the dead letters of a new queue, by its failure policy, and
// returns the queue and what is handled of it afterwards.
func bury(t *testing.T, url string, n int, arguments map[string]any) (b *rabbitmq.Broker, q runtime.Queue, handled chan runtime.Delivery, accept func()) {
	t.Helper()
	q = queue(t)
	q.Arguments = arguments
	handled = make(chan runtime.Delivery, 100)
	fails, accepts := make(chan struct{}), make(chan struct{})
	b = open(t, url)
	start(t, b, runtime.Route{Name: "r", Queue: q, Failure: &runtime.FailurePolicy{Attempts: 1}, Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
		d := *runtime.DeliveryFrom(ctx)
		d.Body = append([]byte(nil), body...)
		select {
		case <-accepts:
			handled <- d
			return nil
		default:
			defer func() { fails <- struct{}{} }()
			return fmt.Errorf("no %s", body)
		}
	})})
	t.Cleanup(func() { deleteQueues(t, url, q.Name, q.Name+".dead") })
	for i := range n {
		require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{
			Body: fmt.Append(nil, i), MessageID: fmt.Sprint("id-", i), Headers: map[string]any{"k": "v"}, Expiration: time.Hour, ContentType: "text/plain",
		}))
		<-fails
	}
	require.Eventually(t, func() bool {
		review, err := b.ReviewDeadLetters(t.Context(), q.Name+".dead", func(*runtime.Delivery) (rabbitmq.Verdict, error) { return rabbitmq.Keep, nil })
		require.NoError(t, err)
		return review.Kept == n
	}, patience, 50*time.Millisecond)
	return b, q, handled, func() { close(accepts) }
}

func deleteQueues(t *testing.T, url string, names ...string) {
	server{url}.Delete(t, names, nil)
}

func bodies(t *testing.T, b *rabbitmq.Broker, queue string) []string {
	t.Helper()
	var all []string
	_, err := b.ReviewDeadLetters(t.Context(), queue, func(d *runtime.Delivery) (rabbitmq.Verdict, error) {
		all = append(all, string(d.Body))
		return rabbitmq.Keep, nil
	})
	require.NoError(t, err)
	return all
}

func TestReviewDeadLetters_DoesWithEachWhatIsDecided(t *testing.T) {
	b, q, handled, accept := bury(t, node.URL(), 4, nil)
	accept()
	review, err := b.ReviewDeadLetters(t.Context(), q.Name+".dead", func(d *runtime.Delivery) (rabbitmq.Verdict, error) {
		failure, ok := runtime.FailureOf(d)
		require.True(t, ok)
		require.Equal(t, "no "+string(d.Body), failure.Error)
		return map[string]rabbitmq.Verdict{"1": rabbitmq.Replay, "2": rabbitmq.Drop}[string(d.Body)], nil
	})
	require.NoError(t, err)
	require.Equal(t, rabbitmq.Review{Kept: 2, Replayed: 1, Dropped: 1}, review)
	d := <-handled
	require.Equal(t, "1", string(d.Body))
	require.Equal(t, []any{1, "id-1", "text/plain", map[string]any{"k": "v"}}, []any{d.Attempt, d.MessageID, d.ContentType, d.Headers})
	require.Equal(t, []string{"0", "3"}, bodies(t, b, q.Name+".dead"), "in their places")
}

func TestReviewDeadLetters_LosesNothingWhereItEnds(t *testing.T) {
	b, q, _, _ := bury(t, node.URL(), 3, nil)
	stop := errors.New("stop")
	_, err := b.ReviewDeadLetters(t.Context(), q.Name+".dead", func(d *runtime.Delivery) (rabbitmq.Verdict, error) {
		if string(d.Body) == "1" {
			return rabbitmq.Drop, stop
		}
		return rabbitmq.Keep, nil
	})
	require.ErrorIs(t, err, stop)
	require.Equal(t, []string{"0", "1", "2"}, bodies(t, b, q.Name+".dead"))

	ctx, cancel := context.WithCancel(t.Context())
	_, err = b.ReviewDeadLetters(ctx, q.Name+".dead", func(*runtime.Delivery) (rabbitmq.Verdict, error) {
		cancel()
		return rabbitmq.Keep, nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, b.Shutdown(t.Context())) // it would declare the queue again
	deleteQueues(t, node.URL(), q.Name)
	b = open(t, node.URL())
	_, err = b.ReviewDeadLetters(t.Context(), q.Name+".dead", func(*runtime.Delivery) (rabbitmq.Verdict, error) { return rabbitmq.Replay, nil })
	require.ErrorIs(t, err, runtime.ErrUnroutable, "the queue to replay to has gone")
	require.Equal(t, []string{"0", "1", "2"}, bodies(t, b, q.Name+".dead"))
	_, err = b.ReviewDeadLetters(t.Context(), q.Name+".none", nil)
	require.ErrorContains(t, err, "no queue '"+q.Name+".none'")
}

// Others may take messages that were counted.
func TestReviewDeadLetters_EndsWhereNoMoreAreThere(t *testing.T) {
	b, q, _, _ := bury(t, node.URL(), 3, nil)
	channel, decided := amqpChannel(t), 0
	done, err := b.ReviewDeadLetters(t.Context(), q.Name+".dead", func(*runtime.Delivery) (rabbitmq.Verdict, error) {
		decided++
		_, err := channel.QueuePurge(q.Name+".dead", false)
		return rabbitmq.Drop, err
	})
	require.NoError(t, err)
	require.Equal(t, 1, decided)
	require.Equal(t, 1, done.Dropped)
}

// A quorum queue of RabbitMQ 4 drops what comes back 20 times.
func TestReviewDeadLetters_LosesNothingByBeingRepeated(t *testing.T) {
	b, q, _, _ := bury(t, node.URL(), 2, map[string]any{"x-queue-type": "quorum"})
	for range 25 {
		require.Eventually(t, func() bool { // what goes back is there a moment later
			found := bodies(t, b, q.Name+".dead")
			slices.Sort(found)
			return slices.Equal(found, []string{"0", "1"})
		}, patience, 10*time.Millisecond)
	}
}
