package docs

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A commandFlag is a flag as -h or the page has it.
type commandFlag struct {
	argument string // "FILE"; empty of a boolean flag
	value    string // the default; empty for none
}

var (
	helpFlag     = regexp.MustCompile(`(?m)^  -(\S+)(?: (\S+))?(?:\n    )?\t(.*)$`)
	helpDefault  = regexp.MustCompile(`\(default "?(.*?)"?\)$`)
	firstDefault = regexp.MustCompile(`(\w+) \([^)]*, the default\)`)

	pageFlag   = regexp.MustCompile("^`-(\\S+?)(?: (\\S+))?`$")
	code       = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
	flagInCode = regexp.MustCompile(`(?:^|[\s` + "`" + `])-([A-Za-z][\w-]*)`)
)

// helpFlags reads the flags that -h prints.
func helpFlags(help string) map[string]commandFlag {
	flags := make(map[string]commandFlag)
	for _, match := range helpFlag.FindAllStringSubmatch(help, -1) {
		f := commandFlag{argument: match[2]}
		for _, form := range []*regexp.Regexp{helpDefault, firstDefault} {
			if value := form.FindStringSubmatch(match[3]); value != nil {
				f.value = value[1]
			}
		}
		flags[match[1]] = f
	}
	return flags
}

// pageFlags reads the tables of flags of a section.
func pageFlags(section string) map[string]commandFlag {
	flags := make(map[string]commandFlag)
	for _, cells := range tableRows(section, pageFlag) {
		match := pageFlag.FindStringSubmatch(cells[0])
		f := commandFlag{argument: match[2]}
		if strings.HasPrefix(cells[1], "`") {
			f.value = strings.Trim(cells[1], "`")
		}
		flags[match[1]] = f
	}
	return flags
}

// commandHelp returns what -h prints of the command and of its subcommands, in a
// folder named orders.
func commandHelp(t *testing.T) (generator, difference, topology, dead map[string]commandFlag) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "orders")
	require.NoError(t, os.Mkdir(dir, 0o777))
	asyncapigen := filepath.Join(t.TempDir(), "asyncapigen")
	run(t, nil, ".", "go", "build", "-o", asyncapigen, "github.com/warrenmq/warren/cmd/asyncapigen")
	generator = helpFlags(run(t, nil, dir, asyncapigen, "-h"))
	difference = helpFlags(run(t, nil, dir, asyncapigen, "diff", "-h"))
	topology = helpFlags(run(t, nil, dir, asyncapigen, "topology", "-h"))
	dead = helpFlags(run(t, nil, dir, asyncapigen, "dead", "-h"))
	require.NotEmpty(t, generator)
	require.NotEmpty(t, difference)
	require.NotEmpty(t, topology)
	require.NotEmpty(t, dead)
	return generator, difference, topology, dead
}

func TestCommandPage_HasTheFlagsOfHelp(t *testing.T) {
	generator, difference, topology, dead := commandHelp(t)
	page := read(t, filepath.Join("reference", "command.md"))
	of, rest, found := strings.Cut(page, "\n## asyncapigen diff\n")
	require.True(t, found)
	diff, rest, found := strings.Cut(rest, "\n## asyncapigen topology\n")
	require.True(t, found)
	require.Equal(t, difference, pageFlags(diff))
	require.Equal(t, generator, pageFlags(of))
	ofTopology, ofDead, found := strings.Cut(rest, "\n## asyncapigen dead\n")
	require.True(t, found)
	require.Equal(t, topology, pageFlags(ofTopology))
	require.Equal(t, dead, pageFlags(ofDead))

	all := maps.Clone(generator)
	maps.Copy(all, difference)
	maps.Copy(all, topology)
	maps.Copy(all, dead)
	all["h"] = commandFlag{}
	for _, text := range code.FindAllString(page, -1) {
		for _, match := range flagInCode.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(text, "go get -tool ") {
				require.Contains(t, all, match[1], "there is no such flag: %s", text)
			}
		}
	}
}

func TestHelpFlags_AreNamesAndDefaults(t *testing.T) {
	require.Equal(t, map[string]commandFlag{
		"V": {}, "o": {"FILE", "asyncapi.json"}, "direction": {"SIDE", "encode"}, "owns": {argument: "PREFIX"},
	}, helpFlags("usage: asyncapigen [flags]\n\nFlags:\n  -V\tprint the version\n"+
		"  -o FILE\n    \twrite to FILE (default \"asyncapi.json\")\n"+
		"  -direction SIDE\n    \tSIDE is encode (writes, the default) or decode (reads)\n  -owns PREFIX\n    \tnames\n"))
}
