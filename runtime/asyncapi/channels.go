package asyncapi

import (
	"fmt"

	"github.com/warrenmq/warren/internal/schema"
)

// Channels are the channels of a document in the order of the routes. They are
// marshalled as a JSON object keyed by name in that order, which
// [Channels.UnmarshalJSON] keeps. No channels, or nil, are an empty object.
type Channels []Channel

// Get returns the channel of the queue called name, nil where there is none. It is
// the channel in c itself, not a copy.
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
