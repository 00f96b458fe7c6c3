package load

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestInitialises(t *testing.T) {
	for text, want := range map[string]bool{
		"func init() {\n}":                                 true,
		"func init () {}":                                  true,
		"func initialise() {\n\tx()\n}":                    false,
		"var x = f()":                                      true,
		"var x = &T{\n\tName: name(),\n}\n":                true,
		"var x = []T{\n\t{},\n\n\t{a: <-c},\n}\n":          true,
		"var (\n\ta int\n\n\tb = T{\n\t\tc: f(),\n\t}\n)":  true,
		"var x = fs[0]()":                                  true,
		"var x = 1\n\nfunc f() {\n\tx = g()\n}":            false,
		"var x = T{\n\t1,\n}\n\nfunc f() { g() }":          false,
		"var x func(int) error":                            false,
		"func f() {\n\tvar x = g()\n}":                     false,
		"func init() {}":                                   true,
		"func /* why */ init() {}":                         true,
		"import \"fmt\"; func init() { fmt.Print() }":      true,
		"/* why */ var _ = f()":                            true,
		"var _ = f /* why */ ()":                           true,
		"var (\n\ta = `\nunindented\n`\n\t_ = f()\n)":      true,
		"var (\n\ta = 1\n/* unindented\n */\n\t_ = f()\n)": true,
		"var (\r\n\ta = 1\r\n\r\n\t_ = f()\r\n)":           true,
		"var m = map[string]string{\"a\": `\nx\n` + f()}":  true,
		"var n = <-make(chan int)":                         true,
		"var n = 1\n\nfunc g() { f() }":                    false,
		"const text = `\nvar n = f()\nfunc init() {`":      false,
		"// var n = f()":                                   false,
		"type T struct{}\n\nfunc (T) init() {}":            false,
		"var a []int\n\nvar g func(int) error":             false,
	} {
		assert.Equal(t, want, initialises([]byte(text)), text)
	}
}
