package service_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// The version of a document and how much it has are two things: neither flag undoes the
// other, in whatever order they are.
func TestParse_KeepsTheVersionOfExtendedDocuments(t *testing.T) {
	for line, want := range map[string]asyncapi.Form{
		"":                                  asyncapi.Exact,
		"-extended":                         asyncapi.Extended,
		"-asyncapi 3.0.0 -extended":         service.AsyncAPI3,
		"-extended -asyncapi 3.0.0":         service.AsyncAPI3,
		"-asyncapi 3.0.0 -extended=false":   service.AsyncAPI3,
		"-asyncapi 2.6.0 -extended":         asyncapi.Extended,
		"-extended -asyncapi 2.6.0":         asyncapi.Extended,
		"-extended -extended=false":         asyncapi.Exact,
		"-asyncapi 3.0.0 -asyncapi 2.6.0":   asyncapi.Exact,
		"-asyncapi 3.0.0 -o exact=a.json .": service.AsyncAPI3,
	} {
		o := service.NewOptions(t.TempDir())
		require.NoError(t, o.Parse(service.Write, strings.Fields(line)), line)
		require.Equal(t, want, o.Form, line)
	}
}
