package logbench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/warrenmq/warren/observe/internal/cputime"
	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
)

var created = time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)

func logSlog(ctx context.Context, log *slog.Logger) {
	log.LogAttrs(ctx, slog.LevelInfo, "order taken",
		slog.String("queue", "orders.created"), slog.String("order", "7f3c9a10"), slog.String("customer", "c-1001"),
		slog.String("status", "accepted"), slog.Int("lines", 3), slog.Int("attempt", 1), slog.Float64("total", 99.5),
		slog.Bool("paid", true), slog.Duration("took", 1500*time.Microsecond), slog.Time("created", created))
}

func logZap(log *zap.Logger) {
	log.Info("order taken",
		zap.String("queue", "orders.created"), zap.String("order", "7f3c9a10"), zap.String("customer", "c-1001"),
		zap.String("status", "accepted"), zap.Int("lines", 3), zap.Int("attempt", 1), zap.Float64("total", 99.5),
		zap.Bool("paid", true), zap.Duration("took", 1500*time.Microsecond), zap.Time("created", created))
}

func logZerolog(log *zerolog.Logger) {
	log.Info().Timestamp().
		Str("queue", "orders.created").Str("order", "7f3c9a10").Str("customer", "c-1001").
		Str("status", "accepted").Int("lines", 3).Int("attempt", 1).Float64("total", 99.5).
		Bool("paid", true).Dur("took", 1500*time.Microsecond).Time("created", created).
		Msg("order taken")
}

// candidates log the same record of ten fields to w. Own does it with trace,
// tenant and redaction, the others without any of that.
func candidates(t testing.TB, w io.Writer) []cputime.Candidate {
	t.Helper()
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	span := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{0x4b, 0xf9, 15: 1}, SpanID: trace.SpanID{0xf0, 7: 2}, TraceFlags: trace.FlagsSampled,
	})
	ctx, err := tenant.NewContext(trace.ContextWithSpanContext(context.Background(), span), "acme")
	require.NoError(t, err)
	own := slog.New(jsonlog.NewHandler(w, &jsonlog.Options{Service: "orders", Redact: redactor}))
	plain := slog.New(jsonlog.NewHandler(w, nil))
	standard := slog.New(slog.NewJSONHandler(w, nil))
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	zapLog := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(config), zapcore.AddSync(w), zap.InfoLevel))
	zeroLog := zerolog.New(w)
	return []cputime.Candidate{
		{Name: "own", Run: func() { logSlog(ctx, own) }},
		{Name: "plain", Run: func() { logSlog(context.Background(), plain) }},
		{Name: "slog", Run: func() { logSlog(ctx, standard) }},
		{Name: "zap", Run: func() { logZap(zapLog) }},
		{Name: "zerolog", Run: func() { logZerolog(&zeroLog) }},
	}
}

// BenchmarkRecord runs them in turns. The ratios are of CPU time.
func BenchmarkRecord(b *testing.B) {
	all := candidates(b, io.Discard)
	times := cputime.Compare(b, all)
	b.ReportMetric(times["own"], "ns/record")
	b.ReportMetric(testing.AllocsPerRun(1000, all[0].Run), "allocs/record")
	for _, other := range []string{"slog", "zap", "zerolog"} {
		b.ReportMetric(times["own"]/times[other], "x-"+other)
		b.ReportMetric(times["plain"]/times[other], "plain-x-"+other)
	}
}

// What is compared is the same record.
func TestCandidates_LogTheSameFields(t *testing.T) {
	var out bytes.Buffer
	for _, c := range candidates(t, &out) {
		out.Reset()
		c.Run()
		var record map[string]any
		require.NoError(t, json.Unmarshal(out.Bytes(), &record), c.Name)
		require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")), c.Name)
		for _, key := range []string{"queue", "order", "customer", "status", "lines", "attempt", "total", "paid", "took", "created"} {
			require.Contains(t, record, key, c.Name)
		}
	}
}
