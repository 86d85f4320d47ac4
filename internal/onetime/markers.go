// Package onetime marks one-time calls, so that no later run makes one again whose outcome is unknown.
package onetime

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

	"github.com/privatelabels/terraform-provider-reseller/internal/privatefile"
)

// Markers keeps a file for each one-time call (uploading, signing or minting a document) from before it is
// sent until its outcome is known. The process that created the file holds a lock on it, which the operating system
// releases when the process ends in any way. So a run that makes the same call finds one of these:
//
//	marker               | meaning                   | what the run does               | who removes the marker
//	none                 | first run                 | creates, locks, sends           | this run, when it knows the outcome
//	locked               | call in progress          | returns an error, sends nothing | the run that holds the lock
//	not locked           | outcome unknown           | locks, reports, sends nothing   | an import of the object
//	not locked, a result | result not saved in state | locks, adopts, sends nothing    | this run; or any run that finds the result in state
//	not readable         | as not locked             | locks, reports, sends nothing   | as not locked
//	not a regular file   | not a marker              | returns an error, sends nothing | the user
//	cannot be created    | no protection             | returns an error, sends nothing | there is none
//
// An unknown outcome stays one until a person decides: by an import, or by a call that parts distinguish from this one. A
// run whose request is canceled (its CLI ended or was interrupted) leaves its marker, too, since the CLI may not have
// received the outcome. Only the holder of the lock removes a marker.
//
// The directory has a lock of its own, which a process holds for milliseconds: while it creates, checks or removes a
// marker. Without it, a marker would look like that of an ended run until its own lock is held.
type Markers struct {
	dirs     []string // candidates, in order of preference
	mu       sync.Mutex
	dir      string        // the candidate in use; "" for none yet
	lockWait time.Duration // for the lock of the directory
}

const (
	markerSuffix   = ".operation" // part of stored data: must not change
	markerDirLock  = "operations.lock"
	markerLockWait = 10 * time.Second
	maxMarkerSize  = 1 << 20 // bytes; the response to a mint has a few kilobytes

	// lockedByte precedes the content of a marker: on Windows a locked range can be neither read nor written.
	lockedByte = "\n"
)

// NewMarkers returns the markers in the first of these directories that can be used.
func NewMarkers(dirs ...string) *Markers {
	return &Markers{dirs: dirs, lockWait: markerLockWait}
}

// use selects the first directory that can be created or used, once for all operations.
func (m *Markers) use() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dir != "" {
		return nil
	}
	err := errors.New("no directory is available")
	for _, dir := range m.dirs {
		if err = privatefile.MakeDir(dir); err == nil {
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

func (e *MarkerError) Error() string {
	return e.Err.Error()
}

func (e *MarkerError) Unwrap() error {
	return e.Err
}

// Marked is a one-time call whose marker this process has locked until Keep or Remove.
type Marked struct {
	Interrupted bool            // an earlier run left the marker and ended
	StartedAt   time.Time       // of the call; of the earlier run's if Interrupted
	Result      json.RawMessage // the response to the earlier run; nil if unknown

	markers *Markers
	path    string
	lock    *flock.Flock
}

// Begin creates and locks the marker of the call that parts identify. The operation is Interrupted if its marker
// existed and was not locked. Errors are *InProgressError, *MarkerError or the context's; nothing is locked then.
func (m *Markers) Begin(ctx context.Context, now time.Time, parts ...string) (*Marked, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if m == nil {
		return nil, &MarkerError{errors.New("no directory is available")}
	}
	if err := m.use(); err != nil {
		return nil, &MarkerError{err}
	}
	name := privatefile.Name(parts...) + markerSuffix
	for _, dir := range m.dirs { // an earlier run may have used another one
		if dir == m.dir || !isMarked(dir, filepath.Join(dir, name)) {
			continue
		}
		if op, err := m.beginIn(ctx, dir, name, now); op != nil || err != nil {
			return op, err
		}
	}
	return m.beginIn(ctx, m.dir, name, now)
}

// beginIn locks the marker in a directory, and creates it in the one in use.
func (m *Markers) beginIn(ctx context.Context, dir, name string, now time.Time) (*Marked, error) {
	unlock, err := m.lockDir(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	op, err := m.claim(filepath.Join(dir, name))
	if op != nil || err != nil || dir != m.dir {
		return op, err
	}
	return m.create(filepath.Join(dir, name), now)
}

// create creates and locks a marker. The caller holds the lock of the directory.
func (m *Markers) create(path string, now time.Time) (op *Marked, err error) {
	err = writeMarker(path, os.O_CREATE|os.O_EXCL, marker{StartedAt: markerTime(now)})
	if errors.Is(err, fs.ErrExist) {
		return nil, &MarkerError{err}
	}
	if err == nil {
		err = privatefile.SyncDir(filepath.Dir(path))
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
func (m *Markers) Confirm(ctx context.Context, isSaved func(result json.RawMessage) bool, parts ...string) {
	m.each(ctx, parts, func(op *Marked) (isSettled bool) { return isSaved(op.Result) })
}

// Interrupted returns when the call that parts identify was started, if its outcome is unknown: its marker is not locked
// and has no result. It is zero for anything else, which Begin decides.
func (m *Markers) Interrupted(ctx context.Context, parts ...string) (startedAt time.Time) {
	m.each(ctx, parts, func(op *Marked) (isSettled bool) {
		if op.Result == nil {
			startedAt = op.StartedAt
		}
		return false
	})
	return startedAt
}

// each passes every marker of a call that no other run holds, and removes the settled ones. It creates no directory. It
// holds the lock of the directory, so that no run that begins the call sees a marker locked that is only read.
func (m *Markers) each(ctx context.Context, parts []string, settle func(*Marked) (isSettled bool)) {
	if m == nil {
		return
	}
	for _, dir := range m.dirs {
		path := filepath.Join(dir, privatefile.Name(parts...)+markerSuffix)
		if !isMarked(dir, path) {
			continue
		}
		unlock, err := m.lockDir(ctx, dir)
		if err != nil {
			continue
		}
		if op, err := m.claim(path); err == nil && op != nil {
			if settle(op) {
				op.remove(ctx)
			} else {
				op.Keep(ctx, nil)
			}
		}
		unlock()
	}
}

// isMarked reports whether a directory that can be used has a marker, without a lock.
func isMarked(dir, path string) bool {
	if privatefile.CheckDir(dir) != nil {
		return false
	}
	_, err := os.Lstat(path)
	return err == nil
}

// Keep leaves the marker to a later run, with the call's result if known.
func (o *Marked) Keep(ctx context.Context, result json.RawMessage) {
	if result != nil {
		if err := writeMarker(o.path, 0, marker{StartedAt: markerTime(o.StartedAt), Result: result}); err != nil {
			tflog.Warn(ctx, "the result could not be written to the operation marker; a later run reports an unknown outcome", map[string]any{"error": err.Error()})
		}
	}
	_ = o.lock.Unlock()
}

// Remove removes the marker of a call whose outcome is known. If that fails, a later run reports it.
func (o *Marked) Remove(ctx context.Context) {
	if !o.lock.Locked() {
		return
	}
	unlock, err := o.markers.lockDir(context.WithoutCancel(ctx), filepath.Dir(o.path))
	if err != nil {
		_ = o.lock.Unlock()
		o.notRemoved(ctx, err)
		return
	}
	defer unlock()
	o.remove(ctx)
}

// remove needs the lock of the directory.
func (o *Marked) remove(ctx context.Context) {
	_ = o.lock.Unlock() // before it is removed: Windows removes no open file
	err := os.Remove(o.path)
	if err == nil {
		err = privatefile.SyncDir(filepath.Dir(o.path))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		o.notRemoved(ctx, err)
	}
}

func (o *Marked) notRemoved(ctx context.Context, err error) {
	tflog.Warn(ctx, "the operation marker could not be removed; a later run reports an unknown outcome", map[string]any{"error": err.Error()})
}

func (m *Markers) lockDir(ctx context.Context, dir string) (unlock func(), err error) {
	unlock, err = privatefile.Lock(ctx, filepath.Join(dir, markerDirLock), m.lockWait)
	if err != nil && ctx.Err() == nil {
		err = &MarkerError{err}
	}
	return unlock, err
}

// claim locks the existing marker; nil if there is none. The caller holds the lock of the directory.
func (m *Markers) claim(path string) (*Marked, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, &MarkerError{err}
	case !info.Mode().IsRegular() || !privatefile.IsOwn(info):
		return nil, &MarkerError{fmt.Errorf("%s has the name of an operation marker, but is not a regular file of this user; remove it", path)}
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY|privatefile.SafeOpen))
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
	return &Marked{Interrupted: true, StartedAt: startedAt, Result: result, markers: m, path: path, lock: lock}, nil
}

// marker is the content of a marker's file.
type marker struct {
	StartedAt string          `json:"started_at"`
	Result    json.RawMessage `json:"result,omitempty"`
}

// markerTime formats every time with the same length, so that a marker that is written again never becomes shorter.
func markerTime(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.000000000Z")
}

// writeMarker writes in place, so that a lock remains.
func writeMarker(path string, flags int, m marker) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|privatefile.SafeOpen|flags, 0o600)
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
	f, err := os.OpenFile(path, os.O_RDONLY|privatefile.SafeOpen, 0)
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
