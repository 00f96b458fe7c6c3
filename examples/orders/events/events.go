// Package events holds the messages of the orders service: what other services
// send to it, and what it answers.
package events

import "time"

// OrderCreated says that a customer has placed an order.
type OrderCreated struct {
	OrderID  string    `json:"order_id"`
	Customer Customer  `json:"customer"`
	Lines    []Line    `json:"lines"`
	PlacedAt time.Time `json:"placed_at"`

	// Note is what the customer wrote, if anything.
	Note *string `json:"note,omitempty"`

	// Labels are the shop's own, such as the campaign that the order came from.
	Labels map[string]string `json:"labels,omitempty"`
}

// A Customer is the person who pays.
type Customer struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Address *Address `json:"address,omitempty"` // absent when the goods are fetched
}

// An Address is where parcels go.
type Address struct {
	Street   string `json:"street"`
	City     string `json:"city"`
	Postcode string `json:"postcode"`
}

// A Line is an article in an order. A bundle has parts, which are lines
// themselves and cost nothing extra.
type Line struct {
	SKU      string `json:"sku"`
	Quantity uint16 `json:"quantity"`
	Parts    []Line `json:"parts,omitempty"`
}

// OrderCancelled says that an order is no longer wanted.
type OrderCancelled struct {
	OrderID string `json:"order_id"`
	Reason  string `json:"reason,omitempty"`
}

// PaymentReceived says that an order was paid, or a part of it.
type PaymentReceived struct {
	OrderID string `json:"order_id"`
	Amount  Money  `json:"amount"`
}

// PaymentRefunded says that money went back to the customer.
type PaymentRefunded struct {
	OrderID string `json:"order_id"`
	Amount  Money  `json:"amount"`
	Reason  string `json:"reason"`
}

// ShipOrder asks for an order to be handed to a carrier.
type ShipOrder struct {
	OrderID string  `json:"order_id"`
	Carrier Carrier `json:"carrier"`
}

// PriceChange is the new price of an article.
type PriceChange struct {
	SKU   string `json:"sku"`
	Price Money  `json:"price"`
}

// FindOrders asks for the orders of a customer.
type FindOrders struct {
	CustomerID string `json:"customer_id"`
	Status     Status `json:"status,omitempty"` // absent for all of them
	After      string `json:"after,omitempty"`  // Page.Next of the page before
	Limit      int    `json:"limit,omitempty"`  // orders in the page, 20 when absent
}

// An Order is an order as the service knows it.
type Order struct {
	ID      string  `json:"id"`
	Status  Status  `json:"status"`
	Total   Money   `json:"total"`
	Paid    int64   `json:"paid"` // of the total, in its currency's smallest unit
	Lines   []Line  `json:"lines"`
	Carrier Carrier `json:"carrier,omitempty"`
}

// Money is an amount in the currency's smallest unit, such as cents.
type Money struct {
	Amount   int64    `json:"amount"`
	Currency Currency `json:"currency"`
}
