package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// OperationMarkers keeps a file for each one-time call (uploading, signing or minting a document) from before it is
// sent until its outcome is known. The process that created the file holds a lock on it, which the operating system
// releases when the process ends in any way. So a run that makes the same call finds one of these:
//
//	marker               | meaning                      | what the run does               | who removes the marker
//	none                 | first run                    | creates, locks, sends           | this run, when it knows the outcome or has reported that it does not
//	locked               | call in progress             | returns an error, sends nothing | the run that holds the lock
//	not locked           | run ended without an outcome | locks, reports, sends nothing   | this run, when it has reported it; or an import
//	not locked, a result | result not saved in state    | locks, adopts, sends nothing    | this run; or any run that finds the result in state
//	not readable         | as not locked                | locks, reports, sends nothing   | as not locked
//	not a regular file   | not a marker                 | returns an error, sends nothing | the user
//	cannot be created    | no protection                | returns an error, sends nothing | there is none
//
// A run whose request is canceled (its CLI ended or was interrupted) leaves its marker, since the CLI may not have
// received the outcome. Only the holder of the lock removes a marker.
//
// The directory has a lock of its own, which a process holds for milliseconds: while it creates, checks or removes a
// marker. Without it, a marker would look like that of an ended run until its own lock is held.
type OperationMarkers struct {
	dirs     []string // candidates, in order of preference
	mu       sync.Mutex
	dir      string        // the candidate in use; "" for none yet
	lockWait time.Duration // for the lock of the directory
}

const (
	markerSuffix   = ".deed" // part of stored data: must not change
	markerDirLock  = "operations.lock"
	markerLockWait = 10 * time.Second
	maxMarkerSize  = 1 << 20 // bytes; the response to a mint has a few kilobytes

	// lockedByte precedes the content of a marker: on Windows a locked range can be neither read nor written.
	lockedByte = "\n"
)

// NewOperationMarkers returns the markers in the first of these directories that can be used.
func NewOperationMarkers(dirs ...string) *OperationMarkers {
	return &OperationMarkers{dirs: dirs, lockWait: markerLockWait}
}

// use selects the first directory that prepare accepts, once for all operations.
func (m *OperationMarkers) use(prepare func(dir string) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dir != "" {
		return nil
	}
	err := errors.New("no directory is available")
	for _, dir := range m.dirs {
		if err = prepare(dir); err == nil {
			m.dir = dir
			break
		}
	}
	return err
}

// InProgressError: another process, or another resource of this one, is making the same call.
type InProgressError struct {
	Path      string // of the marker
	StartedAt time.Time
}

func (e *InProgressError) Error() string {
	return fmt.Sprintf("the same operation is in progress since %s: the operation marker %s is locked", e.StartedAt.UTC().Format(time.RFC3339), e.Path)
}

// MarkerError: no marker can be created and locked, or an existing one cannot be read.
type MarkerError struct{ Err error }

func (e *MarkerError) Error() string { return e.Err.Error() }

func (e *MarkerError) Unwrap() error { return e.Err }

// MarkedOperation is a one-time call whose marker this process has locked until Keep or Remove.
type MarkedOperation struct {
	Interrupted bool            // an earlier run left the marker and ended
	StartedAt   time.Time       // of the call; of the earlier run's if Interrupted
	Result      json.RawMessage // the response to the earlier run; nil if unknown

	markers *OperationMarkers
	path    string
	lock    *flock.Flock
}

// Begin creates and locks the marker of the call that parts identify. The operation is Interrupted if its marker
// existed and was not locked. Errors are *InProgressError, *MarkerError or the context's; nothing is locked then.
func (m *OperationMarkers) Begin(ctx context.Context, now time.Time, parts ...string) (*MarkedOperation, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if m == nil {
		return nil, &MarkerError{errors.New("no directory is available")}
	}
	if err := m.use(MakePrivateDir); err != nil {
		return nil, &MarkerError{err}
	}
	unlock, err := m.lockDir(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	path := m.path(parts)
	if op, err := m.claim(path); op != nil || err != nil {
		return op, err
	}
	return m.create(path, now)
}

// create creates and locks a marker. The caller holds the lock of the directory.
func (m *OperationMarkers) create(path string, now time.Time) (op *MarkedOperation, err error) {
	err = writeMarker(path, os.O_CREATE|os.O_EXCL, marker{StartedAt: markerTime(now)})
	if errors.Is(err, fs.ErrExist) {
		return nil, &MarkerError{err}
	}
	if err == nil {
		err = syncDir(m.dir)
	}
	if err == nil {
		op, err = m.claim(path)
	}
	switch {
	case err != nil:
		_ = os.Remove(path) // the first error is reported
		return nil, &MarkerError{err}
	case op == nil:
		return nil, &MarkerError{fmt.Errorf("%s was removed by another program", path)}
	}
	op.Interrupted = false
	return op, nil
}

// Confirm removes the marker of the call that parts identify if isSaved accepts its result, nil if it has none: the
// call is in state, so that no later run has to settle it.
func (m *OperationMarkers) Confirm(ctx context.Context, isSaved func(result json.RawMessage) bool, parts ...string) {
	if m == nil || m.use(checkPrivateDir) != nil {
		return
	}
	path := m.path(parts)
	if _, result, err := readMarker(path); err != nil || !isSaved(result) {
		return
	}
	unlock, err := m.lockDir(ctx)
	if err != nil {
		return
	}
	op, err := m.claim(path)
	unlock()
	switch {
	case err != nil || op == nil: // another run holds it
	case isSaved(op.Result):
		op.Remove(ctx)
	default:
		op.Keep(ctx, nil)
	}
}

// Keep leaves the marker to a later run, with the call's result if known.
func (o *MarkedOperation) Keep(ctx context.Context, result json.RawMessage) {
	if result != nil {
		if err := writeMarker(o.path, 0, marker{StartedAt: markerTime(o.StartedAt), Result: result}); err != nil {
			tflog.Warn(ctx, "the result could not be written to the operation marker; a later run reports an unknown outcome", map[string]any{"error": err.Error()})
		}
	}
	_ = o.lock.Unlock()
}

// Remove removes the marker of a call whose outcome is known or was reported. If that fails, a later run reports
// it.
func (o *MarkedOperation) Remove(ctx context.Context) {
	if !o.lock.Locked() {
		return
	}
	unlock, err := o.markers.lockDir(context.WithoutCancel(ctx))
	_ = o.lock.Unlock() // before it is removed: Windows removes no open file
	if err == nil {
		defer unlock()
		if err = os.Remove(o.path); err == nil {
			err = syncDir(o.markers.dir)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tflog.Warn(ctx, "the operation marker could not be removed; a later run reports an unknown outcome", map[string]any{"error": err.Error()})
	}
}

func (m *OperationMarkers) path(parts []string) string {
	return filepath.Join(m.dir, fingerprint(parts...)+markerSuffix)
}

func (m *OperationMarkers) lockDir(ctx context.Context) (unlock func(), err error) {
	unlock, err = lockFile(ctx, filepath.Join(m.dir, markerDirLock), m.lockWait)
	if err != nil && ctx.Err() == nil {
		err = &MarkerError{err}
	}
	return unlock, err
}

// claim locks the existing marker; nil if there is none. The caller holds the lock of the directory.
func (m *OperationMarkers) claim(path string) (*MarkedOperation, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, &MarkerError{err}
	case !info.Mode().IsRegular() || !isOwn(info):
		return nil, &MarkerError{fmt.Errorf("%s has the name of an operation marker, but is not a regular file of this user; remove it", path)}
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY|safeOpen))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, &MarkerError{err}
	}
	startedAt, result, err := readMarker(path)
	switch {
	case err != nil:
		_ = lock.Unlock()
		return nil, &MarkerError{err}
	case !locked:
		return nil, &InProgressError{Path: path, StartedAt: startedAt}
	}
	return &MarkedOperation{Interrupted: true, StartedAt: startedAt, Result: result, markers: m, path: path, lock: lock}, nil
}

// marker is the content of a marker's file.
type marker struct {
	StartedAt string          `json:"started_at"`
	Result    json.RawMessage `json:"result,omitempty"`
}

// markerTime formats every time with the same length, so that a marker that is written again never becomes shorter.
func markerTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

// writeMarker writes in place, so that a lock remains.
func writeMarker(path string, flags int, m marker) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|safeOpen|flags, 0o600)
	if err != nil {
		return err
	}
	if flags != 0 {
		_, err = f.WriteString(lockedByte)
	}
	if err == nil {
		_, err = f.WriteAt(append(raw, '\n'), int64(len(lockedByte)))
	}
	return errors.Join(err, f.Sync(), f.Close())
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
