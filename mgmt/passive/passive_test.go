package passive_test

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt/passive"
)

// What it asks of a real broker is tested in mgmt/internal/live.

func TestThePasswordNeverShows(t *testing.T) {
	const secret = "s3cret"
	for _, url := range []string{"amqp://u:" + secret + "@127.0.0.1:1", "amqp://u:" + secret + "/x@host", "http://u:" + secret + "@host", secret} {
		inspector := passive.New(url)
		_, _, err := inspector.InspectQueue(t.Context(), "/", "q")
		require.ErrorContains(t, err, `inspect queue "q" in vhost "/": `)
		require.NotContains(t, err.Error(), secret)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v", inspector, inspector, inspector), secret)
	}
}

func TestTheContextEndsAQuestionThatNobodyAnswers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, _, err = passive.New("amqp://"+listener.Addr().String()).InspectQueue(ctx, "/", "q")
	require.Error(t, err)
}
