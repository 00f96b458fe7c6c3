package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A browserless reads what a browser would.
type browserless struct {
	t    *testing.T
	base string
}

func (b browserless) get(path string, headers http.Header) (int, string) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base+path, nil)
	require.NoError(b.t, err)
	if host := headers.Get("Host"); host != "" {
		request.Host = host
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(b.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	return response.StatusCode, string(text)
}

var eventsAddress = regexp.MustCompile(`data-events="([^"]*)"`)

// page returns the page and the address at which it waits for another one.
func (b browserless) page() (text, events string) {
	b.t.Helper()
	status, text := b.get("", nil)
	require.Equal(b.t, http.StatusOK, status)
	return text, eventsAddress.FindStringSubmatch(text)[1]
}

// next waits until there is another page than the one that waits at an address.
func (b browserless) next(events string) (text, address string) {
	b.t.Helper()
	_, text = b.get(events, nil) // ends with the event
	require.Contains(b.t, text, "event: changed\n")
	return b.page()
}

// served runs asyncapigen serve until stop is called, which returns the status.
func served(t *testing.T, args ...string) (b browserless, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	output, input := io.Pipe()
	ended := make(chan int, 1)
	var stderr bytes.Buffer
	go func() {
		status := run(ctx, append([]string{"serve", "-addr", "127.0.0.1:0"}, args...), input, &stderr)
		input.Close()
		ended <- status
	}()
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err, "%s", &stderr)
	base, ok := strings.CutPrefix(strings.TrimSpace(line), "asyncapigen: serving on ")
	require.True(t, ok, line)
	stop = func() int {
		cancel()
		return <-ended
	}
	t.Cleanup(func() { cancel() })
	return browserless{t, base}, stop
}

// The page follows the code, shows what is wrong with it above the last page, and
// an interrupt ends it at once although a browser waits.
func TestServe_FollowsTheCode(t *testing.T) {
	t.Setenv("GOFILE", "")
	t.Chdir(monorepo(t, 1))
	b, stop := served(t, "./svc/s0")
	page, events := b.page()
	require.Contains(t, page, `<code class="name">ID</code>`)
	require.NotContains(t, page, "has findings")

	require.NoError(t, os.WriteFile("events/events.go", []byte("package events\n\ntype Order struct{ Number int }\n"), 0o666))
	page, events = b.next(events)
	require.Contains(t, page, `<code class="name">Number</code>`)
	require.NotContains(t, page, `<code class="name">ID</code>`)

	require.NoError(t, os.WriteFile("svc/s0/broken.go", []byte("package main\n\nvar _ int = true\n"), 0o666))
	page, events = b.next(events)
	require.Contains(t, page, "The code has findings")
	require.Contains(t, page, "cannot use true")
	require.Contains(t, page, `<code class="name">Number</code>`, "the last page is still there")

	require.NoError(t, os.Remove("svc/s0/broken.go"))
	page, events = b.next(events)
	require.NotContains(t, page, "has findings")

	waiting := make(chan error, 1)
	response, err := http.Get(b.base + events)
	require.NoError(t, err)
	go func() {
		_, err := io.Copy(io.Discard, response.Body)
		waiting <- err
		response.Body.Close()
	}()
	require.Equal(t, done, stop())
	<-waiting
	_, err = net.DialTimeout("tcp", strings.Trim(strings.TrimPrefix(b.base, "http://"), "/"), time.Minute)
	require.Error(t, err, "nothing listens")
}

// A document that is broken for a moment, or gone, comes back.
func TestServe_FollowsDocument(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(text string) { require.NoError(t, os.WriteFile("asyncapi.yaml", []byte(text), 0o666)) }
	const document = "asyncapi: 2.6.0\ninfo: {title: TITLE, version: '1'}\nchannels: {}\n"
	write(strings.Replace(document, "TITLE", "First", 1))
	b, stop := served(t, "asyncapi.yaml")
	page, events := b.page()
	require.Contains(t, page, "<h1>First</h1>")
	write("asyncapi: [")
	page, events = b.next(events)
	require.Contains(t, page, "<h1>First</h1>")
	require.Contains(t, page, "read the document asyncapi.yaml: ")
	require.NoError(t, os.Remove("asyncapi.yaml"))
	page, events = b.next(events)
	require.Contains(t, page, "no such file")
	write(strings.Replace(document, "TITLE", "Second", 1))
	page, events = b.next(events)
	require.Contains(t, page, "<h1>Second</h1>")
	require.NotContains(t, page, "has findings")
	write("asyncapi: 9.0.0")
	page, _ = b.next(events)
	require.Contains(t, page, "isn&#39;t one that is known")
	require.Equal(t, done, stop())
}

// A page of somebody else's may have its name resolved to this machine.
func TestServe_AnswersThisMachineAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.json", []byte(`{"asyncapi":"2.6.0"}`), 0o666))
	b, stop := served(t, "a.json")
	for host, want := range map[string]int{
		"evil.example.com": http.StatusForbidden, "evil.example.com:80": http.StatusForbidden, "192.0.2.1": http.StatusForbidden,
		"localhost": http.StatusOK, "localhost:1": http.StatusOK, "127.0.0.1:1": http.StatusOK, "[::1]:1": http.StatusOK,
	} {
		status, _ := b.get("", http.Header{"Host": {host}})
		require.Equal(t, want, status, host)
	}
	status, _ := b.get("other", nil)
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, done, stop())
}
