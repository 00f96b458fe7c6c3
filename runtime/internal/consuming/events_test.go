package consuming_test

import (
	"bytes"
	"context"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	warren "github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

func TestEvents_ComeInOrderToEachHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var first, second []string
		events := consuming.NewEvents([]warren.Events{
			{Connected: func(e warren.Event) { first = append(first, e.Route) }},
			{Connected: func(e warren.Event) { second = append(second, e.Route) }, Blocked: func(warren.Event) { panic("unexpected") }},
		}, consuming.Logger(nil))
		names := []string{"a", "b", "c", "d"}
		for _, name := range names {
			events.Emit(warren.Event{Kind: warren.EventConnected, Route: name})
			events.Emit(warren.Event{Kind: warren.EventLateReply})
		}
		events.Close(t.Context())
		require.Equal(t, names, first)
		require.Equal(t, names, second)
		events.Emit(warren.Event{Kind: warren.EventConnected})
		synctest.Wait()
		require.Len(t, first, len(names), "none after Close")
	})
}

func TestEvents_SlowHookDelaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, called := make(chan struct{}), 0
		events := consuming.NewEvents([]warren.Events{{Connected: func(warren.Event) { called++; <-release }}}, consuming.Logger(nil))
		for range 1000 {
			events.Emit(warren.Event{Kind: warren.EventConnected})
			synctest.Wait()
		}
		require.EqualValues(t, 1000-256-1, events.Dropped())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		events.Close(ctx) // it doesn't wait any longer
		close(release)
		events.Close(t.Context())
		require.Equal(t, 257, called)
	})
}

func TestEvents_HooksThatFailDontKeepOthersFromBeingCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var called []warren.EventKind
		var log bytes.Buffer
		events := consuming.NewEvents([]warren.Events{{
			Connected:      func(warren.Event) { panic("a hook") },
			ConnectionLost: func(warren.Event) { runtime.Goexit() },
			Blocked:        func(e warren.Event) { called = append(called, e.Kind) },
		}}, slog.New(slog.NewTextHandler(&log, nil)))
		for _, kind := range []warren.EventKind{warren.EventConnected, warren.EventConnectionLost, warren.EventBlocked} {
			events.Emit(warren.Event{Kind: kind})
		}
		events.Close(t.Context())
		require.Equal(t, []warren.EventKind{warren.EventBlocked}, called)
		require.Equal(t, 1, strings.Count(log.String(), "a hook for events panicked"), log.String())
		require.Contains(t, log.String(), `error="a hook"`)
	})
}

func TestEvents_WithoutAHookAllocateNothing(t *testing.T) {
	events := consuming.NewEvents(nil, consuming.Logger(nil))
	require.Zero(t, testing.AllocsPerRun(1000, func() { events.Emit(warren.Event{Kind: warren.EventLateReply}) }))
}
