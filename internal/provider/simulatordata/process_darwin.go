package simulatordata

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// system is constant: start times are times of day, so those of another boot differ.
func system() string {
	return "darwin"
}

const zombie = 5 // SZOMB of sys/proc.h

func processOf(pid int) (process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil && !errors.Is(err, unix.EIO) { // EIO: the response is empty
		return process{}, err
	}
	if err != nil || int(info.Proc.P_pid) != pid || info.Proc.P_stat == zombie {
		return process{}, errEnded
	}
	started := info.Proc.P_starttime
	return process{system: system(), pid: pid, start: fmt.Sprintf("%d.%06d", started.Sec, started.Usec)}, nil
}
