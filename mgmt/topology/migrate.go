package topology

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/warrenmq/warren/mgmt"
)

// suffix ends the name of the queue that holds the messages in the meantime.
const suffix = ".migrating"

// queuePlan describes what Migrate does.
func queuePlan(queue Queue) []string {
	return []string{
		fmt.Sprintf("declare queue %q, durable and without limits", queue.Name+suffix),
		fmt.Sprintf("bind it as %q is bound, unbind %q, and move the messages by a shovel until it is empty", queue.Name, queue.Name),
		fmt.Sprintf("delete queue %q when it has neither messages nor consumers, and declare it as wanted", queue.Name),
		fmt.Sprintf("move bindings and messages back, and delete queue %q", queue.Name+suffix),
	}
}

func exchangePlan(exchange Exchange) []string {
	if isBuiltIn(exchange.Name) {
		return []string{fmt.Sprintf("declare exchange %q as it is: it is the broker's", exchange.Name)}
	}
	return []string{
		fmt.Sprintf("stop what publishes to exchange %q: a message without an exchange is lost", exchange.Name),
		fmt.Sprintf("delete exchange %q, with which its bindings go", exchange.Name),
		"apply again: the exchange and the declared bindings are made anew",
		"start what publishes",
	}
}

// Migrate gives an existing queue other properties without losing a message. It
// moves bindings and messages to a second queue, "NAME.migrating", deletes the
// queue, declares it with the properties of queue, and moves them back. A queue
// that doesn't exist is declared, and one that has the properties is left as it
// is.
//
// Messages may be repeated, and their order changes if publishers go on.
// Messages that are published to the queue by its name, over the default
// exchange, after it is deleted and before it is declared again are lost: stop
// such publishers. Stop its consumers too; Migrate waits for that. An
// auto-delete queue can't be migrated, nor a stream. After a failure, calling
// it again continues where it stopped.
//
// A queue whose wanted limits, by its arguments or a policy, could drop what
// there is isn't touched, and the error is [ErrLimit]: more messages or bytes
// than it may have, or a lifetime (x-message-ttl, x-expires, x-max-age) that
// the queue hasn't now or that is longer now. So is one whose messages were moved
// away by an earlier call: they stay in "NAME.migrating". A limit needs the
// inspector, and one in bytes waits for the API's count, up to 5 seconds old, to
// agree with the inspector's. What publishers add meanwhile is theirs: the
// wanted queue drops it by its limits, as always.
//
// See mgmt.SafeMigrateQueue about the inspector and ctx.
func Migrate(ctx context.Context, client *mgmt.Client, vhost string, queue Queue, inspector mgmt.Inspector) error {
	if queue.Exclusive {
		return fmt.Errorf("migrate queue %q: it is exclusive, so that it comes and goes with its connection", queue.Name)
	}
	m := migration{client, cmp.Or(vhost, "/"), queue, queue.Name + suffix, inspector, limits{}}
	err := client.DeclareQueue(ctx, vhost, queue.Name, queue.settings())
	if errors.Is(err, mgmt.ErrInequivalent) {
		err = m.replace(ctx)
	}
	if err != nil {
		return err
	}
	return m.moveBack(ctx)
}

// A migration is one call of Migrate.
type migration struct {
	client    *mgmt.Client
	vhost     string
	queue     Queue // as it is wanted
	meanwhile string
	inspector mgmt.Inspector
	had       limits // of the queue that is replaced; none if an earlier call has deleted it
}

// replace moves the messages into the queue for the meantime, deletes the
// queue, and declares it again.
func (m *migration) replace(ctx context.Context) error {
	there, err := m.client.Queue(ctx, m.vhost, m.queue.Name)
	if err != nil {
		return err
	}
	if there.AutoDelete.Or(false) || there.Type == "stream" {
		return fmt.Errorf("migrate queue %q: a stream can't be emptied, and a queue that is deleted with its last consumer can't be moved", m.queue.Name)
	}
	m.had = mergeLimits(there.Arguments, there.EffectivePolicy)
	if err := m.requireRoom(ctx, m.queue.Name, m.queue.Arguments); err != nil {
		return err
	}
	if err := m.declareMeanwhile(ctx); err != nil {
		return err
	}
	if err := m.requireRoom(ctx, m.meanwhile, nil); err != nil {
		return err
	}
	if err := mgmt.SafeMigrateQueue(ctx, m.client, m.vhost, m.queue.Name, m.meanwhile, m.inspector); err != nil {
		return err
	}
	return m.client.DeclareQueue(ctx, m.vhost, m.queue.Name, m.queue.settings())
}

// moveBack moves what is in the queue for the meantime, also after an earlier,
// failed call.
func (m *migration) moveBack(ctx context.Context) error {
	if _, err := m.client.Queue(ctx, m.vhost, m.meanwhile); err != nil {
		if errors.Is(err, mgmt.ErrNotFound) {
			return nil
		}
		return err
	}
	if err := m.requireRoom(ctx, m.queue.Name, m.queue.Arguments); err != nil {
		return err
	}
	return mgmt.SafeMigrateQueue(ctx, m.client, m.vhost, m.meanwhile, m.queue.Name, m.inspector)
}

// declareMeanwhile declares the queue for the meantime, unless an earlier call
// has. Of the wanted properties it has the replication only: limits could drop
// messages, and auto-delete all of them.
func (m *migration) declareMeanwhile(ctx context.Context) error {
	if _, err := m.client.Queue(ctx, m.vhost, m.meanwhile); !errors.Is(err, mgmt.ErrNotFound) {
		return err
	}
	declare := func(arguments mgmt.Table) error {
		return m.client.DeclareQueue(ctx, m.vhost, m.meanwhile, mgmt.QueueSettings{Arguments: arguments})
	}
	isReplicated, err := m.isReplicated(ctx)
	if err != nil {
		return err
	}
	if !isReplicated {
		return declare(mgmt.Table{queueType: "classic"})
	}
	// 4.x drops a message that returns more than 20 times, unless it is told not
	// to; 3.10 never does, and refuses to be told.
	err = declare(mgmt.Table{queueType: "quorum", "x-delivery-limit": -1})
	var refused *mgmt.Error
	if errors.As(err, &refused) && refused.Status == http.StatusBadRequest {
		return declare(mgmt.Table{queueType: "quorum"})
	}
	return err
}

// isReplicated reports whether the wanted queue is a quorum queue, which the
// virtual host decides where its arguments don't.
func (m *migration) isReplicated(ctx context.Context) (bool, error) {
	if _, isTyped := m.queue.Arguments[queueType]; isTyped || !m.queue.Durable || m.queue.AutoDelete {
		return kindOf(m.queue.Arguments) == mgmt.ApplyToQuorumQueues, nil
	}
	vhost, err := m.client.VHost(ctx, m.vhost)
	return vhost.DefaultQueueType == "quorum", err
}
