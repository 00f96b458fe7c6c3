package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// onTerminal shows progress as on a terminal.
func onTerminal(w *bytes.Buffer, first string) *progress {
	p := &progress{steps: make(chan string), ended: make(chan struct{})}
	go p.show(w, first)
	return p
}

func TestProgress_ShowsStepsFromOneSecondOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w bytes.Buffer
		p := onTerminal(&w, "listing")
		p.step("reading")
		time.Sleep(time.Second - 1)
		synctest.Wait()
		require.Empty(t, w.String())

		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Equal(t, "\r\x1b[Kasyncapigen: reading...", w.String())
		w.Reset()
		p.step("finding")
		p.stop()
		p.stop()
		require.Equal(t, "\r\x1b[Kasyncapigen: finding...\r\x1b[K", w.String())
	})
}

func TestProgress_OfShortRunIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w bytes.Buffer
		p := onTerminal(&w, "listing")
		time.Sleep(time.Second / 2)
		p.stop()
		require.Empty(t, w.String())
	})
}

func TestProgress_IsNotShownElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w bytes.Buffer
		p := startProgress(&w, "listing")
		time.Sleep(time.Minute)
		p.step("reading")
		p.stop()
		require.Empty(t, w.String())
	})
}
