package service

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// calledAt is a directiveCall with its file and line.
type calledAt struct {
	at   string
	args []string
}

func calledAtLines(found directives) []calledAt {
	var all []calledAt
	for _, call := range found.calls {
		all = append(all, calledAt{LineAt(call.at), call.args})
	}
	return all
}

// The script check_directives.txtar compares with go generate itself.
func TestFolderDirectives(t *testing.T) {
	t.Setenv("SHOP", "the $SHOP")
	for _, test := range []struct {
		name  string
		files []string
		want  []calledAt
		fault string
	}{
		{"none", []string{"package a\n"}, nil, ""},
		{"as a tool", []string{"package a\n\n//go:generate go tool asyncapigen -title Shop ./...\n"}, []calledAt{{"a.go:3", []string{"-title", "Shop", "./..."}}}, ""},
		{"with quotes", []string{"//go:generate asyncapigen -title \"The \\\"Shop\\\"\" -client=\"\"\npackage a\n"}, []calledAt{{"a.go:1", []string{"-title", `The "Shop"`, `-client=""`}}}, ""},
		{"a version", []string{"//go:generate go run github.com/warrenmq/warren/cmd/asyncapigen@v0.1.0 -v\npackage a\n"}, []calledAt{{"a.go:1", []string{"-v"}}}, ""},
		{"a path", []string{"//go:generate ../bin/asyncapigen.exe -v\npackage a\n"}, []calledAt{{"a.go:1", []string{"-v"}}}, ""},
		{"behind env", []string{"//go:generate env A=b go tool asyncapigen -v\npackage a\n"}, []calledAt{{"a.go:1", []string{"-v"}}}, ""},
		{"no arguments", []string{"//go:generate go tool asyncapigen\npackage a\n"}, []calledAt{{"a.go:1", []string{}}}, ""},
		{"ends of lines of Windows", []string{"package a\r\n//go:generate asyncapigen -title Shop\r\n"}, []calledAt{{"a.go:2", []string{"-title", "Shop"}}}, ""},
		{"a tab", []string{"package a\n//go:generate\tasyncapigen\t-v\n"}, []calledAt{{"a.go:2", []string{"-v"}}}, ""},
		{"several", []string{"//go:generate go tool asyncapigen -v\npackage a\n", "//go:generate go tool asyncapigen\npackage a\n"}, []calledAt{{"a.go:1", []string{"-v"}}, {"b.go:1", []string{}}}, ""},

		{"variables", []string{"package a\n\n//go:generate asyncapigen $GOPACKAGE ${GOFILE} \"$GOLINE $DOLLAR\" $NONE $SHOP\n"}, []calledAt{{"a.go:3", []string{"a", "a.go", "3 $", "", "the $SHOP"}}}, ""},
		{"the platform", []string{"package a\n\n//go:generate asyncapigen $GOOS/$GOARCH\n"}, []calledAt{{"a.go:3", []string{runtime.GOOS + "/" + runtime.GOARCH}}}, ""},
		{"an alias", []string{"package a\n//go:generate -command gen go tool asyncapigen -title $GOLINE\n//go:generate gen $GOLINE\n"}, []calledAt{{"a.go:3", []string{"-title", "2", "3"}}}, ""},
		{"an alias of another file", []string{"package a\n//go:generate -command gen asyncapigen\n", "package a\n//go:generate gen -v\n"}, nil, ""},
		{"an alias without a command", []string{"package a\n//go:generate -command gen\n//go:generate gen\n"}, nil, ""},

		{"another tool", []string{"//go:generate go tool stringer -type Kind\npackage a\n"}, nil, ""},
		{"the tool being built", []string{"//go:generate go build -o bin/asyncapigen github.com/warrenmq/warren/cmd/asyncapigen\npackage a\n"}, nil, ""},
		{"generate", []string{"//go:generate asyncapigen generate -v\npackage a\n"}, []calledAt{{"a.go:1", []string{"-v"}}}, ""},
		{"check", []string{"//go:generate asyncapigen check\npackage a\n"}, nil, ""},
		{"topology", []string{"//go:generate asyncapigen topology diff\npackage a\n"}, nil, ""},
		{"not a directive", []string{"// go:generate go tool asyncapigen -v\n//go:generated asyncapigen\npackage a\n"}, nil, ""},
		{"no package", []string{"//go:generate go tool asyncapigen -v\n"}, nil, ""},
		{"left out beside another", []string{"//go:build ignore\n\npackage a\n//go:generate asyncapigen -v\n", "package a\n//go:generate asyncapigen\n"}, []calledAt{{"b.go:2", []string{}}}, ""},
		{"left out alone", []string{"//go:build tools\n\npackage a\n//go:generate asyncapigen -v\n"}, []calledAt{{"a.go:4", []string{"-v"}}}, ""},
		{"by tags", []string{"//go:build tools\n\npackage a\n//go:generate asyncapigen -v\n", "//go:build !tools\n\npackage a\n//go:generate asyncapigen\n"}, []calledAt{{"b.go:4", []string{}}}, ""},
		{"for go generate", []string{"//go:build generate\n\npackage a\n//go:generate asyncapigen -v\n", "package a\n//go:generate asyncapigen\n"}, []calledAt{{"a.go:4", []string{"-v"}}, {"b.go:2", []string{}}}, ""},

		{"an open quote", []string{"package a\n//go:generate go tool asyncapigen -title \"Shop\n"}, nil, "a.go:2: the go:generate directive can't be read: a quoted word doesn't end"},
		{"no space", []string{"package a\n//go:generate asyncapigen \"Shop\"-v\n"}, nil, "a.go:2: the go:generate directive can't be read: there is no space after the quoted word"},
		{"an alias without a name", []string{"package a\n//go:generate -command\n"}, nil, "a.go:2: the go:generate directive can't be read: -command names no command"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, text := range test.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".go"), []byte(text), 0o600))
			}
			found, err := folderDirectives(t.Context(), folder{dir, "."}, "")
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, calledAtLines(found))
		})
	}
}

func TestFolderDirectives_OfFilesWithTags(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("//go:build tools\n\npackage a\n//go:generate asyncapigen -v\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.go"), []byte("//go:build !tools\n\npackage a\n//go:generate asyncapigen\n"), 0o600))

	found, err := folderDirectives(t.Context(), folder{dir, "."}, "other,tools")
	require.NoError(t, err)
	require.Equal(t, []calledAt{{"a.go:4", []string{"-v"}}}, calledAtLines(found))
}

func TestPackageName(t *testing.T) {
	for folder, want := range map[string]string{
		"orders": "ordersclient", "my-orders": "myordersclient", "Orders_v2": "ordersv2client", "7up": "upclient", "---": "serviceclient", "заказы": "заказыclient",
	} {
		require.Equal(t, want, clientName(filepath.Join("/x", folder)))
	}
}
