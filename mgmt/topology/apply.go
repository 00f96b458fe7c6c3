package topology

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/mgmt"
)

// Options say what Apply may delete. The zero value deletes nothing.
type Options struct {
	// Prune deletes what is surplus: bindings; queues without messages and
	// consumers; exchanges without bindings.
	Prune bool

	// Inspector is needed to delete quorum queues, see mgmt.SafeDeleteQueue.
	// Without one (nil) they are left. Streams are always left.
	Inspector mgmt.Inspector
}

// An InequivalentError lists what Apply has left because it exists with other
// properties. It is also mgmt.ErrInequivalent.
type InequivalentError struct{ Differences []Difference }

func (e *InequivalentError) Error() string {
	names := make([]string, len(e.Differences))
	for i, d := range e.Differences {
		fields := make([]string, len(d.Fields))
		for j, field := range d.Fields {
			fields[j] = field.String()
		}
		names[i] = fmt.Sprintf("%s %q (%s)", d.Kind, d.Name, strings.Join(fields, "; "))
	}
	return fmt.Sprintf("left as they are: %s: declare what is there, or migrate", strings.Join(names, ", "))
}

// Unwrap returns mgmt.ErrInequivalent.
func (e *InequivalentError) Unwrap() error { return mgmt.ErrInequivalent }

// Apply declares what is missing: exchanges, queues, then bindings. With
// Options.Prune it then deletes what is surplus. It stops at the first error,
// and can be called again.
//
// What it has to leave as it is doesn't stop it, and is returned at the end, as
// joined errors: queues in use as mgmt.ErrInUse, quorum queues without an
// Inspector as mgmt.ErrNoInspector, and what differs as an *InequivalentError.
//
// See docs/decisions/0027.
func Apply(ctx context.Context, client *mgmt.Client, changes Changes, options Options) error {
	for _, exchange := range changes.Exchanges {
		if err := client.DeclareExchange(ctx, changes.VHost, exchange.Name, exchange.settings()); err != nil {
			return err
		}
	}
	for _, queue := range changes.Queues {
		if err := client.DeclareQueue(ctx, changes.VHost, queue.Name, queue.settings()); err != nil {
			return err
		}
	}
	for _, binding := range changes.Bindings {
		if err := client.BindQueue(ctx, changes.VHost, binding.Queue, binding.Exchange, binding.settings()); err != nil {
			return err
		}
	}
	for _, binding := range changes.ExchangeBindings {
		if err := client.BindExchange(ctx, changes.VHost, binding.Destination, binding.Source, binding.settings()); err != nil {
			return err
		}
	}
	var left []error
	if options.Prune {
		var err error
		if left, err = prune(ctx, client, changes, options.Inspector); err != nil {
			return errors.Join(append(left, err)...)
		}
	}
	if len(changes.Inequivalent) > 0 {
		left = append(left, &InequivalentError{slices.Clone(changes.Inequivalent)})
	}
	return errors.Join(left...)
}

// prune deletes what is surplus, and returns why queues and exchanges were
// left. What doesn't exist any more is no error.
func prune(ctx context.Context, client *mgmt.Client, changes Changes, inspector mgmt.Inspector) (left []error, err error) {
	for _, b := range changes.Surplus.Bindings {
		err := client.UnbindQueue(ctx, changes.VHost, b.Destination, b.Source, b.PropertiesKey)
		if err != nil && !errors.Is(err, mgmt.ErrNotFound) {
			return nil, err
		}
	}
	for _, name := range changes.Surplus.Queues {
		err := mgmt.SafeDeleteQueue(ctx, client, changes.VHost, name, inspector)
		switch {
		case err == nil, errors.Is(err, mgmt.ErrNotFound):
		case errors.Is(err, mgmt.ErrInUse), errors.Is(err, mgmt.ErrNoInspector):
			left = append(left, err)
		default:
			return left, err
		}
	}
	for _, name := range changes.Surplus.Exchanges {
		err := client.DeleteExchange(ctx, changes.VHost, name, mgmt.IfUnused)
		switch {
		case err == nil, errors.Is(err, mgmt.ErrNotFound):
		case errors.Is(err, mgmt.ErrInUse):
			left = append(left, err)
		default:
			return left, err
		}
	}
	return left, nil
}
