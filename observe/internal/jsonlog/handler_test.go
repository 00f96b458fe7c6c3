package jsonlog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/slogtest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
)

// logged returns the line that write makes, without its end.
func logged(t *testing.T, options *jsonlog.Options, write func(*slog.Logger)) string {
	t.Helper()
	var out bytes.Buffer
	write(slog.New(jsonlog.NewHandler(&out, options)))
	line, found := strings.CutSuffix(out.String(), "\n")
	require.True(t, found, "the record ends in a newline: %q", out.String())
	require.True(t, json.Valid([]byte(line)), line)
	return line
}

// fields returns the members after the record's own ones.
func fields(t *testing.T, options *jsonlog.Options, write func(*slog.Logger)) string {
	t.Helper()
	line := logged(t, options, write)
	_, after, _ := strings.Cut(line, `Z"`)
	return strings.TrimPrefix(strings.TrimSuffix(after, "}"), ",")
}

func withSpan(ctx context.Context) context.Context {
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{0x4b, 0xf9, 15: 1}, SpanID: trace.SpanID{0x00, 0xf0, 7: 2}, TraceFlags: trace.FlagsSampled,
	}))
}

func TestHandler_PassesSlogtest(t *testing.T) {
	var out bytes.Buffer
	slogtest.Run(t, func(*testing.T) slog.Handler {
		out.Reset()
		return jsonlog.NewHandler(&out, nil)
	}, func(t *testing.T) map[string]any {
		var record map[string]any
		require.NoError(t, json.Unmarshal(out.Bytes(), &record))
		for own, theirs := range map[string]string{"event": slog.MessageKey, "timestamp": slog.TimeKey} {
			if value, ok := record[own]; ok {
				record[theirs] = value
				delete(record, own)
			}
		}
		return record
	})
}

func TestC1_EventIsTheNameGivenToTheCall(t *testing.T) {
	require.True(t, strings.HasPrefix(logged(t, nil, func(l *slog.Logger) { l.Info("order taken") }), `{"event":"order taken",`))
}

func TestC2_LevelIsTheSeverity(t *testing.T) {
	for _, test := range []struct {
		level slog.Level
		want  string
	}{
		{slog.LevelDebug - 4, "debug"},
		{slog.LevelDebug, "debug"},
		{slog.LevelInfo, "info"},
		{slog.LevelInfo + 1, "info"},
		{slog.LevelWarn, "warning"},
		{slog.LevelError, "error"},
		{jsonlog.LevelCritical, "critical"},
		{jsonlog.LevelCritical + 4, "critical"},
	} {
		line := logged(t, &jsonlog.Options{Level: slog.LevelDebug - 8}, func(l *slog.Logger) { l.Log(context.Background(), test.level, "e") })
		require.Contains(t, line, `"level":"`+test.want+`"`)
	}
}

func TestOptions_DefaultToLevelInfo(t *testing.T) {
	handler := jsonlog.NewHandler(io.Discard, nil)

	require.False(t, handler.Enabled(context.Background(), slog.LevelDebug))
	require.True(t, handler.Enabled(context.Background(), slog.LevelInfo))
}

func TestC3_TimestampIsUTCWithAFraction(t *testing.T) {
	east := time.FixedZone("east", 2*60*60)
	for _, test := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC), "2026-01-02T15:04:05.000000Z"},
		{time.Date(2026, 1, 2, 0, 4, 5, 123456789, east), "2026-01-01T22:04:05.123456Z"},
		{time.Date(987, 12, 31, 23, 59, 59, 999999999, time.UTC), "0987-12-31T23:59:59.999999Z"},
		{time.Date(12026, 1, 2, 3, 4, 5, 0, time.UTC), "12026-01-02T03:04:05.000000Z"},
	} {
		var out bytes.Buffer
		require.NoError(t, jsonlog.NewHandler(&out, nil).Handle(context.Background(), slog.NewRecord(test.at, slog.LevelInfo, "e", 0)))
		require.Contains(t, out.String(), `"timestamp":"`+test.want+`"`)
	}
}

// Each digit is the one that package time writes, beyond its years too.
func TestC3_TimestampIsThatOfPackageTime(t *testing.T) {
	at := time.Date(1999, 12, 31, 23, 59, 59, 987654321, time.UTC)
	times := []time.Time{at, at.AddDate(8000, 0, 0), at.AddDate(8001, 0, 0), at.AddDate(-1999, 0, 0), at.AddDate(-2000, 0, 0)}
	for fraction := time.Second / 10; fraction >= time.Microsecond; fraction /= 10 {
		times = append(times, at.Truncate(time.Second).Add(fraction))
	}
	for range 500 {
		at = at.Add(7*24*time.Hour + 11*time.Hour + 13*time.Minute + 17*time.Second + 123457*time.Microsecond)
		times = append(times, at)
	}
	for _, at := range times {
		var out bytes.Buffer
		require.NoError(t, jsonlog.NewHandler(&out, nil).Handle(context.Background(), slog.NewRecord(at, slog.LevelInfo, "e", 0)))
		require.Contains(t, out.String(), `"timestamp":"`+at.Format("2006-01-02T15:04:05.000000Z")+`"`)
	}
}

func TestC4_ArgumentsAreExtraKeysOfAnyValue(t *testing.T) {
	type point struct{ X, Y int }
	got := fields(t, nil, func(l *slog.Logger) {
		l.Info("e", "s", "text", "i", -7, "u", uint64(math.MaxUint64), "f", 1.5, "b", true, "d", time.Second, "n", nil,
			"struct", point{1, 2}, "list", []string{"a", "<b>"}, "err", errors.New("failed"),
			"t", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), slog.Group("g", "x", 1))
	})
	require.Equal(t, `"s":"text","i":-7,"u":18446744073709551615,"f":1.5,"b":true,"d":1000000000,"n":null,`+
		`"struct":{"X":1,"Y":2},"list":["a","<b>"],"err":"failed","t":"2026-01-02T03:04:05Z","g":{"x":1}`, got)
}

func TestC5_TraceIDOnlyWhileASpanIsActive(t *testing.T) {
	with := fields(t, nil, func(l *slog.Logger) { l.InfoContext(withSpan(context.Background()), "e") })
	without := fields(t, nil, func(l *slog.Logger) { l.InfoContext(context.Background(), "e") })

	require.Contains(t, with, `"trace_id":"4bf90000000000000000000000000001"`)
	require.Empty(t, without)
}

func TestC6_SpanIDOnlyWhileASpanIsActive(t *testing.T) {
	with := fields(t, nil, func(l *slog.Logger) { l.InfoContext(withSpan(context.Background()), "e") })
	without := fields(t, nil, func(l *slog.Logger) { l.InfoContext(context.Background(), "e") })

	require.Contains(t, with, `"span_id":"00f0000000000002"`)
	require.NotContains(t, without, "span_id")
}

func TestC7_ServiceWhenConfigured(t *testing.T) {
	line := logged(t, &jsonlog.Options{Service: "orders"}, func(l *slog.Logger) { l.Info("e") })

	require.True(t, strings.HasSuffix(line, `,"service":"orders"}`), line)
	require.Empty(t, fields(t, nil, func(l *slog.Logger) { l.Info("e") }))
}

func TestC20_IDsAreAtTheTopLevelUnderGroups(t *testing.T) {
	ctx, err := tenant.NewContext(withSpan(context.Background()), "acme")
	require.NoError(t, err)
	got := fields(t, nil, func(l *slog.Logger) {
		l.With("a", 1).WithGroup("g").With("b", 2).WithGroup("h").InfoContext(ctx, "e", "c", 3)
	})
	require.Equal(t, `"trace_id":"4bf90000000000000000000000000001","span_id":"00f0000000000002","tenant_id":"acme",`+
		`"a":1,"g":{"b":2,"h":{"c":3}}`, got)
}

func TestC28_RecordIsOneLineOfJSON(t *testing.T) {
	line := logged(t, nil, func(l *slog.Logger) { l.Info("a\nb", "k\n", "c\r\nd\u2028e\u2029\xff") })
	for _, sign := range []string{"\n", "\r", "\u2028", "\u2029"} {
		require.NotContains(t, line, sign)
	}
	var read map[string]any
	require.NoError(t, json.Unmarshal([]byte(line), &read))
	require.Equal(t, "a\nb", read["event"])
	require.Equal(t, "c\r\nd\u2028e\u2029\ufffd", read["k\n"])
}

// counting counts calls of Write.
type counting struct{ calls int }

func (c *counting) Write(p []byte) (int, error) {
	c.calls++
	return len(p), nil
}

func TestHandle_WritesOncePerRecord(t *testing.T) {
	var out counting
	log := slog.New(jsonlog.NewHandler(&out, nil))
	log.Info("e", "long", strings.Repeat("x", 100_000))
	require.Equal(t, 1, out.calls)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestHandle_ReturnsTheWritersError(t *testing.T) {
	err := jsonlog.NewHandler(failing{}, nil).Handle(context.Background(), slog.Record{})
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

func TestHandle_WritesNoKeyTwice(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(*slog.Logger)
		want  string
	}{
		{"in a call", func(l *slog.Logger) { l.Info("e", "a", 1, "b", 2, "a", 3) }, `"a":3,"b":2`},
		{"of With and the call", func(l *slog.Logger) { l.With("a", 1, "b", 2).Info("e", "a", 3) }, `"a":3,"b":2`},
		{"of two Withs", func(l *slog.Logger) { l.With("a", 1).With("a", 2).Info("e") }, `"a":2`},
		{"in a group", func(l *slog.Logger) { l.Info("e", slog.Group("g", "a", 1, "a", 2)) }, `"g":{"a":2}`},
		{"names that become one", func(l *slog.Logger) { l.Info("e", "a\xff", 1, "a\xfe", 2) }, "\"a\ufffd\":2"},
		{"an inlined group", func(l *slog.Logger) { l.Info("e", "a", 1, slog.Group("", "a", 2)) }, `"a":2`},
		{"two groups become one", func(l *slog.Logger) { l.Info("e", slog.Group("g", "a", 1), slog.Group("g", "b", 2)) }, `"g":{"a":1,"b":2}`},
		{"a group takes a value's place", func(l *slog.Logger) { l.With("g", 1).WithGroup("g").Info("e", "a", 1) }, `"g":{"a":1}`},
		{"a value takes a group's place", func(l *slog.Logger) { l.Info("e", slog.Group("g", "a", 1), "g", 2) }, `"g":2`},
		{"an empty group takes no place", func(l *slog.Logger) { l.Info("e", "g", 1, slog.Group("g", slog.Attr{})) }, `"g":1`},
		{"an empty open group takes no place", func(l *slog.Logger) { l.With("g", 1).WithGroup("g").Info("e") }, `"g":1`},
		{"in an open group", func(l *slog.Logger) { l.WithGroup("g").With("a", 1).Info("e", "a", 2, "b", 3) }, `"g":{"a":2,"b":3}`},
		{"in a deeper group", func(l *slog.Logger) {
			l.WithGroup("g").With("a", 1).WithGroup("h").With("a", 2).Info("e", "a", 3)
		}, `"g":{"a":1,"h":{"a":3}}`},
		{"in JSON of the caller", func(l *slog.Logger) { l.Info("e", "a", json.RawMessage(`{"x":1,"y":2,"x":3}`)) }, `"a":{"y":2,"x":3}`},
		{"the same key in different groups stays", func(l *slog.Logger) { l.Info("e", "a", 1, slog.Group("g", "a", 2)) }, `"a":1,"g":{"a":2}`},
		{"the record's own keys", func(l *slog.Logger) {
			l.Info("e", "event", 1, "level", 2, "timestamp", 3, "trace_id", 4, "span_id", 5, "tenant_id", 6, "event_", 7)
		}, `"event_":7,"level_":2,"timestamp_":3,"trace_id_":4,"span_id_":5,"tenant_id_":6`},
		{"own keys in a group are the caller's", func(l *slog.Logger) { l.WithGroup("g").Info("e", "event", 1) }, `"g":{"event":1}`},
		{"a group with the name of an own key", func(l *slog.Logger) { l.WithGroup("event").Info("e", "a", 1) }, `"event_":{"a":1}`},
		{"logger and service are free where unset", func(l *slog.Logger) { l.Info("e", "logger", 1, "service", 2) }, `"logger":1,"service":2`},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, fields(t, nil, test.write))
		})
	}
}

// Keys are told apart by a bit of each first, of which there are 64.
func TestHandle_WritesNoKeyTwiceWhicheverItIs(t *testing.T) {
	for first := 'a'; first <= 'z'; first++ {
		for last := 'a'; last <= 'z'; last++ {
			key := string([]rune{first, last})
			want := `"` + key + `":2`
			require.Equal(t, want, fields(t, nil, func(l *slog.Logger) { l.Info("e", key, 1, key, 2) }))
			require.Equal(t, want, fields(t, nil, func(l *slog.Logger) { l.With(key, 1).Info("e", key, 2) }))
			require.Equal(t, want, fields(t, nil, func(l *slog.Logger) { l.With(key, 1).With(key, 2).Info("e") }))
		}
	}
}

func TestContextWithFields_WritesAtTheTopLevel(t *testing.T) {
	ctx := jsonlog.ContextWithFields(context.Background(), slog.String("queue", "orders"))
	ctx = jsonlog.ContextWithFields(ctx, slog.String("route", "order.created"))
	for _, test := range []struct {
		name  string
		write func(*slog.Logger)
		want  string
	}{
		{"alone", func(l *slog.Logger) { l.InfoContext(ctx, "e") }, `"queue":"orders","route":"order.created"`},
		{"before others", func(l *slog.Logger) { l.With("a", 1).InfoContext(ctx, "e", "b", 2) }, `"queue":"orders","route":"order.created","a":1,"b":2`},
		{"under groups", func(l *slog.Logger) { l.WithGroup("g").With("a", 1).InfoContext(ctx, "e", "queue", 2) }, `"queue":"orders","route":"order.created","g":{"a":1,"queue":2}`},
		{"the call's win", func(l *slog.Logger) { l.InfoContext(ctx, "e", "queue", "other") }, `"queue":"other","route":"order.created"`},
		{"those of With win", func(l *slog.Logger) { l.With("queue", "other").InfoContext(ctx, "e") }, `"queue":"other","route":"order.created"`},
		{"a group of the name wins", func(l *slog.Logger) { l.WithGroup("queue").InfoContext(ctx, "e", "a", 1) }, `"queue":{"a":1},"route":"order.created"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, fields(t, nil, test.write))
		})
	}
}

func TestHandle_LeavesEmptyGroupsOut(t *testing.T) {
	got := fields(t, nil, func(l *slog.Logger) {
		l.WithGroup("g").Info("e", slog.Group("h"), slog.Group("i", slog.Group("j")), slog.Attr{})
	})
	require.Empty(t, got)
	got = fields(t, nil, func(l *slog.Logger) {
		l.Info("e", slog.Group("g", slog.Attr{}), "a", 1, slog.Group("h", "b", 2, slog.Group("i", slog.Attr{})), "i", 3)
	})
	require.Equal(t, `"a":1,"h":{"b":2},"i":3`, got)
}

// Values that others stumble over.
type (
	panics      struct{}
	panicsNil   struct{ text string }
	cyclic      struct{ Self *cyclic }
	selfGroup   struct{}
	panicsValue struct{}
)

func (panics) MarshalJSON() ([]byte, error) { panic("no json") }
func (p *panicsNil) Error() string          { return p.text }
func (s selfGroup) LogValue() slog.Value    { return slog.GroupValue(slog.Any("self", s)) }

// A twice is a group of two of itself, under a key or inlined.
type twice struct{ key string }

func (s twice) LogValue() slog.Value { return slog.GroupValue(slog.Any(s.key, s), slog.Any(s.key, s)) }

type itself struct{}

func (s itself) LogValue() slog.Value { return slog.AnyValue(s) }

func cycleOfMaps() any {
	m := map[string]any{}
	m["self"] = m
	return m
}

func cycleOfInterfaces() any {
	var self any
	self = []any{&self}
	return self
}

func nested(depth int) any {
	var value any = 1
	for range depth {
		value = []any{value}
	}
	return value
}

func (panicsValue) LogValue() slog.Value { panic("no value") }
func (panicsValue) Error() string        { panic(panics{}) }

func TestHandle_NeverFailsOrPanicsForAValue(t *testing.T) {
	cycle := &cyclic{}
	cycle.Self = cycle
	list := make([]any, 1)
	list[0] = list
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"NaN", math.NaN(), `"NaN"`},
		{"infinity", math.Inf(-1), `"-Inf"`},
		{"NaN in a struct", struct{ F float64 }{math.NaN()}, `"!ERROR: json: unsupported value: NaN"`},
		{"a small float", 1e-7, `1e-7`},
		{"a cycle of pointers", cycle, `!ERROR`},
		{"a cycle of slices", list, `!ERROR`},
		{"a channel", make(chan int), `"!ERROR: json: unsupported type: chan int"`},
		{"a method that panics", panics{}, `"!PANIC: no json"`},
		{"an error that is nil inside", (*panicsNil)(nil), `null`},
		{"a LogValuer that panics", panicsValue{}, `panicked`},
		{"a LogValuer of itself twice", twice{"self"}, `"!ERROR: groups nested too deeply"`},
		{"a LogValuer of itself inlined", slog.GroupValue(slog.Int("a", 1), slog.Any("", twice{""})), `"v":{"a":1}`},
		{"a LogValuer that returns itself", itself{}, `LogValue called too many times`},
		{"a cycle of maps", cycleOfMaps(), `!ERROR`},
		{"a cycle through an interface", cycleOfInterfaces(), `!ERROR`},
		{"deep nesting", nested(5000), `!ERROR`},
		{"a LogValuer of itself", selfGroup{}, `"!ERROR: groups nested too deeply"`},
		{"invalid UTF-8", "a\xffb", "\"a\ufffdb\""},
		{"control characters", "\x00\x1b\t\"\\", `"\u0000\u001b\t\"\\"`},
		{"JSON that isn't", json.RawMessage(`{"a":`), `!ERROR`},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, fields(t, nil, func(l *slog.Logger) { l.Info("e", "v", test.value) }), test.want)
		})
	}
}

func TestHandle_ShowsALogValuerWhoseErrorPanics(t *testing.T) {
	require.Contains(t, fields(t, nil, func(l *slog.Logger) { l.Info("e", "v", error(panicsError{})) }), `"!PANIC: a jsonlog_test.panics"`)
}

type panicsError struct{}

func (panicsError) Error() string { panic(panics{}) }

func redacting(t *testing.T) *jsonlog.Options {
	t.Helper()
	redactor, err := redact.New(redact.Config{ExceptKeys: []string{"support_email"}})
	require.NoError(t, err)
	return &jsonlog.Options{Redact: redactor}
}

func TestC27_PersonalValuesAreMasked(t *testing.T) {
	type user struct {
		Name  string
		Email string `json:"email"`
		Note  string
	}
	for _, test := range []struct {
		name  string
		write func(*slog.Logger)
		want  string
	}{
		{"by key", func(l *slog.Logger) { l.Info("e", "userPassword", "hunter2") }, `"userPassword":"[REDACTED]"`},
		{"by value", func(l *slog.Logger) { l.Info("e", "note", "ask ann@example.com") }, `"note":"[REDACTED]"`},
		{"a number", func(l *slog.Logger) { l.Info("e", "n", int64(4111111111111111)) }, `"n":"[REDACTED]"`},
		{"a number without a sign", func(l *slog.Logger) { l.Info("e", "n", uint64(4111111111111111), "m", uint64(7)) }, `"n":"[REDACTED]","m":7`},
		{"in groups", func(l *slog.Logger) { l.WithGroup("g").Info("e", slog.Group("h", "pin", 1234, "a", 1)) }, `"g":{"h":{"pin":"[REDACTED]","a":1}}`},
		{"a group by its key", func(l *slog.Logger) { l.Info("e", slog.Group("credentials", "a", 1)) }, `"credentials":"[REDACTED]"`},
		{"of With", func(l *slog.Logger) { l.With("token", "t").Info("e") }, `"token":"[REDACTED]"`},
		{"of WithGroup", func(l *slog.Logger) { l.WithGroup("credentials").With("a", 1).Info("e", "b", 2) }, `"credentials":"[REDACTED]"`},
		{"of WithGroup in a group", func(l *slog.Logger) { l.WithGroup("g").WithGroup("pin").Info("e", "b", 2) }, `"g":{"pin":"[REDACTED]"}`},
		{"an empty group isn't there", func(l *slog.Logger) { l.WithGroup("pin").Info("e", slog.Group("token", slog.Attr{})) }, ``},
		{"a float", func(l *slog.Logger) { l.Info("e", "n", 4111111111111111.0, "m", 4e300) }, `"n":"[REDACTED]","m":4e+300`},
		{"bytes", func(l *slog.Logger) { l.Info("e", "body", []byte("to ann@example.com"), "id", []byte{1, 2}) }, `"body":"[REDACTED]","id":"AQI="`},
		{"in structs", func(l *slog.Logger) { l.Info("e", "user", user{"Ann", "x", "call +1 212 555 0123"}) }, `"user":{"Name":"Ann","email":"[REDACTED]","Note":"[REDACTED]"}`},
		{"in maps", func(l *slog.Logger) { l.Info("e", "m", map[string]any{"ssn": 1, "a": []any{"x@example.com", 2}}) }, `"m":{"a":["[REDACTED]",2],"ssn":"[REDACTED]"}`},
		{"keys of maps", func(l *slog.Logger) { l.Info("e", "m", map[string]int{"ann@example.com": 1}) }, `"m":{"[REDACTED]":1}`},
		{"in errors", func(l *slog.Logger) { l.Info("e", "err", errors.New("dial amqp://u:p@host: refused")) }, `"err":"[REDACTED]"`},
		{"in a panic's text", func(l *slog.Logger) { l.Info("e", "v", leaking{}) }, `"v":"[REDACTED]"`},
		{"not under an exception", func(l *slog.Logger) { l.Info("e", "supportEmail", "help@example.com") }, `"supportEmail":"help@example.com"`},
		{"not in a group under an exception", func(l *slog.Logger) {
			l.Info("e", slog.Group("support_email", "to", "help@example.com", "pin", 1, slog.Group("token", "a", 1)), "pin", 2)
		}, `"support_email":{"to":"help@example.com","pin":1,"token":{"a":1}},"pin":"[REDACTED]"`},
		{"not of WithGroup under an exception", func(l *slog.Logger) { l.WithGroup("supportEmail").With("pin", 1).Info("e", "token", "a") }, `"supportEmail":{"pin":1,"token":"a"}`},
		{"where a key comes twice", func(l *slog.Logger) { l.Info("e", "pin", 1, "pin", 2, slog.Group("secrets", "a", 1)) }, `"pin":"[REDACTED]","secrets":"[REDACTED]"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, fields(t, redacting(t), test.write))
		})
	}
}

type leaking struct{}

func (leaking) MarshalJSON() ([]byte, error) { panic("no mail to ann@example.com") }

func TestHandle_MasksOnlyWhatIsFoundInTheEvent(t *testing.T) {
	line := logged(t, redacting(t), func(l *slog.Logger) { l.Info("mail from ann@example.com refused") })
	require.Contains(t, line, `"event":"mail from [REDACTED] refused"`)
}

func TestHandle_MasksNothingWithoutARedactor(t *testing.T) {
	require.Equal(t, `"password":"hunter2"`, fields(t, nil, func(l *slog.Logger) { l.Info("e", "password", "hunter2") }))
}

func TestOptions_AddSource(t *testing.T) {
	line := logged(t, &jsonlog.Options{AddSource: true}, func(l *slog.Logger) { l.Info("e", "source", 1) })
	require.Regexp(t, `"source":\{"function":"[^"]+","file":"[^"]+handler_test.go","line":\d+\},"source_":1\}$`, line)
}

func TestHandler_DoesntMixLines(t *testing.T) {
	var out bytes.Buffer
	handler := jsonlog.NewHandler(&out, nil)
	done := make(chan struct{})
	for range 4 {
		go func() {
			defer func() { done <- struct{}{} }()
			log := slog.New(handler.WithAttrs([]slog.Attr{slog.Int("a", 1)}))
			for range 250 {
				log.Info("e", "text", strings.Repeat("x", 100))
			}
		}()
	}
	for range 4 {
		<-done
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 1000)
	for _, line := range lines {
		require.True(t, json.Valid([]byte(line)), line)
	}
}

func TestHandler_IsntChangedByWith(t *testing.T) {
	var out bytes.Buffer
	base := slog.New(jsonlog.NewHandler(&out, nil)).With("a", 1)
	base.With("b", 2)
	base.WithGroup("g").With("c", 3)
	base.With("d", 4)
	base.Info("e")
	require.True(t, strings.HasSuffix(out.String(), `Z","a":1}`+"\n"), out.String())
}

// Nothing that is added to a handler comes into another that is derived from the same, however
// much room there is behind what they share.
func TestHandler_DerivedOnesShareNoRoom(t *testing.T) {
	var shared, opened, closed strings.Builder
	for n := range 40 {
		with := func(l *slog.Logger) *slog.Logger {
			for i := range n {
				l = l.With(fmt.Sprint("f", i), i)
			}
			first := l.With("b", 1)
			l.With("c", 2)
			return first
		}
		require.Equal(t, shared.String()+`"b":1`, fields(t, nil, func(l *slog.Logger) { with(l).Info("e") }))
		require.Equal(t, shared.String()+`"b":3`, fields(t, nil, func(l *slog.Logger) { with(l).Info("e", "b", 3) }), "a key comes twice")
		require.Equal(t, opened.String()+`"b":{"a":1}`+closed.String(), fields(t, nil, func(l *slog.Logger) {
			for range n {
				l = l.WithGroup("g")
			}
			first := l.WithGroup("b")
			l.WithGroup("c")
			first.Info("e", "a", 1)
		}))
		fmt.Fprintf(&shared, `"f%d":%d,`, n, n)
		opened.WriteString(`"g":{`)
		closed.WriteString(`}`)
	}
}
