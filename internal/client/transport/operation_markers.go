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
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// OperationMarkers keeps a file for each one-time call (a document uploaded,
// signed or minted) from before it is sent until its outcome is known. The
// file is locked while the process that made it is at work, and the operating
// system releases the lock when that process ends, however it ends. So a run
// that wants the same call finds one of these:
//
//	marker               | meaning                      | what the run does               | who removes the marker
//	none                 | first run                    | creates, locks, sends           | this run, when it knows the outcome or has reported that it does not
//	locked               | call in progress             | returns an error, sends nothing | the run that holds the lock
//	not locked           | run ended without an outcome | locks, looks, sends nothing     | this run, when it has adopted what it found or has reported it
//	not locked, a result | result not saved in state    | locks, adopts, sends nothing    | this run; or any run that finds the result in state
//	not readable         | as not locked                | locks, looks, sends nothing     | as not locked
//	not a regular file   | not a marker                 | returns an error, sends nothing | the user
//	cannot be created    | no protection                | returns an error, sends nothing | there is none
//
// A run that ends while its request is canceled (its CLI is gone, or was
// interrupted) leaves its marker, since the outcome may not have been received.
// Only the holder of the lock removes a marker.
//
// Several directories are alternatives, in order of preference: a marker is
// created in the first that can hold it, and respected in all of them.
type OperationMarkers struct {
	dirs     []markerDir
	lockWait time.Duration // for a directory's own lock, which is held for moments
}

const (
	markerSuffix   = ".deed" // of stored files: it stays
	markerDirLock  = "operations.lock"
	markerLockWait = 10 * time.Second
	maxMarkerSize  = 1 << 20 // bytes; a mint's response has some kilobytes
	markerTries    = 10      // how often a marker may be replaced while it is looked at
)

// NewOperationMarkers keeps markers in the first of these directories that can
// hold them. An empty name is none.
func NewOperationMarkers(dirs ...string) *OperationMarkers {
	m := &OperationMarkers{lockWait: markerLockWait}
	for _, dir := range dirs {
		if dir != "" {
			m.dirs = append(m.dirs, markerDir(dir))
		}
	}
	return m
}

// InProgressError: another process, or another resource of this one, is at the
// same call.
type InProgressError struct {
	Path      string // of the marker
	StartedAt time.Time
}

func (e *InProgressError) Error() string {
	return fmt.Sprintf("the same operation is in progress since %s: the operation marker %s is locked", e.StartedAt.UTC().Format(time.RFC3339), e.Path)
}

// MarkerError: no marker can be created and locked, or one that is there cannot
// be judged.
type MarkerError struct{ Err error }

func (e *MarkerError) Error() string { return e.Err.Error() }

func (e *MarkerError) Unwrap() error { return e.Err }

// unusableDirError: a directory cannot hold a marker; another one may.
type unusableDirError struct{ err error }

func (e *unusableDirError) Error() string { return e.err.Error() }

func (e *unusableDirError) Unwrap() error { return e.err }

// Begin creates and locks the marker of the call that parts identify. The
// operation is Interrupted if its marker was there, not locked. Errors are
// *InProgressError, *MarkerError or the context's; nothing is locked then.
func (m *OperationMarkers) Begin(ctx context.Context, now time.Time, parts ...string) (*MarkedOperation, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if m == nil || len(m.dirs) == 0 {
		return nil, &MarkerError{errors.New("no directory is available")}
	}
	name := fingerprint(parts...) + markerSuffix
	op, err := m.acquire(ctx, now, name)
	if err != nil || op.Interrupted {
		return op, err
	}
	// Another run may have found another directory usable. Each creates its own
	// marker first, so that at least one of two sees the other's.
	for _, dir := range m.dirs {
		if dir.is(op.dir) {
			continue
		}
		earlier, err := dir.find(name)
		if earlier != nil || err != nil {
			op.Remove(ctx)
			return earlier, err
		}
	}
	return op, nil
}

func (m *OperationMarkers) acquire(ctx context.Context, now time.Time, name string) (*MarkedOperation, error) {
	var unusable []error
	for _, dir := range m.dirs {
		op, err := dir.acquire(ctx, now, name, m.lockWait)
		reason, ok := errors.AsType[*unusableDirError](err)
		if !ok {
			return op, err
		}
		unusable = append(unusable, reason)
	}
	return nil, &MarkerError{errors.Join(unusable...)}
}

// Confirm removes the marker of the call that parts identify if it has a result
// that isSaved recognizes: the state has it, so that no run has to adopt it.
func (m *OperationMarkers) Confirm(ctx context.Context, isSaved func(result json.RawMessage) bool, parts ...string) {
	if m == nil {
		return
	}
	name := fingerprint(parts...) + markerSuffix
	for _, dir := range m.dirs {
		saved := func() bool {
			_, result, err := readMarker(dir.join(name))
			return err == nil && result != nil && isSaved(result)
		}
		if !dir.usable() || !saved() {
			continue
		}
		op, err := dir.find(name)
		switch {
		case err != nil || op == nil: // another run is at it
		case saved():
			op.Remove(ctx)
		default:
			op.Keep(ctx, nil)
		}
	}
}

// MarkedOperation is a one-time call whose marker this process has locked, until Keep
// or Remove.
type MarkedOperation struct {
	Interrupted bool            // the marker is of an earlier run, which ended
	StartedAt   time.Time       // of the call; of an earlier run's where Interrupted
	Result      json.RawMessage // the response to the earlier run; nil where that is unknown

	dir  markerDir
	path string
	lock *flock.Flock
}

// Start records that the call starts now: Begin may be followed by a wait.
func (o *MarkedOperation) Start(now time.Time) error {
	o.StartedAt = now
	if err := rewriteMarker(o.path, marker{StartedAt: markerTime(now)}); err != nil {
		return &MarkerError{err}
	}
	return nil
}

// Keep leaves the marker to a later run, with the call's result where that is
// known.
func (o *MarkedOperation) Keep(ctx context.Context, result json.RawMessage) {
	if result != nil {
		if err := rewriteMarker(o.path, marker{StartedAt: markerTime(o.StartedAt), Result: result}); err != nil {
			tflog.Warn(ctx, "the result could not be written to the operation marker; a later run searches for it", map[string]any{"error": err.Error()})
		}
	}
	_ = o.lock.Unlock()
}

// Remove is for an outcome that is known, or was reported. A marker that cannot
// be removed makes a later run look.
func (o *MarkedOperation) Remove(ctx context.Context) {
	if !removesOpenFiles {
		// In between another run would take the marker for an interrupted one.
		if unlock, err := o.dir.lock(context.WithoutCancel(ctx), markerLockWait); err == nil {
			defer unlock()
		}
		_ = o.lock.Unlock()
	}
	err := os.Remove(o.path)
	if err == nil {
		err = syncDir(string(o.dir))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tflog.Warn(ctx, "the operation marker could not be removed; a later run of the same operation reads its outcome", map[string]any{"error": err.Error()})
	}
	_ = o.lock.Unlock()
}

// markerDir is a directory that processes share.
type markerDir string

func (d markerDir) join(name string) string { return filepath.Join(string(d), name) }

// is reports whether two names are the same directory.
func (d markerDir) is(other markerDir) bool {
	one, err := os.Stat(string(d))
	if err != nil {
		return false
	}
	two, err := os.Stat(string(other))
	return err == nil && os.SameFile(one, two)
}

// check is nil for a directory that only this user can write.
func (d markerDir) check() error {
	info, err := os.Lstat(string(d))
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", d)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", d)
	case !isOwn(info):
		return fmt.Errorf("the directory %s belongs to another user", d)
	case modesMatter && info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("the directory %s has mode %04o: other users may write to it", d, info.Mode().Perm())
	default:
		return nil
	}
}

func (d markerDir) usable() bool { return d.check() == nil }

// acquire locks the marker that is there, or creates it. Other errors than
// *unusableDirError are final: a marker may be there.
func (d markerDir) acquire(ctx context.Context, now time.Time, name string, wait time.Duration) (*MarkedOperation, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return nil, &unusableDirError{err}
	}
	if err := d.check(); err != nil {
		return nil, &unusableDirError{err}
	}
	unlock, err := d.lock(ctx, wait)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if op, err := d.claim(name); op != nil || err != nil {
		return op, err
	}
	return d.create(name, now)
}

// find locks the marker that is there; nil where none is. A directory that is
// missing, or that another user can write, has no marker of this user.
func (d markerDir) find(name string) (*MarkedOperation, error) {
	if !d.usable() {
		return nil, nil
	}
	return d.claim(name)
}

// lock is held for moments: between it and its lock a new marker would look
// like an interrupted run's.
func (d markerDir) lock(ctx context.Context, wait time.Duration) (unlock func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	l := flock.New(d.join(markerDirLock), flock.SetFlag(os.O_CREATE|os.O_RDONLY|safeOpen), flock.SetPermissions(0o600))
	_, err = l.TryLockContext(waiting, lockRetry)
	switch {
	case err == nil:
		return func() { _ = l.Unlock() }, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case waiting.Err() != nil:
		return nil, &MarkerError{fmt.Errorf("%s stayed locked by another process for %s", l.Path(), wait)}
	default:
		return nil, &unusableDirError{err}
	}
}

// claim locks the marker that is there; nil where none is.
func (d markerDir) claim(name string) (*MarkedOperation, error) {
	path := d.join(name)
	for range markerTries {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, &MarkerError{err}
		case !info.Mode().IsRegular() || !isOwn(info):
			return nil, &MarkerError{fmt.Errorf("%s has the name of an operation marker, but is not a regular file of this user; remove it", path)}
		}
		op, err := d.tryClaim(path)
		if op != nil || err != nil {
			return op, err
		}
	}
	return nil, &MarkerError{fmt.Errorf("%s was replaced each time it was locked", path)}
}

// tryClaim is nil if the marker was removed before it was locked.
func (d markerDir) tryClaim(path string) (*MarkedOperation, error) {
	lock, locked, err := lockMarker(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // removed since it was looked at
	}
	if err != nil {
		return nil, &MarkerError{err}
	}
	startedAt, result, readErr := readMarker(path)
	if !locked {
		if errors.Is(readErr, fs.ErrNotExist) {
			return nil, nil // its run has just ended
		}
		return nil, &InProgressError{Path: path, StartedAt: startedAt}
	}
	if !isAt(lock, path) {
		_ = lock.Unlock()
		return nil, nil // what is locked was removed; another one may be there
	}
	return &MarkedOperation{Interrupted: true, StartedAt: startedAt, Result: result, dir: d, path: path, lock: lock}, nil
}

// create is called with the directory locked.
func (d markerDir) create(name string, now time.Time) (_ *MarkedOperation, err error) {
	path := d.join(name)
	if err := writeNewMarker(path, marker{StartedAt: markerTime(now)}); err != nil {
		return nil, &unusableDirError{err}
	}
	lock, locked, err := lockMarker(path)
	switch {
	case err != nil:
		_ = os.Remove(path)
		return nil, &unusableDirError{err}
	case !locked:
		return nil, &InProgressError{Path: path, StartedAt: now}
	}
	op := &MarkedOperation{StartedAt: now, dir: d, path: path, lock: lock}
	if !isAt(lock, path) {
		_ = lock.Unlock()
		return nil, &MarkerError{fmt.Errorf("%s was removed by another program", path)}
	}
	if err := syncDir(string(d)); err != nil {
		_ = os.Remove(path)
		_ = lock.Unlock()
		return nil, &unusableDirError{err}
	}
	return op, nil
}

func lockMarker(path string) (lock *flock.Flock, locked bool, err error) {
	lock = flock.New(path, flock.SetFlag(os.O_RDONLY|safeOpen))
	locked, err = lock.TryLock()
	return lock, locked, err
}

// isAt reports whether the file that is locked is the one at path: it may have
// been removed, and another one created, between opening and locking.
func isAt(lock *flock.Flock, path string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(held, there)
}

// marker is what a marker's file holds, after one byte that only the lock is
// on: on Windows a locked range cannot be read or written.
type marker struct {
	StartedAt string          `json:"started_at"`
	Result    json.RawMessage `json:"result,omitempty"`
}

// markerTime has the same length for each time, so that a rewritten marker is
// never shorter than it was.
func markerTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

func (m marker) encode() ([]byte, error) {
	raw, err := json.Marshal(m)
	return append(raw, '\n'), err
}

const lockedByte = "\n"

// writeNewMarker leaves no file where it fails.
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
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(path) // the first error is the one to report
	}
	return err
}

// rewriteMarker changes a marker in place, so that the lock stays on it.
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
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// readMarker never rejects a marker for what is in it: one that is empty, torn
// or changed is as old as its file, and has no result.
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
