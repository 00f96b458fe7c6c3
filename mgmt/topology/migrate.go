package topology

import (
	"context"
	"errors"
	"fmt"

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
// See mgmt.SafeMigrateQueue about the inspector and ctx.
func Migrate(ctx context.Context, client *mgmt.Client, vhost string, queue Queue, inspector mgmt.Inspector) error {
	if queue.Exclusive {
		return fmt.Errorf("migrate queue %q: it is exclusive, so that it comes and goes with its connection", queue.Name)
	}
	meanwhile := queue.Name + suffix
	err := client.DeclareQueue(ctx, vhost, queue.Name, queue.settings())
	if errors.Is(err, mgmt.ErrInequivalent) {
		err = replace(ctx, client, vhost, queue, inspector)
	}
	if err != nil {
		return err
	}
	// This also moves back what an earlier, failed call has left.
	if _, err := client.Queue(ctx, vhost, meanwhile); err != nil {
		if errors.Is(err, mgmt.ErrNotFound) {
			return nil
		}
		return err
	}
	return mgmt.SafeMigrateQueue(ctx, client, vhost, meanwhile, queue.Name, inspector)
}

// replace moves the messages into the queue for the meantime, deletes the
// queue, and declares it again.
func replace(ctx context.Context, client *mgmt.Client, vhost string, queue Queue, inspector mgmt.Inspector) error {
	there, err := client.Queue(ctx, vhost, queue.Name)
	if err != nil {
		return err
	}
	if there.AutoDelete.Or(false) || there.Type == "stream" {
		return fmt.Errorf("migrate queue %q: a stream can't be emptied, and a queue that is deleted with its last consumer can't be moved", queue.Name)
	}
	meanwhile := queue.Name + suffix
	if err := declareMeanwhile(ctx, client, vhost, meanwhile, queue); err != nil {
		return err
	}
	if err := mgmt.SafeMigrateQueue(ctx, client, vhost, queue.Name, meanwhile, inspector); err != nil {
		return err
	}
	return client.DeclareQueue(ctx, vhost, queue.Name, queue.settings())
}

// declareMeanwhile declares the queue for the meantime, unless an earlier call
// has. Of the wanted properties it has the replication only: limits could drop
// messages, and auto-delete all of them.
func declareMeanwhile(ctx context.Context, client *mgmt.Client, vhost, meanwhile string, queue Queue) error {
	if _, err := client.Queue(ctx, vhost, meanwhile); !errors.Is(err, mgmt.ErrNotFound) {
		return err
	}
	kind := "classic"
	if queue.Arguments[queueType] == "quorum" {
		kind = "quorum"
	}
	return client.DeclareQueue(ctx, vhost, meanwhile, mgmt.QueueSettings{Arguments: mgmt.Table{queueType: kind}})
}
