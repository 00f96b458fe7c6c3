package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime/asyncapi"
)

// The parts of a document of which no flag says anything aren't in it.
func TestParse_KeepsThePartsThatWereGiven(t *testing.T) {
	parsed := func(line string) asyncapi.Config {
		o := NewOptions(t.TempDir())
		require.NoError(t, o.Parse(Write, strings.Fields("-extended "+line)), line)
		require.NoError(t, o.validate(), line)
		return o.Config
	}
	none := parsed("")
	require.Nil(t, none.Contact)
	require.Nil(t, none.License)
	require.Nil(t, none.ExternalDocs)
	require.Nil(t, parsed("-license MIT -license=").License)

	given := parsed("-contact-name Ann -license MIT -license-url https://example.com/mit -docs-url https://example.com/docs")
	require.Equal(t, &asyncapi.Contact{Name: "Ann"}, given.Contact)
	require.Equal(t, &asyncapi.License{Name: "MIT", URL: "https://example.com/mit"}, given.License)
	require.Equal(t, "https://example.com/docs", given.ExternalDocs.URL)
}
