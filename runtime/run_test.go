package runtime_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// A scripted broker starts with an error or without, and has handlers that run
// for busy after the shutdown has begun.
type scripted struct {
	recorder
	startErr    error
	busy        time.Duration
	shutdownErr error

	startedWith *runtime.Router
	started     time.Time
	stopped     time.Time
}

func (b *scripted) Start(_ context.Context, router *runtime.Router) error {
	b.startedWith, b.started = router, time.Now()
	return b.startErr
}

func (b *scripted) Shutdown(ctx context.Context) error {
	defer func() { b.stopped = time.Now() }()
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-time.After(b.busy):
		return b.shutdownErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestRun(t *testing.T) {
	errConnection := errors.New("the connection is gone")
	tests := []struct {
		rule   string
		broker scripted
		grace  time.Duration
		want   string
		after  time.Duration // from the end of the context until Shutdown has returned
	}{
		{"an idle broker ends at once", scripted{}, 20 * time.Second, "", 0},
		{"running handlers may finish", scripted{busy: 19 * time.Second}, 20 * time.Second, "", 19 * time.Second},
		{
			"the grace is the limit",
			scripted{busy: 21 * time.Second},
			20 * time.Second,
			"shut down: handlers were still running after 20s: context deadline exceeded", 20 * time.Second,
		},
		{
			"no grace cancels at once",
			scripted{busy: time.Second},
			0,
			"shut down: handlers were still running after 0s: context deadline exceeded", 0,
		},
		{
			"another error is no matter of the grace",
			scripted{busy: time.Second, shutdownErr: errConnection},
			20 * time.Second,
			"shut down: the connection is gone", time.Second,
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const life = time.Hour
				ctx, cancel := context.WithTimeout(context.Background(), life)
				defer cancel()
				router := runtime.NewRouter()
				broker := &test.broker

				err := runtime.Run(ctx, broker, router, test.grace)

				require.Equal(t, test.want, text(err))
				require.Same(t, router, broker.startedWith)
				require.Equal(t, life+test.after, broker.stopped.Sub(broker.started))
			})
		})
	}
}

func TestRun_ReturnsTheErrorOfFailedStartsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New(`declare queue "orders": refused`)
		broker := &scripted{startErr: failed}

		err := runtime.Run(context.Background(), broker, runtime.NewRouter(), time.Minute)

		require.EqualError(t, err, `declare queue "orders": refused`)
		require.ErrorIs(t, err, failed)
	})
}

// A broker that has connected and then failed to declare holds connections.
func TestRun_ShutsDownBrokersThatDoNotStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		broker := &scripted{startErr: ctx.Err(), busy: time.Second}

		err := runtime.Run(ctx, broker, runtime.NewRouter(), time.Minute)

		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, time.Second, broker.stopped.Sub(broker.started))
	})
}
