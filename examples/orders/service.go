// Package orders is an example: the service of a shop that takes orders. Its
// routes are in [Register], its messages in package events, and what is
// generated from them in asyncapi.json and in package ordersclient.
//
// The command below cmd/orders runs it, on a broker in memory or on RabbitMQ:
//
//	router, svc := runtime.NewRouter(), orders.NewService()
//	if err := orders.Register(router, svc); err != nil {
//		return err
//	}
//	broker := memory.New(memory.Config{})
//	if err := broker.Start(ctx, router); err != nil {
//		return err
//	}
//	client := ordersclient.New(broker)
//	err := client.PublishOrderCreated(ctx, &events.OrderCreated{OrderID: "1001"})
//
// It keeps everything in memory and never talks to a carrier.
package orders

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/warrenmq/warren/examples/orders/events"
	"github.com/warrenmq/warren/runtime"
)

// A Service handles the messages of the shop. It is safe for concurrent use.
type Service struct {
	mu     sync.Mutex
	prices map[string]events.Money
	orders map[string]*record
}

// A record is an order with what only the service needs to know of it.
type record struct {
	order    events.Order
	customer string
}

// NewService returns a service without orders or prices.
func NewService() *Service {
	return &Service{
		prices: make(map[string]events.Money),
		orders: make(map[string]*record),
	}
}

// OrderCreated takes an order. Messages may come twice, so an order that is
// known already is left as it is.
func (s *Service) OrderCreated(_ context.Context, created events.OrderCreated) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.orders[created.OrderID]; known {
		return nil
	}
	total, err := s.total(created.Lines)
	if err != nil {
		return fmt.Errorf("take order %q: %w", created.OrderID, err)
	}
	s.orders[created.OrderID] = &record{
		order:    events.Order{ID: created.OrderID, Status: events.Placed, Total: total, Lines: created.Lines},
		customer: created.Customer.ID,
	}
	return nil
}

// total adds up the lines. A missing price is an error that passes: the price
// may be on its way in another queue, and the order is then delivered again.
func (s *Service) total(lines []events.Line) (events.Money, error) {
	var total events.Money
	for _, line := range lines {
		price, known := s.prices[line.SKU]
		if !known {
			return events.Money{}, fmt.Errorf("article %q has no price yet", line.SKU)
		}
		if total.Currency != "" && total.Currency != price.Currency {
			return events.Money{}, fmt.Errorf("article %q is priced in %s and the others in %s", line.SKU, price.Currency, total.Currency)
		}
		total.Amount += int64(line.Quantity) * price.Amount
		total.Currency = price.Currency
	}
	return total, nil
}

// OrderCancelled cancels an order.
func (s *Service) OrderCancelled(_ context.Context, cancelled events.OrderCancelled) error {
	return s.change(cancelled.OrderID, func(order *events.Order) { order.Status = events.Cancelled })
}

// PaymentReceived books what was paid. An amount that isn't money of the order's
// currency never will be: it is a dead letter, for people to look at.
func (s *Service) PaymentReceived(_ context.Context, received events.PaymentReceived) error {
	if received.Amount.Amount <= 0 {
		return runtime.Reject(fmt.Errorf("order %q: %d isn't a payment", received.OrderID, received.Amount.Amount))
	}
	return s.pay(received.OrderID, received.Amount)
}

// PaymentRefunded books what was paid back.
func (s *Service) PaymentRefunded(_ context.Context, refunded events.PaymentRefunded) error {
	refunded.Amount.Amount = -refunded.Amount.Amount
	return s.pay(refunded.OrderID, refunded.Amount)
}

func (s *Service) pay(id string, amount events.Money) (err error) {
	changed := s.change(id, func(order *events.Order) {
		if amount.Currency != order.Total.Currency {
			err = runtime.Reject(fmt.Errorf("order %q is paid in %s and priced in %s", id, amount.Currency, order.Total.Currency))
			return
		}
		order.Paid += amount.Amount
	})
	return cmp.Or(changed, err)
}

// Ship hands an order to the carrier, unless it is cancelled.
func (s *Service) Ship(_ context.Context, ship events.ShipOrder) error {
	return s.change(ship.OrderID, func(order *events.Order) {
		if order.Status == events.Cancelled {
			return
		}
		order.Status = events.Shipped
		order.Carrier = ship.Carrier
	})
}

// change changes a known order. An unknown one is an error that passes, for the
// order may be on its way in another queue.
func (s *Service) change(id string, change func(*events.Order)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, known := s.orders[id]
	if !known {
		return fmt.Errorf("order %q isn't known yet", id)
	}
	change(&found.order)
	return nil
}

// PriceChanged keeps the price of an article for the orders to come.
func (s *Service) PriceChanged(_ context.Context, changed events.Envelope[events.PriceChange]) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prices[changed.Data.SKU] = changed.Data.Price
	return nil
}

// defaultLimit is the number of orders in a page when the request has none.
const defaultLimit = 20

// FindOrders lists a customer's orders by id.
func (s *Service) FindOrders(_ context.Context, find events.FindOrders) (events.Page[events.Order], error) {
	page := events.Page[events.Order]{Items: []events.Order{}}
	limit := find.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	for _, order := range s.ordersOf(find.CustomerID) {
		if order.ID <= find.After || find.Status != "" && order.Status != find.Status {
			continue
		}
		if len(page.Items) == limit {
			page.Next = page.Items[limit-1].ID
			break
		}
		page.Items = append(page.Items, order)
	}
	return page, nil
}

func (s *Service) ordersOf(customer string) []events.Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []events.Order
	for _, record := range s.orders {
		if record.customer == customer {
			found = append(found, record.order)
		}
	}
	slices.SortFunc(found, func(a, b events.Order) int { return cmp.Compare(a.ID, b.ID) })
	return found
}
