// Package region binds what each service is told of its region.
package region

import "github.com/alecthomas/kong"

// Flags are those of all services.
type Flags struct {
	Region string `default:"eu"`
}

// AfterApply is called by kong.
func (f *Flags) AfterApply(ctx *kong.Context) error {
	ctx.Bind(f.Region)
	return nil
}
