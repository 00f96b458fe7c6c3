// Package conformance is what a broker does with package mgmt/topology: one suite
// of tests, that real brokers pass and the one of package inprocess does too.
package conformance

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// patience bounds each wait, generously: it only ends a test that would hang.
const patience = 30 * time.Second

// pause is between two looks at a state that a broker reaches late.
const pause = 20 * time.Millisecond

// A Broker is what the suite runs on.
type Broker interface {
	// Config is of a client that may do anything, with its transport.
	Config() mgmt.Config
	Inspector() mgmt.Inspector
	// Publish puts messages of one byte into a queue, confirmed.
	Publish(t *testing.T, queue string, messages int)
}

// Run runs the suite. Of the requests of an operation that could break, each
// step-th one does.
func Run(t *testing.T, b Broker, step int) {
	s := &suite{Broker: b, step: step}
	s.client = s.open(t, b.Config().Transport)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *suite)
	}{
		{"topology", compareTopology},
		{"bindings of exchanges", bindExchanges},
		{"topology after a failure", applyAgain},
		{"migration", migrateTopology},
		{"migration with limits", migrateWithLimits},
		{"migration after a failure", migrateAgain},
		{"migration after a failure of the inspector", migrateUninspected},
		{"migration to a replicated queue", migrateReplicated},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, s) })
	}
}

// A suite is one run over a broker.
type suite struct {
	Broker
	client *mgmt.Client
	step   int
}

// open returns a client that sends by a transport.
func (s *suite) open(t *testing.T, transport http.RoundTripper) *mgmt.Client {
	t.Helper()
	config := s.Config()
	config.Transport = transport
	client, err := mgmt.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	return client
}

// queue declares a queue and puts messages into it.
func (s *suite) queue(t *testing.T, name string, arguments mgmt.Table, messages int) {
	t.Helper()
	require.NoError(t, s.client.DeclareQueue(t.Context(), "", name, mgmt.QueueSettings{Arguments: arguments}))
	s.Publish(t, name, messages)
}

// remove deletes queues that exist, at the end of a test.
func (s *suite) remove(t *testing.T, names ...string) {
	for _, name := range names {
		if err := s.client.DeleteQueue(context.Background(), "", name); err != nil {
			require.ErrorIs(t, err, mgmt.ErrNotFound)
		}
	}
}

// ready returns how many messages a queue has now.
func (s *suite) ready(t *testing.T, queue string) int {
	t.Helper()
	ready, _, err := s.Inspector().InspectQueue(t.Context(), "/", queue)
	require.NoError(t, err)
	return ready
}

// requireNoQueue requires that there is no queue of the name.
func (s *suite) requireNoQueue(t *testing.T, name string) {
	t.Helper()
	_, err := s.client.Queue(t.Context(), "", name)
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

// requireNoShovel requires that no shovel is left.
func (s *suite) requireNoShovel(t *testing.T) {
	t.Helper()
	shovels, err := s.client.Shovels(t.Context(), mgmt.In(""))
	require.NoError(t, err)
	require.Empty(t, shovels)
}
