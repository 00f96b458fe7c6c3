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

// subcommands are those with a section of flags, in the page's order.
var subcommands = []string{"diff", "map", "html", "serve", "topology", "dead", "init", "scan"}

// commandHelp returns what -h prints of each subcommand, and of the command as "", in
// a folder named orders.
func commandHelp(t *testing.T) map[string]map[string]commandFlag {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "orders")
	require.NoError(t, os.Mkdir(dir, 0o777))
	asyncapigen := filepath.Join(t.TempDir(), "asyncapigen")
	run(t, nil, ".", "go", "build", "-o", asyncapigen, "github.com/warrenmq/warren/cmd/asyncapigen")
	help := map[string]map[string]commandFlag{"": helpFlags(run(t, nil, dir, asyncapigen, "-h"))}
	for _, name := range subcommands {
		help[name] = helpFlags(run(t, nil, dir, asyncapigen, name, "-h"))
	}
	for name, flags := range help {
		require.NotEmpty(t, flags, name)
	}
	return help
}

func TestCommandPage_HasTheFlagsOfHelp(t *testing.T) {
	help := commandHelp(t)
	page := read(t, filepath.Join("reference", "command.md"))
	all := make(map[string]commandFlag)
	section, rest := "", page
	for i, name := range append([]string{""}, subcommands...) {
		section = rest
		if i < len(subcommands) {
			var found bool
			section, rest, found = strings.Cut(rest, "\n## asyncapigen "+subcommands[i]+"\n")
			require.True(t, found, subcommands[i])
		}
		require.Equal(t, help[name], pageFlags(section), name)
		maps.Copy(all, help[name])
	}
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
