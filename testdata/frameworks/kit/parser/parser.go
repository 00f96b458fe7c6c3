// Package parser makes the command lines of a company's services.
package parser

import "github.com/alecthomas/kong"

// New returns the parser of a grammar.
func New(grammar any) *kong.Kong { return kong.Must(grammar, kong.Name("service")) }
