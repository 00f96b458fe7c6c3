package consuming_test

import (
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

// A message that is handled when its channel has ended already comes again, so to
// settle it by hand fails.
func TestUnsettled_SettlesNothingAfterItIsClosed(t *testing.T) {
	var waiter sync.WaitGroup
	unsettled := consuming.NewUnsettled(consuming.Limits{}, &waiter, slog.New(slog.DiscardHandler))
	unsettled.Close(runtime.ErrClosed)
	unsettled.Close(runtime.ErrLost)
	byHand := 0
	d := new(runtime.Delivery)
	unsettled.Handle(d, func() runtime.Outcome {
		require.ErrorIs(t, d.Ack(), runtime.ErrClosed, "the first reason stays")
		require.ErrorIs(t, d.Nack(nil), runtime.ErrClosed)
		require.Zero(t, byHand)
		return runtime.Outcome{}
	}, func(runtime.Outcome) error {
		byHand++
		return nil
	})
	waiter.Wait()
}
