package main

import (
	"context"
	"time"

	"github.com/warrenmq/warren/examples/orders/events"
	"github.com/warrenmq/warren/examples/orders/ordersclient"
	"github.com/warrenmq/warren/runtime"
)

// A step sends one message through the generated client. Its reply is nil where
// none is waited for.
type step struct {
	sends string // what is sent, in words
	send  func(ctx context.Context, id runtime.SendOption) (reply any, err error)
}

// story is a day of the shop: every route of the service occurs.
func story(client ordersclient.Client) []step {
	return []step{
		{"the price of tea", publish(client.PublishPriceChanged, price("tea", 450))},
		{"the price of a gift box", publish(client.PublishPriceChanged, price("box", 1200))},
		{"order 1001", publish(client.PublishOrderCreated, order("1001", "",
			events.Line{SKU: "tea", Quantity: 2}))},
		{"order 1002", publish(client.PublishOrderCreated, order("1002", "It is a present.",
			events.Line{SKU: "box", Quantity: 1, Parts: []events.Line{{SKU: "tea", Quantity: 1}, {SKU: "cup", Quantity: 2}}}))},
		{"the payment of 1001", publish(client.PublishPaymentsReceived,
			&events.PaymentReceived{OrderID: "1001", Amount: events.Money{Amount: 900, Currency: events.EUR}})},
		{"the request to ship 1001", publish(client.PublishOrderShip,
			&events.ShipOrder{OrderID: "1001", Carrier: events.Courier})},
		{"the cancellation of 1002", func(ctx context.Context, id runtime.SendOption) (any, error) {
			cancelled := &events.OrderCancelled{OrderID: "1002", Reason: "bought elsewhere"}
			return nil, client.PublishOrderCancelled(ctx, "customer", cancelled, id)
		}},
		{"a question: which orders has Ada?", func(ctx context.Context, id runtime.SendOption) (any, error) {
			return client.CallFindOrders(ctx, &events.FindOrders{CustomerID: ada}, id)
		}},
	}
}

// publish is the step that sends msg by one of the client's methods.
func publish[T any](method func(context.Context, *T, ...runtime.SendOption) error, msg *T) func(context.Context, runtime.SendOption) (any, error) {
	return func(ctx context.Context, id runtime.SendOption) (any, error) {
		return nil, method(ctx, msg, id)
	}
}

// ada is the id of the customer whose day it is.
const ada = "c-1"

func morning() time.Time { return time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC) }

func price(sku string, cents int64) *events.Envelope[events.PriceChange] {
	return &events.Envelope[events.PriceChange]{
		Source:     "catalogue",
		OccurredAt: morning(),
		Data:       events.PriceChange{SKU: sku, Price: events.Money{Amount: cents, Currency: events.EUR}},
	}
}

func order(id, note string, lines ...events.Line) *events.OrderCreated {
	address := events.Address{Street: "St James's Square 12", City: "London", Postcode: "SW1Y 4JH"}
	created := &events.OrderCreated{
		OrderID:  id,
		Customer: events.Customer{ID: ada, Name: "Ada", Address: &address},
		Lines:    lines,
		PlacedAt: morning(),
	}
	if note != "" {
		created.Note = &note
	}
	return created
}
