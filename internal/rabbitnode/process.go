package rabbitnode

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// A process is a child, from its start to its end.
type process struct {
	command *exec.Cmd
	ended   chan struct{} // closed when it has been waited for
}

func startProcess(command *exec.Cmd) (*process, error) {
	endWithParent(command)
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &process{command: command, ended: make(chan struct{})}
	go func() { // ends with the process, and kill waits for it
		_ = command.Wait()
		close(p.ended)
	}()
	return p, nil
}

// kill ends the process by SIGKILL and returns when it is gone. A nil process is
// gone already.
func (p *process) kill() {
	if p == nil {
		return
	}
	_ = p.command.Process.Kill() // fails where it has ended
	<-p.ended
}

// processExists reports whether there is a process, ours or another user's.
func processExists(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
