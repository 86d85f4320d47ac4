package transport

import (
	"encoding/json"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockedByte    = "\n"
	maxMarkerSize = 1 << 20 // bytes; the response to a mint has a few kilobytes
)

// marker is the content of a marker's file. It follows one byte for the lock: on Windows a locked range can be neither
// read nor written.
type marker struct {
	StartedAt string          `json:"started_at"`
	Result    json.RawMessage `json:"result,omitempty"`
}

// markerTime formats every time with the same length, so that a rewritten marker never becomes shorter.
func markerTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

func (m marker) encode() ([]byte, error) {
	raw, err := json.Marshal(m)
	return append(raw, '\n'), err
}

// writeNewMarker creates the file. It leaves no file if it fails.
func writeNewMarker(path string, m marker) error {
	raw, err := m.encode()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|safeOpen, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append([]byte(lockedByte), raw...))
	if err = syncAndClose(f, err); err != nil {
		_ = os.Remove(path) // the first error is reported
	}
	return err
}

// syncAndClose ends a write, and returns the first error.
func syncAndClose(f *os.File, err error) error {
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// rewriteMarker overwrites a marker in place, so that its lock remains.
func rewriteMarker(path string, m marker) error {
	raw, err := m.encode()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|safeOpen, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(raw, int64(len(lockedByte)))
	return syncAndClose(f, err)
}

// readMarker accepts any content: a marker that is empty or damaged has the time of its file and no result.
func readMarker(path string) (startedAt time.Time, result json.RawMessage, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|safeOpen, 0)
	if err != nil {
		return time.Time{}, nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	if err != nil {
		return time.Time{}, nil, err
	}
	raw, err := io.ReadAll(io.NewSectionReader(f, int64(len(lockedByte)), maxMarkerSize))
	var m marker
	if err != nil || json.Unmarshal(raw, &m) != nil {
		return info.ModTime(), nil, nil
	}
	startedAt, err = time.Parse(time.RFC3339Nano, m.StartedAt)
	if err != nil {
		return info.ModTime(), nil, nil
	}
	return startedAt, m.Result, nil
}

func lockMarker(path string) (lock *flock.Flock, locked bool, err error) {
	lock = flock.New(path, flock.SetFlag(os.O_RDONLY|safeOpen))
	locked, err = lock.TryLock()
	return lock, locked, err
}

// isAt reports whether the locked file is the one at path: between opening and locking, it may have been removed and
// another one created.
func isAt(lock *flock.Flock, path string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(held, there)
}
