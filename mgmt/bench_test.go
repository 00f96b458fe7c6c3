//go:build unix

package mgmt_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// queueList is a list of n queues, made of the recorded ones of 4.3.
func queueList(b *testing.B, n int) []byte {
	b.Helper()
	for _, r := range recorded(b, "4.3") {
		if r.File == "queues.json" {
			var queues []json.RawMessage
			require.NoError(b, json.Unmarshal(r.body, &queues))
			all := make([]json.RawMessage, n)
			for i := range all {
				all[i] = queues[i%len(queues)]
			}
			body, err := json.Marshal(all)
			require.NoError(b, err)
			return body
		}
	}
	b.Fatal("no list is recorded")
	return nil
}

// mirror is the type that one would write for encoding/json alone: pointers for
// what may be missing.
func mirror(t reflect.Type) reflect.Type {
	switch {
	case t == reflect.TypeFor[mgmt.Table]():
		return reflect.TypeFor[map[string]any]()
	case strings.HasPrefix(t.Name(), "Opt["):
		return reflect.PointerTo(mirror(t.Field(0).Type))
	case t.Kind() == reflect.Slice:
		return reflect.SliceOf(mirror(t.Elem()))
	case t.Kind() == reflect.Pointer:
		return reflect.PointerTo(mirror(t.Elem()))
	case t.Kind() != reflect.Struct:
		return t
	}
	var fields []reflect.StructField
	for field := range t.Fields() {
		fields = append(fields, reflect.StructField{Name: field.Name, Tag: field.Tag, Type: mirror(field.Type)})
	}
	return reflect.StructOf(fields)
}

// A cost is of one run.
type cost struct {
	cpu    time.Duration
	bytes  uint64
	allocs uint64
}

func measure(run func()) cost {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cpu()
	run()
	spent := cpu() - start
	runtime.ReadMemStats(&after)
	return cost{spent, after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// compare runs both in turns and returns the cost of each: the median of CPU
// time, and memory.
func compare(b *testing.B, own, other func()) (cost, cost) {
	const rounds = 7
	own()
	other()
	var owns, others []cost
	for range rounds * b.N {
		owns = append(owns, measure(own))
		others = append(others, measure(other))
	}
	return median(owns), median(others)
}

func median(costs []cost) cost {
	slices.SortFunc(costs, func(a, b cost) int { return int(a.cpu - b.cpu) })
	return costs[len(costs)/2]
}

func report(b *testing.B, own, other cost, elements int) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(own.cpu)/float64(other.cpu), "x-cpu")
	b.ReportMetric(float64(own.bytes)/float64(other.bytes), "x-bytes")
	b.ReportMetric(float64(own.allocs)/float64(elements), "allocs/queue")
	b.ReportMetric(float64(own.bytes)/(1<<20), "MiB")
}

// BenchmarkQueues lists 10,000 queues, against net/http and encoding/json into a
// struct of the same keys: as a slice, and as a sequence.
func BenchmarkQueues(b *testing.B) {
	const n = 10_000
	body := queueList(b, n)
	transport := roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
			ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)),
		}, nil
	})
	client, err := mgmt.New(mgmt.Config{Transport: transport})
	require.NoError(b, err)
	plain := &http.Client{Transport: transport}
	kind := reflect.SliceOf(mirror(reflect.TypeFor[mgmt.QueueInfo]()))
	other := func() {
		response, err := plain.Get("http://localhost:15672/api/queues")
		require.NoError(b, err)
		queues := reflect.New(kind)
		require.NoError(b, json.NewDecoder(response.Body).Decode(queues.Interface()))
		require.NoError(b, response.Body.Close())
		require.Equal(b, n, queues.Elem().Len())
	}
	b.Run("slice", func(b *testing.B) {
		own, others := compare(b, func() {
			queues, err := client.Queues(b.Context(), mgmt.AllVHosts())
			require.NoError(b, err)
			require.Len(b, queues, n)
		}, other)
		report(b, own, others, n)
	})
	b.Run("sequence", func(b *testing.B) {
		seen := 0
		own, others := compare(b, func() {
			seen = 0
			for _, err := range client.QueuesSeq(b.Context(), mgmt.AllVHosts()) {
				if err != nil {
					b.Fatal(err)
				}
				seen++
			}
		}, other)
		require.Equal(b, n, seen)
		report(b, own, others, n)
		b.ReportMetric(float64(held(client, b))/(1<<10), "KiB-held")
	})
}

// held is how much more of the heap is in use in the middle of a sequence than
// at its start.
func held(client *mgmt.Client, b *testing.B) int64 {
	var first, later runtime.MemStats
	seen := 0
	for range client.QueuesSeq(b.Context(), mgmt.AllVHosts()) {
		switch seen++; seen {
		case 1000:
			runtime.GC()
			runtime.ReadMemStats(&first)
		case 9000:
			runtime.GC()
			runtime.ReadMemStats(&later)
		}
	}
	return int64(later.HeapAlloc) - int64(first.HeapAlloc)
}

// BenchmarkSmallCall reads who one is, over loopback, against net/http with
// encoding/json.
func BenchmarkSmallCall(b *testing.B) {
	const calls = 1000
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"name":"guest","tags":["administrator"],"is_internal_user":true}`)
	}))
	defer server.Close()
	client, err := mgmt.New(mgmt.Config{URL: server.URL})
	require.NoError(b, err)
	plain := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	var who struct {
		Name string `json:"name"`
	}
	own, floor := compare(b, func() {
		for range calls {
			if err := client.Do(b.Context(), "GET", []string{"whoami"}, nil, nil, &who); err != nil {
				b.Fatal(err)
			}
		}
	}, func() {
		for range calls {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+"/api/whoami", nil)
			require.NoError(b, err)
			request.SetBasicAuth("guest", "guest")
			response, err := plain.Do(request)
			require.NoError(b, err)
			require.NoError(b, json.NewDecoder(response.Body).Decode(&who))
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	})
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(own.cpu)/float64(floor.cpu), "x-cpu")
	b.ReportMetric((float64(own.allocs)-float64(floor.allocs))/calls, "allocs-more/call")
	b.ReportMetric((float64(own.bytes)-float64(floor.bytes))/(1<<10)/calls, "KiB-more/call")
}
