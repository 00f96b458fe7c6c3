package asyncapi

import (
	"fmt"

	"github.com/warrenmq/warren/internal/schema"
)

// Channels are marshalled as a JSON object keyed by name, in their own order:
// that of the routes. No channels are an empty object.
type Channels []Channel

// Get returns the channel of the queue called name, nil where there is none.
func (c Channels) Get(name string) *Channel {
	for i := range c {
		if c[i].Name == name {
			return &c[i]
		}
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (c Channels) MarshalJSON() ([]byte, error) {
	return schema.MarshalObject(func(yield func(string, any) bool) {
		for _, channel := range c {
			if !yield(channel.Name, channel) {
				return
			}
		}
	})
}

// UnmarshalJSON reads a JSON object and keeps the order of its members.
func (c *Channels) UnmarshalJSON(text []byte) error {
	channels := Channels{}
	err := schema.UnmarshalObject(text, func(name string, decode func(any) error) error {
		channel := Channel{Name: name}
		if err := decode(&channel); err != nil {
			return fmt.Errorf("channel %q: %w", name, err)
		}
		channels = append(channels, channel)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read AsyncAPI channels: %w", err)
	}
	*c = channels
	return nil
}
