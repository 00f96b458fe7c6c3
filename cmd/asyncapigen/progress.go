package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progress shows on a terminal what is being done, once it has taken more than
// a second. Elsewhere it shows nothing.
type progress struct {
	steps chan string
	ended chan struct{}
	once  sync.Once
}

// startProgress shows first until there is another step or it is stopped.
func startProgress(w io.Writer, first string) *progress {
	p := &progress{steps: make(chan string), ended: make(chan struct{})}
	file, ok := w.(*os.File)
	if !ok || !isTerminal(file) {
		close(p.ended)
		return p
	}
	go p.show(w, first)
	return p
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

func (p *progress) show(w io.Writer, step string) {
	defer close(p.ended)
	const clearLine = "\r\x1b[K"
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	shown := false
	for {
		select {
		case <-timer.C:
			shown = true
		case next, more := <-p.steps:
			if !more {
				if shown {
					fmt.Fprint(w, clearLine)
				}
				return
			}
			step = next
		}
		if shown {
			fmt.Fprintf(w, "%sasyncapigen: %s...", clearLine, step)
		}
	}
}

// step shows another step.
func (p *progress) step(next string) {
	select {
	case p.steps <- next:
	case <-p.ended:
	}
}

// stop clears the line and waits until it is cleared. It may be called twice.
func (p *progress) stop() {
	p.once.Do(func() { close(p.steps) })
	<-p.ended
}
