// Package other declares a type that another package declares too.
package other

// Order is a command.
type Order struct {
	// Rank is who gives it.
	Rank string
}
