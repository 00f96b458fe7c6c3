package topology

import (
	"context"
	"errors"
	"fmt"

	"github.com/warrenmq/warren/mgmt"
)

// suffix is of the name of the queue that holds the messages meanwhile.
const suffix = ".migrating"

// queuePlan is what Migrate does, in words.
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

// Migrate gives an existing queue other properties, without losing a message: by
// a second queue, "NAME.migrating", to which bindings and messages go and from
// which they come back. Messages may be repeated, and their order changes where
// publishers go on. Between the deletion of the queue and its new declaration,
// messages that are published to it by its name, over the default exchange, are
// lost: stop what does. Consumers have to be stopped as well; it waits for that.
// A queue that is deleted with its last consumer can't be migrated, nor a stream.
// When it fails, calling it again goes on from where it was.
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
	// What an earlier try has left comes back as well.
	if _, err := client.Queue(ctx, vhost, meanwhile); err != nil {
		if errors.Is(err, mgmt.ErrNotFound) {
			return nil
		}
		return err
	}
	return mgmt.SafeMigrateQueue(ctx, client, vhost, meanwhile, queue.Name, inspector)
}

// replace empties the queue into the one for the meantime and declares it anew.
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

// declareMeanwhile makes the queue for the meantime, unless an earlier try has.
// It has none of the wanted properties but the replication, since limits could
// drop messages, and auto-delete all of them.
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
