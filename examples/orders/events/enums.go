package events

// Status is how far an order has come.
type Status string

// The statuses of an order.
const (
	Placed    Status = "placed"
	Shipped   Status = "shipped"
	Cancelled Status = "cancelled"
)

// Currency is a currency by its ISO 4217 code.
type Currency string

// The currencies that the shop takes.
const (
	EUR Currency = "EUR"
	USD Currency = "USD"
)

// Carrier is a company that delivers parcels.
type Carrier string

// The carriers that the shop works with.
const (
	Post    Carrier = "post"
	Courier Carrier = "courier"
)
