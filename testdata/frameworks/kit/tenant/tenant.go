// Package tenant knows for whom a service runs.
package tenant

var name = "shop"

// Set sets the name.
func Set(to string) { name = to }

// Name returns the name.
func Name() string { return name }
