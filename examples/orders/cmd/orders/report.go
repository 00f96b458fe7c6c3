package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/warrenmq/warren/runtime"
)

// A handling is a delivery that the service has dealt with.
type handling struct {
	route, queue string
	messageID    string
	body         []byte
	err          error
}

// report returns middleware that tells the channel of every handled delivery.
func report(handled chan<- handling) runtime.Middleware {
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			reply, err := next(ctx, d)
			done := handling{
				route:     d.Route,
				queue:     d.Queue,
				messageID: d.MessageID,
				body:      bytes.Clone(d.Body),
				err:       err,
			}
			select {
			case handled <- done:
			case <-ctx.Done():
			}
			return reply, err
		}
	}
}

func (h handling) print(out io.Writer) {
	if h.err != nil {
		fmt.Fprintf(out, "failed   %-15s %-17s %v\n", h.route, h.queue, h.err)
		return
	}
	fmt.Fprintf(out, "handled  %-15s %-17s %s\n", h.route, h.queue, h.body)
}
