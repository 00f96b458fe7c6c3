package docs

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/modtest"
)

var (
	testFunction = regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)\(t \*testing\.T\)`)
	testName     = regexp.MustCompile("`(Test[A-Z]\\w*)`")
)

// testFunctions returns the names of the repository's tests, those below dir.
func testFunctions(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	goFiles(t, "_test.go", func(path, text string) {
		for _, match := range testFunction.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(path, dir) {
				names[match[1]] = true
			}
		}
	})
	return names
}

var (
	testDialect = regexp.MustCompile(`^Test[A-Z][a-zA-Z0-9]*(_[A-Z0-9][a-zA-Z0-9]*)?$`)
	article     = regexp.MustCompile(`^Test(\w+_)?(A|An|The)(_|[A-Z]|$)`)
)

// See "How the code reads" in CONTRIBUTING.md.
func TestTestNames_AreSubjectAndRule(t *testing.T) {
	names := testFunctions(t, "")
	require.NotEmpty(t, names)
	for name := range names {
		require.Regexp(t, testDialect, name)
		require.NotRegexp(t, article, name)
	}
}

// A rule is what a page says of the proof of a rule.
type rule struct {
	name  string
	tests []string // named by it
	open  bool     // said to be open
}

func newRule(name, proof string) rule {
	r := rule{name: name, open: strings.Contains(strings.ToLower(proof), "open")}
	for _, match := range testName.FindAllStringSubmatch(proof, -1) {
		r.tests = append(r.tests, match[1])
	}
	return r
}

// faults says which rules lack a proof or name a test that isn't among those
// that exist, and which numbers are missing: those of one letter count from 1.
func faults(rules []rule, exists map[string]bool) []string {
	var found []string
	counts := map[string]int{}
	for _, r := range rules {
		letter := strings.TrimRight(r.name, "0123456789")
		counts[letter]++
		if want := letter + strconv.Itoa(counts[letter]); r.name != want {
			found = append(found, fmt.Sprintf("rule %s stands in the place of %s", r.name, want))
		}
		if len(r.tests) == 0 && !r.open {
			found = append(found, fmt.Sprintf("rule %s names no test and isn't marked open", r.name))
		}
		for _, name := range r.tests {
			if !exists[name] {
				found = append(found, fmt.Sprintf("rule %s names %s, which doesn't exist", r.name, name))
			}
		}
	}
	return found
}

func TestFaults_AreFoundOnPage(t *testing.T) {
	page := "| rule | what | Go name | test |\n|---|---|---|---|\n" +
		"| A1 | x | `y` | `TestOne` |\n| A2 | x | `y` | open |\n| A4 | x | `y` | |\n| B1 | x | `y` | `TestOne`, `TestTwo` |\n"
	require.Equal(t, []string{
		"rule A4 stands in the place of A3",
		"rule A4 names no test and isn't marked open",
		"rule B1 names TestTwo, which doesn't exist",
	}, faults(conformance(page), map[string]bool{"TestOne": true}))
}

func conformance(page string) []rule {
	var rules []rule
	for _, cells := range tableRows(page, regexp.MustCompile(`^[A-Z]\d+$`)) {
		rules = append(rules, newRule(cells[0], cells[len(cells)-1]))
	}
	return rules
}

func TestConformance_NamesTestsThatExist(t *testing.T) {
	rules := conformance(read(t, "conformance.md"))
	require.Empty(t, faults(rules, testFunctions(t, "")))
	for _, section := range []string{"A1", "B1", "C1"} {
		require.True(t, slices.ContainsFunc(rules, func(r rule) bool { return r.name == section }), section)
	}
}

// A test that is named after a rule of the specification has its row.
func TestConformance_NamesEveryTestOfRule(t *testing.T) {
	require.Empty(t, unnamed(testFunctions(t, ""), `^Test[ABC]\d+_`, conformance(read(t, "conformance.md"))))
}

// unnamed returns the tests that match and that no rule names.
func unnamed(exists map[string]bool, pattern string, rules []rule) []string {
	named := make(map[string]bool)
	for _, r := range rules {
		for _, name := range r.tests {
			named[name] = true
		}
	}
	var missing []string
	for name := range exists {
		if regexp.MustCompile(pattern).MatchString(name) && !named[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

func TestPages_NameTestsThatExist(t *testing.T) {
	names := testFunctions(t, "")
	for _, page := range pages(t) {
		for _, match := range testName.FindAllStringSubmatch(read(t, page), -1) {
			require.True(t, names[match[1]], "%s names %s", page, match[1])
		}
	}
}

// jsonRules are 48, and their numbers are cited by comments and tests.
const jsonRules = 48

var jsonRule = regexp.MustCompile(`(?ms)^### (\d+)\. [^\n]+\n(.*?)(?:^#|\z)`)

func readJSONRules(t *testing.T) []rule {
	t.Helper()
	var rules []rule
	page := read(t, filepath.Join("reference", "json-rules.md"))
	for rest := page; ; {
		at := jsonRule.FindStringSubmatchIndex(rest)
		if at == nil {
			return rules
		}
		number, text := rest[at[2]:at[3]], rest[at[4]:at[5]]
		_, proof, _ := strings.Cut(text, "\n- Test:")
		rules = append(rules, newRule(number, proof))
		rest = rest[at[5]:]
	}
}

func TestJSONRules_NameTestsThatExist(t *testing.T) {
	rules := readJSONRules(t)
	require.Len(t, rules, jsonRules)
	require.Empty(t, faults(rules, testFunctions(t, "")))
}

func TestJSONRules_NameEveryTestOfRule(t *testing.T) {
	require.Empty(t, unnamed(testFunctions(t, "internal/schema"), `^TestRule\d+`, readJSONRules(t)))
}

func TestDecisions_AreListed(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("decisions", "[0-9]*.md"))
	require.NoError(t, err)
	var listed []string
	for _, cells := range tableRows(read(t, filepath.Join("decisions", "README.md")), regexp.MustCompile(`^\[\d{4}\]`)) {
		number, file, _ := strings.Cut(strings.Trim(cells[0], "[)"), "](")
		listed = append(listed, filepath.Join("decisions", file))
		title, _, _ := strings.Cut(read(t, filepath.Join("decisions", file)), "\n")
		require.Equal(t, "# "+number+": "+cells[1], title)
	}
	slices.Sort(listed) // they are grouped by area
	require.Equal(t, pages, append([]string{filepath.Join("decisions", "0000-template.md")}, listed...))
}

var decisionLink = regexp.MustCompile(`See docs/decisions/(\w+)\.`)

// Each decision is named in the code, in one place, which is the one that a
// reader would ask about, and the code names no other.
func TestDecisions_AreEachLinkedFromOnePlaceInTheCode(t *testing.T) {
	places := make(map[string][]string)
	goFiles(t, ".go", func(path, text string) {
		for _, match := range decisionLink.FindAllStringSubmatch(text, -1) {
			places[match[1]] = append(places[match[1]], path)
		}
	})
	pages, err := filepath.Glob(filepath.Join("decisions", "[0-9]*.md"))
	require.NoError(t, err)
	for _, page := range pages[1:] { // all but the template
		number, _, _ := strings.Cut(filepath.Base(page), "-")
		require.Len(t, places[number], 1, "places in the code with See docs/decisions/%s.", number)
		delete(places, number)
	}
	require.Empty(t, places, "decisions that don't exist")
}

var folder = regexp.MustCompile("^`([a-zA-Z.][a-zA-Z0-9_./]*)`$")

// Each folder with Go files has a row, or is below one that ends with internal or
// below the examples.
func TestContributing_NamesEveryFolder(t *testing.T) {
	root := modtest.Root(t)
	named := make(map[string]bool)
	for _, cells := range tableRows(read(t, filepath.Join(root, "CONTRIBUTING.md")), folder) {
		name := strings.Trim(cells[0], "`")
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.LessOrEqual(t, len(strings.Fields(cells[1])), 12, cells[1])
		named[name] = true
	}
	covered := func(dir string) bool {
		for row := range named {
			if strings.HasPrefix(dir, row+"/") && (path.Base(row) == "internal" || path.Dir(row) == "examples") {
				return true
			}
		}
		return named[dir]
	}
	goFiles(t, ".go", func(file, _ string) {
		if dir := path.Dir(file); dir != "." {
			require.True(t, covered(dir), "CONTRIBUTING.md has no row for %s", dir)
		}
	})
}

var (
	required = regexp.MustCompile(`(?m)^(?:require )?\t?([a-z0-9.-]+\.[a-z]+/\S+) v\S+( // indirect)?$`)
	module   = regexp.MustCompile("^`([a-z0-9.-]+\\.[a-z]+/[^`]+)`$")
)

// Each module that go.mod requires for our own code has its reason, and nothing
// else has.
func TestDependencies_AreThoseOfGoMod(t *testing.T) {
	var want, have []string
	imports := make(map[string]bool)
	goFiles(t, ".go", func(_, text string) {
		for _, match := range regexp.MustCompile(`(?m)^\t(?:\w+ )?"([a-z0-9.-]+\.[a-z]+/[^"]+)"$`).FindAllStringSubmatch(text, -1) {
			imports[match[1]] = true
		}
	})
	for _, match := range required.FindAllStringSubmatch(read(t, filepath.Join(modtest.Root(t), "go.mod")), -1) {
		for path := range imports {
			if path == match[1] || strings.HasPrefix(path, match[1]+"/") {
				want = append(want, match[1])
				break
			}
		}
	}
	users, _, _ := strings.Cut(read(t, "dependencies.md"), "## Developers' tools")
	for _, cells := range tableRows(users, module) {
		have = append(have, strings.Trim(cells[0], "`"))
	}
	slices.Sort(want)
	slices.Sort(have)
	require.Equal(t, want, slices.Compact(have))
}
