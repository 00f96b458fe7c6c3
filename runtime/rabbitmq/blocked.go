package rabbitmq

import (
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

func blocking(change amqp.Blocking) runtime.Event {
	if !change.Active {
		return runtime.Event{Kind: runtime.EventUnblocked, Connection: "publishing"}
	}
	return runtime.Event{Kind: runtime.EventBlocked, Connection: "publishing", Err: errors.New(change.Reason)}
}

// watchBlocked notes whether the server takes messages on l: it says so when an
// alarm for memory or disk space begins and ends (RabbitMQ, blocked connections).
// A session doesn't write meanwhile. The function that is returned ends the
// watch; the link has to have ended before, or end soon.
func (p *publisher) watchBlocked(l *link) (stop func()) {
	changes := l.conn.NotifyBlocked(make(chan amqp.Blocking, 16))
	done, stopping := make(chan struct{}), make(chan struct{})
	log := p.broker.config.Logger.With("role", "publishing")
	go func() {
		defer close(done)
		for {
			select {
			case change, open := <-changes:
				if !open {
					return
				}
				p.blocked.Store(change.Active)
				p.wakeSessions()
				p.broker.emit(blocking(change), nil)
				if change.Active {
					log.Warn("the server takes no messages", "reason", change.Reason)
				} else {
					log.Info("the server takes messages again")
				}
			case <-stopping:
				return
			}
		}
	}()
	return func() {
		close(stopping)
		<-done
		p.blocked.Store(false)
	}
}
