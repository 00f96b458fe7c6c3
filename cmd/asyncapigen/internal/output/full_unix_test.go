//go:build unix

package output

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// limitFiles bounds the size of the files that the process writes, so that writing fails as on a
// disk that is full, until the function that it returns is called.
func limitFiles(t *testing.T, bytes uint64) (lift func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ) // which the system sends besides the error
	var usual syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual))
	limited := usual
	limited.Cur = bytes
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited))
	lifted := false
	lift = func() {
		if !lifted {
			lifted = true
			require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual))
			signal.Reset(syscall.SIGXFSZ)
		}
	}
	t.Cleanup(lift)
	return lift
}

func TestWrite_LeavesNothingWhereThereIsNoRoom(t *testing.T) {
	dir := t.TempDir()
	old, fresh := filepath.Join(dir, "old.json"), filepath.Join(dir, "a", "client.go")
	put(t, old, "{\"asyncapi\": \"old\"}")
	long := File{Path: fresh, Content: []byte(source + "// " + strings.Repeat("x", 4096) + "\n"), Kind: Client}
	lift := limitFiles(t, 1024)
	changed, err := Write(documentFile(old), long)
	lift()
	require.ErrorIs(t, err, syscall.EFBIG)
	require.ErrorContains(t, err, fresh)
	require.Empty(t, changed)
	requireContent(t, old, "{\"asyncapi\": \"old\"}")
	require.Equal(t, []string{"old.json"}, entries(t, dir))
}

func TestWrite_ReportsWhatItHasNoRoomToRestore(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.go"), filepath.Join(dir, "second.go")
	put(t, first, stale+"// "+strings.Repeat("x", 4096)+"\n")
	lift := func() {}
	rename := func(from, to string) error {
		if to == second {
			lift = limitFiles(t, 1024)
			return os.ErrPermission
		}
		return os.Rename(from, to)
	}
	_, err := write([]File{clientFile(first), clientFile(second)}, rename)
	lift()
	require.ErrorIs(t, err, os.ErrPermission)
	require.ErrorIs(t, err, syscall.EFBIG)
	require.ErrorContains(t, err, "restore "+first)
	requireContent(t, first, source)
	require.Equal(t, []string{"first.go"}, entries(t, dir))
}

// The name of a temporary file is longer than that of its file.
func TestWrite_RefusesANameThatIsTooLong(t *testing.T) {
	dir := t.TempDir()
	_, err := Write(documentFile(filepath.Join(dir, "new", strings.Repeat("a", 245)+".json")))
	require.ErrorIs(t, err, syscall.ENAMETOOLONG)
	require.Empty(t, entries(t, dir))
}
