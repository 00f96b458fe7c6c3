package inclusion_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
)

func patternOf(t testing.TB, source string) *inclusion.Pattern {
	t.Helper()
	return document(t, `{"pattern":`+text(t, source)+`}`, "{}").Pattern
}

func TestPattern_HasAnExampleThatMatches(t *testing.T) {
	for _, source := range []string{
		`^a$`, `^[a-z]{3}$`, `^[0-9]{5,}$`, `^(ab|cd)+e?$`, `^\d+-\d*$`, `^.x.$`, `^(?:a{2}){2}$`, `^[\x00-\x7f]$`, `^[^a]$`, `^[A-Z][^A-Z]$`, `^(b|c|d)$`, `^$`,
	} {
		require.Regexp(t, regexp.MustCompile(source), patternOf(t, source).Example(), source)
	}
}

// What is between the ranges is seldom what an example should have.
func TestPattern_HasAnExampleThatCanBeRead(t *testing.T) {
	require.Regexp(t, `^a[ -~]$`, patternOf(t, `^[a-z\x00][\x00-\x7f]$`).Example())
	require.Regexp(t, `^[ -~]$`, patternOf(t, `^[\x00-@]$`).Example())
}

func TestPattern_WithoutAnExampleIsItsOwn(t *testing.T) {
	for _, source := range []string{`^(?=b)b$`, `a^b`} {
		require.Equal(t, source, patternOf(t, source).Example())
	}
}
