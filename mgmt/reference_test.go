package mgmt_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/internal/endpoints"
)

var update = flag.Bool("update", false, "write the reference page anew")

const reference = "../docs/reference/mgmt.md"

func TestReference_IsFresh(t *testing.T) {
	methods, err := endpoints.Of(".")
	require.NoError(t, err)
	page := referencePage(methods)
	if *update {
		require.NoError(t, os.WriteFile(reference, page, 0o666))
	}
	have, err := os.ReadFile(reference)
	require.NoError(t, err)
	require.Equal(t, string(page), string(have), "go test ./mgmt -run Reference -update writes it")
}

func referencePage(methods []endpoints.Method) []byte {
	type row struct {
		endpoints.Endpoint
		method string
	}
	var rows []row
	for _, method := range methods {
		for _, endpoint := range method.Endpoints {
			rows = append(rows, row{endpoint, method.Name})
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Verb, b.Verb), strings.Compare(a.method, b.method))
	})
	var b bytes.Buffer
	b.WriteString(`# The management API and its methods

One row for each endpoint that package [mgmt](../../mgmt) calls, with the method that calls it and the test that runs the method
on real brokers: RabbitMQ as it is installed in ` + "`make test`, and 4.0 and 4.3 as well in `make test-brokers`" + `. The test requires
that the endpoint is what was sent. Whatever isn't here is reached by ` + "`Client.Do`, `mgmt.List` and `mgmt.Seq`" + `.

This page is written by ` + "`go test ./mgmt -run Reference -update`" + `.

| endpoint | method | test, in mgmt/internal/live |
|---|---|---|
`)
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s %s` | `%s` | `TestLive/*/%s` |\n", r.Verb, r.Path, r.method, r.method)
	}
	return b.Bytes()
}

func TestReference_HasEveryMethod(t *testing.T) {
	methods, err := endpoints.Of(".")
	require.NoError(t, err)
	var documented []string
	for _, method := range methods {
		documented = append(documented, method.Name)
	}
	for method := range reflect.TypeFor[*mgmt.Client]().Methods() {
		takesContext := method.Type.NumIn() > 1 && method.Type.In(1).String() == "context.Context"
		if takesContext && method.Name != "Do" {
			require.Contains(t, documented, method.Name)
		}
	}
}

// The package comment has an index of all methods by topic.
func TestReference_IndexHasEveryMethod(t *testing.T) {
	methods, err := endpoints.Of(".")
	require.NoError(t, err)
	comment, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, method := range methods {
		require.Equal(t, 1, strings.Count(string(comment), "[Client."+method.Name+"]"), method.Name)
	}
}
