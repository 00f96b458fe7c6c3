package mgmt_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/warrenmq/warren/mgmt"
)

// raw serves each request with bytes as they are, and then closes the
// connection.
func raw(t *testing.T, answers ...string) *mgmt.Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for i := 0; ; i++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				io.Copy(io.Discard, r.Body)
				io.WriteString(conn, answers[min(i, len(answers)-1)])
			}
			conn.Close()
		}
	}()
	return open(t, mgmt.Config{URL: "http://" + listener.Addr().String()})
}

const (
	ok        = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	asObject  = "object"
	asList    = "list"
	asSeq     = "sequence"
	asWrite   = "write"
	asStream  = "export"
	everyKind = asObject + asList + asSeq + asWrite + asStream
)

// ask makes one call of each kind of answer.
func ask(ctx context.Context, c *mgmt.Client, kind string) error {
	switch kind {
	case asObject:
		_, err := c.Queue(ctx, "/", "q")
		return err
	case asList:
		_, err := c.Queues(ctx, mgmt.In("/"))
		return err
	case asSeq:
		for _, err := range c.QueuesSeq(ctx, mgmt.In("/")) {
			if err != nil {
				return err
			}
		}
		return nil
	case asWrite:
		return c.DeclareQueue(ctx, "/", "q", mgmt.QueueSettings{})
	default:
		return c.ExportDefinitions(ctx, mgmt.In("/"), io.Discard)
	}
}

func TestClient_FaultyAnswersAreErrors(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		kinds  string
		want   error  // by errors.Is
		text   string // of the error
	}{
		"object cut by its length":    {ok + "Content-Length: 50\r\n\r\n{\"name\":", asObject + asStream, io.ErrUnexpectedEOF, ""},
		"list cut by its length":      {ok + "Content-Length: 50\r\n\r\n[{\"name\":\"q\"},", asList + asSeq, io.ErrUnexpectedEOF, ""},
		"cut in a chunk":              {ok + "Transfer-Encoding: chunked\r\n\r\n20\r\n[{\"name\":", asObject + asList + asSeq + asStream, io.ErrUnexpectedEOF, ""},
		"cut between chunks":          {ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n", everyKind, io.ErrUnexpectedEOF, ""},
		"list cut by the end":         {ok + "Connection: close\r\n\r\n[{\"name\":\"q\"}", asList + asSeq, io.ErrUnexpectedEOF, ""},
		"object cut by the end":       {ok + "Connection: close\r\n\r\n{\"name\":", asObject, nil, "decode the answer"},
		"length beyond complete JSON": {ok + "Content-Length: 500\r\n\r\n[{\"name\":\"q\"}]", asList + asSeq + asStream, io.ErrUnexpectedEOF, ""},
		"object with a false length":  {ok + "Content-Length: 500\r\n\r\n{\"name\":\"q\"}", asObject + asWrite, io.ErrUnexpectedEOF, ""},
		"something after an object":   {ok + "Content-Length: 14\r\n\r\n{\"name\":\"q\"} x", asObject, nil, "decode the answer"},
		"something after a list":      {ok + "Content-Length: 4\r\n\r\n[] x", asList + asSeq, nil, "decode the answer"},
		"a second list":               {ok + "Content-Length: 4\r\n\r\n[][]", asList + asSeq, nil, "something follows"},
		"null":                        {ok + "Content-Length: 4\r\n\r\nnull", asObject, nil, "the answer is null"},
		"null for a list":             {ok + "Content-Length: 4\r\n\r\nnull", asList + asSeq, mgmt.ErrNotAPI, ""},
		"empty":                       {ok + "Content-Length: 0\r\n\r\n", asObject, mgmt.ErrNotAPI, "empty"},
		"empty for a list":            {ok + "Content-Length: 0\r\n\r\n", asList + asSeq, io.ErrUnexpectedEOF, ""},
		"list for an object":          {ok + "Content-Length: 2\r\n\r\n[]", asObject, nil, "cannot unmarshal array"},
		"object for a list":           {ok + "Content-Length: 10\r\n\r\n{\"a\":\"b\"}\n", asList + asSeq, mgmt.ErrNotAPI, "a list was expected"},
		"items that aren't a list":    {ok + "Content-Length: 12\r\n\r\n{\"items\":{}}", asList + asSeq, mgmt.ErrNotAPI, ""},
		"text for a list":             {ok + "Content-Length: 3\r\n\r\n\"x\"", asList + asSeq, mgmt.ErrNotAPI, ""},
		"a login page":                {"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 6\r\n\r\n<html>", everyKind, mgmt.ErrNotAPI, "text/html"},
		"plain text":                  {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello", asObject + asList + asSeq + asWrite, mgmt.ErrNotAPI, "text/plain"},
		"plain text that is cut":      {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\n[", everyKind, io.ErrUnexpectedEOF, ""},
		"a page of no type":           {"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", asObject + asList + asSeq + asWrite, mgmt.ErrNotAPI, "Content-Type none"},
		"a missing page":              {"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", everyKind, mgmt.ErrNotAPI, "404"},
		"a broken gateway":            {"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", everyKind, mgmt.ErrNotAPI, "502"},
		"no HTTP":                     {"AMQP\x00\x00\x09\x01", everyKind, nil, "malformed HTTP"},
		"nothing":                     {"", everyKind, io.EOF, ""},
		"a refusal that is cut":       {"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{\"error\":\"Object", everyKind, io.ErrUnexpectedEOF, ""},
	} {
		for _, kind := range []string{asObject, asList, asSeq, asWrite, asStream} {
			if !strings.Contains(test.kinds, kind) {
				continue
			}
			t.Run(name+" as "+kind, func(t *testing.T) {
				err := ask(t.Context(), raw(t, test.answer), kind)
				var e *mgmt.Error
				require.ErrorAs(t, err, &e)
				require.NotEmpty(t, e.Path)
				require.NotContains(t, err.Error(), "\n")
				require.NotErrorIs(t, err, mgmt.ErrNotFound)
				require.ErrorContains(t, err, test.text)
				if test.want != nil {
					require.ErrorIs(t, err, test.want)
				}
				require.Equal(t, test.want == mgmt.ErrNotAPI, errors.Is(err, mgmt.ErrNotAPI), "%v", err)
			})
		}
	}
}

// Servers between the client and the broker give a type to what has no content.
func TestClient_TakesAnEmptyAnswerOfAnyType(t *testing.T) {
	for _, kind := range []string{"", "Content-Type: text/html\r\n", "Content-Type: text/plain\r\n"} {
		require.NoError(t, ask(t.Context(), raw(t, "HTTP/1.1 201 Created\r\n"+kind+"Content-Length: 0\r\n\r\n"), asWrite), kind)
	}
}

// brokenOnce returns its text together with an error, and from then on only the end.
type brokenOnce struct{ text string }

var errBody = errors.New("the body is broken")

func (b *brokenOnce) Read(p []byte) (int, error) {
	if b.text == "" {
		return 0, io.EOF
	}
	n := copy(p, b.text)
	b.text = ""
	return n, errBody
}

// A reader needn't repeat its error, and who decodes JSON doesn't look at it while
// there is text left.
func TestClient_BrokenBodyIsAnErrorAlsoWhenItIsWhole(t *testing.T) {
	for kind, text := range map[string]string{asObject: `{"name":"q"}`, asList: `[{"name":"q"}]`, asSeq: `[{"name":"q"}]`, asWrite: `{}`, asStream: `{}`} {
		t.Run(kind, func(t *testing.T) {
			client := open(t, mgmt.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
				a := answer(200, "application/json", "")
				a.ContentLength, a.Body = -1, io.NopCloser(&brokenOnce{text})
				return a, nil
			})})
			require.ErrorIs(t, ask(t.Context(), client, kind), errBody)
		})
	}
}

func TestErrNotFound_IsNeverASuccess(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, `{"error":"Object Not Found","reason":"Not Found"}`)
	})
	for name, call := range map[string]func() error{
		"queue":     func() error { return client.DeleteQueue(t.Context(), "/", "q") },
		"parameter": func() error { return client.DeleteParameter(t.Context(), "shovel", "/", "p") },
		"binding":   func() error { return client.UnbindQueue(t.Context(), "/", "q", "x", "~") },
	} {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, call(), mgmt.ErrNotFound) })
	}
}

func TestErrRedirect_IsNotFollowed(t *testing.T) {
	for _, status := range []int{300, 301, 302, 303, 307, 308, 399} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was followed") }))
			defer elsewhere.Close()
			target := strings.Replace(elsewhere.URL, "http://", "http://user:s3cret@", 1) + "/login?token=s3cret"
			client := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, status) })
			for _, kind := range []string{asObject, asList, asSeq, asWrite, asStream} {
				err := ask(t.Context(), client, kind)
				require.ErrorIs(t, err, mgmt.ErrRedirect)
				require.ErrorContains(t, err, elsewhere.URL+"/login")
				require.NotContains(t, err.Error(), "s3cret")
				var e *mgmt.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, status, e.Status)
			}
		})
	}
}

func TestErrRedirect_DoesNotShowWhatIsNoAddress(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://u:s3cret@[::1")
		w.WriteHeader(http.StatusFound)
	})
	err := ask(t.Context(), client, asWrite)
	require.ErrorIs(t, err, mgmt.ErrRedirect)
	require.ErrorContains(t, err, "to an address that isn't valid")
	require.NotContains(t, err.Error(), "s3cret")
}

func TestMaxResponseBytes_LargerAnswersAreErrors(t *testing.T) {
	const limit = 1000
	element := `{"name":"` + strings.Repeat("q", 91) + `"}` // 102 bytes
	for name, test := range map[string]struct {
		body string
		want error
	}{
		"the limit itself": {"[" + strings.Repeat(" ", limit-2) + "]", nil},
		"a byte more":      {"[" + strings.Repeat(" ", limit-1) + "]", mgmt.ErrTooLarge},
		"elements":         {"[" + strings.Repeat(element+",", 10) + element + "]", mgmt.ErrTooLarge},
	} {
		for _, kind := range []string{asList, asSeq, asStream} {
			t.Run(name+" as "+kind, func(t *testing.T) {
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					io.WriteString(w, test.body)
				}))
				defer server.Close()
				err := ask(t.Context(), open(t, mgmt.Config{URL: server.URL, MaxResponseBytes: limit}), kind)
				require.ErrorIs(t, err, test.want)
			})
		}
	}
	t.Run("an object", func(t *testing.T) {
		client := open(t, mgmt.Config{MaxResponseBytes: 10, Transport: always(200, `{"name":"queue"}`)})
		require.ErrorIs(t, ask(t.Context(), client, asObject), mgmt.ErrTooLarge)
	})
	t.Run("decompressed bytes count", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "gzip" {
				t.Error("compression wasn't asked for")
			}
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, "["+strings.Repeat(" ", 1<<20)+"]")
			z.Close()
		}))
		defer server.Close()
		client := open(t, mgmt.Config{URL: server.URL, MaxResponseBytes: 1 << 19, Compress: true})
		for _, kind := range []string{asList, asSeq, asStream} {
			require.ErrorIs(t, ask(t.Context(), client, kind), mgmt.ErrTooLarge)
		}
	})
}

// A counter counts what is read of what doesn't end.
type counter int

func (c *counter) Read(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func TestError_ReadsRefusalsInPart(t *testing.T) {
	var read counter
	client := open(t, mgmt.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		a := answer(400, "application/json", "")
		a.ContentLength, a.Body = -1, io.NopCloser(&read)
		return a, nil
	})})
	err := ask(t.Context(), client, asWrite)
	var e *mgmt.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 400, e.Status)
	require.NotErrorIs(t, err, mgmt.ErrTooLarge)
	require.LessOrEqual(t, int(read), 128<<10)
}

func TestClient_AnswersShareNothing(t *testing.T) {
	calls := 0
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		calls++
		fmt.Fprintf(w, `{"name":"q%d"}`, calls)
	})
	for i := range 20 {
		queue, err := client.Queue(t.Context(), "/", "q")
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("q%d", i+1), queue.Name)
	}
}

func always(status int, body string) roundTrip {
	return func(*http.Request) (*http.Response, error) { return answer(status, "application/json", body), nil }
}

// A stalled body ends with the context of its request only.
type stalled struct {
	ctx   context.Context
	first io.Reader
}

func (s stalled) Read(p []byte) (int, error) {
	if n, _ := s.first.Read(p); n > 0 {
		return n, nil
	}
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func (stalled) Close() error { return nil }

func TestTimeout_BoundsTheWholeCall(t *testing.T) {
	for name, transport := range map[string]roundTrip{
		"no answer": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
		"an answer that doesn't end": func(r *http.Request) (*http.Response, error) {
			a := answer(200, "application/json", "")
			a.ContentLength, a.Body = -1, stalled{r.Context(), strings.NewReader("[{")}
			return a, nil
		},
		"a refusal that doesn't end": func(r *http.Request) (*http.Response, error) {
			a := answer(400, "application/json", "")
			a.ContentLength, a.Body = -1, stalled{r.Context(), strings.NewReader("{")}
			return a, nil
		},
	} {
		for _, kind := range []string{asObject, asList, asSeq, asWrite, asStream} {
			t.Run(name+" as "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client := open(t, mgmt.Config{Transport: transport})
					start := time.Now()
					err := ask(t.Context(), client, kind)
					require.ErrorIs(t, err, context.DeadlineExceeded)
					require.ErrorContains(t, err, "Timeout, which is 10s")
					require.Equal(t, 10*time.Second, time.Since(start), "the default")
				})
			})
			t.Run(name+" as "+kind+", with a shorter context", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client := open(t, mgmt.Config{Transport: transport, Timeout: -1})
					broken := errors.New("broken")
					ctx, cancel := context.WithCancelCause(t.Context())
					time.AfterFunc(time.Hour, func() { cancel(broken) })
					start := time.Now()
					err := ask(ctx, client, kind)
					require.ErrorIs(t, err, context.Canceled)
					require.ErrorIs(t, err, broken)
					require.Equal(t, time.Hour, time.Since(start), "a negative timeout is none")
				})
			})
		}
	}
}

func TestTimeout_CountsHoweverShortItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := open(t, mgmt.Config{Timeout: time.Nanosecond, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})})
		require.ErrorIs(t, ask(t.Context(), client, asObject), context.DeadlineExceeded)
	})
}

// An ownContext isn't one of package context, which starts a goroutine for each that is derived
// from it.
type ownContext struct {
	context.Context
	done chan struct{}
}

func (c ownContext) Done() <-chan struct{} { return c.done }

func TestDo_LeavesNothingOfACallThatIsNotSent(t *testing.T) {
	client := open(t, mgmt.Config{Transport: always(200, "{}")})
	before := goleak.IgnoreCurrent()
	require.ErrorContains(t, client.Do(ownContext{t.Context(), make(chan struct{})}, "NO METHOD", []string{"x"}, nil, nil, nil), "method")
	goleak.VerifyNone(t, before)
}

// A bounded reader ends with its context, as a connection does.
type bounded struct {
	ctx context.Context
	io.Reader
}

func (b bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.Reader.Read(p)
}

func TestTimeout_LeavesOutTheReaderOfASequence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := open(t, mgmt.Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			a := answer(200, "application/json", "")
			body := iotest.OneByteReader(strings.NewReader(`[{"name":"a"},{"name":"b"},{"name":"c"}]`))
			a.ContentLength, a.Body = -1, io.NopCloser(bounded{r.Context(), body})
			return a, nil
		})})
		seen := 0
		for _, err := range client.QueuesSeq(t.Context(), mgmt.In("/")) {
			require.NoError(t, err)
			seen++
			time.Sleep(time.Hour) // of the bubble's clock
		}
		require.Equal(t, 3, seen)
	})
}

func TestSeq_ClosesWhenTheLoopIsLeft(t *testing.T) {
	gone := make(chan struct{})
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `[{"name":"a"}`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	for queue, err := range client.QueuesSeq(t.Context(), mgmt.In("/")) {
		require.NoError(t, err)
		require.Equal(t, "a", queue.Name)
		break
	}
	<-gone
}

func TestError_NamesTheAddressOfARefusedConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	listener.Close()
	client := open(t, mgmt.Config{URL: "http://" + address})
	for _, kind := range []string{asObject, asList, asSeq, asWrite, asStream} {
		err := ask(t.Context(), client, kind)
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
		require.ErrorContains(t, err, address)
		require.NotContains(t, err.Error(), "http://", "the path is named once")
	}
}

func TestTransport_IsNotTrusted(t *testing.T) {
	for name, test := range map[string]struct {
		answer *http.Response
		text   string
	}{
		"nothing":           {nil, "neither an answer nor an error"},
		"no body":           {&http.Response{StatusCode: 200}, ""},
		"no body of a list": {&http.Response{StatusCode: 200, ContentLength: 5}, ""},
	} {
		for _, kind := range []string{asObject, asList, asSeq, asStream} {
			t.Run(name+" as "+kind, func(t *testing.T) {
				client := open(t, mgmt.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return test.answer, nil })})
				err := ask(t.Context(), client, kind)
				if test.answer != nil && kind == asStream {
					require.NoError(t, err)
					return
				}
				require.ErrorContains(t, err, test.text)
			})
		}
	}
}

func TestError_NamesAnswersInPlainHTTP(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer server.Close()
	client := open(t, mgmt.Config{URL: strings.Replace(server.URL, "http:", "https:", 1)})
	require.ErrorContains(t, ask(t.Context(), client, asObject), "set URL to http, or to its port for https")
}

// closing serves connections that it closes when their second request comes, as
// RabbitMQ 4 does when that comes after 5 seconds: the request is lost.
func closing(t *testing.T) (url string, served *atomic.Int64) {
	t.Helper()
	served = new(atomic.Int64)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				requests := bufio.NewReader(conn)
				if r, err := http.ReadRequest(requests); err == nil {
					io.Copy(io.Discard, r.Body)
					served.Add(1)
					io.WriteString(conn, ok+"Content-Length: 2\r\n\r\n[]")
					requests.Peek(1)
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String(), served
}

func TestClient_RetriesOnAClosedConnection(t *testing.T) {
	const calls = 400
	url, served := closing(t)
	client := open(t, mgmt.Config{URL: url})
	for range calls / 4 {
		require.NoError(t, client.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{}))
		require.NoError(t, client.BindQueue(t.Context(), "/", "q", "x", mgmt.BindingSettings{}))
		require.NoError(t, client.DeleteQueue(t.Context(), "/", "q"))
		require.NoError(t, ask(t.Context(), client, asList))
	}
	require.EqualValues(t, calls, served.Load())
}

func TestClient_RetriesNothingThatMustNotRepeat(t *testing.T) {
	for name, call := range map[string]func(*mgmt.Client) error{
		"a message": func(c *mgmt.Client) error {
			_, err := c.PublishMessage(t.Context(), "/", "", mgmt.PublishSettings{RoutingKey: "q"})
			return err
		},
		"messages that are taken": func(c *mgmt.Client) error {
			_, err := c.GetMessages(t.Context(), "/", "q", mgmt.GetSettings{Mode: mgmt.Acknowledge})
			return err
		},
		"definitions": func(c *mgmt.Client) error {
			return c.ImportDefinitions(t.Context(), mgmt.In("/"), strings.NewReader("{}"))
		},
		"a POST that has no method": func(c *mgmt.Client) error {
			return c.Do(t.Context(), "POST", []string{"x"}, nil, nil, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, served := closing(t)
			client := open(t, mgmt.Config{URL: url})
			require.NoError(t, ask(t.Context(), client, asList))
			require.Error(t, call(client))
			require.EqualValues(t, 1, served.Load())
		})
	}
}

// A kept reader stays its owner's.
type kept struct {
	io.Reader
	closed bool
}

func (k *kept) Close() error {
	k.closed = true
	return nil
}

func TestDo_LeavesTheReaderOpen(t *testing.T) {
	for name, call := range map[string]func(*mgmt.Client, io.Reader) error{
		"by Do":                func(c *mgmt.Client, r io.Reader) error { return c.Do(t.Context(), "PUT", []string{"x"}, nil, r, nil) },
		"by ImportDefinitions": func(c *mgmt.Client, r io.Reader) error { return c.ImportDefinitions(t.Context(), mgmt.In(""), r) },
	} {
		t.Run(name, func(t *testing.T) {
			body := &kept{Reader: strings.NewReader(`{"a":1}`)}
			got, err := record(t, 204, "", func(c *mgmt.Client) error { return call(c, body) })
			require.NoError(t, err)
			require.Equal(t, `{"a":1}`, got.body)
			require.False(t, body.closed)
		})
	}
}

func TestClient_SendsNoIdempotencyKey(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if _, sent := r.Header["Idempotency-Key"]; sent {
			t.Error("the mark for the transport was sent")
		}
		w.WriteHeader(http.StatusNoContent)
	})
	require.NoError(t, client.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{}))
}

// counted counts what isn't closed.
type counted struct {
	io.Reader
	open   *int
	atEOF  *bool
	closed bool
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	*c.atEOF = err == io.EOF
	return n, err
}

func (c *counted) Close() error {
	if !c.closed {
		*c.open--
		c.closed = true
	}
	return nil
}

func TestClient_ReadsAndClosesEveryBody(t *testing.T) {
	for _, body := range []string{`[]`, `{}`, `{"items":[]}  `, ``, `nonsense`, `null`} {
		for _, status := range []int{200, 201, 400, 404, 500} {
			for _, kind := range []string{asObject, asList, asSeq, asWrite, asStream} {
				open, atEOF := 1, false
				var asked context.Context
				client, err := mgmt.New(mgmt.Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					asked = r.Context()
					a := answer(status, "application/json", "")
					a.ContentLength, a.Body = -1, &counted{Reader: strings.NewReader(body), open: &open, atEOF: &atEOF}
					return a, nil
				})})
				require.NoError(t, err)
				err = ask(t.Context(), client, kind)
				require.Zero(t, open, "%s %d %q", kind, status, body)
				require.Error(t, asked.Err(), "the caller's context keeps nothing of the call")
				require.True(t, atEOF || err != nil && status < 300, "%s %d %q", kind, status, body)
			}
		}
	}
}
