package mgmt_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestShovelSettings_AreKeysOfTheDefinition(t *testing.T) {
	for name, test := range map[string]struct {
		settings mgmt.ShovelSettings
		key      string
		want     string // JSON; empty for absent
	}{
		"its own broker unless said otherwise": {mgmt.ShovelSettings{}, "src-uri", `["amqp:///%2F"]`},
		"URIs":                                 {mgmt.ShovelSettings{DestURIs: []string{"amqp://u:p@a", "amqp://b"}}, "dest-uri", `["amqp://u:p@a","amqp://b"]`},
		"never deleted":                        {mgmt.ShovelSettings{}, "src-delete-after", ""},
		"deleted after messages":               {mgmt.ShovelSettings{SourceDeleteAfter: 7}, "src-delete-after", "7"},
		"deleted after the length":             {mgmt.ShovelSettings{SourceDeleteAfter: mgmt.QueueLength}, "src-delete-after", `"queue-length"`},
		"reconnects by default":                {mgmt.ShovelSettings{}, "reconnect-delay", ""},
		"reconnects after a second":            {mgmt.ShovelSettings{ReconnectDelay: time.Millisecond}, "reconnect-delay", "1"},
		"reconnects never":                     {mgmt.ShovelSettings{ReconnectNever: true, ReconnectDelay: time.Second}, "reconnect-delay", "0"},
		"loses nothing by default":             {mgmt.ShovelSettings{}, "ack-mode", `"on-confirm"`},
		"prefetch":                             {mgmt.ShovelSettings{SourcePrefetch: 3}, "src-prefetch-count", "3"},
		"exchange":                             {mgmt.ShovelSettings{SourceExchange: "x", SourceExchangeKey: "k"}, "src-exchange-key", `"k"`},
		"no exchange":                          {mgmt.ShovelSettings{SourceQueue: "q"}, "src-exchange", ""},
		"a field rather than another key": {mgmt.ShovelSettings{
			AddForwardHeaders: true, OtherKeys: mgmt.Table{"dest-add-forward-headers": false},
		}, "dest-add-forward-headers", "true"},
		"URIs rather than another key": {mgmt.ShovelSettings{
			SourceURIs: []string{"amqp://a"}, OtherKeys: mgmt.Table{"src-uri": []any{}},
		}, "src-uri", `["amqp://a"]`},
		"whatever has no field": {mgmt.ShovelSettings{OtherKeys: mgmt.Table{"src-protocol": "amqp10"}}, "src-protocol", `"amqp10"`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := record(t, 201, "", func(c *mgmt.Client) error { return c.PutShovel(t.Context(), "", "s", test.settings) })
			require.NoError(t, err)
			var body struct{ Value map[string]json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(got.body), &body))
			require.Equal(t, test.want, string(body.Value[test.key]))
		})
	}
}

func TestFederationUpstreamSettings_AreKeysOfTheDefinition(t *testing.T) {
	got, err := record(t, 201, "", func(c *mgmt.Client) error {
		return c.PutFederationUpstream(t.Context(), "", "u", mgmt.FederationUpstreamSettings{
			URIs: []string{"amqp://u:p@a"}, MaxHops: 1, Prefetch: 3, ReconnectDelay: 4 * time.Second, Expires: time.Second,
			MessageTTL: mgmt.Some(time.Duration(0)), AckMode: "no-ack", OtherKeys: mgmt.Table{"trust-user-id": true, "max-hops": int64(-1)},
		})
	})
	require.NoError(t, err)
	require.Equal(t, "/api/parameters/federation-upstream/%2F/u", got.uri)
	require.JSONEq(t, `{"value":{"uri":["amqp://u:p@a"],"max-hops":1,"prefetch-count":3,"reconnect-delay":4,"expires":1000,
		"message-ttl":0,"ack-mode":"no-ack","trust-user-id":true}}`, got.body)

	got, err = record(t, 201, "", func(c *mgmt.Client) error {
		return c.PutFederationUpstream(t.Context(), "", "u", mgmt.FederationUpstreamSettings{URIs: []string{"amqp://a"}})
	})
	require.NoError(t, err)
	require.JSONEq(t, `{"value":{"uri":["amqp://a"]}}`, got.body, "what isn't set is left to the broker")
}

// What the API has for a parameter is put again as it was, whether it has a field
// or not.
func TestShovelInfo_KeepsEveryKey(t *testing.T) {
	for value, want := range map[string]mgmt.ShovelSettings{
		`{"src-uri":"amqp://a","src-queue":"q","dest-uri":["amqp://b","amqp://c"],"dest-queue":"d","src-protocol":"amqp091","dest-protocol":"amqp091","ack-mode":"on-confirm"}`: {
			SourceURIs: []string{"amqp://a"}, SourceQueue: "q", DestURIs: []string{"amqp://b", "amqp://c"}, DestQueue: "d", AckMode: "on-confirm",
		},
		`{"src-protocol":"amqp10","src-address":"x","src-delete-after":"never","reconnect-delay":0,"src-prefetch-count":0,"dest-add-forward-headers":false,"n":9007199254740993}`: {
			ReconnectNever: true,
			OtherKeys: mgmt.Table{
				"src-protocol": "amqp10", "src-address": "x", "src-delete-after": "never", "src-prefetch-count": int64(0), "dest-add-forward-headers": false, "n": int64(9007199254740993),
			},
		},
		`{"src-uri":[],"dest-uri":["amqp://a",1],"reconnect-delay":1.5,"src-queue":"","src-delete-after":"queue-length","src-prefetch-count":"9","ack-mode":["x"]}`: {
			SourceDeleteAfter: mgmt.QueueLength,
			OtherKeys: mgmt.Table{
				"src-uri": []any{}, "dest-uri": []any{"amqp://a", int64(1)}, "reconnect-delay": 1.5, "src-queue": "", "src-prefetch-count": "9", "ack-mode": []any{"x"},
			},
		},
		`{"reconnect-delay":9223372037,"src-delete-after":12}`: {SourceDeleteAfter: 12, OtherKeys: mgmt.Table{"reconnect-delay": int64(9223372037)}},
		`{"reconnect-delay":9223372036}`:                       {ReconnectDelay: 9223372036 * time.Second},
		`[]`:                                                   {},
	} {
		t.Run(value, func(t *testing.T) {
			var puts []string
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPut {
					body, _ := io.ReadAll(r.Body)
					puts = append(puts, string(body))
					return
				}
				io.WriteString(w, `{"name":"s","vhost":"v","component":"shovel","value":`+value+`}`)
			})
			info, err := client.Shovel(t.Context(), "v", "s")
			require.NoError(t, err)
			require.Equal(t, mgmt.ShovelInfo{Name: "s", VHost: "v", ShovelSettings: want}, info)
			require.NoError(t, client.PutShovel(t.Context(), "v", "s", info.ShovelSettings))
			var put struct{ Value map[string]any }
			require.NoError(t, json.Unmarshal([]byte(puts[0]), &put))
			had := make(map[string]any)
			json.Unmarshal([]byte(value), &had)
			for key, value := range had {
				if uri, isText := value.(string); isText && strings.HasSuffix(key, "-uri") {
					value = []any{uri}
				}
				require.Equal(t, value, put.Value[key], key)
			}
		})
	}
}

func TestFederationUpstreamInfo_KeepsEveryKey(t *testing.T) {
	for value, want := range map[string]mgmt.FederationUpstreamSettings{
		`{"uri":"amqp://a","exchange":"x","queue":"q","max-hops":2,"prefetch-count":3,"reconnect-delay":4,"expires":5,"message-ttl":6,"ack-mode":"no-ack"}`: {
			URIs: []string{"amqp://a"}, Exchange: "x", Queue: "q", MaxHops: 2, Prefetch: 3, ReconnectDelay: 4 * time.Second, Expires: 5 * time.Millisecond,
			MessageTTL: mgmt.Some(6 * time.Millisecond), AckMode: "no-ack",
		},
		`{"uri":["amqp://a"],"message-ttl":0,"max-hops":-1,"trust-user-id":false}`: {
			URIs: []string{"amqp://a"}, MessageTTL: mgmt.Some(time.Duration(0)), OtherKeys: mgmt.Table{"max-hops": int64(-1), "trust-user-id": false},
		},
		`{"message-ttl":-1}`: {OtherKeys: mgmt.Table{"message-ttl": int64(-1)}},
	} {
		client := open(t, mgmt.Config{Transport: always(200, `[{"name":"u","vhost":"v","value":`+value+`}]`)})
		list, err := client.FederationUpstreams(t.Context(), mgmt.In("v"))
		require.NoError(t, err)
		require.Equal(t, []mgmt.FederationUpstreamInfo{{Name: "u", VHost: "v", FederationUpstreamSettings: want}}, list)
	}
	client := open(t, mgmt.Config{Transport: always(500, "")})
	list, err := client.FederationUpstreams(t.Context(), mgmt.AllVHosts())
	require.Error(t, err)
	require.Nil(t, list, "a failed list is nil")
}

func TestPutFederationUpstream_NeedsURIs(t *testing.T) {
	_, err := record(t, 201, "", func(c *mgmt.Client) error {
		return c.PutFederationUpstream(t.Context(), "", "u", mgmt.FederationUpstreamSettings{MaxHops: 1})
	})
	require.ErrorContains(t, err, "URIs")
}

// states serves one list of shovels after the other, and the last one again.
func states(t *testing.T, lists ...string) *mgmt.Client {
	t.Helper()
	return open(t, mgmt.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		list := lists[0]
		if len(lists) > 1 {
			lists = lists[1:]
		}
		return answer(200, "application/json", list), nil
	})})
}

func TestAwaitShovelRunning_WaitsForTheState(t *testing.T) {
	const (
		other      = `[{"name":"s","vhost":"other","state":"running"},{"name":"t","vhost":"/","state":"running"}]`
		starting   = `[{"name":"s","vhost":"/","state":"starting"}]`
		terminated = `[{"name":"s","vhost":"/","state":"terminated","reason":"\"failed to connect\""}]`
		running    = `[{"name":"s","vhost":"/","state":"running"}]`
		blocked    = `[{"name":"s","vhost":"/","state":"blocked"}]`
	)
	for name, lists := range map[string][]string{
		"at last": {"[]", other, starting, terminated, starting, running}, "blocked": {starting, blocked},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				require.NoError(t, states(t, lists...).AwaitShovelRunning(t.Context(), "", "s"))
			})
		})
	}
	for last, want := range map[string]string{"[]": "not listed", other: "not listed", starting: "starting", terminated: `terminated: "failed to connect"`} {
		t.Run("never, "+want, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				err := states(t, last).AwaitShovelRunning(ctx, "", "s")
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorContains(t, err, "last seen: "+want)
			})
		})
	}
	t.Run("not without the plugin", func(t *testing.T) {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
		require.ErrorIs(t, client.AwaitShovelRunning(t.Context(), "", "s"), mgmt.ErrPluginDisabled)
	})
}

// A shovel that is gone has finished, in a virtual host that is there.
func TestAwaitShovelFinished_TellsAMissingVHost(t *testing.T) {
	await := func(t *testing.T, shovels []int, vhost int) error {
		asked := 0
		client := open(t, mgmt.Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasPrefix(r.URL.Path, "/api/vhosts/") {
				return answer(vhost, "application/json", `{"name":"v","error":"Object Not Found"}`), nil
			}
			status := shovels[asked]
			asked++
			return answer(status, "application/json", `{"name":"s","error":"Object Not Found"}`), nil
		})})
		err := client.AwaitShovelFinished(t.Context(), "v", "s")
		require.Equal(t, len(shovels), asked)
		return err
	}
	synctest.Test(t, func(t *testing.T) {
		require.NoError(t, await(t, []int{200, 200, 404}, 200))
		require.ErrorIs(t, await(t, []int{404}, 404), mgmt.ErrNotFound)
		require.ErrorIs(t, await(t, []int{200, 401}, 200), mgmt.ErrUnauthorized)
	})
}

func TestSafeDeleteQueue_NeverTrustsTheCount(t *testing.T) {
	for name, test := range map[string]struct {
		queue     string // as the API tells it
		ready     int    // as AMQP tells it
		consumers int
		inspector bool
		deleted   string // the query of the request; "no" for none
	}{
		"a classic queue is deleted if empty and unused": {`{"type":"classic","messages":0}`, 5, 5, true, "if-empty=true&if-unused=true"},
		"also without an inspector":                      {`{"type":"classic"}`, 0, 0, false, "if-empty=true&if-unused=true"},
		"a quorum queue that AMQP calls empty":           {`{"type":"quorum","messages":7}`, 0, 0, true, ""},
		"a quorum queue that only the API calls empty":   {`{"type":"quorum","messages":0}`, 1, 0, true, "no"},
		"a quorum queue with consumers":                  {`{"type":"quorum","messages":0}`, 0, 1, true, "no"},
		"a quorum queue with unacknowledged messages":    {`{"type":"quorum","messages_unacknowledged":1}`, 0, 0, true, "no"},
		"a quorum queue without an inspector":            {`{"type":"quorum","messages":0}`, 0, 0, false, "no"},
		"a stream":                                       {`{"type":"stream","messages":0}`, 0, 0, true, "no"},
		"a queue of a type that isn't told":              {`{"messages":0}`, 0, 0, false, "no"},
	} {
		t.Run(name, func(t *testing.T) {
			deleted := "no"
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodDelete {
					deleted = r.URL.RawQuery
					w.WriteHeader(http.StatusNoContent)
					return
				}
				io.WriteString(w, test.queue)
			})
			var inspector mgmt.Inspector
			if test.inspector {
				inspector = inspected{test.ready, test.consumers}
			}
			err := mgmt.SafeDeleteQueue(t.Context(), client, "", "q", inspector)
			require.Equal(t, test.deleted, deleted)
			require.Equal(t, deleted != "no", err == nil)
		})
	}
	t.Run("what the broker refuses is in use", func(t *testing.T) {
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodDelete {
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, `{"error":"bad_request","reason":"queue 'q' in vhost '/' is not empty"}`)
				return
			}
			io.WriteString(w, `{"type":"classic"}`)
		})
		require.ErrorIs(t, mgmt.SafeDeleteQueue(t.Context(), client, "", "q", nil), mgmt.ErrInUse)
	})
}

// What can't be asked isn't touched.
func TestSafe_EndsWhereAQueueIsNotTold(t *testing.T) {
	for _, untold := range []string{"from", "to"} {
		changed := 0
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method != http.MethodGet:
				changed++
				w.WriteHeader(http.StatusNoContent)
			case strings.HasSuffix(r.URL.Path, "/"+untold):
				w.WriteHeader(http.StatusUnauthorized)
			case strings.HasSuffix(r.URL.Path, "/bindings"):
				io.WriteString(w, "[]")
			default:
				io.WriteString(w, `{"type":"classic"}`)
			}
		})
		require.ErrorIs(t, mgmt.SafeDeleteQueue(t.Context(), client, "", untold, inspected{}), mgmt.ErrUnauthorized)
		require.ErrorIs(t, mgmt.SafeMigrateQueue(t.Context(), client, "", "from", "to", inspected{}), mgmt.ErrUnauthorized)
		require.Zero(t, changed, untold)
	}
}

// The default exchange has a binding for each queue, which nobody may make or undo.
func TestSafeMigrateQueue_LeavesTheDefaultExchangesBinding(t *testing.T) {
	var asked []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/queues///from/bindings"):
			io.WriteString(w, `[{"source":"","destination":"from","routing_key":"from","properties_key":"from"},
				{"source":"x","destination":"from","routing_key":"k","properties_key":"k"}]`)
		case strings.HasPrefix(r.URL.Path, "/api/bindings/"):
			asked = append(asked, r.Method+" "+r.URL.Path)
			w.WriteHeader(http.StatusCreated)
		case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/api/parameters/shovel/"):
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet:
			io.WriteString(w, `{"type":"classic"}`)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
	require.NoError(t, mgmt.SafeMigrateQueue(t.Context(), client, "", "from", "to", nil))
	require.Equal(t, []string{"POST /api/bindings///e/x/q/to", "DELETE /api/bindings///e/x/q/from/k"}, asked)
}

func TestSafeMigrateQueue_LeavesNoShovel(t *testing.T) {
	for name, test := range map[string]struct {
		ends    string // the request at which the context ends
		deleted bool
	}{
		"that may have been made": {"PUT", true},
		"that moves messages":     {"GET", true},
		"that the broker refuses": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			deleted := false
			client := open(t, mgmt.Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				switch {
				case strings.HasPrefix(r.URL.Path, "/api/parameters/shovel/") && r.Method == test.ends:
					cancel()
					return nil, r.Context().Err()
				case r.Method == http.MethodDelete:
					deleted = true
				case r.Method == http.MethodPut && test.ends == "":
					return answer(400, "application/json", `{"error":"bad_request","reason":"x"}`), nil
				case strings.HasSuffix(r.URL.Path, "/bindings"):
					return answer(200, "application/json", `[]`), nil
				}
				return answer(200, "application/json", `{"type":"classic"}`), nil
			})})
			require.Error(t, mgmt.SafeMigrateQueue(ctx, client, "", "a", "b", nil))
			require.Equal(t, test.deleted, deleted)
		})
	}
}

// inspected is an inspector that knows the answer.
type inspected struct{ ready, consumers int }

func (i inspected) InspectQueue(context.Context, string, string) (int, int, error) {
	return i.ready, i.consumers, nil
}
