// Package rabbitnode starts private RabbitMQ nodes for tests: real ones, in a
// folder of their own, on loopback ports of their own, with an Erlang port
// mapper of their own. A node shares nothing with a RabbitMQ that is installed
// on the machine, save its programs.
//
//	node, err := rabbitnode.Start(ctx)
//	if err != nil {
//		return err // says what to install
//	}
//	defer node.Stop()
//	conn, err := amqp.Dial(node.URL())
//
// A node takes 4 to 6 seconds to start and 150 MB of memory, so a test package
// starts one and its tests use names of their own (measured on RabbitMQ 3.10).
// It never touches a node that it hasn't started, and it leaves nothing behind:
// on Linux the processes end with the test process however that ends, and a
// folder that was left over is removed by the next Start.
package rabbitnode
