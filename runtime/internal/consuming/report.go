package consuming

import (
	"errors"
	"log/slog"

	"github.com/warrenmq/warren/runtime"
)

// LogFailure logs why the delivery d failed, with the stack where it was a panic, or why
// it was postponed. It logs nothing where the outcome has no error.
func LogFailure(log *slog.Logger, d *runtime.Delivery, outcome runtime.Outcome) {
	if outcome.Err == nil {
		return
	}
	if outcome.Postponed() {
		log.Info("delivery postponed", "reason", outcome.Err, "settlement", outcome.Settlement.String())
		return
	}
	log.Error("delivery failed", append(failure(outcome.Err), "attempt", d.Attempt, "settlement", outcome.Settlement.String())...)
}

// A Settlement is a delivery with what becomes of it.
type Settlement struct {
	Delivery *runtime.Delivery
	End      runtime.Settlement
}

// Settled tells the middleware of deliveries how they were settled, and logs its
// panics. All of them are told, even where one ends the goroutine.
func Settled(log *slog.Logger, ds []Settlement, err error) {
	told := 0
	defer func() {
		if told < len(ds) { // the one that ended it goes on with its other functions
			Settled(log, ds[told:], err)
		}
	}()
	for ; told < len(ds); told++ {
		if err := ds[told].Delivery.Settled(ds[told].End, err); err != nil {
			log.Error("middleware failed after the settlement", failure(err)...)
		}
	}
}

// failure returns the attributes of err. Its methods may be the program's, and may
// panic: package fmt survives that in Error, but not errors in Unwrap and As.
func failure(err error) (attributes []any) {
	attributes = []any{"error", err}
	defer func() { _ = recover() }()
	var panicked *runtime.PanicError
	if errors.As(err, &panicked) {
		attributes = append(attributes, "stack", string(panicked.Stack))
	}
	return attributes
}
