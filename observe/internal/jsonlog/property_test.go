package jsonlog_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/quick"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/redact"
)

// everything has a field of each kind of value that encoding/json knows.
type everything struct {
	B    bool
	I    int
	I8   int8
	U    uint64
	F    float64
	F32  float32
	S    string
	Bs   []byte
	A    [3]uint16
	L    []string
	M    map[string]int
	N    map[int8]bool
	P    *everything `json:",omitempty"`
	T    time.Duration
	Tag  string  `json:"tag,omitempty"`
	Text float64 `json:",string"`
	Skip string  `json:"-"`
	Emb
}

type Emb struct{ E *int }

// A value is written as encoding/json writes it, whichever way it takes through
// the handler: as an attribute of its own, in a struct, in a map, behind a
// pointer, in an interface; also with a redactor that excepts the field.
func TestHandle_WritesValuesAsEncodingJSON(t *testing.T) {
	redactor, err := redact.New(redact.Config{ExceptKeys: []string{"v"}})
	require.NoError(t, err)
	same := func(value any) bool {
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		require.NoError(t, encoder.Encode(map[string]any{"v": value}))
		for _, options := range []*jsonlog.Options{nil, {Redact: redactor}} {
			got := "{" + fields(t, options, func(l *slog.Logger) { l.Info("e", "v", value) }) + "}"
			require.Equal(t, decoded(t, want.Bytes()), decoded(t, []byte(got)))
		}
		return true
	}
	for _, f := range []any{
		func(v everything) bool {
			return same(v) && same(&v) && same(map[string]any{"x": v}) && same([]any{v, nil})
		},
		func(v string) bool { return same(v) }, func(v []byte) bool { return same(v) }, func(v [][]string) bool { return same(v) },
		func(v float64) bool { return same(v) && same(1/v) }, func(v int64) bool { return same(v) }, func(v uint64) bool { return same(v) },
		func(v int8) bool { return same(v) }, func(v bool) bool { return same(v) }, func(v map[string]float64) bool { return same(v) },
		func(v int64) bool { return same(time.Unix(v%5e10, v%1e9).UTC()) && same(json.Number(fmt.Sprint(v))) },
	} {
		require.NoError(t, quick.Check(f, &quick.Config{MaxCount: 40}))
	}
	for _, f := range []float64{0, 1e-6, 9.99e-7, 1e-9, 1e-10, 1e-100, 1e20, 1e21, 1e100, 1e308, 5e-324, -1e-9, 1.5, 1 << 53} {
		text, err := json.Marshal(f)
		require.NoError(t, err)
		require.Equal(t, `"v":`+string(text), fields(t, nil, func(l *slog.Logger) { l.Info("e", "v", f) }), "in the same form too")
	}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value), "%s", text)
	return value
}

// A wanted object is what a record must be: the rules of package jsonlog, in the
// plainest code, for values of int.
type wanted struct {
	keys   []string
	values map[string]any // an int, or a *wanted
}

func (w *wanted) set(key string, value any) {
	if !slices.Contains(w.keys, key) {
		w.keys = append(w.keys, key)
	}
	if w.values == nil {
		w.values = make(map[string]any)
	}
	w.values[key] = value
}

func (w *wanted) add(attrs []slog.Attr, top bool) {
	for _, a := range attrs {
		if a.Value.Kind() != slog.KindGroup {
			w.set(own(a.Key, top), int(a.Value.Int64()))
			continue
		}
		var inner wanted
		if inner.add(a.Value.Group(), false); len(inner.keys) == 0 {
			continue
		}
		if a.Key == "" {
			w.add(a.Value.Group(), top)
			continue
		}
		into, ok := w.values[own(a.Key, top)].(*wanted)
		if !ok {
			into = new(wanted)
			w.set(own(a.Key, top), into)
		}
		into.add(a.Value.Group(), false)
	}
}

func own(key string, top bool) string {
	if top && slices.Contains([]string{"event", "level", "timestamp", "trace_id", "span_id", "tenant_id"}, key) {
		return key + "_"
	}
	return key
}

func (w *wanted) write(b *strings.Builder, redactor *redact.Redactor) {
	for i, key := range w.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:", key)
		switch value := w.values[key].(type) {
		case int:
			if redactor.Key(key) {
				fmt.Fprintf(b, "%q", redact.Mask)
			} else {
				fmt.Fprint(b, value)
			}
		case *wanted:
			if redactor.Key(key) {
				fmt.Fprintf(b, "%q", redact.Mask)
				continue
			}
			b.WriteByte('{')
			value.write(b, redactor)
			b.WriteByte('}')
		}
	}
}

// randomName returns one of a few names, some of which mean something in a record.
func randomName(random *rand.Rand) string {
	names := [...]string{"a", "b", "c", "event", "event_", "trace_id", "pin", "token", "level"}
	return names[random.IntN(len(names))]
}

// randomAttrs returns up to three fields, with groups in groups until the depth 3.
func randomAttrs(random *rand.Rand, depth int) []slog.Attr {
	var list []slog.Attr
	for range random.IntN(4) {
		name := randomName(random)
		switch {
		case depth < 3 && random.IntN(8) == 0:
			list = append(list, slog.Attr{Value: slog.GroupValue(randomAttrs(random, depth+1)...)})
		case depth < 3 && random.IntN(3) == 0:
			list = append(list, slog.Attr{Key: name, Value: slog.GroupValue(randomAttrs(random, depth+1)...)})
		default:
			list = append(list, slog.Int(name, random.IntN(100)))
		}
	}
	return list
}

// Any mixture of With, WithGroup, groups and keys that come again, at any level
// and with the names of the record's own keys, is what the rules say.
func TestHandle_WritesFieldsByTheRules(t *testing.T) {
	redactor, err := redact.New(redact.Config{})
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(7, 11))
	attrs := func(depth int) []slog.Attr { return randomAttrs(random, depth) }
	for n := range 5_000 {
		var out bytes.Buffer
		var handler slog.Handler = jsonlog.NewHandler(&out, &jsonlog.Options{Redact: redactor})
		ctx := context.Background()
		var want wanted
		if random.IntN(3) == 0 {
			list := attrs(2)
			ctx = jsonlog.ContextWithFields(ctx, list...)
			want.add(list, true)
		}
		type step struct {
			group string
			attrs []slog.Attr
		}
		var steps []step
		for range random.IntN(4) {
			if random.IntN(2) == 0 {
				name := randomName(random)
				handler = handler.WithGroup(name)
				steps = append(steps, step{group: name})
			} else {
				list := attrs(1)
				handler = handler.WithAttrs(list)
				steps = append(steps, step{attrs: list})
			}
		}
		list := attrs(0)
		slog.New(handler).LogAttrs(ctx, slog.LevelInfo, "e", list...)
		for _, s := range slices.Backward(steps) {
			if s.group != "" {
				list = []slog.Attr{{Key: s.group, Value: slog.GroupValue(list...)}}
			} else {
				list = slices.Concat(s.attrs, list)
			}
		}
		want.add(list, true)
		var text strings.Builder
		want.write(&text, redactor)
		_, got, _ := strings.Cut(strings.TrimSuffix(out.String(), "}\n"), `Z"`)
		require.Equal(t, text.String(), strings.TrimPrefix(got, ","), "record %d: %v %v", n, steps, list)
	}
}

// A handler is made into others, and written to, by many at a time.
func TestHandler_IsSafeForConcurrentWith(t *testing.T) {
	var out bytes.Buffer
	base := jsonlog.NewHandler(&out, nil).WithGroup("g").WithAttrs([]slog.Attr{slog.Int("a", 1)})
	var running sync.WaitGroup
	for w := range 8 {
		running.Go(func() {
			for i := range 100 {
				log := slog.New(base.WithAttrs([]slog.Attr{slog.Int("w", w)}).WithGroup(fmt.Sprint("h", w)))
				log.Info("e", "i", i)
			}
		})
	}
	running.Wait()
	seen := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		_, rest, _ := strings.Cut(line, `Z",`)
		seen[strings.TrimSpace(rest)] = true
	}
	for w := range 8 {
		for i := range 100 {
			require.True(t, seen[fmt.Sprintf(`"g":{"a":1,"w":%d,"h%d":{"i":%d}}}`, w, w, i)])
		}
	}
	require.Len(t, seen, 800)
}

// What programs log most has its personal data in places of its own.
func TestHandle_MasksTypesOfTheStandardLibrary(t *testing.T) {
	target, err := url.Parse("https://user:hunter2@example.com/u?access_token=abcdef123&page=2")
	require.NoError(t, err)
	for name, value := range map[string]any{
		"a URL": target, "a URL by value": *target, "a URL's text": target.String(),
		"a header":       http.Header{"Authorization": {"Bearer hunter2abc"}, "X-Api-Key": {"hunter2"}, "Set-Cookie": {"s=hunter2"}},
		"a chain":        fmt.Errorf("publish: %w", fmt.Errorf("dial amqp://user:hunter2@host: %w", io.EOF)),
		"joined":         errors.Join(io.EOF, errors.New("login with password=hunter2")),
		"raw JSON":       json.RawMessage(`{"a":[{"clientSecret":"hunter2"}]}`),
		"JSON in a text": `{"password":"hunter2"}`,
		"bytes":          map[string][]byte{"body": []byte(`{"password":"hunter2"}`)},
		"a text":         stringer{"password=hunter2"},
		"values":         url.Values{"password": {"hunter2"}},
	} {
		got := fields(t, redacting(t), func(l *slog.Logger) { l.Info("e", "v", value) })
		require.NotContains(t, got, "hunter2", name)
		require.NotContains(t, got, "abcdef123", name)
		require.NotContains(t, got, base64.StdEncoding.EncodeToString([]byte("hunter2"))[:6], name)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 678, time.FixedZone("", 3600))
	got := fields(t, redacting(t), func(l *slog.Logger) { l.Info("e", "v", at, "p", &at, "m", http.Header{"Accept": {"text/html"}}) })
	require.Equal(t, `"v":"2026-01-02T03:04:05.000000678+01:00","p":"2026-01-02T03:04:05.000000678+01:00","m":{"Accept":["text/html"]}`, got)
}

type stringer struct{ Text string }

func (s stringer) String() string { return s.Text }

func TestHandle_WritesAHugeValueAsOneRecord(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	write := func(l *slog.Logger) { l.Info(text, "v", text, "l", []string{text}) }
	require.Greater(t, len(logged(t, nil, write)), 3*len(text))
	require.Less(t, len(logged(t, redacting(t), write)), len(text), "what is too long to be searched is masked")
}
