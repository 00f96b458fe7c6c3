package observe

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// health notes whether exports succeed.
type health struct {
	log *slog.Logger

	mu       sync.Mutex
	spans    uint64
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
func (h *health) exported(spans int, err error) {
	h.mu.Lock()
	h.lastErr, h.lastTime = err, time.Now()
	if err == nil {
		h.spans += uint64(spans)
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
		h.log.LogAttrs(context.Background(), slog.LevelWarn, "spans are not exported", slog.Int("spans", spans), slog.String("cause", err.Error()))
	case recovered:
		h.log.LogAttrs(context.Background(), slog.LevelInfo, "spans are exported again")
	}
}

// last returns when the last export was, and its error.
func (h *health) last() (time.Time, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lastTime, h.lastErr
}
