package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/docpage"
	"github.com/warrenmq/warren/internal/jsontree"
)

const aboutServe = `
Serve shows the page of html at an address of this machine until it is
interrupted. The page is loaded anew when the document, or a file in the folder
of a package, has changed; what is wrong with the code is shown above the last
page that could be made.
`

// eventsPath is where a page waits for changes.
const eventsPath = "events"

func newServeOptions(dir string) *pageOptions {
	o := newPageOptions("serve", dir)
	o.flags.StringVar(&o.address, "addr", "127.0.0.1:8246", "listen on `ADDRESS`; port 0 takes a free one")
	return o
}

// runServe is the command serve.
func runServe(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	o := newServeOptions(dir)
	if err == nil {
		err = o.parse(args)
	}
	if err != nil {
		return commandLineFault(err, "serve", o.flags, stdout, stderr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.address)
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen serve: flag -addr: %v\n", err)
		return usage
	}
	return o.serve(ctx, listener, stdout, stderr)
}

// serve serves the page until ctx ends, or until there is nothing to make it of.
func (o *pageOptions) serve(ctx context.Context, listener net.Listener, stdout, stderr io.Writer) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	live := newLivePage(o.source)
	server := &http.Server{
		Handler:           onlyAt(listener.Addr(), live),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx }, // ends requests that wait for events
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	status := done
	announce := sync.OnceFunc(func() { fmt.Fprintf(stdout, "asyncapigen: serving on http://%s/\n", listener.Addr()) })
	repeated(ctx, stderr, func() (watch, int) {
		shown := o.read(ctx, stderr)
		if ctx.Err() != nil {
			return shown.watch, done
		}
		printDiagnostics(stderr, shown.found)
		if shown.fault != nil {
			fmt.Fprintf(stderr, "asyncapigen serve: %v\n", shown.fault)
		}
		if len(shown.watch.folders) == 0 && live.isEmpty() {
			status = shown.status()
			return shown.watch, status
		}
		live.show(shown)
		announce()
		return shown.watch, done
	})
	stop()
	if err := shutDown(server, served); err != nil {
		fmt.Fprintf(stderr, "asyncapigen serve: %v\n", err)
		return findings
	}
	return status
}

// shutDown ends a server whose requests have been told to end.
func shutDown(server *http.Server, served <-chan error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := server.Shutdown(ctx)
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = ended
	}
	return err
}

// onlyAt refuses requests for other hosts than the one that is listened on, where
// that is of this machine alone: a page of somebody else's could have its name
// resolved to this machine, and read what is served.
func onlyAt(address net.Addr, h http.Handler) http.Handler {
	tcp, ok := address.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this is served to this machine alone", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// A livePage is a page that changes. It is safe for concurrent use.
type livePage struct {
	options docpage.Options

	mu      sync.Mutex
	page    []byte         // nil before the first one
	number  int            // of the page
	last    *jsontree.Node // of the last page that had a document
	changed chan struct{}  // is closed when page is another one
}

func newLivePage(source string) *livePage {
	return &livePage{options: docpage.Options{SourceURL: source, Events: eventsPath}, changed: make(chan struct{})}
}

func (l *livePage) isEmpty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.page == nil
}

// show makes the page of what was read. What is wrong with it stands above the page
// that was there before.
func (l *livePage) show(shown shownDocument) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if shown.root == nil {
		shown.root = l.last
	}
	l.last = shown.root
	if string(l.render(shown)) == string(l.page) {
		return
	}
	l.number++
	l.page = l.render(shown)
	close(l.changed)
	l.changed = make(chan struct{})
}

// render makes a page with the current number.
func (l *livePage) render(shown shownDocument) []byte {
	o := l.options
	o.Events = fmt.Sprintf("%s?page=%d", eventsPath, l.number)
	o.Findings = shownFindings(shown)
	if shown.root != nil {
		page, err := docpage.Render(shown.root, o)
		if err == nil {
			return page
		}
		o.Findings = append(o.Findings, docpage.Finding{Severity: "error", Text: err.Error()})
	}
	page, err := docpage.RenderFindings(shown.name, o)
	if err != nil {
		return []byte(err.Error())
	}
	return page
}

func shownFindings(shown shownDocument) []docpage.Finding {
	var all []docpage.Finding
	for _, d := range shown.found.Sorted() {
		severity, position := "error", ""
		if d.Severity == diagnostic.Warning {
			severity = "warning"
		}
		if d.Pos.IsValid() {
			position = d.Pos.String()
		}
		all = append(all, docpage.Finding{Severity: severity, Position: position, Text: d.Text()})
	}
	if shown.fault != nil {
		all = append(all, docpage.Finding{Severity: "error", Text: shown.fault.Error()})
	}
	return all
}

// current returns the page with its number, and what is closed when it is another
// one.
func (l *livePage) current() (page []byte, number int, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.page, l.number, l.changed
}

func (l *livePage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		page, _, _ := l.current()
		header := w.Header()
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", docpage.Policy(l.options))
		header.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(page) // an error is that of the browser, which has gone
	case "/" + eventsPath:
		l.events(w, r)
	default:
		http.NotFound(w, r)
	}
}

// events sends an event as soon as the page is another one than that which asks.
func (l *livePage) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, "retry: 500\n\n")
	flush := http.NewResponseController(w)
	for {
		if flush.Flush() != nil {
			return // the browser has gone
		}
		_, number, changed := l.current()
		if strconv.Itoa(number) != r.URL.Query().Get("page") {
			_, _ = io.WriteString(w, "event: changed\ndata: \n\n")
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		}
	}
}
