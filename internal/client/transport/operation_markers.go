package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
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
// Several directories are alternatives, in order of preference: a marker is created in the first one that can hold it,
// and applies in all of them.
type OperationMarkers struct {
	dirs     []markerDir
	lockWait time.Duration // for a directory's own lock, which is held for milliseconds
}

const markerSuffix = ".deed" // part of stored data: must not change

// NewOperationMarkers returns markers in the first of these directories that can hold them. Empty names are ignored.
func NewOperationMarkers(dirs ...string) *OperationMarkers {
	m := &OperationMarkers{lockWait: markerLockWait}
	for _, dir := range dirs {
		if dir != "" {
			m.dirs = append(m.dirs, markerDir(dir))
		}
	}
	return m
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

// Begin creates and locks the marker of the call that parts identify. The operation is Interrupted if its marker
// existed and was not locked. Errors are *InProgressError, *MarkerError or the context's; nothing is locked then.
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
	// Another run may use another directory. Each run creates its own marker before it checks the others, so that at
	// least one of two sees the other's.
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

// Confirm removes the marker of the call that parts identify if isSaved accepts its result, nil if it has none: the
// call is in state, so that no later run has to settle it.
func (m *OperationMarkers) Confirm(ctx context.Context, isSaved func(result json.RawMessage) bool, parts ...string) {
	if m == nil {
		return
	}
	name := fingerprint(parts...) + markerSuffix
	for _, dir := range m.dirs {
		saved := func() bool {
			_, result, err := readMarker(dir.join(name))
			return err == nil && isSaved(result)
		}
		if !dir.usable() || !saved() {
			continue
		}
		op, err := dir.find(name)
		switch {
		case err != nil || op == nil: // another run holds it
		case saved():
			op.Remove(ctx)
		default:
			op.Keep(ctx, nil)
		}
	}
}
