package service

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFolders_AreThoseOfThePatternsOnce(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/testdata/c", "a/_old", "b/sub", ".git"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for _, c := range []struct{ patterns, want []string }{
		{[]string{"./..."}, []string{".", "a", "b", "b/sub"}},
		{[]string{"./b", "./a", "./..."}, []string{".", "a", "b", "b/sub"}},
		{[]string{"./b/...", "./a"}, []string{"a", "b", "b/sub"}},
		{[]string{"./a/testdata/..."}, []string{"a/testdata", "a/testdata/c"}},
		{[]string{"./a/_old"}, []string{"a/_old"}},
		{[]string{filepath.Join(dir, "a"), "./a"}, []string{"a"}},
		{[]string{"example.com/a", "./none", "./none/...", "./file"}, nil},
	} {
		all, err := folders(dir, c.patterns)
		require.NoError(t, err)
		var got []string
		for _, f := range all {
			require.Equal(t, filepath.Join(dir, f.seen), f.dir)
			got = append(got, filepath.ToSlash(f.seen))
		}
		require.Equal(t, c.want, got, "%q", c.patterns)
	}
}
