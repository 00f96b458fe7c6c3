package consuming

import (
	"errors"
	"fmt"
)

// ErrStarting is why a broker isn't ready while it starts.
var ErrStarting = errors.New("it is starting: not all routes are consumed yet")

// NotStarted returns why a broker isn't ready after its start failed with err.
func NotStarted(err error) error {
	return fmt.Errorf("no route is consumed: the start failed: %w", err)
}
