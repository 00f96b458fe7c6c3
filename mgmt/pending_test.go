package mgmt_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestB14_GoIsTheAsynchronousVariant(t *testing.T) {
	t.Run("returns before the call does", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			pending := mgmt.Go(func() (int, error) {
				<-release
				return 7, nil
			})
			synctest.Wait()
			select {
			case <-pending.Done():
				t.Fatal("it is done before its call")
			default:
			}
			close(release)
			<-pending.Done()
			for range 2 {
				value, err := pending.Wait(t.Context())
				require.NoError(t, err)
				require.Equal(t, 7, value)
			}
		})
	})
	t.Run("passes the error on", func(t *testing.T) {
		broken := errors.New("broken")
		_, err := mgmt.GoErr(func() error { return broken }).Wait(t.Context())
		require.ErrorIs(t, err, broken)
	})
	t.Run("takes a goroutine's end for no success", func(t *testing.T) {
		_, err := mgmt.GoErr(func() error {
			runtime.Goexit()
			return nil
		}).Wait(t.Context())
		require.ErrorContains(t, err, "returned nothing")
	})
	t.Run("waits as long as its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			pending := mgmt.GoErr(func() error {
				<-release
				return nil
			})
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := pending.Wait(ctx)
			require.ErrorIs(t, err, context.Canceled)
			close(release)
			_, err = pending.Wait(t.Context())
			require.NoError(t, err)
			_, err = pending.Wait(ctx)
			require.NoError(t, err, "what is there is returned, whatever the context")
		})
	})
}
