// Package wire has the rules of AMQP 0-9-1's wire format that concern messages:
// the types of header fields and of times, the length of names and properties,
// and the addresses of direct replies. Both brokers keep them, so that a message
// which one of them takes, the other takes as well.
//
//	headers, err := wire.CopyHeaders(msg.Headers)
//
// It knows no client library and sends nothing.
package wire
