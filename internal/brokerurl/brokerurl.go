// Package brokerurl takes credentials out of the addresses of brokers, for what others
// read.
//
//	brokerurl.WithoutCredentials("amqp://shop:secret@mq.example.com") // amqp://mq.example.com
package brokerurl

import (
	"net/url"
	"strings"
)

// WithoutCredentials leaves the user and the password out of the address of a
// broker, which may have no scheme. Of a password that isn't escaped, as in
// amqp://shop:pa/ss@host, the slash seems to end the host: nothing before an @ is kept
// where what stands before the slash can't be a host with its port.
func WithoutCredentials(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if ok {
		scheme += "://"
	} else {
		scheme, rest = "", address
	}
	host, path := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host, path = rest[:end], rest[end:]
	}
	if !isHost(host) {
		if at := strings.LastIndexByte(path, '@'); at >= 0 {
			return scheme + path[at+1:]
		}
	}
	return scheme + host[strings.LastIndexByte(host, '@')+1:] + path
}

// isHost reports whether text is a host, perhaps with a user before it and a port
// behind it.
func isHost(text string) bool {
	_, err := url.Parse("amqp://" + text)
	return err == nil
}
