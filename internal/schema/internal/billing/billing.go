// Package billing shares type names with the tests of package schema.
package billing

// An Order is not the order of the tests.
type Order struct{ Total int }

// A Page is not the page of the tests.
type Page[T any] struct{ Billed T }
