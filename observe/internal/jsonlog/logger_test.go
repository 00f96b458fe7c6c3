package jsonlog_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/jsonlog"
)

// setDefault makes loggers write to a buffer for the test's time.
func setDefault(t *testing.T, options *jsonlog.Options) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	jsonlog.SetDefault(jsonlog.NewHandler(&out, options))
	t.Cleanup(func() { jsonlog.SetDefault(nil) })
	return &out
}

func TestC10_LoggerAddsTheTraceAndItsName(t *testing.T) {
	out := setDefault(t, nil)
	jsonlog.Logger("orders").InfoContext(withSpan(context.Background()), "taken")
	require.Contains(t, out.String(), `"logger":"orders","trace_id":"4bf90000000000000000000000000001"`)
}

func TestC21_OtherLoggersHaveNoTrace(t *testing.T) {
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).InfoContext(withSpan(context.Background()), "taken")
	require.NotContains(t, out.String(), "trace_id")
}

func TestLogger_FollowsTheDefault(t *testing.T) {
	log := jsonlog.Logger("orders").With("a", 1).WithGroup("g").With("b", 2)
	out := setDefault(t, &jsonlog.Options{Service: "shop"})
	log.Info("taken", "c", 3)
	require.Contains(t, out.String(), `"logger":"orders","service":"shop","a":1,"g":{"b":2,"c":3}}`)
	other := setDefault(t, nil)
	log.Info("paid")
	require.NotContains(t, out.String(), "paid")
	require.Contains(t, other.String(), `"event":"paid"`)
}

func TestLogger_IsMadeOnceForADefault(t *testing.T) {
	jsonlog.SetDefault(jsonlog.NewHandler(io.Discard, nil))
	t.Cleanup(func() { jsonlog.SetDefault(nil) })
	plain, grouped := jsonlog.Logger("orders"), jsonlog.Logger("orders").With("a", 1).WithGroup("g").With("b", 2)
	allocated := func(log *slog.Logger) float64 { return testing.AllocsPerRun(100, func() { log.Info("taken") }) }
	require.InDelta(t, allocated(plain), allocated(grouped), 0.5)
}

func TestLogger_FollowsTheLevel(t *testing.T) {
	log := jsonlog.Logger("orders")
	require.False(t, log.Enabled(context.Background(), slog.LevelDebug))
	setDefault(t, &jsonlog.Options{Level: slog.LevelDebug})
	require.True(t, log.Enabled(context.Background(), slog.LevelDebug))
}

func TestLogger_WithoutNameOrFields(t *testing.T) {
	out := setDefault(t, nil)
	jsonlog.Logger("").With().WithGroup("").Info("taken")
	require.Regexp(t, `^\{"event":"taken","level":"info","timestamp":"[^"]+"\}\n$`, out.String())
}

func TestNamed_KeepsTheFields(t *testing.T) {
	var out bytes.Buffer
	handler := jsonlog.NewHandler(&out, nil).WithAttrs([]slog.Attr{slog.String("logger", "own")}).(*jsonlog.Handler)
	slog.New(handler.Named("orders")).Info("taken")
	require.Contains(t, out.String(), `"logger":"orders","logger_":"own"}`)
}
