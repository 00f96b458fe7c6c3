package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDirectiveArguments(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string
		want  []string
		fault string
	}{
		{"none", []string{"package a\n"}, nil, ""},
		{"as a tool", []string{"package a\n\n//go:generate go tool asyncapigen -title Shop ./...\n"}, []string{"-title", "Shop", "./..."}, ""},
		{"with quotes", []string{"//go:generate asyncapigen -title \"The \\\"Shop\\\"\" -client=\"\"\npackage a\n"}, []string{"-title", `The "Shop"`, `-client=""`}, ""},
		{"a version", []string{"//go:generate go run github.com/warrenmq/warren/cmd/asyncapigen@v0.1.0 -v\npackage a\n"}, []string{"-v"}, ""},
		{"no arguments", []string{"//go:generate go tool asyncapigen\npackage a\n"}, []string{}, ""},
		{"another tool", []string{"//go:generate go tool stringer -type Kind\npackage a\n"}, nil, ""},
		{"not a directive", []string{"// go:generate go tool asyncapigen -v\npackage a\n"}, nil, ""},
		{"several", []string{"//go:generate go tool asyncapigen -v\npackage a\n", "//go:generate go tool asyncapigen\npackage a\n"}, nil, "several go:generate directives"},
		{"an open quote", []string{"//go:generate go tool asyncapigen -title \"Shop\npackage a\n"}, nil, "read the go:generate directives of a0.go: a quoted word doesn't end"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, text := range test.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "a"+string(rune('0'+i))+".go"), []byte(text), 0o600))
			}
			args, err := directiveArgs(dir)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, args)
		})
	}
}

func TestPackageNames(t *testing.T) {
	for folder, want := range map[string]string{
		"orders": "ordersclient", "my-orders": "myordersclient", "Orders_v2": "ordersv2client", "7up": "upclient", "---": "serviceclient", "заказы": "заказыclient",
	} {
		require.Equal(t, want, clientName(filepath.Join("/x", folder)))
	}
}
