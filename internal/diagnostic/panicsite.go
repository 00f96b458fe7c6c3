package diagnostic

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// PanicSite returns the function and the line that panicked first, if others panicked
// with what they recovered. It is for deferred functions that recover.
func PanicSite() (site string) {
	frames := runtime.CallersFrames(callers())
	for panicked, more := false, true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if frame.Function == "runtime.gopanic" {
			panicked = true
		} else if panicked && !strings.HasPrefix(frame.Function, "runtime.") {
			site, panicked = fmt.Sprintf("%s (%s:%d)", path.Base(frame.Function), path.Base(frame.File), frame.Line), false
		}
	}
	return site
}

func callers() []uintptr {
	pcs := make([]uintptr, 64)
	return pcs[:runtime.Callers(1, pcs)]
}
