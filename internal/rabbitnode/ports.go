package rabbitnode

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// ports are the listeners of one node.
type ports struct{ amqp, amqps, management, distribution, control, mapper int }

// Ports are taken from below the ranges that systems give to outgoing
// connections (32768 on Linux, 49152 elsewhere): a client that dials a dead node's
// port from such a range can be given that very port and connect to itself.
const (
	firstPort = 20000
	lastPort  = 32000
)

// freePorts returns ports without a listener. Each stays taken until all are
// found. Another program may still get one before the node does; Start then tries
// others.
func freePorts() (ports, error) {
	var p ports
	for _, port := range []*int{&p.amqp, &p.amqps, &p.management, &p.distribution, &p.control, &p.mapper} {
		listener, err := listen()
		if err != nil {
			return ports{}, err
		}
		defer listener.Close()
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	return p, nil
}

// FreeAddress returns an address of this machine without a listener, for a plugin or a
// program that is started next.
func FreeAddress() (string, error) {
	listener, err := listen()
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func listen() (net.Listener, error) {
	var errs []error
	for range 100 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			return listener, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("find a free port: %w", errors.Join(errs[:3]...))
}
