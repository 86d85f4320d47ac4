package transport

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	markerDirLock  = "operations.lock"
	markerLockWait = 10 * time.Second
	markerTries    = 10 // how often a marker may be replaced during a check
)

// markerDir is a directory that processes share.
type markerDir string

func (d markerDir) join(name string) string { return filepath.Join(string(d), name) }

// is reports whether two paths are the same directory.
func (d markerDir) is(other markerDir) bool {
	one, err := os.Stat(string(d))
	if err != nil {
		return false
	}
	two, err := os.Stat(string(other))
	return err == nil && os.SameFile(one, two)
}

func (d markerDir) usable() bool { return checkPrivateDir(string(d)) == nil }

// acquire locks the existing marker or creates one. Errors other than *unusableDirError are final: a marker may exist.
func (d markerDir) acquire(ctx context.Context, now time.Time, name string, wait time.Duration) (*MarkedOperation, error) {
	if err := MakePrivateDir(string(d)); err != nil {
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

// find locks the existing marker; nil if there is none. A missing directory, or one that another user can write to, has
// no marker of this user.
func (d markerDir) find(name string) (*MarkedOperation, error) {
	if !d.usable() {
		return nil, nil
	}
	return d.claim(name)
}

// lock locks the directory, for milliseconds at a time. Without it, a new marker would look like that of an interrupted
// run until its own lock is held.
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

// claim locks the existing marker; nil if there is none.
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

// tryClaim returns nil if the marker was removed before it was locked.
func (d markerDir) tryClaim(path string) (*MarkedOperation, error) {
	lock, locked, err := lockMarker(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // removed since it was found
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
		return nil, nil // the locked file was removed; another one may exist
	}
	return &MarkedOperation{Interrupted: true, StartedAt: startedAt, Result: result, dir: d, path: path, lock: lock}, nil
}

// create creates and locks a marker. The caller holds the lock of the directory.
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

// unusableDirError: the directory cannot hold a marker; another one may.
type unusableDirError struct{ err error }

func (e *unusableDirError) Error() string { return e.err.Error() }

func (e *unusableDirError) Unwrap() error { return e.err }
