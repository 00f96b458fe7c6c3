package rabbitmq

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// The variables that [FromEnvironment] reads, in the order of the fields that they set.
const (
	envURL             = "RABBITMQ_URL"
	envAddresses       = "RABBITMQ_ADDRESSES"
	envUser            = "RABBITMQ_USER"
	envPassword        = "RABBITMQ_PASSWORD"
	envPasswordFile    = "RABBITMQ_PASSWORD_FILE"
	envPrefetch        = "RABBITMQ_PREFETCH"
	envPrefetchBytes   = "RABBITMQ_PREFETCH_BYTES"
	envConcurrency     = "RABBITMQ_CONCURRENCY"
	envAckBatch        = "RABBITMQ_ACK_BATCH"
	envTimeout         = "RABBITMQ_TIMEOUT"
	envRedeliveryDelay = "RABBITMQ_REDELIVERY_DELAY"
	envCancelOnLoss    = "RABBITMQ_CANCEL_ON_LOSS"
	envTopology        = "RABBITMQ_TOPOLOGY"
	envConnectionName  = "RABBITMQ_CONNECTION_NAME"
	envHeartbeat       = "RABBITMQ_HEARTBEAT"
	envTLSAuthority    = "RABBITMQ_TLS_CA_FILE"
	envTLSCertificate  = "RABBITMQ_TLS_CERT_FILE"
	envTLSKey          = "RABBITMQ_TLS_KEY_FILE"
	envTLSServerName   = "RABBITMQ_TLS_SERVER_NAME"
	envStartTimeout    = "RABBITMQ_START_TIMEOUT"
)

// FromEnvironment returns a configuration of the variables of the environment, as they
// are at the time of the call. One that is unset or empty leaves its field at the
// default. Fields that aren't values have none: Logger and Events.
//
//	RABBITMQ_URL               URL; required
//	RABBITMQ_ADDRESSES         Addresses, separated by commas
//	RABBITMQ_USER              Credentials: the user, in place of the URL's
//	RABBITMQ_PASSWORD          Credentials: the password of that user
//	RABBITMQ_PASSWORD_FILE     Credentials: a file with the password, read for each connection
//	RABBITMQ_PREFETCH          Prefetch
//	RABBITMQ_PREFETCH_BYTES    PrefetchBytes
//	RABBITMQ_CONCURRENCY       Concurrency
//	RABBITMQ_ACK_BATCH         AckBatch
//	RABBITMQ_TIMEOUT           Timeout, such as 90s, 5m or 1h30m
//	RABBITMQ_REDELIVERY_DELAY  RedeliveryDelay
//	RABBITMQ_CANCEL_ON_LOSS    CancelOnLoss, true or false
//	RABBITMQ_TOPOLOGY          Topology: declare, verify or none
//	RABBITMQ_CONNECTION_NAME   ConnectionName
//	RABBITMQ_HEARTBEAT         Heartbeat
//	RABBITMQ_TLS_CA_FILE       TLS: RootCAs, as PEM
//	RABBITMQ_TLS_CERT_FILE     TLS: Certificates, as PEM
//	RABBITMQ_TLS_KEY_FILE      TLS: the key of the certificate, as PEM
//	RABBITMQ_TLS_SERVER_NAME   TLS: ServerName
//	RABBITMQ_START_TIMEOUT     StartTimeout
//
// The error lists all variables that can't be read, without their values. What
// contradicts itself is an error of [New].
func FromEnvironment() (Config, error) {
	r := &environment{}
	config := Config{
		URL:             os.Getenv(envURL),
		Addresses:       r.list(envAddresses),
		Credentials:     r.credentials(),
		Prefetch:        int(r.number(envPrefetch, strconv.IntSize)),
		PrefetchBytes:   r.number(envPrefetchBytes, 64),
		Concurrency:     int(r.number(envConcurrency, strconv.IntSize)),
		AckBatch:        int(r.number(envAckBatch, strconv.IntSize)),
		Timeout:         r.duration(envTimeout),
		RedeliveryDelay: r.duration(envRedeliveryDelay),
		CancelOnLoss:    r.flag(envCancelOnLoss),
		Topology:        r.topology(),
		ConnectionName:  os.Getenv(envConnectionName),
		Heartbeat:       r.duration(envHeartbeat),
		TLS:             r.tls(),
		StartTimeout:    r.duration(envStartTimeout),
	}
	if config.URL == "" {
		r.fail(envURL, errors.New("is unset: it says where the server is, as amqp://host:5672/vhost"))
	}
	if len(r.faults) > 0 {
		return Config{}, fmt.Errorf("read the environment: %w", errors.Join(r.faults...))
	}
	return config, nil
}

// An environment reads variables and notes what is wrong with them. Values may be
// secret, so errors don't have them.
type environment struct{ faults []error }

func (r *environment) fail(name string, err error) {
	r.faults = append(r.faults, fmt.Errorf("variable %s: %w", name, err))
}

func (r *environment) list(name string) []string {
	var all []string
	for text := range strings.SplitSeq(os.Getenv(name), ",") {
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func (r *environment) number(name string, bits int) int64 {
	text := os.Getenv(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, bits)
	if err != nil {
		r.fail(name, errors.New("isn't a whole number"))
	}
	return n
}

func (r *environment) duration(name string) time.Duration {
	text := os.Getenv(name)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		r.fail(name, errors.New("isn't a duration with its unit, such as 90s, 5m or 1h30m"))
	}
	return d
}

func (r *environment) flag(name string) bool {
	text := os.Getenv(name)
	if text == "" {
		return false
	}
	holds, err := strconv.ParseBool(text)
	if err != nil {
		r.fail(name, errors.New("is neither true nor false"))
	}
	return holds
}

func (r *environment) topology() runtime.TopologyMode {
	switch text := os.Getenv(envTopology); text {
	case "", "declare":
		return runtime.TopologyDeclare
	case string(runtime.TopologyVerify), string(runtime.TopologyNone):
		return runtime.TopologyMode(text)
	default:
		r.fail(envTopology, errors.New("is none of declare, verify and none"))
		return runtime.TopologyDeclare
	}
}

// credentials returns the provider of the user with its password, nil where no user is
// given.
func (r *environment) credentials() func(context.Context) (Credentials, error) {
	user, password, file := os.Getenv(envUser), os.Getenv(envPassword), os.Getenv(envPasswordFile)
	switch {
	case user == "" && password == "" && file == "":
		return nil
	case user == "":
		r.fail(envUser, fmt.Errorf("is unset, and %s or %s is set: set all that say who logs in, or none", envPassword, envPasswordFile))
		return nil
	case (password == "") == (file == ""):
		r.fail(envUser, fmt.Errorf("is set: set either %s or %s as well", envPassword, envPasswordFile))
		return nil
	}
	return func(context.Context) (Credentials, error) {
		if file == "" {
			return Credentials{User: user, Password: password}, nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return Credentials{}, fmt.Errorf("read the file of %s: %w", envPasswordFile, err)
		}
		return Credentials{User: user, Password: strings.TrimRight(string(text), "\r\n")}, nil
	}
}

// tls returns nil where no variable of TLS is set.
func (r *environment) tls() *tls.Config {
	authority, certificate, key := os.Getenv(envTLSAuthority), os.Getenv(envTLSCertificate), os.Getenv(envTLSKey)
	name := os.Getenv(envTLSServerName)
	if authority+certificate+key+name == "" {
		return nil
	}
	config := &tls.Config{ServerName: name, MinVersion: tls.VersionTLS12}
	if authority != "" {
		text, err := os.ReadFile(authority)
		config.RootCAs = x509.NewCertPool()
		switch {
		case err != nil:
			r.fail(envTLSAuthority, withoutPath(err))
		case !config.RootCAs.AppendCertsFromPEM(text):
			r.fail(envTLSAuthority, errors.New("names a file without a certificate as PEM"))
		}
	}
	switch {
	case certificate == "" && key == "":
	case certificate == "" || key == "":
		r.fail(envTLSCertificate, fmt.Errorf("goes with %s: set both", envTLSKey))
	default:
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			r.fail(envTLSCertificate, withoutPath(err))
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config
}

// withoutPath returns an error about a file without its name, which may be a secret
// that was put in the wrong variable.
func withoutPath(err error) error {
	var about *fs.PathError
	if errors.As(err, &about) {
		return fmt.Errorf("names a file that can't be read: %w", about.Err)
	}
	return err
}
