package passive

import (
	"context"
	"errors"
	"fmt"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// The texts are a broker's, see TestLive/*/inspector.
func TestBecause_TellsWhatIsMissing(t *testing.T) {
	live := t.Context()
	stopped := errors.New("stopped")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	missing := &amqp.Error{Code: amqp.NotFound, Reason: "NOT_FOUND - no queue 'q' in vhost '/'"}
	require.NoError(t, because(live, nil))
	require.NoError(t, because(ended, nil), "what is done is done")
	require.ErrorIs(t, because(ended, missing), stopped)
	require.NotErrorIs(t, because(ended, missing), mgmt.ErrNotFound)
	for _, err := range []error{
		missing,
		fmt.Errorf("dial: %w", missing),
		&amqp.Error{Code: amqp.NotAllowed, Reason: "NOT_ALLOWED - vhost nope not found"},
	} {
		got := because(live, err)
		require.ErrorIs(t, got, mgmt.ErrNotFound)
		require.ErrorContains(t, got, " - ")
	}
	for _, err := range []error{
		&amqp.Error{Code: amqp.NotAllowed, Reason: "NOT_ALLOWED - access to vhost 'v' refused for user 'u'"},
		&amqp.Error{Code: amqp.NotAllowed, Reason: "NOT_ALLOWED - queue not found"},
		&amqp.Error{Code: amqp.NotAllowed, Reason: "NOT_ALLOWED - vhost 'v' is down"},
		&amqp.Error{Code: amqp.AccessRefused, Reason: "ACCESS_REFUSED - vhost v not found"},
		errors.New("vhost v not found"),
	} {
		require.Same(t, err, because(live, err))
	}
}
