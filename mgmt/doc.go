// Package mgmt is a client of RabbitMQ's management HTTP API, for the versions
// from 3.10 to 4.3: it declares queues and bindings, runs shovels, and reads
// what the broker says about itself.
//
//	client, err := mgmt.New(mgmt.Config{URL: "https://rabbit.example.com:15671", Username: "ops", Password: secret})
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	err = client.DeclareQueue(ctx, "/", "orders", mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": "quorum"}})
//	if errors.Is(err, mgmt.ErrInequivalent) {
//		// The queue is there, with other arguments.
//	}
//	for queue, err := range client.QueuesSeq(ctx, mgmt.AllVHosts, mgmt.Columns("name", "vhost", "messages")) {
//		...
//	}
//
// # One pattern
//
// What is sent is an XSettings, what comes back an XInfo. Of a kind of thing
// that is named X, Xs lists, XsSeq lists without holding the list, X reads one,
// PutX makes or changes one, and DeleteX deletes it; queues and exchanges are
// declared, queues and exchanges bound, as AMQP says it. The virtual host is
// the first argument after the context and the empty one is the default, "/".
// [List], [Seq] and [Client.Do] reach whatever has no method.
//
// Every method blocks until the answer, obeys its context, and is safe for
// concurrent use over one pool of connections; [Go] runs one in the background.
// Errors are an [*Error], to be told apart by errors.Is.
//
// # What isn't there isn't zero
//
// The API leaves keys out, by version, by kind of queue, and while it has no
// figures yet: the message count of a new queue is absent for up to 5 seconds,
// and of any queue as old as that (measured on 3.10, 4.0 and 4.3). Such fields
// are an [Opt]. Never delete a queue because its count is 0: see
// [SafeDeleteQueue].
//
// # What it never does
//
// It never follows a redirect, which would turn a write into a read; never
// waits or reads without limit; never changes what it is given; never sends a
// name that the server would take for another; and never shows a password. It
// imports the standard library only. Package mgmt/passive asks a broker over
// AMQP for what the API can't say in time.
package mgmt
