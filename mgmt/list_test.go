package mgmt_test

import (
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// pages serves a list of n queues as the broker does, with or without pages.
func pages(t *testing.T, n int, asked *[]url.Values) *mgmt.Client {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		*asked = append(*asked, query)
		if query.Get("page") == "" {
			io.WriteString(w, "["+queueRange(0, n)+"]")
			return
		}
		var page, size int
		fmt.Sscan(query.Get("page"), &page)
		fmt.Sscan(query.Get("page_size"), &size)
		if page > 1 && (page-1)*size >= n {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":"page_out_of_range","reason":"Page out of range, page: 9 page size: 100, len: 48"}`)
			return
		}
		fmt.Fprintf(w, `{"filtered_count":%d,"items":[%s],"page":%d,"page_count":%d,"page_size":%d,"total_count":%d}`,
			n, queueRange((page-1)*size, min(n, page*size)), page, (n+size-1)/size, size, n)
	})
}

func queueRange(from, to int) string {
	var names []string
	for i := from; i < to; i++ {
		names = append(names, fmt.Sprintf(`{"name":"q%d"}`, i))
	}
	return strings.Join(names, ",")
}

func collect[T any](t *testing.T, all iter.Seq2[T, error]) []T {
	t.Helper()
	collected := []T{}
	for element, err := range all {
		require.NoError(t, err)
		collected = append(collected, element)
	}
	return collected
}

func TestPageSize_ListsAreWhole(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 600, 1000} {
		for name, options := range map[string][]mgmt.ListOption{"one answer": nil, "pages": {mgmt.PageSize(3)}, "largest pages": {mgmt.PageSize(1 << 20)}} {
			t.Run(fmt.Sprintf("%d queues in %s", n, name), func(t *testing.T) {
				var asked []url.Values
				client := pages(t, n, &asked)
				all, err := client.Queues(t.Context(), mgmt.In("/"), options...)
				require.NoError(t, err)
				require.Len(t, all, n)
				for i, queue := range all {
					require.Equal(t, fmt.Sprintf("q%d", i), queue.Name)
				}
				require.Equal(t, all, collect(t, client.QueuesSeq(t.Context(), mgmt.In("/"), options...)))
			})
		}
	}
}

func TestPageSize_ListThatShrinksEnds(t *testing.T) {
	var asked []url.Values
	n := 4
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query())
		if len(asked) == 2 {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":"page_out_of_range","reason":"x"}`)
			return
		}
		fmt.Fprintf(w, `{"items":[%s],"page_count":2}`, queueRange(0, n))
	})
	all, err := client.Queues(t.Context(), mgmt.In("/"), mgmt.PageSize(4))
	require.NoError(t, err)
	require.Len(t, all, 4)
}

func TestPageSize_NoFirstPageIsAnError(t *testing.T) {
	client := open(t, mgmt.Config{Transport: always(http.StatusBadRequest, `{"error":"page_out_of_range","reason":"x"}`)})
	_, err := client.Queues(t.Context(), mgmt.In("/"), mgmt.PageSize(4))
	require.ErrorContains(t, err, "page_out_of_range")
}

func TestPageSize_EndpointWithoutPagesIsReadOnce(t *testing.T) {
	var asked []url.Values
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query())
		io.WriteString(w, `[{"source":"a"},{"source":"b"}]`)
	})
	all, err := client.Bindings(t.Context(), mgmt.In("/"), mgmt.PageSize(1))
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Len(t, asked, 1)
}

func TestListOption_IsAQueryParameter(t *testing.T) {
	for name, test := range map[string]struct {
		options []mgmt.ListOption
		want    string
	}{
		"none":            {nil, ""},
		"columns":         {[]mgmt.ListOption{mgmt.Columns("name"), mgmt.Columns("a.b", "c")}, "columns=name,a.b,c"},
		"sort":            {[]mgmt.ListOption{mgmt.SortBy("messages"), mgmt.Descending()}, "sort=messages&sort_reverse=true"},
		"name":            {[]mgmt.ListOption{mgmt.NameContains("or&d")}, "name=or%26d&page=1&page_size=500"},
		"expression":      {[]mgmt.ListOption{mgmt.PageSize(7), mgmt.NameMatches("^a")}, "name=^a&use_regex=true&page=1&page_size=7"},
		"without stats":   {[]mgmt.ListOption{mgmt.WithoutStats()}, "disable_stats=true&enable_queue_totals=true"},
		"anything":        {[]mgmt.ListOption{mgmt.Query("lengths_age", "60")}, "lengths_age=60"},
		"pages of none":   {[]mgmt.ListOption{mgmt.PageSize(-1)}, "page=1&page_size=1"},
		"pages too large": {[]mgmt.ListOption{mgmt.PageSize(501)}, "page=1&page_size=500"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []url.Values
			client := pages(t, 1, &asked)
			_, err := client.Queues(t.Context(), mgmt.In("/"), test.options...)
			require.NoError(t, err)
			want, err := url.ParseQuery(test.want)
			require.NoError(t, err)
			require.Equal(t, []url.Values{want}, asked)
		})
	}
}

func TestSeq_CanBeReadAgain(t *testing.T) {
	var asked []url.Values
	all := pages(t, 5, &asked).QueuesSeq(t.Context(), mgmt.In("/"), mgmt.PageSize(2))
	require.Equal(t, collect(t, all), collect(t, all))
	require.Len(t, asked, 6)
}

func TestSeq_EndsWithItsFirstError(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `[{"name":"a"},{"name":"b"`) })
	var names []string
	var errs []error
	for queue, err := range client.QueuesSeq(t.Context(), mgmt.In("/")) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		names = append(names, queue.Name)
	}
	require.Equal(t, []string{"a"}, names)
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], io.ErrUnexpectedEOF)
}

func TestList_ToleratesValuesOfOtherTypes(t *testing.T) {
	for name, odd := range map[string]string{
		"text for a number":  `"messages":"many","consumer_utilisation":""`,
		"number for text":    `"policy":5,"node":{}`,
		"list for a table":   `"arguments":[],"message_stats":[]`,
		"table for a list":   `"members":{"a":1},"consumer_details":{}`,
		"null everywhere":    `"messages":null,"policy":null,"arguments":null,"message_stats":null,"members":null`,
		"list for a brief":   `"consumer_details":[{"channel_details":[],"queue":"x","consumer_tag":"t"}]`,
		"an unknown key":     `"new":{"deep":[1,{"x":[]}]}`,
		"a number too large": `"messages":99999999999999999999999`,
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, `[{"name":"a","memory":1},{"name":"b",`+odd+`,"memory":2},{"name":"c","memory":3}]`)
			})
			all, err := client.Queues(t.Context(), mgmt.In("/"))
			require.NoError(t, err)
			require.Len(t, all, 3)
			require.Equal(t, "b", all[1].Name)
			require.EqualValues(t, 2, all[1].Memory.Or(0), "what follows is read")
			require.EqualValues(t, 3, all[2].Memory.Or(0))
			_, ok := all[1].Messages.Get()
			require.False(t, ok)
		})
	}
	t.Run("elements that aren't objects, as of unknown columns", func(t *testing.T) {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `[[],{"name":"b"},[]]`) })
		all, err := client.Queues(t.Context(), mgmt.In("/"), mgmt.Columns("zzz"))
		require.NoError(t, err)
		require.Len(t, all, 3)
		require.Equal(t, "b", all[1].Name)
	})
	t.Run("a routing key that is a number", func(t *testing.T) {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `[{"routing_key":5},{"routing_key":"k"},{"routing_key":null}]`)
		})
		all, err := client.Bindings(t.Context(), mgmt.AllVHosts())
		require.NoError(t, err)
		require.Equal(t, "5", all[0].RoutingKey)
		require.Equal(t, "k", all[1].RoutingKey)
		require.Empty(t, all[2].RoutingKey)
	})
	t.Run("a single object", func(t *testing.T) {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"name":"q","policy":5,"node":"n"}`) })
		queue, err := client.Queue(t.Context(), "/", "q")
		require.NoError(t, err)
		require.Equal(t, "n", queue.Node)
	})
}

func TestQueues_FiltersTheVHostNamedDetailed(t *testing.T) {
	// On 4.x its path is an endpoint that lists the queues of all virtual hosts.
	var asked []url.Values
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query())
		io.WriteString(w, `[{"name":"a","vhost":"/"},{"name":"b","vhost":"detailed"},{"name":"c","vhost":"detailed"}]`)
	})
	all, err := client.Queues(t.Context(), mgmt.In("detailed"), mgmt.Columns("name"))
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, "b", all[0].Name)
	require.Equal(t, all, collect(t, client.QueuesSeq(t.Context(), mgmt.In("detailed"))))
	require.Equal(t, "name,vhost", asked[0].Get("columns"), "without it nothing could be filtered")
	for queue := range client.QueuesSeq(t.Context(), mgmt.In("detailed")) {
		require.Equal(t, "b", queue.Name)
		break // the list goes on
	}
}

func TestDo_ReachesEveryEndpoint(t *testing.T) {
	type brief struct{ Name string }
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/one" {
			io.WriteString(w, `{"name":"q","n":12345678901234567890}`)
			return
		}
		io.WriteString(w, `[{"name":"a"},{"name":"b"}]`)
	})
	all, err := mgmt.List[brief](t.Context(), client, []string{"top", "n@h"})
	require.NoError(t, err)
	require.Equal(t, []brief{{"a"}, {"b"}}, all)
	require.Equal(t, all, collect(t, mgmt.Seq[brief](t.Context(), client, []string{"top", "n@h"})))

	var one map[string]any
	require.NoError(t, client.Do(t.Context(), "GET", []string{"one"}, nil, nil, &one))
	require.Equal(t, "q", one["name"])
	var text strings.Builder
	require.NoError(t, client.Do(t.Context(), "GET", []string{"one"}, url.Values{"a": {"b"}}, nil, &text))
	require.JSONEq(t, `{"name":"q","n":12345678901234567890}`, text.String())
	var strict struct{ Name int }
	require.Error(t, client.Do(t.Context(), "GET", []string{"one"}, nil, nil, &strict), "what the caller asks for must fit")
	require.Error(t, client.Do(t.Context(), "NO METHOD", []string{"one"}, nil, nil, nil))
	require.NoError(t, client.Do(t.Context(), "PUT", []string{"one"}, nil, strings.NewReader("{}"), nil))
}

// FuzzList: no answer makes a list panic, hang or succeed by half.
func FuzzList(f *testing.F) {
	for _, body := range []string{"[]", `[{"name":"q","messages":1}]`, `{"items":[{}],"page_count":1}`, `[{"arguments":{"a":[1]}},[]]`, `{"items":1}`, "[", "nul", `[{"message_stats":{"ack_details":{"rate":"x"}}}]`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		client := open(t, mgmt.Config{Transport: always(200, body), MaxResponseBytes: 1 << 16})
		all, err := client.Queues(t.Context(), mgmt.In("/"))
		var streamed []mgmt.QueueInfo
		var failed error
		for queue, err := range client.QueuesSeq(t.Context(), mgmt.In("/")) {
			if failed = err; err == nil {
				streamed = append(streamed, queue)
			}
		}
		require.Equal(t, err == nil, failed == nil)
		if err == nil {
			require.Len(t, streamed, len(all))
		}
		client.Queue(t.Context(), "/", "q")
		client.Bindings(t.Context(), mgmt.In("/"))
		client.ShovelStatuses(t.Context(), mgmt.AllVHosts())
	})
}

func TestNameMatches_ImpliesPages(t *testing.T) {
	for want, option := range map[string]mgmt.ListOption{
		"/api/queues/v?name=%5Ea&page=1&page_size=500&use_regex=true": mgmt.NameMatches("^a"),
		"/api/queues/v?name=%5Ea&page=1&page_size=500":                mgmt.NameContains("^a"),
	} {
		got, err := record(t, 200, "[]", func(c *mgmt.Client) error {
			_, err := c.Queues(t.Context(), mgmt.In("v"), option)
			return err
		})
		require.NoError(t, err)
		require.Equal(t, want, got.uri)
	}
}
