package rabbitnode

import (
	"os/exec"
	"syscall"
)

// endWithParent makes the kernel end the process when this one ends, however
// that happens.
func endWithParent(process *exec.Cmd) {
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
