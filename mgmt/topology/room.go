package topology

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/warrenmq/warren/mgmt"
)

// ErrLimit is the error of a queue that isn't migrated because a limit could drop
// messages that are there.
var ErrLimit = errors.New("a limit could drop messages")

// requireRoom requires that the messages of the queue and of the one for the
// meantime, where they exist, fit into one of these arguments, and don't end
// earlier there than they would have.
func (m *migration) requireRoom(ctx context.Context, name string, arguments map[string]any) error {
	wanted, err := m.limitsOf(ctx, name, arguments)
	if err != nil || len(wanted) == 0 {
		return err
	}
	there, err := m.count(ctx, wanted)
	if err != nil || there.messages == 0 {
		return err
	}
	if most, ok := wanted.size("max-length"); ok && there.messages > most {
		return m.refuse(fmt.Sprintf("%q may have %d messages, and there are %d", name, most, there.messages))
	}
	if most, ok := wanted.size("max-length-bytes"); ok && there.bytes > most {
		return m.refuse(fmt.Sprintf("%q may have %d bytes, and there are %d in %d messages", name, most, there.bytes, there.messages))
	}
	if shorter := m.had.stricterOfTime(wanted); shorter != "" {
		return m.refuse(fmt.Sprintf("%q has %s, and there are %d messages", name, shorter, there.messages))
	}
	return nil
}

func (m *migration) refuse(reason string) error {
	return fmt.Errorf("migrate queue %q: %w: %s: consume or move them first, or raise the limit (what was moved already waits in %q)",
		m.queue.Name, ErrLimit, reason, m.meanwhile)
}

// content is what queues hold.
type content struct{ messages, bytes int64 }

// count counts what the queue and the one for the meantime hold now: ready
// messages by the inspector, and unacknowledged ones by the API, which may be 5
// seconds late. Bytes are counted if there is a limit for them.
func (m *migration) count(ctx context.Context, wanted limits) (content, error) {
	if m.inspector == nil {
		return content{}, fmt.Errorf("migrate queue %q: %w: its limits could drop what is there", m.queue.Name, mgmt.ErrNoInspector)
	}
	var all content
	for _, name := range []string{m.queue.Name, m.meanwhile} {
		queue, err := m.client.Queue(ctx, m.vhost, name)
		if errors.Is(err, mgmt.ErrNotFound) {
			continue
		}
		if err != nil {
			return content{}, err
		}
		ready, _, err := m.inspector.InspectQueue(ctx, m.vhost, name)
		if err != nil {
			return content{}, err
		}
		messages := int64(ready) + queue.Unacknowledged.Or(0)
		all.messages += messages
		if _, ok := wanted["max-length-bytes"]; ok && messages > 0 {
			bytes, err := m.countBytes(ctx, name)
			if err != nil {
				return content{}, err
			}
			all.bytes += bytes
		}
	}
	return all, nil
}

// countBytes returns the bytes of a queue. The API counts them every 5 seconds:
// it is right when it agrees with the inspector on the messages.
func (m *migration) countBytes(ctx context.Context, name string) (int64, error) {
	const (
		pause = 250 * time.Millisecond
		limit = 30 * time.Second
	)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		queue, err := m.client.Queue(ctx, m.vhost, name)
		if err != nil {
			return 0, err
		}
		ready, _, err := m.inspector.InspectQueue(ctx, m.vhost, name)
		if err != nil {
			return 0, err
		}
		if bytes, known := queue.MessageBytes.Get(); known && queue.Ready.Or(-1) == int64(ready) {
			return bytes, nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return 0, fmt.Errorf("migrate queue %q: the bytes in %q aren't known while messages come: stop what publishes to it: %w", m.queue.Name, name, ctx.Err())
		}
	}
}
