package observe

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// health notes whether exports succeed.
type health struct {
	log  *slog.Logger
	what string // is exported, such as "spans"

	mu       sync.Mutex
	number   uint64 // that was exported
	failures uint64
	lastErr  error // nil after a success
	lastTime time.Time
	logged   time.Time // the last failure that was logged
	failing  bool      // that failure was logged, and its end wasn't
}

// logPeriod is the least time between two records of failing exports.
const logPeriod = time.Minute

// exported notes an export, and logs that exporting begins to fail, goes on
// failing, and works again.
func (h *health) exported(n int, err error) {
	h.mu.Lock()
	h.lastErr, h.lastTime = err, time.Now()
	if err == nil {
		h.number += uint64(n)
	} else {
		h.failures++
	}
	failed := err != nil && time.Since(h.logged) >= logPeriod
	if failed {
		h.logged = h.lastTime
	}
	recovered := err == nil && h.failing
	h.failing = failed || h.failing && err != nil
	h.mu.Unlock()
	switch {
	case failed:
		h.log.LogAttrs(context.Background(), slog.LevelWarn, h.what+" are not exported", slog.Int("number", n), slog.String("cause", err.Error()))
	case recovered:
		h.log.LogAttrs(context.Background(), slog.LevelInfo, h.what+" are exported again")
	}
}

// last returns when the last export was, and its error.
func (h *health) last() (time.Time, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lastTime, h.lastErr
}

// counts returns how much was exported, and how many exports failed.
func (h *health) counts() (exported, failures uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.number, h.failures
}
