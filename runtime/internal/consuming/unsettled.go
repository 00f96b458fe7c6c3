package consuming

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// Unsettled are the deliveries of a channel that are settled by hand, see
// [runtime.AckByHand], from their coming to their settlement.
type Unsettled struct {
	timeout time.Duration   // 0 for none
	waiter  *sync.WaitGroup // waits for all of them
	log     *slog.Logger

	mu     sync.Mutex
	open   map[*runtime.Delivery]*timed
	closed error
}

// timed is when a delivery has come, and what ends its time after its handler has
// returned.
type timed struct {
	since time.Time
	timer *time.Timer
}

// NewUnsettled returns the unsettled deliveries of a channel, for which waiter waits.
func NewUnsettled(limits Limits, waiter *sync.WaitGroup, log *slog.Logger) *Unsettled {
	return &Unsettled{timeout: limits.Timeout, waiter: waiter, log: log, open: make(map[*runtime.Delivery]*timed)}
}

// Add lets d be settled by settle, which is called at most once.
func (u *Unsettled) Add(d *runtime.Delivery, settle func(runtime.Outcome) error) {
	d.ByHand(func(outcome runtime.Outcome) error {
		defer u.Remove(d)
		return settle(outcome)
	})
	if err := u.begin(d); err != nil {
		d.GiveUp(err)
		Settled(u.log, []Settlement{{Delivery: d, End: runtime.Requeue}}, err)
	}
}

// begin fails where no more deliveries can be settled.
func (u *Unsettled) begin(d *runtime.Delivery) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed == nil {
		u.open[d] = &timed{since: time.Now()}
		u.waiter.Add(1)
	}
	return u.closed
}

// Returned notes that the handler of d has returned, and left it unsettled: it has
// failed when its time is over.
func (u *Unsettled) Returned(d *runtime.Delivery) {
	u.mu.Lock()
	defer u.mu.Unlock()
	t, open := u.open[d]
	if !open || u.timeout <= 0 {
		return
	}
	t.timer = time.AfterFunc(u.timeout-time.Since(t.since), func() {
		err := fmt.Errorf("%w of %v: it wasn't settled by hand", runtime.ErrTimeout, u.timeout)
		_ = d.Nack(err) // fails where it was settled meanwhile
	})
}

// Remove forgets d, which is settled.
func (u *Unsettled) Remove(d *runtime.Delivery) {
	u.mu.Lock()
	defer u.mu.Unlock()
	t, open := u.open[d]
	if !open {
		return
	}
	delete(u.open, d)
	if t.timer != nil {
		t.timer.Stop()
	}
	u.waiter.Done()
}

// Close gives up all that are unsettled: they come again, and to settle them fails
// with err.
func (u *Unsettled) Close(err error) {
	u.mu.Lock()
	if u.closed == nil {
		u.closed = err
	}
	var lost []*runtime.Delivery
	for d := range u.open {
		if d.GiveUp(err) {
			lost = append(lost, d)
		}
	}
	u.mu.Unlock()
	for _, d := range lost {
		u.Remove(d)
		Settled(u.log, []Settlement{{Delivery: d, End: runtime.Requeue}}, err)
	}
}
