package refunds

import (
	"testing"
	"testing/synctest"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/shop/legacy"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

// acks notes how the old consumer settles a message.
type acks struct{ outcome string }

func (a *acks) Ack(uint64, bool) error    { a.outcome = "paid"; return nil }
func (a *acks) Reject(uint64, bool) error { a.outcome = "gone"; return nil }

func (a *acks) Nack(_ uint64, _, requeue bool) error {
	a.outcome = "gone"
	if requeue {
		a.outcome = "again"
	}
	return nil
}

// The old consumer and the new one make the same of each message, but for those that
// can't be read: they were gone, and are dead letters.
func TestRefund_IsHandledAsBefore(t *testing.T) {
	for body, want := range map[string]string{
		`{"order":"17","cents":900}`: "paid",
		`{"order":"18","cents":-1}`:  "again", // the bank takes it at the second try
		`{"order":`:                  "gone",
		`{"order":19}`:               "gone",
	} {
		t.Run(body, func(t *testing.T) {
			old := new(acks)
			pay := func(cents int) error {
				if cents < 0 {
					return legacy.ErrBankIsAway
				}
				return nil
			}
			err := legacy.Handle(amqp.Delivery{Acknowledger: old, Body: []byte(body)}, func(r legacy.Refund) error { return pay(r.Cents) })
			if err != nil || old.outcome != want {
				t.Errorf("before: %s, %v", old.outcome, err)
			}
			synctest.Test(t, func(t *testing.T) {
				if got := outcome(t, body, pay); got != want {
					t.Errorf("after: %s", got)
				}
			})
		})
	}
}

// outcome says what the new consumer makes of a message.
func outcome(t *testing.T, body string, pay func(cents int) error) string {
	calls := 0
	svc := &Service{Pay: func(r Refund) error {
		if calls++; calls > 1 {
			return nil
		}
		return pay(r.Cents)
	}}
	router := runtime.NewRouter()
	if err := Register(router, svc); err != nil {
		t.Fatal(err)
	}
	service := runtimetest.Start(t, router)
	service.Send("Refund", []byte(body))
	service.Settled()
	if n := service.Queue("refunds").Len(); n != 0 {
		t.Errorf("%d messages wait", n)
	}
	if n := service.Queue("refunds.dead").Len(); (n == 1) != (calls == 0) {
		t.Errorf("%d dead letters after %d calls", n, calls)
	}
	return [...]string{"gone", "paid", "again"}[calls]
}
