package simulatordata

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// system is this boot and this PID namespace: containers on one machine have their own process numbers.
func system() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // if unknown: start times of another boot are unlikely to be equal
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s", bytes.TrimSpace(boot), namespace))
	return hex.EncodeToString(sum[:8])
}

// Fields of /proc/PID/stat after the name, which may contain anything but ends with the last parenthesis.
const (
	fieldState = 0  // 3 in proc(5)
	fieldStart = 19 // 22 in proc(5): in clock ticks since the boot
)

func processOf(pid int) (process, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return process{}, errEnded
	}
	if err != nil {
		return process{}, err
	}
	return processOfStat(pid, raw)
}

func processOfStat(pid int, stat []byte) (process, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= fieldStart {
		return process{}, fmt.Errorf("/proc/%d/stat is not understood", pid)
	}
	switch string(fields[fieldState]) {
	case "Z", "X", "x": // it has ended, and its parent has not waited for it
		return process{}, errEnded
	}
	return process{system: system(), pid: pid, start: string(fields[fieldStart])}, nil
}
