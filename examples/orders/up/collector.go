package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// maxExport is how many bytes an export has at most.
const maxExport = 16 << 20

// settled is how long no span of a trace has come when the trace is printed. It is some
// times exportInterval, so that spans of two exports are in one tree.
const settled = time.Second

// spans are those of a trace.
type spans struct {
	all  []*trace.Span
	last time.Time // when one of them came
}

// A receiver takes traces by OTLP over HTTP, and keeps them until they settle.
type receiver struct {
	address string
	server  *http.Server
	served  chan error

	mu     sync.Mutex
	traces map[string]*spans
	order  []string // of the traces, as they came
}

func startCollector() (*receiver, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("receive OTLP: %w", err)
	}
	r := &receiver{address: "http://" + listener.Addr().String(), served: make(chan error, 1), traces: make(map[string]*spans)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", r.export)
	r.server = &http.Server{Handler: mux, ReadHeaderTimeout: patience}
	go func() { r.served <- r.server.Serve(listener) }()
	return r, nil
}

func (r *receiver) stop() error {
	err := r.server.Close()
	if served := <-r.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// export takes what a service sends.
func (r *receiver) export(w http.ResponseWriter, request *http.Request) {
	exported, err := read(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, resource := range exported.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				r.add(span)
			}
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf") // an empty body is an empty answer
}

func read(request *http.Request) (*collector.ExportTraceServiceRequest, error) {
	body := io.Reader(request.Body)
	if request.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, err
		}
		body = unpacked
	}
	text, err := io.ReadAll(io.LimitReader(body, maxExport))
	if err != nil {
		return nil, err
	}
	exported := new(collector.ExportTraceServiceRequest)
	return exported, proto.Unmarshal(text, exported)
}

func (r *receiver) add(span *trace.Span) {
	id := string(span.TraceId)
	if r.traces[id] == nil {
		r.traces[id] = new(spans)
		r.order = append(r.order, id)
	}
	of := r.traces[id]
	of.all, of.last = append(of.all, span), time.Now()
}

// printTraces prints the traces of requests as they settle, until ctx ends, or atMost of
// them have been printed; 0 is without end.
func (r *receiver) printTraces(ctx context.Context, out io.Writer, atMost int) error {
	late := time.Now().Add(patience)
	tick := time.NewTicker(settled / 10)
	defer tick.Stop()
	for printed := 0; atMost == 0 || printed < atMost; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		for _, of := range r.settled() {
			if printTrace(out, of) {
				printed++
			}
		}
		if atMost > 0 && time.Now().After(late) {
			return fmt.Errorf("%d of %d traces have come within %s", printed, atMost, patience)
		}
	}
	return nil
}

// settled returns the traces that have settled, and forgets them.
func (r *receiver) settled() (all [][]*trace.Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.order = slices.DeleteFunc(r.order, func(id string) bool {
		of := r.traces[id]
		if time.Since(of.last) <= settled {
			return false
		}
		delete(r.traces, id)
		all = append(all, of.all)
		return true
	})
	return all
}

// printTrace prints the trace of a request as a tree, and reports whether it is one.
func printTrace(out io.Writer, all []*trace.Span) bool {
	slices.SortFunc(all, func(a, b *trace.Span) int { return int(int64(a.StartTimeUnixNano) - int64(b.StartTimeUnixNano)) })
	known := make(map[string]bool)
	for _, span := range all {
		known[string(span.SpanId)] = true
	}
	isRequest := func(span *trace.Span) bool {
		return !known[string(span.ParentSpanId)] && span.Kind == trace.Span_SPAN_KIND_SERVER
	}
	i := slices.IndexFunc(all, isRequest)
	if i < 0 {
		return false
	}
	root := all[i]
	fmt.Fprintf(out, "\ntrace %x\n", root.TraceId)
	var below func(span *trace.Span, depth int)
	below = func(span *trace.Span, depth int) {
		printSpan(out, root, span, depth)
		for _, child := range all {
			if string(child.ParentSpanId) == string(span.SpanId) {
				below(child, depth+1)
			}
		}
	}
	below(root, 0)
	return true
}

func printSpan(out io.Writer, root, span *trace.Span, depth int) {
	since := func(from, to uint64) time.Duration {
		return time.Duration(int64(to) - int64(from)).Round(10 * time.Microsecond)
	}
	tenant := ""
	for _, attribute := range span.Attributes {
		if attribute.Key == "tenant.id" {
			tenant = "tenant " + attribute.Value.GetStringValue()
		}
	}
	kind := strings.ToLower(strings.TrimPrefix(span.Kind.String(), "SPAN_KIND_"))
	line := fmt.Sprintf("  %-52s %-9s at %-9s for %-9s %s", strings.Repeat("  ", depth)+span.Name, kind,
		since(root.StartTimeUnixNano, span.StartTimeUnixNano), since(span.StartTimeUnixNano, span.EndTimeUnixNano), tenant)
	fmt.Fprintln(out, strings.TrimRight(line, " "))
}
