// Package opts has options of the program's own, by names of kong.
package opts

import (
	"strings"

	"github.com/alecthomas/kong"
)

// Name resolves all flags.
func Name(text string) kong.Option {
	return kong.Resolvers(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
		if f.Name == "name" {
			return text, nil
		}
		return nil, nil
	}))
}

// Upper names flags and commands otherwise.
func Upper() kong.Option { return kong.FlagNamer(strings.ToUpper) }
