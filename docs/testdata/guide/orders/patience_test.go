package orders_test

import (
	"context"
	"io"
	"io/fs"
	"testing"
	"testing/synctest"
	"time"

	"example.com/shop/orders"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

func TestBePatient_TriesWhatMayHelp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		router := runtime.NewRouter()
		if err := orders.BePatient(router); err != nil {
			t.Fatal(err)
		}
		router.MustRegister(
			runtime.Route{Name: "gone", Queue: runtime.Queue{Name: "gone"}, Handler: runtime.Consume(func(context.Context, string) error { return fs.ErrNotExist })},
			runtime.Route{Name: "away", Queue: runtime.Queue{Name: "away"}, Handler: runtime.Consume(func(context.Context, string) error { return io.ErrUnexpectedEOF })},
		)
		service, began := runtimetest.Start(t, router), time.Now()
		service.Send("gone", "file")
		service.Send("away", "disk")
		if n := len(service.Settled()); n != 1+8 {
			t.Errorf("%d attempts", n)
		}
		if took := time.Since(began); took < 7*time.Minute || took > 11*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}
