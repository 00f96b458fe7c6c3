package orders_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/runtime"
)

func routes(t *testing.T) map[string]runtime.Route {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, orders.Register(router, orders.NewService()))
	byName := make(map[string]runtime.Route)
	for _, route := range router.Routes() {
		byName[route.Name] = route
	}
	return byName
}

func TestRegister_NamesRoutesAfterTheirHandlers(t *testing.T) {
	named := routes(t)

	require.Len(t, named, 6)
	for _, name := range []string{"OrderCreated", "OrderCancelled", "PriceChanged", "order.ship", "payments", "FindOrders"} {
		require.Contains(t, named, name)
	}
}

func TestRegister_TakesTheQueueOfNewOrdersFromTheEnvironment(t *testing.T) {
	require.Equal(t, "orders.created", routes(t)["OrderCreated"].Queue.Name)
	t.Setenv("ORDERS_CREATED_QUEUE", "orders.created.eu")
	require.Equal(t, "orders.created.eu", routes(t)["OrderCreated"].Queue.Name)
}
