// Package topology compares the queues, exchanges and bindings that a program
// declares with those that a RabbitMQ broker has, and makes the difference:
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
// What exists with other properties can't be changed in place: it is shown, with
// what is wanted, what is there and how to migrate it, and left alone; [Migrate]
// does it for one queue. Nothing is ever deleted without Options.Prune, and no
// queue with messages or consumers even then.
package topology
