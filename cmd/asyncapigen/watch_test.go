package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The generator runs again when a file changes, and not for what it writes itself.
func TestWatch_GeneratesAgain(t *testing.T) {
	t.Setenv("GOFILE", "")
	t.Chdir(monorepo(t, 1))
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	var stderr bytes.Buffer
	runs := 0
	seen := writerFunc(func(text []byte) (int, error) {
		if !strings.Contains(string(text), "watching") {
			return stderr.Write(text)
		}
		runs++
		document, err := os.ReadFile("svc/s0/asyncapi.json")
		require.NoError(t, err)
		switch runs {
		case 1: // the package of messages
			require.Contains(t, string(document), `"ID"`)
			require.NoError(t, os.WriteFile("events/events.go", []byte("package events\n\ntype Order struct{ Number int }\n"), 0o666))
		case 2: // the service, broken
			require.Contains(t, string(document), `"Number"`)
			require.NotContains(t, string(document), `"ID"`)
			require.NoError(t, os.WriteFile("svc/s0/broken.go", []byte("package main\n\nvar _ int = true\n"), 0o666))
		case 3:
			require.Contains(t, stderr.String(), "cannot use true")
			require.NoError(t, os.Remove("svc/s0/broken.go"))
		case 4:
			stop()
		}
		return len(text), nil
	})
	var stdout bytes.Buffer
	require.Equal(t, done, run(ctx, []string{"generate", "-watch", "./..."}, &stdout, seen), stderr.String())
	require.Equal(t, 4, runs)
}

// A file that goes while the generator runs has perhaps been read by it.
func TestWatch_SeesWhatWentWhileItRan(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) { require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666)) }
	write("a.go")
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	runs := 0
	repeated(ctx, io.Discard, func() (watch, int) {
		switch runs++; runs {
		case 1:
			write("b.go")
			later := time.Now().Add(time.Hour) // the clock of files is coarse
			require.NoError(t, os.Chtimes(filepath.Join(dir, "b.go"), later, later))
		case 2:
			require.NoError(t, os.Remove(filepath.Join(dir, "b.go")))
		case 3:
			stop()
		}
		w := newWatch()
		w.folders[dir] = true
		return w, done
	})
	require.Equal(t, 3, runs)
}

// So has one that comes and goes while it runs.
func TestWatch_SeesWhatCameAndWentWhileItRan(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), nil, 0o666))
	require.NoError(t, os.Chtimes(filepath.Join(dir, "a.go"), time.Time{}, time.Now().Add(-time.Hour)))
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	runs := 0
	repeated(ctx, io.Discard, func() (watch, int) {
		w := newWatch()
		w.folders[dir] = true
		switch runs++; runs {
		case 1:
			w.read[filepath.Join(dir, "b.go")] = true
		case 2:
			stop()
		}
		return w, done
	})
	require.Equal(t, 2, runs)
}

// So has one that is written: the time of a file needn't be later than the start.
func TestWatch_SeesWhatWasWrittenWhileItRan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	write := func(text string, ago time.Duration) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		require.NoError(t, os.Chtimes(file, time.Time{}, time.Now().Add(-ago)))
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	runs := 0
	repeated(ctx, io.Discard, func() (watch, int) {
		switch runs++; runs {
		case 1: // nothing was looked at before
			write("one", clockStep-time.Millisecond)
		case 2:
			write("two", time.Hour)
		case 3:
			stop()
		}
		w := newWatch()
		w.folders[filepath.Dir(file)] = true
		return w, done
	})
	require.Equal(t, 3, runs)
}

// A writerFunc is a function as an io.Writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
