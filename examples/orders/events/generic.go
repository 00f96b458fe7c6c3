package events

import "time"

// An Envelope carries an event that many services get.
type Envelope[T any] struct {
	Source     string    `json:"source"`
	OccurredAt time.Time `json:"occurred_at"`
	Data       T         `json:"data"`
}

// A Page is one part of a long result.
type Page[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitempty"` // absent on the last page
}
