// Package dotted has a dot in its import path, which the compiler escapes in the
// names of instances.
package dotted

// An Order is in a package whose name isn't the last element of its path.
type Order struct{ Line int }
