package rabbitmq

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"
)

// A refusal is an answer to an attempt to connect that another one won't change,
// with its remedy.
type refusal struct {
	text  string
	cause error
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (%v)", r.text, r.cause) }

func (r *refusal) Unwrap() error { return r.cause }

// explainRefusal returns err as a refusal where it is one.
func explainRefusal(err error) error {
	for _, explain := range []func(error) string{explainTLS, explainProtocol, explainLogin} {
		if text := explain(err); text != "" {
			return &refusal{text, err}
		}
	}
	return err
}

// explainChannel adds the remedy to a channel that couldn't be opened.
func explainChannel(err error) error {
	if errors.Is(err, amqp.ErrChannelMax) {
		return fmt.Errorf("the connection has as many channels as the server's channel_max allows, and each route needs one: "+
			"raise channel_max, or make several brokers with fewer routes: %w", err)
	}
	return err
}

// explainTLS explains failed handshakes. That the server refuses our certificate
// may come as the first answer to what is sent after the handshake, of which the
// library keeps only the text.
func explainTLS(err error) string {
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &untrusted):
		return "the server's certificate isn't accepted: give its authority as RootCAs of Config.TLS, or its name as ServerName"
	case errors.As(err, &plain):
		return "the port doesn't speak TLS: use amqp://, or the port for amqps://, which is 5671 by default"
	case strings.Contains(err.Error(), "remote error: tls: "):
		return "the server refuses the TLS handshake: give a certificate that it accepts as Certificates of Config.TLS"
	default:
		return ""
	}
}

// explainProtocol explains a port that speaks another protocol, which the library
// tries to read as frames. It has an error of its own for these, and gives those
// of the network the same code.
func explainProtocol(err error) string {
	var fault *amqp.Error
	if errors.As(err, &fault) && !fault.Server && strings.HasPrefix(fault.Reason, "Exception (") {
		return "the port doesn't speak AMQP 0-9-1: use its port, which is 5672 by default, or amqps:// where this is the one for TLS"
	}
	return ""
}

func explainLogin(err error) string {
	var refused *amqp.Error
	switch {
	case errors.Is(err, amqp.ErrCredentials):
		return "the server refuses the login or has ended the connection: check user and password"
	case errors.Is(err, amqp.ErrVhost):
		return "the server refuses the vhost: check its name and the user's permissions"
	case errors.Is(err, amqp.ErrSASL):
		return "the server has no login mechanism in common with the URL"
	case errors.As(err, &refused) && refused.Server && (refused.Code == amqp.NotAllowed || refused.Code == amqp.AccessRefused):
		return "the server refuses the login: check user, vhost and permissions"
	default:
		return ""
	}
}
