package slo

import (
	"fmt"
	"time"
)

// A Window is the time over which an objective is measured. It ends now.
type Window int

// The windows. A month has 30 days.
const (
	Hour Window = iota
	Day
	Week
	Month

	windows = Month + 1
)

// Duration returns the length of the window, 0 for one that isn't a constant of the
// package.
func (w Window) Duration() time.Duration {
	switch w {
	case Hour:
		return time.Hour
	case Day:
		return 24 * time.Hour
	case Week:
		return 7 * 24 * time.Hour
	case Month:
		return 30 * 24 * time.Hour
	default:
		return 0
	}
}

// String returns "hour", "day", "week" or "month".
func (w Window) String() string {
	if w < 0 || w >= windows {
		return fmt.Sprintf("SLOWindow(%d)", int(w))
	}
	return [...]string{"hour", "day", "week", "month"}[w]
}

// MarshalText is String.
func (w Window) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what String returns. It fails on any other text.
func (w *Window) UnmarshalText(text []byte) error {
	for i := range windows {
		if i.String() == string(text) {
			*w = i
			return nil
		}
	}
	return fmt.Errorf("%q is no window: use hour, day, week or month", text)
}
