package mgmt_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestErrName_OfNamesThatTheServerWouldMisread(t *testing.T) {
	client := open(t, mgmt.Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		t.Errorf("%s %s was sent", r.Method, r.URL)
		return answer(204, "", ""), nil
	})})
	ctx := t.Context()
	for kind, name := range map[string]string{
		"a dot": ".", "two dots": "..", "nothing": "", "invalid UTF-8": "a\xff", "a line break": "a\nb", "a return": "a\rb",
		"256 bytes": strings.Repeat("ä", 128),
	} {
		for act, call := range map[string]func(string) error{
			"declare a queue":     func(n string) error { return client.DeclareQueue(ctx, "/", n, mgmt.QueueSettings{}) },
			"delete a queue":      func(n string) error { return client.DeleteQueue(ctx, "/", n) },
			"read a queue":        func(n string) error { _, err := client.Queue(ctx, "/", n); return err },
			"bind a queue":        func(n string) error { return client.BindQueue(ctx, "/", n, "x", mgmt.BindingSettings{}) },
			"bind to an exchange": func(n string) error { return client.BindQueue(ctx, "/", "q", n, mgmt.BindingSettings{}) },
			"list bindings":       func(n string) error { _, err := client.QueueBindings(ctx, "/", n); return err },
			"put a parameter":     func(n string) error { return client.PutParameter(ctx, "shovel", "/", n, nil) },
			"name a component":    func(n string) error { return client.DeleteParameter(ctx, n, "/", "p") },
			"delete a vhost":      func(n string) error { return client.DeleteVHost(ctx, n) },
			"delete a user":       func(n string) error { return client.DeleteUser(ctx, n) },
		} {
			t.Run(act+" with "+kind, func(t *testing.T) {
				err := call(name)
				require.ErrorIs(t, err, mgmt.ErrName)
				require.NotContains(t, err.Error(), "\n")
				require.NotContains(t, err.Error(), "/api", "nothing was asked")
			})
		}
		t.Run("in a vhost with "+kind, func(t *testing.T) {
			if name != "" { // which is the default
				require.ErrorIs(t, client.DeleteQueue(ctx, name, "q"), mgmt.ErrName)
			}
		})
	}
	for name, segments := range map[string][]string{"no segments": nil, "dots": {"queues", "..", "reset"}, "an empty one": {"queues", "", "q"}, "a line break": {"a\n"}} {
		t.Run("Do with "+name, func(t *testing.T) {
			require.ErrorIs(t, client.Do(ctx, "DELETE", segments, nil, nil, nil), mgmt.ErrName)
		})
	}
	t.Run("a routing key in invalid UTF-8", func(t *testing.T) {
		require.ErrorIs(t, client.BindQueue(ctx, "/", "q", "x", mgmt.BindingSettings{RoutingKey: "\xff"}), mgmt.ErrName)
	})
	t.Run("a routing key of 256 bytes", func(t *testing.T) {
		require.ErrorIs(t, client.BindQueue(ctx, "/", "q", "x", mgmt.BindingSettings{RoutingKey: strings.Repeat("k", 256)}), mgmt.ErrName)
	})
	t.Run("a reason with a line break", func(t *testing.T) {
		require.Error(t, client.CloseConnection(ctx, "c", "a\r\nX-Evil: 1"))
	})
}

func TestNames_AreEscapedAsOneSegment(t *testing.T) {
	for name, want := range map[string]string{
		"a/b": "a%2Fb", "a b": "a%20b", "a+b": "a+b", "%2F": "%252F", "a?b": "a%3Fb", "a#b": "a%23b", "a;b": "a%3Bb", `a\b`: "a%5Cb", "ünï": "%C3%BCn%C3%AF",
		"...": "...", "%2E%2E": "%252E%252E", "../x": "..%2Fx", "a\x00b": "a%00b", "a&b=c": "a&b=c", strings.Repeat("q", 255): strings.Repeat("q", 255),
		"http://x": "http:%2F%2Fx", "a:b@c": "a:b@c", "[x]": "%5Bx%5D", "'\"<>": "%27%22%3C%3E",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := record(t, 204, "", func(c *mgmt.Client) error { return c.DeleteQueue(t.Context(), name, name) })
			require.NoError(t, err)
			require.Equal(t, "/api/queues/"+want+"/"+want, got.uri)
		})
	}
}

func TestUnbindQueue_EscapesDotsOfTheKey(t *testing.T) {
	for key, want := range map[string]string{"~": "~", "a%2Fb": "a%252Fb", ".": "%252E", "..": "%252E%252E", "...": "..."} {
		t.Run(key, func(t *testing.T) {
			got, err := record(t, 204, "", func(c *mgmt.Client) error { return c.UnbindQueue(t.Context(), "", "q", "x", key) })
			require.NoError(t, err)
			require.Equal(t, "/api/bindings/%2F/e/x/q/q/"+want, got.uri)
		})
	}
}

func TestVHost_EmptyIsTheDefault(t *testing.T) {
	for _, vhost := range []string{"", "/"} {
		got, err := record(t, 200, "[]", func(c *mgmt.Client) error { _, err := c.Queues(t.Context(), mgmt.In(vhost)); return err })
		require.NoError(t, err)
		require.Equal(t, "/api/queues/%2F", got.uri, "B5")
	}
}

func TestAllVHosts_IsOneList(t *testing.T) {
	got, err := record(t, 200, "[]", func(c *mgmt.Client) error { _, err := c.Queues(t.Context(), mgmt.AllVHosts()); return err })
	require.NoError(t, err)
	require.Equal(t, "/api/queues", got.uri)
}

// FuzzPath: whatever the names, what is sent has as many segments as were meant,
// and they decode to the names.
func FuzzPath(f *testing.F) {
	for _, name := range []string{"q", "/", "..", "%2e%2e", "a?b#c", "\xff", "ä/ö", "a\nb", ";", "//", "\\..\\"} {
		f.Add(name, name)
	}
	var got *http.Request
	client, err := mgmt.New(mgmt.Config{URL: "http://localhost:1/base", Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		got = r
		return answer(204, "", ""), nil
	})})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, vhost, queue string) {
		got = nil
		if err := client.DeleteQueue(t.Context(), vhost, queue); err != nil {
			require.ErrorIs(t, err, mgmt.ErrName)
			require.Nil(t, got)
			return
		}
		if vhost == "" {
			vhost = "/"
		}
		segments := strings.Split(got.URL.EscapedPath(), "/")
		require.Len(t, segments, 6)
		require.Equal(t, []string{"", "base", "api", "queues"}, segments[:4])
		require.Equal(t, "/base/api/queues/"+vhost+"/"+queue, got.URL.Path)
		require.NotContains(t, []string{".", "..", ""}, segments[4])
		require.NotContains(t, []string{".", "..", ""}, segments[5])
		require.Empty(t, got.URL.RawQuery)
		require.Equal(t, "localhost:1", got.URL.Host)
	})
}

func TestScope_IsOneVHostOrAll(t *testing.T) {
	for scope, want := range map[mgmt.Scope]string{
		{}: `vhost "/"`, mgmt.In("v"): `vhost "v"`, mgmt.In("all vhosts"): `vhost "all vhosts"`, mgmt.AllVHosts(): "all vhosts",
	} {
		require.Equal(t, want, scope.String())
	}
	require.Equal(t, mgmt.Scope{}, mgmt.In(""))
	require.Equal(t, mgmt.Scope{}, mgmt.In("/"))
	for scope, want := range map[mgmt.Scope]string{{}: "/api/vhosts/%2F/channels", mgmt.In("v"): "/api/vhosts/v/channels", mgmt.AllVHosts(): "/api/channels"} {
		got, err := record(t, 200, "[]", func(c *mgmt.Client) error { _, err := c.Channels(t.Context(), scope); return err })
		require.NoError(t, err)
		require.Equal(t, want, got.uri)
	}
}

// A ~ before the end of a routing key, with arguments, makes a binding that no version can
// list (mgmt/internal/live has them): it is never sent, to queues or exchanges.
func TestErrName_OfKeysThatBreakTheLists(t *testing.T) {
	sent := 0
	client := open(t, mgmt.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		sent++
		return answer(201, "", ""), nil
	})})
	arguments := mgmt.Table{"x": 1}
	for key, isRefused := range map[string]bool{"a~b": true, "~~": true, "~a": true, "a~b~": true, "a~": false, "~": false, "": false, "a": false} {
		for _, bind := range []func(mgmt.BindingSettings) error{
			func(s mgmt.BindingSettings) error { return client.BindQueue(t.Context(), "/", "q", "x", s) },
			func(s mgmt.BindingSettings) error { return client.BindExchange(t.Context(), "/", "y", "x", s) },
		} {
			sent = 0
			require.NoError(t, bind(mgmt.BindingSettings{RoutingKey: key}), key)
			require.Equal(t, 1, sent, key)
			err := bind(mgmt.BindingSettings{RoutingKey: key, Arguments: arguments})
			if isRefused {
				require.ErrorIs(t, err, mgmt.ErrName, key)
				require.Equal(t, 1, sent, key)
				continue
			}
			require.NoError(t, err, key)
			require.Equal(t, 2, sent, key)
		}
	}
}

// A key that AMQP has no room for, or no text of, is in no message either.
func TestErrName_OfKeysOfMessages(t *testing.T) {
	for _, key := range []string{strings.Repeat("k", 256), "\xff"} {
		client := open(t, mgmt.Config{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			t.Error("it is sent")
			return answer(200, "application/json", `{"routed":true}`), nil
		})})
		_, err := client.PublishMessage(t.Context(), "", "x", mgmt.PublishSettings{RoutingKey: key})
		require.ErrorIs(t, err, mgmt.ErrName)
	}
}
