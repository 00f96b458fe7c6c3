package mgmt_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// Brokers before 4.0 have no check of readiness: it is put together of others.
func TestCheckReady_OfOlderBrokersAsksForEachPart(t *testing.T) {
	const found, missing, refused, unhealthy = 200, 404, 401, 503
	for name, test := range map[string]struct {
		ready, vhosts, overview, nodes int
		node                           string
		want                           error
	}{
		"ready, as the broker says":         {ready: found},
		"not ready, as the broker says":     {ready: unhealthy, want: mgmt.ErrUnhealthy},
		"ready":                             {missing, found, found, found, `{"name":"n","running":true,"being_drained":false}`, nil},
		"ready, of a broker that says less": {missing, found, found, found, `{"name":"n"}`, nil},
		"a vhost that isn't":                {missing, unhealthy, found, found, `{}`, mgmt.ErrUnhealthy},
		"an overview that is refused":       {missing, found, refused, found, `{}`, mgmt.ErrUnauthorized},
		"a node that is refused":            {missing, found, found, refused, `{"name":"n","running":true}`, mgmt.ErrUnauthorized},
		"a node in maintenance":             {missing, found, found, found, `{"name":"n","running":true,"being_drained":true}`, mgmt.ErrUnhealthy},
		"a node that doesn't run":           {missing, found, found, found, `{"name":"n","running":false}`, mgmt.ErrUnhealthy},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				status, body := test.overview, `{"node":"n"}`
				switch {
				case strings.HasSuffix(r.URL.Path, "/ready-to-serve-clients"):
					status, body = test.ready, `{"status":"ok"}`
				case strings.HasSuffix(r.URL.Path, "/virtual-hosts"):
					status, body = test.vhosts, `{"status":"ok"}`
				case strings.HasSuffix(r.URL.Path, "/nodes/n"):
					status, body = test.nodes, test.node
				}
				if status != found {
					body = `{"status":"failed","reason":"it is so"}`
				}
				w.WriteHeader(status)
				io.WriteString(w, body)
			})
			err := client.CheckReady(t.Context())
			if test.want == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, test.want)
			}
		})
	}
}

func TestCloseConnection_TellsTheReason(t *testing.T) {
	for _, reason := range []string{"for a test", ""} {
		var got []string
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.Header["X-Reason"]
			w.WriteHeader(http.StatusNoContent)
		})
		for _, close := range []func() error{
			func() error { return client.CloseConnection(t.Context(), "c", reason) },
			func() error { return client.CloseUserConnections(t.Context(), "u", reason) },
		} {
			require.NoError(t, close())
			if reason == "" {
				require.Empty(t, got)
			} else {
				require.Equal(t, []string{reason}, got)
			}
		}
	}
}
