package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// matcher is a problem matcher of VS Code.
type matcher struct {
	Pattern struct {
		Regexp                                      string
		File, Line, Column, Severity, Message, Code int
	}
}

// problemMatchers returns those of the task in docs/editors.md.
func problemMatchers(t *testing.T) []matcher {
	t.Helper()
	text, err := os.ReadFile("editors.md")
	require.NoError(t, err)
	for _, block := range regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		var file struct {
			Tasks []struct{ ProblemMatcher []matcher }
		}
		require.NoError(t, json.Unmarshal([]byte(block[1]), &file))
		if len(file.Tasks) > 0 {
			return file.Tasks[0].ProblemMatcher
		}
	}
	require.Fail(t, "docs/editors.md has no task")
	return nil
}

// The findings that docs/diagnostics.md shows are printed by the command, which a
// test of it holds.
func TestProblemMatcher_ReadsFindings(t *testing.T) {
	pattern := problemMatchers(t)[0].Pattern
	expression := regexp.MustCompile(pattern.Regexp)
	text, err := os.ReadFile("diagnostics.md")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^main\.go:\d+:\d+: .* \[[a-z0-9-]+\]$`).FindAllString(string(text), -1)
	require.NotEmpty(t, found)
	for _, line := range found {
		parts := expression.FindStringSubmatch(line)
		require.NotNil(t, parts, line)
		severity := ""
		if parts[pattern.Severity] != "" {
			require.Equal(t, "warning", parts[pattern.Severity])
			severity = "warning: "
		}
		again := parts[pattern.File] + ":" + parts[pattern.Line] + ":" + parts[pattern.Column] + ": " + severity +
			parts[pattern.Message] + " [" + parts[pattern.Code] + "]"
		require.Equal(t, line, again)
		require.Equal(t, severity != "", strings.HasPrefix(line[strings.Index(line, " ")+1:], "warning: "), line)
	}
}

// The lines are those that scripts of the command expect.
func TestProblemMatcher_ReadsStaleFiles(t *testing.T) {
	pattern := problemMatchers(t)[1].Pattern
	expression := regexp.MustCompile(pattern.Regexp)
	scripts, err := filepath.Glob("../cmd/asyncapigen/testdata/script/*.txtar")
	require.NoError(t, err)
	lines := 0
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`(?m)^stderr '\^?([\w./]+: is (?:stale|missing): .*?)\$?'$`).FindAllStringSubmatch(string(text), -1) {
			line := match[1]
			parts := expression.FindStringSubmatch(line)
			require.NotNil(t, parts, line)
			require.Equal(t, line, parts[pattern.File]+": "+parts[pattern.Message])
			lines++
		}
	}
	require.Positive(t, lines)
}
