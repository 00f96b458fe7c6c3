package orders_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/examples/orders/events"
)

// price tells the service the price of an article, in euro cents.
func price(t *testing.T, svc *orders.Service, sku string, cents int64) {
	t.Helper()
	change := events.PriceChange{SKU: sku, Price: events.Money{Amount: cents, Currency: events.EUR}}
	require.NoError(t, svc.PriceChanged(t.Context(), events.Envelope[events.PriceChange]{Data: change}))
}

// place has the customer "ada" order one article "tea", which has a price.
func place(t *testing.T, svc *orders.Service, id string) {
	t.Helper()
	require.NoError(t, svc.OrderCreated(t.Context(), events.OrderCreated{
		OrderID:  id,
		Customer: events.Customer{ID: "ada"},
		Lines:    []events.Line{{SKU: "tea", Quantity: 1}},
	}))
}

func find(t *testing.T, svc *orders.Service, question events.FindOrders) events.Page[events.Order] {
	t.Helper()
	question.CustomerID = "ada"
	page, err := svc.FindOrders(t.Context(), question)
	require.NoError(t, err)
	return page
}

func ids(page events.Page[events.Order]) []string {
	ids := []string{}
	for _, order := range page.Items {
		ids = append(ids, order.ID)
	}
	return ids
}

func TestOrderCreated_TotalsLinesButNotTheirParts(t *testing.T) {
	svc := orders.NewService()
	price(t, svc, "tea", 450)
	price(t, svc, "box", 1200)
	require.NoError(t, svc.OrderCreated(t.Context(), events.OrderCreated{
		OrderID:  "1",
		Customer: events.Customer{ID: "ada"},
		Lines: []events.Line{
			{SKU: "tea", Quantity: 2},
			{SKU: "box", Quantity: 1, Parts: []events.Line{{SKU: "tea", Quantity: 9}}},
		},
	}))

	require.Equal(t, events.Money{Amount: 2100, Currency: events.EUR}, find(t, svc, events.FindOrders{}).Items[0].Total)
}

func TestOrderCreated_FailsBeforeThePriceIsKnown(t *testing.T) {
	svc := orders.NewService()
	early := events.OrderCreated{OrderID: "1", Customer: events.Customer{ID: "ada"}, Lines: []events.Line{{SKU: "tea", Quantity: 1}}}

	require.ErrorContains(t, svc.OrderCreated(t.Context(), early), `take order "1": article "tea" has no price yet`)
	price(t, svc, "tea", 450)
	require.NoError(t, svc.OrderCreated(t.Context(), early))
}

func TestOrderCreated_RefusesTwoCurrencies(t *testing.T) {
	svc := orders.NewService()
	price(t, svc, "tea", 450)
	dollars := events.PriceChange{SKU: "box", Price: events.Money{Amount: 1, Currency: events.USD}}
	require.NoError(t, svc.PriceChanged(t.Context(), events.Envelope[events.PriceChange]{Data: dollars}))

	err := svc.OrderCreated(t.Context(), events.OrderCreated{OrderID: "1", Lines: []events.Line{{SKU: "tea"}, {SKU: "box"}}})

	require.ErrorContains(t, err, `article "box" is priced in USD and the others in EUR`)
}

func TestOrderCreated_IgnoresKnownOrders(t *testing.T) {
	svc := orders.NewService()
	price(t, svc, "tea", 450)
	place(t, svc, "1")
	require.NoError(t, svc.Ship(t.Context(), events.ShipOrder{OrderID: "1", Carrier: events.Post}))

	place(t, svc, "1")

	require.Equal(t, events.Shipped, find(t, svc, events.FindOrders{}).Items[0].Status)
}

func TestService_FailsForUnknownOrders(t *testing.T) {
	svc := orders.NewService()

	require.ErrorContains(t, svc.Ship(t.Context(), events.ShipOrder{OrderID: "7"}), `order "7" isn't known yet`)
	require.ErrorContains(t, svc.OrderCancelled(t.Context(), events.OrderCancelled{OrderID: "7"}), `order "7" isn't known yet`)
}

func TestShip_LeavesCancelledOrders(t *testing.T) {
	svc := orders.NewService()
	price(t, svc, "tea", 450)
	place(t, svc, "1")
	require.NoError(t, svc.OrderCancelled(t.Context(), events.OrderCancelled{OrderID: "1"}))

	require.NoError(t, svc.Ship(t.Context(), events.ShipOrder{OrderID: "1", Carrier: events.Post}))

	require.Equal(t, events.Cancelled, find(t, svc, events.FindOrders{}).Items[0].Status)
}

func TestFindOrders(t *testing.T) {
	svc := orders.NewService()
	price(t, svc, "tea", 450)
	for _, id := range []string{"3", "1", "2"} {
		place(t, svc, id)
	}
	require.NoError(t, svc.Ship(t.Context(), events.ShipOrder{OrderID: "2", Carrier: events.Post}))

	tests := []struct {
		name     string
		question events.FindOrders
		ids      []string
		next     string
	}{
		{"all, by id", events.FindOrders{}, []string{"1", "2", "3"}, ""},
		{"of a status", events.FindOrders{Status: events.Placed}, []string{"1", "3"}, ""},
		{"first page", events.FindOrders{Limit: 2}, []string{"1", "2"}, "2"},
		{"last page", events.FindOrders{Limit: 2, After: "2"}, []string{"3"}, ""},
		{"exactly one page", events.FindOrders{Limit: 3}, []string{"1", "2", "3"}, ""},
		{"none", events.FindOrders{Status: events.Cancelled}, []string{}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page := find(t, svc, test.question)
			require.Equal(t, test.ids, ids(page))
			require.Equal(t, test.next, page.Next)
		})
	}
}

func TestFindOrders_HidesOrdersOfOtherCustomers(t *testing.T) {
	svc := orders.NewService()
	price(t, svc, "tea", 450)
	place(t, svc, "1")

	page, err := svc.FindOrders(t.Context(), events.FindOrders{CustomerID: "bob"})

	require.NoError(t, err)
	require.Empty(t, page.Items)
}
