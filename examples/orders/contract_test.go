package orders_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/examples/orders/events"
	"github.com/warrenmq/warren/examples/orders/ordersclient"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

func router(t *testing.T) *runtime.Router {
	router := runtime.NewRouter()
	require.NoError(t, orders.Register(router, orders.NewService()))
	return router
}

// The committed contract is what the program registers.
func TestContract_IsThatOfTheProgram(t *testing.T) {
	runtimetest.RequireSpec(t, router(t), "asyncapi.json")
}

// onTheBroker runs the service on a broker in memory, where time is virtual, and gives the
// test a client of it.
func onTheBroker(t *testing.T, test func(t *testing.T, client ordersclient.Client, service *runtimetest.Service)) {
	synctest.Test(t, func(t *testing.T) {
		server := new(memory.Server)
		service := runtimetest.Start(t, router(t), runtimetest.WithConfig(memory.Config{Server: server}))
		client := ordersclient.New(runtimetest.New(t, runtimetest.WithConfig(memory.Config{Server: server})))
		test(t, client, service)
	})
}

func tea(t *testing.T, client ordersclient.Client) {
	change := events.PriceChange{SKU: "tea", Price: events.Money{Amount: 450, Currency: events.EUR}}
	require.NoError(t, client.PublishPriceChanged(t.Context(), &events.Envelope[events.PriceChange]{Data: change}))
}

func orderOf(id string) *events.OrderCreated {
	return &events.OrderCreated{OrderID: id, Customer: events.Customer{ID: "ada"}, Lines: []events.Line{{SKU: "tea", Quantity: 2}}}
}

// An order whose price is on its way is tried again, until it has come.
func TestOrderCreated_WaitsForThePrice(t *testing.T) {
	onTheBroker(t, func(t *testing.T, client ordersclient.Client, service *runtimetest.Service) {
		require.NoError(t, client.PublishOrderCreated(t.Context(), orderOf("1")))
		synctest.Wait() // it has failed
		tea(t, client)
		var attempts []int
		for _, settled := range service.Settled() {
			if settled.Delivery.Route == "OrderCreated" {
				attempts = append(attempts, settled.Delivery.Attempt)
			}
		}
		require.Equal(t, []int{2}, attempts)
		require.Zero(t, service.Queue("orders.created.dead").Len())
	})
}

func TestOrderCreated_IsADeadLetterWhereThePriceNeverComes(t *testing.T) {
	onTheBroker(t, func(t *testing.T, client ordersclient.Client, service *runtimetest.Service) {
		require.NoError(t, client.PublishOrderCreated(t.Context(), orderOf("1")))
		settled := service.Settled() // once: an ordered route tries again in place
		require.Len(t, settled, 1)
		require.Equal(t, 4, settled[0].Delivery.Attempt)
		dead := service.Queue("orders.created.dead").Messages()
		require.Len(t, dead, 1)
		why, _ := runtime.FailureOf(dead[0])
		require.Equal(t, `take order "1": article "tea" has no price yet`, why.Error)
	})
}

func TestPayments_GoByTheirType(t *testing.T) {
	onTheBroker(t, func(t *testing.T, client ordersclient.Client, service *runtimetest.Service) {
		ctx := t.Context()
		tea(t, client)
		service.Settled()
		require.NoError(t, client.PublishOrderCreated(ctx, orderOf("1")))
		service.Settled()
		euros := func(cents int64) events.Money { return events.Money{Amount: cents, Currency: events.EUR} }
		require.NoError(t, client.PublishPaymentsReceived(ctx, &events.PaymentReceived{OrderID: "1", Amount: euros(900)}))
		require.NoError(t, client.PublishPaymentsRefunded(ctx, &events.PaymentRefunded{OrderID: "1", Amount: euros(100)}))
		require.NoError(t, client.PublishPaymentsReceived(ctx, &events.PaymentReceived{OrderID: "1"}))
		require.NoError(t, client.PublishPaymentsReceived(ctx, &events.PaymentReceived{OrderID: "1", Amount: events.Money{Amount: 1, Currency: events.USD}}))
		service.Settled()
		require.Equal(t, 2, service.Queue("orders.payments.dead").Len(), "nothing, and dollars")

		ctx, cancel := withDeadline(ctx)
		defer cancel()
		page, err := client.CallFindOrders(ctx, &events.FindOrders{CustomerID: "ada"})
		require.NoError(t, err)
		require.Equal(t, int64(800), page.Items[0].Paid)
	})
}

func withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, time.Minute)
}
