package service

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// repository makes one with a commit, and returns a function that runs git in it.
func repository(t *testing.T) (dir string, git func(args ...string)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, name := range []string{"a.go", "b.go", "sub/c.go"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("package a\n"), 0o600))
	}
	git = func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	return dir, git
}

func TestChangedFiles_AreThoseOfGit(t *testing.T) {
	dir, git := repository(t)
	changed := func(ref Changes) []string {
		files, err := ChangedFiles(t.Context(), filepath.Join(dir, "sub"), ref)
		require.NoError(t, err)
		return files
	}
	require.Empty(t, changed("HEAD"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package b\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "new.go"), []byte("package a\n"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, "b.go")))
	require.ElementsMatch(t, []string{filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go"), filepath.Join(dir, "new.go")}, changed("HEAD"))

	git("switch", "-q", "-c", "branch")
	git("commit", "-q", "-a", "-m", "second")
	require.Equal(t, []string{filepath.Join(dir, "new.go")}, changed("HEAD"))
	require.Len(t, changed("main"), 3)
}

func TestChangedFiles_SaysWhyGitFails(t *testing.T) {
	dir, _ := repository(t)
	_, err := ChangedFiles(t.Context(), dir, "none")
	require.ErrorContains(t, err, "flag -changed: run git diff: fatal: ")
	require.NotContains(t, err.Error(), "\n")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	_, err = ChangedFiles(t.Context(), filepath.Dir(dir), "HEAD")
	require.ErrorContains(t, err, "flag -changed: run git rev-parse: fatal: ")
	_, err = ChangedFiles(t.Context(), filepath.Join(dir, "none"), "HEAD")
	require.ErrorContains(t, err, "flag -changed: run git rev-parse: ")
}

func TestFileAt_IsThatOfTheCommit(t *testing.T) {
	dir, _ := repository(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package b\n"), 0o600))
	text, err := FileAt(t.Context(), dir, "HEAD:a.go")
	require.NoError(t, err)
	require.Equal(t, "package a\n", string(text))
	_, err = FileAt(t.Context(), dir, "HEAD:none.go")
	require.ErrorContains(t, err, "run git cat-file: fatal: ")
}

func TestChanges_AreACommitOrNone(t *testing.T) {
	for text, want := range map[string]Changes{"true": "HEAD", "false": "", "": "", "main": "main"} {
		c := Changes("before")
		require.NoError(t, c.Set(text))
		require.Equal(t, want, c)
		require.Equal(t, string(want), c.String())
	}
}
