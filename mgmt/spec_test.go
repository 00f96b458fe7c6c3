package mgmt_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// A sent request, as the server has it.
type sent struct{ method, uri, body, contentType string }

// record serves every request with one answer, and returns what was sent.
func record(t *testing.T, status int, body string, call func(*mgmt.Client) error) (sent, error) {
	t.Helper()
	var got sent
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		got = sent{r.Method, r.RequestURI, string(text), r.Header.Get("Content-Type")}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
	err := call(client)
	return got, err
}

func serve(t *testing.T, handler http.HandlerFunc) *mgmt.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return open(t, mgmt.Config{URL: server.URL})
}

func open(t *testing.T, config mgmt.Config) *mgmt.Client {
	t.Helper()
	client, err := mgmt.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	return client
}

func TestB6_DeclareQueue(t *testing.T) {
	for name, test := range map[string]struct {
		vhost    string
		settings mgmt.QueueSettings
		want     sent
	}{
		"durable, in the default vhost, unless said otherwise": {
			"",
			mgmt.QueueSettings{},
			sent{"PUT", "/api/queues/%2F/q", `{"durable":true,"auto_delete":false,"arguments":{}}`, "application/json"},
		},
		"transient": {
			"/",
			mgmt.QueueSettings{Transient: true, AutoDelete: true},
			sent{"PUT", "/api/queues/%2F/q", `{"durable":false,"auto_delete":true,"arguments":{}}`, "application/json"},
		},
		"arguments": {
			"a b",
			mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": "quorum", "x-max-length": int64(1 << 60)}, Node: "n@h"},
			sent{"PUT", "/api/queues/a%20b/q", `{"durable":true,"auto_delete":false,"arguments":{"x-max-length":1152921504606846976,"x-queue-type":"quorum"},"node":"n@h"}`, "application/json"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := record(t, 201, "", func(c *mgmt.Client) error { return c.DeclareQueue(t.Context(), test.vhost, "q", test.settings) })
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestCondition_IsAQueryParameter(t *testing.T) {
	for want, call := range map[string]func(*mgmt.Client) error{
		"/api/queues/%2F/q?if-empty=true&if-unused=true": func(c *mgmt.Client) error { return c.DeleteQueue(t.Context(), "", "q", mgmt.IfUnused, mgmt.IfEmpty) },
		"/api/queues/%2F/q":                   func(c *mgmt.Client) error { return c.DeleteQueue(t.Context(), "", "q") },
		"/api/exchanges/%2F/x?if-unused=true": func(c *mgmt.Client) error { return c.DeleteExchange(t.Context(), "", "x", mgmt.IfUnused) },
	} {
		got, err := record(t, 204, "", call)
		require.NoError(t, err)
		require.Equal(t, want, got.uri)
	}
}

func TestB7_QueueBindings(t *testing.T) {
	var bindings []mgmt.BindingInfo
	got, err := record(t, 200, `[{"source":"","destination":"q","routing_key":"q"},{"source":"x","vhost":"/","destination":"q","destination_type":"queue","routing_key":"k","arguments":{"a":1},"properties_key":"k~h"}]`,
		func(c *mgmt.Client) (err error) {
			bindings, err = c.QueueBindings(t.Context(), "", "q")
			return err
		})
	require.NoError(t, err)
	require.Equal(t, sent{"GET", "/api/queues/%2F/q/bindings", "", ""}, got)
	require.Len(t, bindings, 2)
	bindings[1].Raw = nil
	require.Equal(t, mgmt.BindingInfo{
		Source: "x", VHost: "/", Destination: "q", DestinationType: "queue", RoutingKey: "k",
		Arguments: mgmt.Table{"a": int64(1)}, PropertiesKey: "k~h",
	}, bindings[1])
}

func TestB8_BindQueue(t *testing.T) {
	for name, test := range map[string]struct {
		settings mgmt.BindingSettings
		want     string
	}{
		"an empty key and no arguments": {mgmt.BindingSettings{}, `{"routing_key":"","arguments":{}}`},
		"a key and arguments":           {mgmt.BindingSettings{RoutingKey: "a.#", Arguments: mgmt.Table{"x-match": "all"}}, `{"routing_key":"a.#","arguments":{"x-match":"all"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := record(t, 201, "", func(c *mgmt.Client) error { return c.BindQueue(t.Context(), "", "q", "x", test.settings) })
			require.NoError(t, err)
			require.Equal(t, sent{"POST", "/api/bindings/%2F/e/x/q/q", test.want, "application/json"}, got)
		})
	}
}

func TestB9_PutParameterSendsTheTableAsItIs(t *testing.T) {
	for name, test := range map[string]struct {
		value mgmt.Table
		want  string
	}{
		"B10: a shovel wrapped by the caller": {mgmt.Table{"value": mgmt.Table{"src-queue": "a"}}, `{"value":{"src-queue":"a"}}`},
		"anything else":                       {mgmt.Table{"a": 1, "name": "other"}, `{"a":1,"name":"other"}`},
		"nil":                                 {nil, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := record(t, 204, "", func(c *mgmt.Client) error { return c.PutParameter(t.Context(), "shovel", "", "s 1", test.value) })
			require.NoError(t, err)
			require.Equal(t, sent{"PUT", "/api/parameters/shovel/%2F/s%201", test.want, "application/json"}, got)
		})
	}
}

func TestB10_PutShovelWrapsTheDefinition(t *testing.T) {
	got, err := record(t, 201, "", func(c *mgmt.Client) error {
		return c.PutShovel(t.Context(), "v/1", "s", mgmt.ShovelSettings{SourceQueue: "a", DestQueue: "b", SourceDeleteAfter: mgmt.QueueLength})
	})
	require.NoError(t, err)
	require.Equal(t, "/api/parameters/shovel/v%2F1/s", got.uri)
	require.JSONEq(t, `{"value":{"src-protocol":"amqp091","src-uri":["amqp:///v%2F1"],"src-queue":"a","src-delete-after":"queue-length",
		"dest-protocol":"amqp091","dest-uri":["amqp:///v%2F1"],"dest-queue":"b","ack-mode":"on-confirm"}}`, got.body)
}

func TestB11_DeleteParameter(t *testing.T) {
	got, err := record(t, 204, "", func(c *mgmt.Client) error { return c.DeleteParameter(t.Context(), "shovel", "v", "s") })
	require.NoError(t, err)
	require.Equal(t, sent{"DELETE", "/api/parameters/shovel/v/s", "", ""}, got)
}

func TestB12_ShovelStatuses(t *testing.T) {
	var shovels []mgmt.ShovelStatus
	got, err := record(t, 200, `[{"name":"s","vhost":"/","state":"running","remaining":"unlimited","forwarded":0,"timestamp":"2026-11-20 8:45:25"}]`,
		func(c *mgmt.Client) (err error) {
			shovels, err = c.ShovelStatuses(t.Context(), mgmt.AllVHosts())
			return err
		})
	require.NoError(t, err)
	require.Equal(t, sent{"GET", "/api/shovels", "", ""}, got)
	require.Len(t, shovels, 1)
	require.True(t, shovels[0].IsRunning())
	require.True(t, shovels[0].Remaining.IsMismatch())
	require.Equal(t, mgmt.Some[int64](0), shovels[0].Forwarded)
	require.Equal(t, "2026-11-20 08:45:25 +0000 UTC", shovels[0].Time().String())
}

func TestB3_EntriesKeepTheKeysThatHaveNoField(t *testing.T) {
	const entry = `{"name":"s","new_key":{"n":9007199254740993},"state":"running","source":"x"}`
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "["+entry+"]") })
	shovels, err := client.ShovelStatuses(t.Context(), mgmt.AllVHosts())
	require.NoError(t, err)
	require.JSONEq(t, entry, string(shovels[0].Raw))
	require.Equal(t, map[string]any{"n": int64(9007199254740993)}, shovels[0].Fields()["new_key"])
	bindings, err := client.QueueBindings(t.Context(), "/", "q")
	require.NoError(t, err)
	require.JSONEq(t, entry, string(bindings[0].Raw))
	require.Equal(t, "x", bindings[0].Fields()["source"])
}

func TestB19_ShovelsWithoutThePluginAre404(t *testing.T) {
	for name, body := range map[string]string{"as recorded": `{"error":"Object Not Found","reason":"Not Found"}`, "without a body": ""} {
		t.Run(name, func(t *testing.T) {
			_, err := record(t, 404, body, func(c *mgmt.Client) error {
				_, err := c.ShovelStatuses(t.Context(), mgmt.AllVHosts())
				return err
			})
			require.ErrorIs(t, err, mgmt.ErrPluginDisabled)
			require.ErrorIs(t, err, mgmt.ErrNotFound)
			var e *mgmt.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, 404, e.Status)
		})
	}
	t.Run("what else answers 404 says nothing of plugins", func(t *testing.T) {
		_, err := record(t, 404, "<html>", func(c *mgmt.Client) error {
			_, err := c.ShovelStatuses(t.Context(), mgmt.AllVHosts())
			return err
		})
		require.ErrorIs(t, err, mgmt.ErrNotAPI)
		require.NotErrorIs(t, err, mgmt.ErrPluginDisabled)
	})
}

func TestB4_PathsAreBelowTheConfiguredAddress(t *testing.T) {
	for base, want := range map[string]string{"": "/api/overview", "/": "/api/overview", "/rabbit": "/rabbit/api/overview", "/a%2Fb//": "/a%2Fb/api/overview"} {
		t.Run(base, func(t *testing.T) {
			var got string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.RequestURI
				io.WriteString(w, "{}")
			}))
			defer server.Close()
			_, err := open(t, mgmt.Config{URL: server.URL + base}).Overview(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, got, "B21: /api, and no version")
		})
	}
}

// connections counts those that a server has accepted.
func connections(server *httptest.Server) *atomic.Int64 {
	var opened atomic.Int64
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	return &opened
}

func TestB14_AllCallsShareOnePooledSession(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "[]") }))
	opened := connections(server)
	server.Start()
	defer server.Close()
	client := open(t, mgmt.Config{URL: server.URL})
	require.Zero(t, opened.Load(), "made on first use")
	for range 50 {
		_, err := client.Queues(t.Context(), mgmt.In("/"))
		require.NoError(t, err)
		require.NoError(t, client.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{}))
	}
	require.EqualValues(t, 1, opened.Load())
}

func TestB14_AsManyConnectionsAsCallsAreKept(t *testing.T) {
	const calls = 8
	var arrived sync.WaitGroup
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived.Done()
		arrived.Wait()
		io.WriteString(w, "{}")
	}))
	opened := connections(server)
	server.Start()
	defer server.Close()
	client := open(t, mgmt.Config{URL: server.URL})
	for range 3 {
		arrived.Add(calls)
		var all []*mgmt.Pending[mgmt.OverviewInfo]
		for range calls {
			all = append(all, mgmt.Go(func() (mgmt.OverviewInfo, error) { return client.Overview(t.Context()) }))
		}
		for _, pending := range all {
			_, err := pending.Wait(t.Context())
			require.NoError(t, err)
		}
	}
	require.EqualValues(t, calls, opened.Load())
}

func TestB14_EveryMethodIsSafeForConcurrentUse(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `[{"name":"`+r.URL.Path+`"}]`) })
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			vhost := string(rune('a' + i))
			for range 20 {
				queues, err := client.Queues(t.Context(), mgmt.In(vhost))
				if err != nil || len(queues) != 1 || queues[0].Name != "/api/queues/"+vhost {
					t.Errorf("%v, %v", queues, err)
				}
			}
		})
	}
	all.Wait()
}

func TestB15_CloseEndsTheSession(t *testing.T) {
	closed := make(chan struct{}, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	client := open(t, mgmt.Config{URL: server.URL})
	mgmt.KeepIdle(client) // so that only Close ends the connection
	_, err := client.Overview(t.Context())
	require.NoError(t, err)
	require.NoError(t, client.Close())
	<-closed
	_, err = client.Overview(t.Context())
	require.ErrorIs(t, err, mgmt.ErrClosed)
	require.EqualError(t, err, "read overview: the client is closed", "nothing was asked")
	require.NoError(t, client.Close(), "a second time does nothing")
}

func TestB13_CloseSendsNothing(t *testing.T) {
	client := open(t, mgmt.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		t.Error("something was sent")
		return answer(500, "", ""), nil
	})})
	require.NoError(t, client.Close(), "without a session there is nothing to close")
	_, err := client.Overview(t.Context())
	require.ErrorIs(t, err, mgmt.ErrClosed)
}

func TestB15_WithoutCloseTheSessionEndsByItself(t *testing.T) {
	pool := mgmt.NewPool(mgmt.Config{})
	require.Equal(t, mgmt.IdleTimeout, pool.IdleConnTimeout)
	require.Less(t, pool.IdleConnTimeout.Seconds(), 5.0, "before the broker gives up")
}

func TestClose_LetsRunningCallsEnd(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-release
		io.WriteString(w, "{}")
	})
	running := mgmt.GoErr(func() error { _, err := client.Overview(t.Context()); return err })
	<-arrived
	require.NoError(t, client.Close())
	close(release)
	_, err := running.Wait(t.Context())
	require.NoError(t, err)
}

func TestTransport_Default(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/overview" {
			w.Header().Set("X-Long", strings.Repeat("x", 300<<10))
		}
		io.WriteString(w, "{}")
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())

	t.Run("takes the certificates of TLS, as they were", func(t *testing.T) {
		trusting := &tls.Config{RootCAs: roots}
		client := open(t, mgmt.Config{URL: server.URL, TLS: trusting})
		trusting.RootCAs = x509.NewCertPool()
		_, err := client.WhoAmI(t.Context())
		require.NoError(t, err)
	})
	t.Run("trusts no other", func(t *testing.T) {
		_, err := open(t, mgmt.Config{URL: server.URL}).WhoAmI(t.Context())
		var unknown x509.UnknownAuthorityError
		require.ErrorAs(t, err, &unknown)
	})
	t.Run("bounds the header", func(t *testing.T) {
		_, err := open(t, mgmt.Config{URL: server.URL, TLS: &tls.Config{RootCAs: roots}}).Overview(t.Context())
		require.ErrorContains(t, err, "header")
	})
	t.Run("goes through the environment's proxy", func(t *testing.T) {
		require.NotNil(t, mgmt.NewPool(mgmt.Config{}).Proxy)
	})
}

func TestClient_SendsItsUserAgentAndNoAccept(t *testing.T) {
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "" || r.Header.Get("Accept") != "" || r.Header.Get("User-Agent") != "warren-mgmt" {
			t.Errorf("%v", r.Header)
		}
		io.WriteString(w, "{}")
	})
	_, err := client.Overview(t.Context())
	require.NoError(t, err)
}
