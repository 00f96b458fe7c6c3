package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/warrenmq/warren/examples/orders/ordersclient"
	"github.com/warrenmq/warren/runtime"
)

// demonstrate sends messages to every route, each when the one before has been
// handled, and prints what is handled and what is answered.
func demonstrate(ctx context.Context, out io.Writer, client ordersclient.Client, handled <-chan handling) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for _, step := range story(client) {
		id := rand.Text()
		fmt.Fprintf(out, "sent     %s\n", step.sends)
		reply, err := step.send(ctx, runtime.WithMessageID(id))
		if err != nil {
			return err
		}
		if err := await(ctx, out, id, handled); err != nil {
			return err
		}
		if err := printReply(out, reply); err != nil {
			return err
		}
	}
	return nil
}

// await prints what is handled up to the message id. Others come first where a
// queue of RabbitMQ held some.
func await(ctx context.Context, out io.Writer, id string, handled <-chan handling) error {
	for {
		select {
		case h := <-handled:
			h.print(out)
			if h.messageID == id {
				return h.err
			}
		case <-ctx.Done():
			return fmt.Errorf("wait for the message to be handled: %w", ctx.Err())
		}
	}
}

// printReply prints the answer to a call; nil is none.
func printReply(out io.Writer, reply any) error {
	if reply == nil {
		return nil
	}
	text, err := json.Marshal(reply)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "reply    %s\n", text)
	return err
}
