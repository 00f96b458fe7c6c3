// Package billing shares its name with another package.
package billing

// An Order has its name and its package's name from another type.
type Order struct{ Weight int }
