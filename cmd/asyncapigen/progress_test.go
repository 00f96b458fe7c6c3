package main

import (
	"bytes"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// screen is what was shown. It has a lock, because the end of a sleep doesn't order
// what the goroutines of a bubble do.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

// next returns what was shown since the last call.
func (s *screen) next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

// onTerminal shows progress as on a terminal.
func onTerminal(w io.Writer, first string) *progress {
	p := &progress{steps: make(chan string), ended: make(chan struct{})}
	go p.show(w, first)
	return p
}

func TestProgress_ShowsStepsFromOneSecondOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w screen
		p := onTerminal(&w, "listing")
		p.step("reading")
		time.Sleep(time.Second - 1)
		synctest.Wait()
		require.Empty(t, w.next())

		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Equal(t, "\r\x1b[Kasyncapigen: reading...", w.next())
		p.step("finding")
		p.stop()
		p.stop()
		require.Equal(t, "\r\x1b[Kasyncapigen: finding...\r\x1b[K", w.next())
	})
}

func TestProgress_OfShortRunIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w screen
		p := onTerminal(&w, "listing")
		time.Sleep(time.Second / 2)
		p.stop()
		require.Empty(t, w.next())
	})
}

func TestProgress_IsNotShownElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w screen
		p := startProgress(&w, "listing")
		time.Sleep(time.Minute)
		p.step("reading")
		p.stop()
		require.Empty(t, w.next())
	})
}
