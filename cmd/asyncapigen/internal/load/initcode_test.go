package load

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestInitialises(t *testing.T) {
	for text, want := range map[string]bool{
		"func init() {\n}":                                true,
		"func init () {}":                                 true,
		"func initialise() {\n\tx()\n}":                   false,
		"var x = f()":                                     true,
		"var x = &T{\n\tName: name(),\n}\n":               true,
		"var x = []T{\n\t{},\n\n\t{a: <-c},\n}\n":         true,
		"var (\n\ta int\n\n\tb = T{\n\t\tc: f(),\n\t}\n)": true,
		"var x = fs[0]()":                                 true,
		"var x = 1\n\nfunc f() {\n\tx = g()\n}":           false,
		"var x = T{\n\t1,\n}\n\nfunc f() { g() }":         false,
		"var x func(int) error":                           false,
		"func f() {\n\tvar x = g()\n}":                    false,
	} {
		assert.Equal(t, want, initialises([]byte(text)), text)
	}
}
