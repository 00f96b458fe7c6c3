package observe_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe"
)

// serving runs a real server for the test's time. What it logs of panics is
// dropped.
func serving(t *testing.T, protocol string, handler http.Handler) (client *http.Client, address string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2 = protocol == "HTTP/2.0"
	if server.EnableHTTP2 {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server.Client(), server.URL
}

// The server drops what it has buffered when a handler panics.
func TestHTTPMiddleware_DeliversThe500OfAPanic(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		panic("boom")
	}
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			client, address := serving(t, protocol, observe.HTTPMiddleware()(http.HandlerFunc(handler)))
			response, err := client.Get(address)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, protocol, response.Proto)
			require.Equal(t, http.StatusInternalServerError, response.StatusCode)
			require.Zero(t, response.ContentLength)
			require.Empty(t, response.Header.Get("Content-Encoding"))
			require.Equal(t, "*", response.Header.Get("Access-Control-Allow-Origin"))
		})
	}
}

func TestHTTPMiddleware_CutsTheAnswerOfAPanic(t *testing.T) {
	o, receiver := traced(t)
	client, address := serving(t, "HTTP/1.1", observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "a")
		_ = http.NewResponseController(w).Flush()
		panic("boom")
	})))
	response, err := client.Get(address)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	_, err = io.ReadAll(response.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, response.Body.Close())
	client.CloseIdleConnections()
	flush(t, o)
	require.Equal(t, int64(500), receiver.Named(t, "GET").Attributes()["http.response.status_code"])
}

// A handler that copies from a reader which fails at once may still choose the
// status.
func TestResponseWriter_LeavesTheStatusOpenWhenACopyFailsAtOnce(t *testing.T) {
	o, receiver := traced(t)
	client, address := serving(t, "HTTP/1.1", observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, err := io.Copy(w, iotest.ErrReader(errTest)); err != nil {
			http.Error(w, "no", http.StatusBadGateway)
		}
	})))
	get(context.Background(), t, client.Transport, address)
	flush(t, o)
	require.Equal(t, int64(502), receiver.Named(t, "GET").Attributes()["http.response.status_code"])
}

// gone is the writer of a client that has gone.
type gone struct{ http.ResponseWriter }

var errGone = errors.New("the client has gone")

func (gone) Flush()            {}
func (gone) FlushError() error { return errGone }

func TestResponseWriter_ReportsAFailedFlush(t *testing.T) {
	observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		require.ErrorIs(t, http.NewResponseController(w).Flush(), errGone)
	})).ServeHTTP(gone{httptest.NewRecorder()}, httptest.NewRequest("GET", "/", nil))
}

func TestResponseWriter_PassesInformationOver(t *testing.T) {
	o, receiver := traced(t)
	client, address := serving(t, "HTTP/1.1", observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusNotModified)
		w.WriteHeader(http.StatusTeapot)
	})))
	get(context.Background(), t, client.Transport, address)
	flush(t, o)
	require.Equal(t, int64(304), receiver.Named(t, "GET").Attributes()["http.response.status_code"])
}

func TestResponseWriter_RecordsSwitchingProtocols(t *testing.T) {
	o, receiver := traced(t)
	request(observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusSwitchingProtocols)
	})), "GET", "/")
	flush(t, o)
	require.Equal(t, int64(101), receiver.Named(t, "GET").Attributes()["http.response.status_code"])
}

func TestResponseWriter_CountsBytesOfWriteAndReadFrom(t *testing.T) {
	var out bytes.Buffer
	request(observe.HTTPMiddleware(observe.WithAccessLog(slog.New(observe.NewHandler(&out, nil))))(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("abc"))
			_, _ = io.Copy(w, iotest.OneByteReader(strings.NewReader("defg")))
		})), "GET", "/")
	require.Contains(t, out.String(), `"bytes":7,`)
}

// statuses keeps what a handler says of its answer.
type statuses struct {
	http.ResponseWriter
	codes []int
}

func (w *statuses) WriteHeader(code int) { w.codes = append(w.codes, code) }

func (*statuses) Flush() {}

func (*statuses) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, nil }

func TestHTTPMiddleware_LeavesTheAnswerBeforeAPanic(t *testing.T) {
	for name, test := range map[string]struct {
		handle func(http.ResponseWriter)
		want   []int
	}{
		"nothing":                     {func(http.ResponseWriter) {}, []int{500}},
		"only information":            {func(w http.ResponseWriter) { w.WriteHeader(103) }, []int{103, 500}},
		"an answer":                   {func(w http.ResponseWriter) { w.WriteHeader(202) }, []int{202}},
		"a flush":                     {func(w http.ResponseWriter) { w.(http.Flusher).Flush() }, nil},
		"a connection that was taken": {func(w http.ResponseWriter) { _, _, _ = w.(http.Hijacker).Hijack() }, nil},
		"one by a ResponseController": {func(w http.ResponseWriter) { _, _, _ = http.NewResponseController(w).Hijack() }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := &statuses{ResponseWriter: httptest.NewRecorder()}
			require.Panics(t, func() {
				observe.HTTPMiddleware()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					test.handle(w)
					panic("boom")
				})).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			})
			require.Equal(t, test.want, w.codes)
		})
	}
}
