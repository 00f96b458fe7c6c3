package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// errBroken is the error of a connection that breaks.
var errBroken = errors.New("the connection is broken")

// A fault is what happens to the n-th request.
type fault string

const (
	lost       fault = "lost"          // it isn't sent
	unanswered fault = "unanswered"    // it is sent, and its answer is lost
	downFrom   fault = "lost for good" // it isn't sent, and none is from then on
)

// A breaking transport has one fault. It is safe for concurrent use.
type breaking struct {
	next  http.RoundTripper
	n     int
	fault fault
	only  string // counts writes below this path only; empty for every request

	mu    sync.Mutex
	count int
	at    string // what broke first
}

func (b *breaking) RoundTrip(r *http.Request) (*http.Response, error) {
	if !b.breaks(r) {
		return b.next.RoundTrip(r)
	}
	if b.fault == unanswered {
		if answer, err := b.next.RoundTrip(r); err == nil {
			answer.Body.Close()
		}
	}
	return nil, errBroken
}

func (b *breaking) breaks(r *http.Request) bool {
	if b.only != "" && (r.Method == http.MethodGet || !strings.HasPrefix(r.URL.Path, b.only)) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	breaks := b.count == b.n || b.count > b.n && b.fault == downFrom
	if breaks && b.at == "" {
		b.at = r.Method + " " + r.URL.Path
	}
	return breaks
}

func (b *breaking) hasBroken() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at != ""
}

func (b *breaking) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("request %d (%s), %s", b.n, b.at, b.fault)
}
