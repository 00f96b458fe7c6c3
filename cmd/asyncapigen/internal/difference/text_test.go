package difference_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
)

func reported() *difference.Report {
	return &difference.Report{
		Changes: []difference.Change{
			{
				ID: "schema-type", Severity: difference.Breaking, What: "orders: the type is another one", Subject: "orders", Publisher: "fails", Consumer: "notices nothing", Example: `{"a|b":"*"}`,
				Old: difference.Position{File: "old.json", Line: 3}, New: difference.Position{File: "new.json", Line: 4},
			},
			{ID: "operation-removed", Severity: difference.Undecided, What: "orders is gone", Subject: "orders", Publisher: "may fail", Consumer: "has no messages", Old: difference.Position{File: "old.json", Line: 7}},
			{ID: "server-added", Severity: difference.Compatible, What: "there is another", Subject: "broker", Publisher: "may use it", Consumer: "may use it"},
			{ID: "description", Severity: difference.Documentation, What: "it says more", New: difference.Position{File: "new.json", Line: 9}},
		},
		Version: difference.Version{Old: "1.0.0", New: "1.0.0", Next: "2.0.0"},
		Silent:  []string{"what a service sends"},
	}
}

func TestText_ShowsEachChangeAndWhatItDoes(t *testing.T) {
	var b bytes.Buffer
	reported().Text(&b)
	require.Equal(t, `new.json:4: breaking: orders: orders: the type is another one [schema-type]
    publisher: fails
    consumer:  notices nothing
    example:   {"a|b":"*"}
    before:    old.json:3
old.json:7: undecided: orders is gone [operation-removed]
    publisher: may fail
    consumer:  has no messages
compatible: broker: there is another [server-added]
    publisher: may use it
    consumer:  may use it
new.json:9: documentation: it says more [description]
note: neither document describes what a service sends, so that nothing is known of it
1 breaking, 1 undecided, 1 compatible, 1 documentation; the next version after 1.0.0 is 2.0.0
`, b.String())
}

func TestText_SaysWhichVersionIsAskedFor(t *testing.T) {
	for want, version := range map[string]difference.Version{
		"1 documentation\n": {Old: "x"},
		"1 documentation; version 1.0.1 after 1.0.0, and at least 2.0.0 is asked for\n": {Old: "1.0.0", New: "1.0.1", Next: "2.0.0"},
		"1 documentation; the next version after 1.0.0 is 2.0.0\n":                      {Old: "1.0.0", New: "1.0.0", Next: "2.0.0"},
	} {
		var b bytes.Buffer
		r := reported()
		r.Version = version
		r.Text(&b)
		require.True(t, strings.HasSuffix(b.String(), want), b.String())
	}
	var b bytes.Buffer
	new(difference.Report).Text(&b)
	require.Equal(t, "no changes\n", b.String())
}

func TestMarkdown_ShowsAPartOfManyChanges(t *testing.T) {
	var b bytes.Buffer
	r := reported()
	r.Markdown(&b)
	require.Equal(t, `## Changes of the contract

1 breaking, 1 undecided, 1 compatible, 1 documentation; the next version after 1.0.0 is 2.0.0

### Breaking (1)

| change | publisher | consumer | where |
|---|---|---|---|
| orders: orders: the type is another one<br>such as <code>{"a&#124;b":"&#42;"}</code><br><code>schema-type</code> | fails | notices nothing | <code>new.json:4</code> |

### Undecided, which counts as breaking (1)

| change | publisher | consumer | where |
|---|---|---|---|
| orders is gone<br><code>operation-removed</code> | may fail | has no messages | <code>old.json:7</code> |

### Compatible (1)

| change | publisher | consumer | where |
|---|---|---|---|
| broker: there is another<br><code>server-added</code> | may use it | may use it |  |

### Documentation (1)

| change | publisher | consumer | where |
|---|---|---|---|
| it says more<br><code>description</code> |  |  | <code>new.json:9</code> |

- Neither document describes what a service sends.
`, b.String())
	for n, more := range map[int]string{50: "", 51: "\nand 1 more\n", 60: "\nand 10 more\n"} {
		r.Changes = nil
		for i := range n {
			r.Changes = append(r.Changes, difference.Change{ID: "id", Severity: difference.Breaking, What: fmt.Sprintf("number %d.", i)})
		}
		b.Reset()
		r.Markdown(&b)
		require.Equal(t, 50, strings.Count(b.String(), "| number "))
		require.Contains(t, b.String(), "number 49.")
		require.Equal(t, more != "", strings.Contains(b.String(), " more\n"))
		require.Contains(t, b.String(), more)
	}
}
