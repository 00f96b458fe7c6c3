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

// Handle runs d through its route by process, and leaves it unsettled where its handler
// does: [runtime.Delivery.Ack] and Nack then call settle, once at most. Any other outcome
// is settled by a goroutine of its own, which the waiter waits for.
func (u *Unsettled) Handle(d *runtime.Delivery, process func() runtime.Outcome, settle func(runtime.Outcome) error) {
	u.add(d, settle)
	returned := false
	defer func() {
		if !returned { // the handler has ended its goroutine
			u.returned(d)
		}
	}()
	outcome := process()
	returned = true
	if outcome.Open() {
		LogFailure(u.log, d, outcome)
		u.returned(d)
		return
	}
	u.waiter.Go(func() {
		defer u.remove(d)
		_ = settle(outcome) // the log has it
	})
}

// add lets d be settled by settle.
func (u *Unsettled) add(d *runtime.Delivery, settle func(runtime.Outcome) error) {
	d.ByHand(func(outcome runtime.Outcome) error {
		defer u.remove(d)
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

// returned notes that the handler of d has returned, and left it unsettled: it has
// failed when its time is over.
func (u *Unsettled) returned(d *runtime.Delivery) {
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

// remove forgets d, which is settled.
func (u *Unsettled) remove(d *runtime.Delivery) {
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
		u.remove(d)
		Settled(u.log, []Settlement{{Delivery: d, End: runtime.Requeue}}, err)
	}
}
