package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// serve answers HTTP requests and prints what is handled, until ctx ends. Then
// the requests that are being answered get some time.
func serve(ctx context.Context, out io.Writer, address string, api http.Handler, handled <-chan handling) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("serve HTTP: %w: choose another address by -http", err)
	}
	server := &http.Server{Handler: api, ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(out, "serving  http://%s, until interrupted\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- serveUntil(ctx, server, listener) }()
	for {
		select {
		case h := <-handled: // also while the server stops: an answer may wait for it
			h.print(out)
		case err := <-ended:
			return err
		}
	}
}

func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	err := inGrace(ctx, server.Shutdown)
	<-served
	return err
}
