// Package topology compares the queues, exchanges and bindings that a program
// declares with those that a RabbitMQ broker has, and declares what is missing:
//
//	changes, err := topology.Diff(ctx, client, topology.Topology{
//		VHost:     "/",
//		Exchanges: []topology.Exchange{{Name: "shop", Type: "topic", Durable: true}},
//		Queues:    []topology.Queue{{Name: "orders", Durable: true}},
//		Bindings:  []topology.Binding{{Exchange: "shop", Queue: "orders", RoutingKey: "order.#"}},
//	})
//	if err != nil {
//		return err
//	}
//	fmt.Print(changes)
//	err = topology.Apply(ctx, client, changes, topology.Options{})
//
// What exists with other properties can't be changed in place: [Diff] returns
// what is wanted, what exists and how to migrate it, [Apply] leaves it as it
// is, and [Migrate] migrates one queue. Nothing is deleted without
// Options.Prune, and no queue with messages or consumers even then.
//
// The functions don't change their arguments and may be called concurrently. What
// the broker refuses is an [*mgmt.Error].
package topology
