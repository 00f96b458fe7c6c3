package jsonlog_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cputime"
	"github.com/warrenmq/warren/observe/jsonlog"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
)

var at = time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)

func logTen(ctx context.Context, log *slog.Logger) {
	log.LogAttrs(ctx, slog.LevelInfo, "order taken",
		slog.String("queue", "orders.created"), slog.String("order", "7f3c9a10"), slog.String("customer", "c-1001"),
		slog.String("status", "accepted"), slog.Int("lines", 3), slog.Int("attempt", 1), slog.Float64("total", 99.5),
		slog.Bool("paid", true), slog.Duration("took", 1500*time.Microsecond), slog.Time("created", at))
}

// BenchmarkRecord is a record of ten fields with trace, tenant and redaction on,
// beside slog's JSON handler without any of that. They run in turns, and the
// ratio is of CPU time.
func BenchmarkRecord(b *testing.B) {
	redactor, err := redact.New(redact.Config{})
	require.NoError(b, err)
	ctx, err := tenant.NewContext(withSpan(context.Background()), "acme")
	require.NoError(b, err)
	own := slog.New(jsonlog.NewHandler(io.Discard, &jsonlog.Options{Service: "orders", Redact: redactor}))
	standard := slog.New(slog.NewJSONHandler(io.Discard, nil))
	candidates := []cputime.Candidate{
		{Name: "own", Run: func() { logTen(ctx, own) }},
		{Name: "slog", Run: func() { logTen(ctx, standard) }},
	}
	times := cputime.Compare(b, candidates)
	b.ReportMetric(times["own"], "ns/record")
	b.ReportMetric(testing.AllocsPerRun(1000, candidates[0].Run), "allocs/record")
	b.ReportMetric(times["own"]/times["slog"], "x-slog")
}
