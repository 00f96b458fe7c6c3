//go:build goexperiment.jsonv2

package client

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// Only the engine of encoding/json/v2 knows the option format.
func TestGenerate_WarnsOfFormatsOfBytesWithoutMethods(t *testing.T) {
	pkg := check(t, "shop", `package main
		type Code byte
		func (Code) MarshalText() ([]byte, error) { return nil, nil }
		type Text struct { Codes *[]Code `+"`json:\",format:hex\"`"+` }
		type Array struct { Codes []Code `+"`json:\",format:array\"`"+` }
		type Map struct { Codes map[string]Code `+"`json:\",format:emitempty\"`"+` }
		type Bytes struct { Codes []byte `+"`json:\",format:hex\"`"+` }
	`)
	generate := func(name string) (string, []string) {
		source, problems, err := Generate(config, []registered.Route{route("a", typeIn(pkg, name))})
		require.NoError(t, err)
		var lines []string
		for _, p := range problems {
			lines = append(lines, p.String())
		}
		return string(source), lines
	}
	_, problems := generate("Text")
	require.Len(t, problems, 1)
	require.Contains(t, problems[0], "main.Text.Codes: the option format makes text of bytes whose type has methods")

	source, problems := generate("Array")
	require.Empty(t, problems)
	require.NotContains(t, source, "format:")

	source, problems = generate("Map")
	require.Empty(t, problems)
	require.Contains(t, source, "`json:\",format:emitempty\"`")

	source, problems = generate("Bytes")
	require.Empty(t, problems)
	require.Contains(t, source, "`json:\",format:hex\"`")
}
