package compression_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/compression"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func gzipped(t testing.TB, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(body)
	require.NoError(t, errors.Join(err, w.Close()))
	return b.Bytes()
}

func zstded(t testing.TB, body []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	require.NoError(t, err)
	defer w.Close()
	return w.EncodeAll(body, nil)
}

// serve runs a route that keeps what it gets, at most limit bytes unpacked.
func serve(t *testing.T, limit int) (*runtimetest.Service, *[]string) {
	t.Helper()
	got := new([]string)
	router := runtime.NewRouter()
	router.Use(compression.Unpack(limit))
	require.NoError(t, router.Register(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(func(_ context.Context, s string) error {
		*got = append(*got, s)
		return nil
	})}))
	return runtimetest.Start(t, router), got
}

func TestUnpack_HasNoLimitByTheLargestOne(t *testing.T) {
	service, got := serve(t, math.MaxInt)
	service.SendMessage("r", runtime.Message{Body: gzipped(t, []byte(`"text"`)), ContentEncoding: "gzip"})
	require.NoError(t, service.Settled()[0].Err)
	require.Equal(t, []string{"text"}, *got)
}

func TestUnpack_ReadsGzipAndZstd(t *testing.T) {
	service, got := serve(t, 1000)
	body := []byte(`"text"`)
	for encoding, packed := range map[string][]byte{"gzip": gzipped(t, body), "GZIP": gzipped(t, body), "zstd": zstded(t, body), "": body, "identity": body, "utf-8": body} {
		service.SendMessage("r", runtime.Message{Body: packed, ContentEncoding: encoding})
		require.NoError(t, service.Settled()[0].Err, encoding)
	}
	require.Equal(t, []string{"text", "text", "text", "text", "text", "text"}, *got)
}

func TestUnpack_RefusesBombsAndWhatItCannotRead(t *testing.T) {
	const limit = 1000
	service, got := serve(t, limit)
	bomb := make([]byte, 8<<20)
	fits := []byte(`"` + strings.Repeat("x", limit-2) + `"`)
	for _, c := range []struct {
		name, encoding string
		body           []byte
		want           string
	}{
		{"gzip bomb", "gzip", gzipped(t, bomb), compression.ErrTooLarge.Error()},
		{"zstd bomb", "zstd", zstded(t, bomb), compression.ErrTooLarge.Error()},
		{"a byte too many", "gzip", gzipped(t, append(fits, ' ')), "larger than the limit of 1000 bytes"},
		{"no gzip", "gzip", []byte("no gzip"), `content encoding is "gzip"`},
		{"no zstd", "zstd", []byte("no zstd"), `content encoding is "zstd"`},
		{"cut gzip", "gzip", gzipped(t, fits)[:20], "unexpected EOF"},
		{"cut zstd", "zstd", zstded(t, fits)[:10], "unexpected EOF"},
		{"unknown", "br", fits, `the content encoding "br" isn't known`},
	} {
		service.SendMessage("r", runtime.Message{Body: c.body, ContentEncoding: c.encoding})
		settled := service.Settled()[0]
		require.Equal(t, runtime.DeadLetter, settled.End, c.name)
		require.ErrorContains(t, settled.Err, c.want, c.name)
		dead := service.Queue("q.dead").Messages()
		last := dead[len(dead)-1]
		require.Equal(t, c.body, last.Body, c.name)
		require.Equal(t, c.encoding, last.ContentEncoding, c.name)
		why, _ := runtime.FailureOf(last)
		require.Equal(t, runtime.ReasonUndecodable, why.Reason, c.name)
	}
	for encoding, body := range map[string][]byte{"gzip": gzipped(t, fits), "zstd": zstded(t, fits)} {
		service.SendMessage("r", runtime.Message{Body: body, ContentEncoding: encoding})
		require.NoError(t, service.Settled()[0].Err)
	}
	require.Len(t, *got, 2)
}

// What a bomb of 16 MiB takes doesn't depend on its size: it isn't unpacked. The least of
// several times counts, since a decoder is made anew where the pool has given one up:
// under the race detector it drops one of four.
func TestUnpack_TakesNoMoreMemoryThanTheLimit(t *testing.T) {
	for encoding, packed := range map[string][]byte{"gzip": gzipped(t, make([]byte, 16<<20)), "zstd": zstded(t, make([]byte, 16<<20))} {
		handle := compression.Unpack(1 << 10)(func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, nil })
		d := &runtime.Delivery{Message: runtime.Message{Body: packed, ContentEncoding: encoding}}
		least := uint64(math.MaxUint64)
		for range 30 {
			var before, after goruntime.MemStats
			goruntime.ReadMemStats(&before)
			_, err := handle(t.Context(), d)
			require.ErrorIs(t, err, compression.ErrTooLarge)
			goruntime.ReadMemStats(&after)
			least = min(least, after.TotalAlloc-before.TotalAlloc)
		}
		require.Less(t, least, uint64(1<<20), encoding)
	}
}

func TestPack_IsUnpackedAtTheOtherEnd(t *testing.T) {
	text := strings.Repeat("text ", 1000)
	for encoding, pack := range map[string]runtime.Interceptor{"gzip": compression.Gzip(100), "zstd": compression.Zstd(100)} {
		router := runtime.NewRouter()
		var encodings []string
		router.Use(func(next runtime.HandlerFunc) runtime.HandlerFunc {
			return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
				encodings = append(encodings, d.ContentEncoding)
				return next(ctx, d)
			}
		}, compression.Unpack(1<<20))
		router.Intercept(pack)
		require.NoError(t, router.Register(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Respond(func(_ context.Context, s string) (string, error) { return s, nil })}))
		service := runtimetest.Start(t, router)
		caller := runtime.NewCaller[string, string](service, runtime.Endpoint{To: runtime.Address{RoutingKey: "q"}},
			runtime.WithInterceptors(pack, compression.UnpackReplies(1<<20)))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for _, request := range []string{text, "short"} {
			reply, err := caller.Call(ctx, request)
			require.NoError(t, err)
			require.Equal(t, request, reply)
		}
		require.Equal(t, []string{encoding, ""}, encodings, "what is short stays as it is")
		small := runtime.NewCaller[string, string](service, runtime.Endpoint{To: runtime.Address{RoutingKey: "q"}},
			runtime.WithInterceptors(compression.UnpackReplies(100)))
		_, err := small.Call(ctx, text)
		require.ErrorIs(t, err, compression.ErrTooLarge)
	}
}

// What isn't packed keeps its encoding, of a message and of a reply.
func TestUnpack_KeepsOtherEncodings(t *testing.T) {
	for encoding, want := range map[string]string{"": "", "identity": "identity", "UTF-8": "UTF-8", "gzip": ""} {
		body := []byte("text")
		if encoding == "gzip" {
			body = gzipped(t, body)
		}
		d := &runtime.Delivery{Message: runtime.Message{Body: body, ContentEncoding: encoding}}
		_, err := compression.Unpack(100)(func(_ context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			require.Equal(t, "text", string(d.Body))
			require.Equal(t, want, d.ContentEncoding)
			return nil, nil
		})(t.Context(), d)
		require.NoError(t, err)
		reply, err := compression.UnpackReplies(100)(func(context.Context, *runtime.Sending) (*runtime.Message, error) {
			return &runtime.Message{Body: body, ContentEncoding: encoding}, nil
		})(t.Context(), new(runtime.Sending))
		require.NoError(t, err)
		require.Equal(t, "text", string(reply.Body))
		require.Equal(t, want, reply.ContentEncoding)
	}
}

func TestUnpackReplies_PassesOnErrorsAndNoReply(t *testing.T) {
	failed := errors.New("failed")
	for _, want := range []error{failed, nil} {
		reply, err := compression.UnpackReplies(100)(func(context.Context, *runtime.Sending) (*runtime.Message, error) {
			return nil, want
		})(t.Context(), new(runtime.Sending))
		require.Nil(t, reply)
		require.ErrorIs(t, err, want)
	}
}

func TestPack_BeginsAtItsSize(t *testing.T) {
	for _, pack := range []runtime.Interceptor{compression.Gzip(1000), compression.Zstd(1000)} {
		for size, packed := range map[int]bool{999: false, 1000: true} {
			s := &runtime.Sending{Message: &runtime.Message{Body: make([]byte, size)}}
			_, err := pack(func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })(t.Context(), s)
			require.NoError(t, err)
			require.Equal(t, packed, s.Message.ContentEncoding != "")
		}
	}
}

func TestUnpack_ByNoLimitAllowsNothing(t *testing.T) {
	for limit, fits := range map[int]bool{0: true, -1: false, math.MinInt: false} {
		_, err := compression.Unpack(limit)(func(context.Context, *runtime.Delivery) (*runtime.Message, error) {
			return nil, nil
		})(t.Context(), &runtime.Delivery{Message: runtime.Message{Body: gzipped(t, nil), ContentEncoding: "gzip"}})
		require.Equal(t, fits, err == nil, "%v", err)
	}
}

// Of bodies that get smaller bit by bit, one has the size of what it is packed into.
func TestPack_LeavesWhatGetsNoSmaller(t *testing.T) {
	for encoding, pack := range map[string]runtime.Interceptor{"gzip": compression.Gzip(0), "zstd": compression.Zstd(0)} {
		equal := 0
		for n := range 40 {
			body := []byte("0123456789abcdefghijklmnopqrstuvwxyz" + strings.Repeat("x", n))
			size := len(gzipped(t, body))
			if encoding == "zstd" {
				size = len(zstded(t, body))
			}
			s := &runtime.Sending{Message: &runtime.Message{Body: body}}
			_, err := pack(func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })(t.Context(), s)
			require.NoError(t, err)
			switch {
			case size < len(body):
				require.Equal(t, encoding, s.Message.ContentEncoding)
				require.Len(t, s.Message.Body, size)
			case size == len(body):
				equal++
				fallthrough
			default:
				require.Empty(t, s.Message.ContentEncoding)
				require.Equal(t, body, s.Message.Body)
			}
		}
		require.NotZero(t, equal, encoding)
	}
}

func TestDecode_SaysThatABodyIsPacked(t *testing.T) {
	_, err := runtime.Consume(func(context.Context, string) error { return nil }).Handle(t.Context(), &runtime.Delivery{
		Message: runtime.Message{Body: gzipped(t, []byte(`"x"`)), ContentEncoding: "gzip"},
	})
	require.ErrorContains(t, err, `the content encoding is "gzip": package compression has a middleware that unpacks it`)
}

func FuzzUnpack(f *testing.F) {
	f.Add("gzip", gzipped(f, []byte("x")))
	f.Add("zstd", zstded(f, []byte("x")))
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		handle := compression.Unpack(1000)(func(_ context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			if d.ContentEncoding == "" && encoding != "" && len(d.Body) > 1000 {
				t.Fatal("more than the limit")
			}
			return nil, nil
		})
		_, _ = handle(t.Context(), &runtime.Delivery{Message: runtime.Message{Body: body, ContentEncoding: encoding}})
	})
}

func TestPack_LeavesWhatHasAnEncoding(t *testing.T) {
	body := []byte(strings.Repeat("x", 1000))
	s := &runtime.Sending{Message: &runtime.Message{Body: body, ContentEncoding: "br"}}
	_, err := compression.Gzip(10)(func(context.Context, *runtime.Sending) (*runtime.Message, error) { return nil, nil })(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, "br", s.Message.ContentEncoding)
	require.Equal(t, body, s.Message.Body)
}
