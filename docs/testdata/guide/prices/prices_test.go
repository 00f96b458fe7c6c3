package prices

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

func TestWatch_BeginsAndEndsWhileTheServiceRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, watcher := new(memory.Server), new(Watcher)
		sender := memory.New(memory.Config{Server: server})
		defer sender.Shutdown(t.Context())
		send := func() error {
			return sender.Publish(t.Context(), runtime.Address{Exchange: "prices"}, &runtime.Message{Body: []byte(`{"Cents":1}`)})
		}
		later := memory.New(memory.Config{Server: server})
		if err := watcher.Watch(t.Context(), later); err != nil {
			t.Fatal(err)
		}
		if err := send(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := watcher.Heard.Load(); n != 1 {
			t.Errorf("%d prices while it watches", n)
		}
		if err := later.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := send(); !errors.Is(err, runtime.ErrUnroutable) {
			t.Errorf("the price reaches a queue, though nothing watches: %v", err)
		}
	})
}
