package jsonlog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cputime"
	"github.com/warrenmq/warren/observe/internal/jsonlog"
)

// recorded returns the record of the fields.
func recorded(t *testing.T, attrs ...slog.Attr) map[string]any {
	t.Helper()
	var out bytes.Buffer
	slog.New(jsonlog.NewHandler(&out, nil)).LogAttrs(context.Background(), slog.LevelInfo, "e", attrs...)
	var record map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &record))
	return record
}

// recordedWith returns the record of the fields that a logger has, and that it is given.
func recordedWith(t *testing.T, logger []slog.Attr, attrs ...slog.Attr) map[string]any {
	t.Helper()
	var out bytes.Buffer
	slog.New(jsonlog.NewHandler(&out, nil).WithAttrs(logger)).LogAttrs(context.Background(), slog.LevelInfo, "e", attrs...)
	var record map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &record))
	return record
}

// inGroups is a field in n groups.
func inGroups(n int) slog.Attr {
	a := slog.Int("leaf", 7)
	for i := range n {
		a = slog.Attr{Key: fmt.Sprint("g", n-i), Value: slog.GroupValue(a)}
	}
	return a
}

// Groups are written to a depth of 32, and the next says that it isn't: written as the fields
// come, and from a tree where a key comes twice.
func TestHandle_BoundsTheDepthOfGroups(t *testing.T) {
	depth := func(record map[string]any) (n int, leaf any) {
		var value any = record["g1"]
		for {
			members, ok := value.(map[string]any)
			if !ok {
				return n, value
			}
			n++
			value = members["leaf"]
			if next, ok := members[fmt.Sprint("g", n+1)]; ok {
				value = next
			}
		}
	}
	twice := []slog.Attr{slog.Int("a", 1), slog.Int("a", 2)}
	for _, before := range [][]slog.Attr{nil, twice} {
		n, leaf := depth(recorded(t, append(before, inGroups(32))...))
		require.Equal(t, 32, n)
		require.EqualValues(t, 7, leaf)
		n, leaf = depth(recorded(t, append(before, inGroups(33))...))
		require.Equal(t, 32, n)
		require.Equal(t, "!ERROR: groups nested too deeply", leaf)
	}
}

// A group that has ended counts no more.
func TestHandle_BoundsTheDepthAndNotTheNumberOfGroups(t *testing.T) {
	for name, member := range map[string]func(slog.Attr) slog.Attr{
		"named":   func(leaf slog.Attr) slog.Attr { return slog.Group("g"+leaf.Key, leaf) },
		"inlined": func(leaf slog.Attr) slog.Attr { return slog.Group("", leaf) },
	} {
		var attrs []slog.Attr
		for _, leaf := range manyFields(40) {
			attrs = append(attrs, member(leaf))
		}
		for _, last := range []slog.Attr{slog.Int("last", 1), slog.Int("f0", 1), slog.Int("gf0", 1)} {
			record, err := json.Marshal(recorded(t, append(attrs, last)...))
			require.NoError(t, err)
			require.NotContains(t, string(record), "ERROR", name)
			require.Contains(t, string(record), `"f39":39`, name)
		}
	}
}

// manyFields are n fields of different keys.
func manyFields(n int) []slog.Attr {
	attrs := make([]slog.Attr, n)
	for i := range attrs {
		attrs[i] = slog.Int(fmt.Sprint("f", i), i)
	}
	return attrs
}

// Each of many fields is written, once and the last of a key, in a record and in a group; and
// the time is linear in their number.
func TestHandle_WritesManyFields(t *testing.T) {
	for _, n := range []int{63, 64, 65, 1000} {
		want := map[string]any{"f0": "again"}
		for i := 1; i < n; i++ {
			want[fmt.Sprint("f", i)] = float64(i)
		}
		attrs := append(manyFields(n), slog.String("f0", "again"))
		require.Equal(t, want, recorded(t, slog.Attr{Key: "g", Value: slog.GroupValue(attrs...)})["g"], n)
		record := recorded(t, attrs...)
		require.Equal(t, "again", record["f0"])
		require.Equal(t, float64(n-1), record[fmt.Sprint("f", n-1)])
		require.Len(t, record, n+3, "with event, level and timestamp")
		ofLogger := recordedWith(t, manyFields(n), slog.String("f0", "again"))
		ofLogger["timestamp"] = record["timestamp"]
		require.Equal(t, record, ofLogger)
		require.Equal(t, "value", recorded(t, slog.Attr{Key: "g", Value: slog.GroupValue(attrs...)}, slog.String("g", "value"))["g"])
	}
	for name, fields := range map[string]func(n int) []slog.Attr{
		"record": manyFields,
		"group":  func(n int) []slog.Attr { return []slog.Attr{{Key: "g", Value: slog.GroupValue(manyFields(n)...)}} },
	} {
		log := slog.New(jsonlog.NewHandler(io.Discard, nil))
		cputime.RequireLinear(t, name, 2000, func(n int) func() {
			attrs := fields(n)
			return func() { log.LogAttrs(context.Background(), slog.LevelInfo, "e", attrs...) }
		})
	}
}

// After 16384 fields no group is written any more.
func TestHandle_BoundsTheFieldsOfGroups(t *testing.T) {
	fields := func(n int) []slog.Attr { return append(manyFields(n), slog.Group("last", slog.Int("leaf", 7))) }
	require.Equal(t, map[string]any{"leaf": 7.0}, recorded(t, fields(1<<14-1)...)["last"])
	require.Equal(t, "!ERROR: groups nested too deeply", recorded(t, fields(1<<14)...)["last"])
}

// A record larger than what is kept of buffers is as right as any.
func TestHandle_WritesLargeRecords(t *testing.T) {
	for _, n := range []int{16<<10 - 1, 16 << 10, 16<<10 + 1, 100 << 10} {
		text := strings.Repeat("x", n)
		for range 2 {
			require.Equal(t, text, recorded(t, slog.String("text", text))["text"])
		}
	}
}

// What a record is given to besides gets it unmasked, with the steps of the logger; its
// panics don't reach who logs.
func TestTee_GetsRecordsWithTheirSteps(t *testing.T) {
	var out, also bytes.Buffer
	handler := jsonlog.NewHandler(&out, nil).Tee(func(logger string) slog.Handler {
		return slog.NewJSONHandler(&also, &slog.HandlerOptions{Level: slog.LevelDebug}).WithAttrs([]slog.Attr{slog.String("of", logger)})
	})
	log := slog.New(handler.Named("shop")).With("a", 1).WithGroup("g").With("b", 2)
	log.Info("taken", "c", 3)
	log.Debug("not enabled")
	log.Info("panics", "value", panics{})
	lines := strings.Split(strings.TrimSpace(also.String()), "\n")
	require.Contains(t, lines[0], `"msg":"taken","of":"shop","a":1,"g":{"b":2,"c":3}}`)
	require.Equal(t, 2, strings.Count(out.String(), "\n"), "the line is written in any case")
	require.NotContains(t, also.String(), "not enabled")
	require.NotPanics(t, func() {
		slog.New(handler.Tee(func(string) slog.Handler { return broken{} })).With("a", 1).Info("taken")
	})
	require.Equal(t, 3, strings.Count(out.String(), "\n"))
	var given contexts
	record := slog.NewRecord(time.Time{}, slog.LevelInfo, "taken", 0)
	with := withSpan(t.Context())
	logging := handler.Tee(func(string) slog.Handler { return &given })
	require.NoError(t, logging.Handle(nil, record)) //lint:ignore SA1012 callers may have none
	require.NoError(t, logging.Handle(with, record))
	require.Equal(t, contexts{context.Background(), with}, given)
}

// contexts are those that a handler is given.
type contexts []context.Context

func (*contexts) Enabled(context.Context, slog.Level) bool { return true }

func (c *contexts) Handle(ctx context.Context, _ slog.Record) error {
	*c = append(*c, ctx)
	return nil
}
func (c *contexts) WithAttrs([]slog.Attr) slog.Handler { return c }
func (c *contexts) WithGroup(string) slog.Handler      { return c }

// broken panics whenever it is asked.
type broken struct{}

func (broken) Enabled(context.Context, slog.Level) bool  { return true }
func (broken) Handle(context.Context, slog.Record) error { panic("no") }
func (broken) WithAttrs([]slog.Attr) slog.Handler        { panic("no") }
func (broken) WithGroup(string) slog.Handler             { panic("no") }
