package consuming_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestWatch_CountsHandlersThatDoNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stuck []string
		w := consuming.NewWatch(consuming.Limits{Timeout: time.Second, Concurrency: 2}, consuming.Logger(nil), func(d *runtime.Delivery) {
			stuck = append(stuck, d.MessageID)
		})
		release := map[string]chan struct{}{}
		begin := func(id string) {
			release[id] = make(chan struct{})
			handle := w.Middleware(func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
				<-release[id]
				return nil, nil
			})
			go func() { _, _ = handle(t.Context(), &runtime.Delivery{Message: runtime.Message{MessageID: id}}) }()
			synctest.Wait()
		}
		requireState := func(err string, isFull bool) {
			t.Helper()
			synctest.Wait()
			if err == "" {
				require.NoError(t, w.Err())
			} else {
				require.EqualError(t, w.Err(), err)
			}
			require.Equal(t, isFull, w.AllStuck() != nil)
			require.Equal(t, isFull, isClosed(w.Full()))
			require.Equal(t, !isFull, isClosed(w.Released()))
		}
		begin("quick")
		close(release["quick"])
		synctest.Wait()
		begin("first")
		time.Sleep(500 * time.Millisecond)
		begin("second")
		time.Sleep(1500*time.Millisecond - time.Nanosecond)
		requireState("", false)
		time.Sleep(time.Nanosecond)
		requireState("1 of 2 handlers are stuck: they haven't returned within 2s", false)
		time.Sleep(500 * time.Millisecond)
		requireState("2 of 2 handlers are stuck: they haven't returned within 2s", true)
		require.Equal(t, []string{"first", "second"}, stuck)
		close(release["first"])
		requireState("1 of 2 handlers are stuck: they haven't returned within 2s", false)
		begin("third")
		time.Sleep(2 * time.Second)
		requireState("2 of 2 handlers are stuck: they haven't returned within 2s", true)
		close(release["second"])
		close(release["third"])
		requireState("", false)
		require.Equal(t, []string{"first", "second", "third"}, stuck)
	})
}

// A handler has as long as its time again, and ten seconds at most.
func TestWatch_WaitsAWhileAfterTheTimeout(t *testing.T) {
	for timeout, limit := range map[time.Duration]time.Duration{time.Second: 2 * time.Second, 10 * time.Second: 20 * time.Second, time.Minute: 70 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			var after time.Duration
			release := make(chan struct{})
			w := consuming.NewWatch(consuming.Limits{Timeout: timeout, Concurrency: 1}, consuming.Logger(nil), func(*runtime.Delivery) {
				after = time.Since(began)
				close(release)
			})
			_, err := w.Middleware(func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
				<-release
				return nil, nil
			})(t.Context(), new(runtime.Delivery))
			require.NoError(t, err)
			require.Equal(t, limit, after)
		})
	}
}
