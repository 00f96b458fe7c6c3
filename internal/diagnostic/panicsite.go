package diagnostic

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// PanicSite returns the function and the line that panicked. It is for deferred
// functions that recover.
func PanicSite() string {
	frames := runtime.CallersFrames(callers())
	for panicked := false; ; {
		frame, more := frames.Next()
		if panicked && !strings.HasPrefix(frame.Function, "runtime.") || !more {
			return fmt.Sprintf("%s (%s:%d)", path.Base(frame.Function), path.Base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
	}
}

func callers() []uintptr {
	pcs := make([]uintptr, 64)
	return pcs[:runtime.Callers(1, pcs)]
}
