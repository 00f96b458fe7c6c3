package runtime_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func TestRouter_IsReadyWhereItIsZero(t *testing.T) {
	var router runtime.Router
	require.Empty(t, router.Routes())

	router.Use()
	require.NoError(t, router.Register(created()))

	require.Equal(t, []string{"order.created"}, names(&router))
}

func TestMustRegister_PanicsOnErrors(t *testing.T) {
	router := runtime.NewRouter()
	router.MustRegister(created())

	require.PanicsWithError(t, `register route "order.created": Name: is taken by the route of queue "orders.created": names are unique`,
		func() { router.MustRegister(created()) })
}

func TestRouter_IsSafeForConcurrentUse(t *testing.T) {
	const users = 16
	var router runtime.Router
	var group sync.WaitGroup
	for i := range users {
		group.Go(func() {
			route := created()
			route.Name, route.Queue.Name = fmt.Sprint("route", i), fmt.Sprint("queue", i)
			router.MustRegister(route)
			router.Use(func(next runtime.HandlerFunc) runtime.HandlerFunc { return next })
			for _, route := range router.Routes() {
				route.Queue.Arguments["x-max-length"] = i
				route.Tags[0] = route.Name
			}
		})
	}
	group.Wait()

	require.Len(t, router.Routes(), users)
}
