//go:build !linux

package rabbitnode

import "os/exec"

// endWithParent does nothing: only Linux can end a process with its parent, so
// elsewhere an interrupted test leaves its node behind.
func endWithParent(*exec.Cmd) {}
