package simulatordata

import (
	"errors"
	"strconv"
	"syscall"
)

// system is constant: start times are times of day, so those of another boot differ.
func system() string {
	return "windows"
}

const (
	queryLimitedInformation = 0x1000 // PROCESS_QUERY_LIMITED_INFORMATION
	invalidParameter        = syscall.Errno(87)
)

func processOf(pid int) (process, error) {
	handle, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if errors.Is(err, invalidParameter) {
		return process{}, errEnded
	}
	if err != nil {
		return process{}, err
	}
	defer func() { _ = syscall.CloseHandle(handle) }()
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(handle, &created, &exited, &kernel, &user); err != nil {
		return process{}, err
	}
	if exited.HighDateTime != 0 || exited.LowDateTime != 0 {
		return process{}, errEnded
	}
	return process{system: system(), pid: pid, start: strconv.FormatInt(created.Nanoseconds(), 10)}, nil
}
