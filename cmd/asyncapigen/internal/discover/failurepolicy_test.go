package discover_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A policy that unread code may set, or not, is the router's or isn't.
func TestRoutes_FailurePolicySetByUnreadCode(t *testing.T) {
	result := foundIn(t, order+`http.HandleFunc("/endless", func(http.ResponseWriter, *http.Request) {
		router.OnFailure(runtime.FailurePolicy{Endless: true})
	})
	serve(router)`)
	require.Empty(t, result.Diagnostics)
	require.Len(t, result.Routes, 1)
	require.True(t, result.Routes[0].FailureUnknown)
}

// A policy that a router gets when a broker consumes its routes isn't theirs.
func TestRoutes_FailurePolicySetAfterTheStart(t *testing.T) {
	result := foundIn(t, order+`if err := memory.New(memory.Config{}).Start(context.Background(), router); err != nil {
		panic(err)
	}
	router.OnFailure(runtime.FailurePolicy{Attempts: 2})`)
	require.Empty(t, result.Diagnostics)
	require.Len(t, result.Routes, 1)
	require.True(t, result.Routes[0].FailureUnknown)
}
