package conformance

import (
	"bytes"
	"sync"
)

// A Log is text that tests read while it is written. The zero value is empty. It is
// safe for concurrent use.
type Log struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

// Write adds to the text, and never fails.
func (b *Log) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

// String returns what was written.
func (b *Log) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
