package mgmt_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestDeletePolicies_TriesThemAll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.RequestURI)
		switch r.URL.Path {
		case "/api/policies/v/missing":
			w.WriteHeader(http.StatusNotFound)
		case "/api/policies/v/last":
			cancel()
			w.WriteHeader(http.StatusNoContent)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
	for name, remove := range map[string]func(context.Context, ...string) error{
		"/api/policies/v/": func(ctx context.Context, names ...string) error { return client.DeletePolicies(ctx, "v", names...) },
		"/api/operator-policies/v/": func(ctx context.Context, names ...string) error {
			return client.DeleteOperatorPolicies(ctx, "v", names...)
		},
		"/api/parameters/shovel/v/": func(ctx context.Context, names ...string) error {
			return client.DeleteParameters(ctx, "shovel", "v", names...)
		},
	} {
		asked = nil
		require.NoError(t, remove(ctx))
		require.Empty(t, asked, "no names mean none, not all")
		require.NoError(t, remove(ctx, "a", "b"))
		require.Equal(t, []string{"DELETE " + name + "a", "DELETE " + name + "b"}, asked)
	}
	asked = nil
	err := client.DeletePolicies(ctx, "v", "missing", "a")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
	require.ErrorContains(t, err, `delete policy "missing" in vhost "v"`)
	require.Len(t, asked, 2)
	asked = nil
	err = client.DeletePolicies(ctx, "v", "missing", "last", "a", "b")
	require.Len(t, asked, 2, "the context has ended")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, `"a" and what follows wasn't tried`)
}
