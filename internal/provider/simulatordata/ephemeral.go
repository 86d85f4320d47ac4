package simulatordata

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/privatefile"
)

// OfCommand returns the directory of the data of this CLI command: all provider processes that the CLI starts for it have
// the same parent process. The first of them creates it, and removes those of commands that ended.
func OfCommand() (string, error) {
	parent, err := processOf(os.Getppid())
	if err != nil {
		return "", fmt.Errorf("the CLI's process cannot be identified: %w", err)
	}
	return open(root(), parent, processOf)
}

// RemoveEnded removes the data of commands that ended.
func RemoveEnded() {
	removeEnded(root(), time.Time{}, processOf)
}

// root is the directory of the ephemeral data of this user. It is never in the configuration's directory, so that nobody
// commits it.
func root() string {
	name := "terraform-provider-reseller"
	if uid := os.Geteuid(); uid >= 0 { // Windows has none; its temporary directory is the user's own
		name += "-" + strconv.Itoa(uid)
	}
	dir := filepath.Join(os.TempDir(), name)
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// process identifies a running process. Another process with the same number has another start time.
type process struct {
	system string // where process numbers are unique: this boot, and this PID namespace
	pid    int
	start  string
}

var errEnded = errors.New("no such process")

// prober looks up a running process; errEnded if none has the number.
type prober func(pid int) (process, error)

const separator = "-"

func (p process) dirName() string {
	return strings.Join([]string{p.system, strconv.Itoa(p.pid), p.start}, separator)
}

func processOfDir(name string) (process, bool) {
	parts := strings.Split(name, separator)
	if len(parts) != 3 || parts[0] == "" || parts[2] == "" {
		return process{}, false
	}
	pid, err := strconv.Atoi(parts[1])
	return process{system: parts[0], pid: pid, start: parts[2]}, err == nil
}

func open(root string, command process, probe prober) (string, error) {
	if err := makePrivate(root); err != nil {
		return "", err
	}
	dir := filepath.Join(root, command.dirName())
	mkdirErr := os.Mkdir(dir, 0o700)
	if mkdirErr != nil && !errors.Is(mkdirErr, fs.ErrExist) {
		return "", fmt.Errorf("%s cannot be created: %w", dir, mkdirErr)
	}
	if err := makePrivate(dir); err != nil {
		return "", err
	}
	if info, err := os.Lstat(dir); mkdirErr == nil && err == nil {
		removeEnded(root, info.ModTime(), probe)
	}
	return dir, nil
}

// makePrivate creates a directory that only this user can access, and rejects an existing one that others can access.
func makePrivate(dir string) error {
	if err := privatefile.MakeDir(dir); err != nil {
		return fmt.Errorf("the ephemeral data cannot be stored: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("the ephemeral data cannot be stored: the directory %s has mode %04o instead of 0700. "+
			"Remove it, or change its mode", dir, info.Mode().Perm())
	}
	return nil
}

// foreignAge is how long the data of another boot, machine or container is kept after its last change, because this machine
// cannot see whether its command still runs.
const foreignAge = 24 * time.Hour

// removeEnded removes the directories of commands that have ended. It ignores errors, because the next command tries
// again. With a zero time, those of other systems stay.
func removeEnded(root string, now time.Time, probe prober) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, entry := range entries {
		owner, ok := processOfDir(entry.Name())
		if !ok || !entry.IsDir() {
			continue
		}
		info, err := entry.Info()
		if ended(owner, probe) || owner.system != system() && err == nil && info.ModTime().Before(now.Add(-foreignAge)) {
			_ = os.RemoveAll(filepath.Join(root, entry.Name()))
		}
	}
}

// ended reports whether the command has certainly ended. Nothing is known of other systems.
func ended(owner process, probe prober) bool {
	running, err := probe(owner.pid)
	return owner.system == system() && (errors.Is(err, errEnded) || err == nil && running != owner)
}
