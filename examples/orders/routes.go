package orders

import (
	"time"

	"github.com/warrenmq/warren/examples/orders/events"
	"github.com/warrenmq/warren/runtime"
)

//go:generate go tool asyncapigen -title Orders -description "Takes the shop's orders, and answers questions about them." -server-description "The shop's broker"

// Register adds the service's routes to r. The contract in asyncapi.json and
// the client in ordersclient are made from this function, without running it.
func Register(r *runtime.Router, svc *Service) error {
	shop := &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true}

	return r.Register(
		runtime.Route{
			Description: "Takes a new order and works out its total.",
			Tags:        []string{"orders"},
			Queue:       runtime.Queue{Name: runtime.Env("ORDERS_CREATED_QUEUE", "orders.created"), Durable: true, SingleActiveConsumer: true},
			Exchange:    shop,
			RoutingKeys: []string{"order.created"},
			Handler:     runtime.Consume(svc.OrderCreated),
			Concurrency: 8, // customers at a time, the orders of each one after the other
			Order:       runtime.PerBody(func(o events.OrderCreated) string { return o.Customer.ID }),
			Timeout:     10 * time.Second,
			Failure:     &runtime.FailurePolicy{Attempts: 4, Delay: 500 * time.Millisecond},
		},
		runtime.Route{
			Description: "Cancels an order. The last word of the routing key says who wanted it: customer or shop.",
			Tags:        []string{"orders"},
			Queue:       runtime.Queue{Name: "orders.cancelled", Durable: true},
			Exchange:    shop,
			RoutingKeys: []string{"order.cancelled.*"},
			KeyWords:    []string{"by"},
			Handler:     runtime.Consume(svc.OrderCancelled),
		},
		runtime.Route{
			Description: "Keeps the price list, which every service of the shop has a copy of.",
			Tags:        []string{"prices"},
			Queue:       runtime.Queue{Name: "orders.prices", Durable: true},
			Exchange:    &runtime.Exchange{Name: "prices", Type: runtime.Fanout, Durable: true},
			Handler:     runtime.Consume(svc.PriceChanged),
		},
		runtime.Route{
			Name:        "order.ship",
			Description: "Hands an order to a carrier.",
			Tags:        []string{"orders", "shipping"},
			Queue:       runtime.Queue{Name: "orders.ship", Durable: true},
			Handler:     runtime.Consume(svc.Ship),
		},
		runtime.Route{
			Name:        "payments",
			Description: "Books what was paid for an order, and what was paid back.",
			Tags:        []string{"orders", "payments"},
			Queue:       runtime.Queue{Name: "orders.payments", Durable: true},
			Exchange:    shop,
			RoutingKeys: []string{"order.payment"},
			Handler: runtime.Dispatch( // by the property type of the messages
				runtime.On("received", runtime.Consume(svc.PaymentReceived)),
				runtime.On("refunded", runtime.Consume(svc.PaymentRefunded)),
			),
		},
		runtime.Route{
			Description: "Lists the orders of a customer, page by page.",
			Tags:        []string{"orders", "queries"},
			Queue:       runtime.Queue{Name: "orders.find", Durable: true},
			Handler:     runtime.Respond(svc.FindOrders),
			Reply:       &runtime.Address{},
		},
	)
}
