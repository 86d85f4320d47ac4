package onetime

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// operationsDir returns the path of a directory that does not exist.
func operationsDir(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "cache", "operations")
}

func markerFiles(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"+markerSuffix+"*"))
	require.NoError(t, err)
	return found
}

func wantMarkers(t *testing.T, dir string, n int) {
	t.Helper()
	found := markerFiles(t, dir)
	assert.Len(t, found, n, "markers")
}

func begin(t *testing.T, m *Markers, parts ...string) *Marked {
	t.Helper()
	op, err := m.Begin(t.Context(), transporttest.Start, parts...)
	require.NoError(t, err)
	return op
}

func wantInProgress(t *testing.T, m *Markers, parts ...string) {
	t.Helper()
	_, err := m.Begin(t.Context(), transporttest.Start.Add(time.Hour), parts...)
	busy, ok := errors.AsType[*InProgressError](err)
	if !ok || !busy.StartedAt.Equal(transporttest.Start) || !strings.Contains(err.Error(), "2026-10-05T12:00:00Z") || !strings.Contains(err.Error(), busy.Path) {
		t.Errorf("got %v", err)
	}
}

// wantMarkerError asserts that no call would be sent, and the reason.
func wantMarkerError(t *testing.T, m *Markers, says string) {
	t.Helper()
	op, err := m.Begin(t.Context(), transporttest.Start, "upload")
	if _, ok := errors.AsType[*MarkerError](err); !ok || op != nil || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, %v; want %q", op, err, says)
	}
}

func TestMarkers_Lifecycle(t *testing.T) {
	t.Parallel()
	dir := operationsDir(t)
	first, other := NewMarkers(dir), NewMarkers(dir)
	op := begin(t, first, "upload", "a")
	assert.False(t, op.Interrupted, "a first run got %+v", op)
	assert.True(t, op.StartedAt.Equal(transporttest.Start), "a first run got %+v", op)
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{dir: 0o700, op.path: 0o600} {
			info, err := os.Stat(path)
			require.NoError(t, err, "%s: %v", path, info)
			assert.Equal(t, want, info.Mode().Perm(), "%s: %v", path, info)
		}
	}
	wantInProgress(t, other, "upload", "a")
	wantInProgress(t, first, "upload", "a") // another resource of the same process
	begin(t, other, "upload", "b").Remove(t.Context())
	op.Remove(t.Context())
	op.Remove(t.Context()) // a second call has no effect
	op.Keep(t.Context(), nil)
	wantMarkers(t, dir, 0)
	assert.False(t, begin(t, other, "upload", "a").Interrupted, "an operation that ended is there still")
}

// A run that was killed leaves its marker; a later one that checks it and is killed leaves it unchanged.
func TestMarkers_EarlierRun(t *testing.T) {
	t.Parallel()
	dir := operationsDir(t)
	begin(t, NewMarkers(dir), "upload").Keep(t.Context(), nil)
	for range 3 {
		op, err := NewMarkers(dir).Begin(t.Context(), transporttest.Start.Add(time.Hour), "upload")
		if err != nil || !op.Interrupted || !op.StartedAt.Equal(transporttest.Start) || op.Result != nil {
			t.Fatalf("got %+v, %v", op, err)
		}
		wantInProgress(t, NewMarkers(dir), "upload")
		op.Keep(t.Context(), nil)
	}
	op := begin(t, NewMarkers(dir), "upload")
	op.Remove(t.Context())
	assert.False(t, begin(t, NewMarkers(dir), "upload").Interrupted, "the marker that was removed is there")
}

// Operations that begin at the same time have a marker each, in the one directory that can be used.
func TestMarkers_Concurrent(t *testing.T) {
	t.Parallel()
	dir := operationsDir(t)
	m := NewMarkers("", dir)
	var begun sync.WaitGroup
	for _, part := range []string{"upload", "sign", "mint", "view"} {
		begun.Go(func() {
			_, err := m.Begin(t.Context(), transporttest.Start, part)
			assert.NoError(t, err)
		})
	}
	begun.Wait()
	wantMarkers(t, dir, 4)
}

func TestMarkers_Result(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := operationsDir(t)
	m := NewMarkers(dir)
	equals := func(want string) func(json.RawMessage) bool {
		return func(got json.RawMessage) bool { return string(got) == want }
	}
	begin(t, m, "upload").Keep(ctx, json.RawMessage(`"d1"`))
	op := begin(t, m, "upload")
	require.True(t, op.Interrupted, "got %+v", op)
	require.Equal(t, `"d1"`, string(op.Result), "got %+v", op)
	require.True(t, op.StartedAt.Equal(transporttest.Start), "got %+v", op)
	m.Confirm(ctx, equals(`"d1"`), "upload") // another run holds it
	wantMarkers(t, dir, 1)
	op.Keep(ctx, nil)
	m.Confirm(ctx, equals(`"d2"`), "upload") // another document is in state
	m.Confirm(ctx, equals(`"d1"`), "sign")   // another operation
	if op := begin(t, m, "upload"); string(op.Result) != `"d1"` {
		t.Errorf("got %+v", op)
	} else {
		op.Keep(ctx, nil)
	}
	m.Confirm(ctx, equals(`"d1"`), "upload")
	wantMarkers(t, dir, 0)
	m.Confirm(ctx, equals(`"d1"`), "upload") // no marker exists
	NewMarkers(operationsDir(t)).Confirm(ctx, equals(`"d1"`), "upload")
	(*Markers)(nil).Confirm(ctx, equals(`"d1"`), "upload")

	// A result in state shows nothing about a call with an unknown outcome; an import settles it.
	begin(t, m, "upload").Keep(ctx, nil)
	m.Confirm(ctx, equals(`"d1"`), "upload")
	wantMarkers(t, dir, 1)
	m.Confirm(ctx, func(got json.RawMessage) bool { return got == nil }, "upload")
	wantMarkers(t, dir, 0)
}

// A marker is recognized in each directory that a run may have used. A plan finds what is interrupted, and changes nothing.
func TestMarkers_Interrupted(t *testing.T) {
	t.Parallel()
	ctx, first, second := t.Context(), operationsDir(t), operationsDir(t)
	both, noTime := NewMarkers(first, second), time.Time{}
	wantInterrupted := func(want time.Time) {
		t.Helper()
		got := both.Interrupted(ctx, "upload")
		assert.True(t, got.Equal(want), "interrupted at %s, want %s", got, want)
	}
	wantInterrupted(noTime)
	_, err := os.Stat(first)
	assert.ErrorIs(t, err, os.ErrNotExist, "a look created %s", first)
	op := begin(t, NewMarkers(second), "upload")
	wantInterrupted(noTime) // in progress
	wantInProgress(t, both, "upload")
	op.Keep(ctx, nil)
	wantInterrupted(transporttest.Start)
	wantInterrupted(transporttest.Start)
	op = begin(t, both, "upload")
	assert.True(t, op.Interrupted, "a marker in the second directory is not seen")
	op.Keep(ctx, json.RawMessage(`"d1"`))
	wantInterrupted(noTime) // the next run adopts its result
	both.Confirm(ctx, func(json.RawMessage) bool { return true }, "upload")
	wantMarkers(t, second, 0)
	begin(t, both, "upload").Keep(ctx, nil)
	wantMarkers(t, first, 1)
	if (*Markers)(nil).Interrupted(ctx, "upload") != noTime {
		t.Error("no markers, and one is interrupted")
	}
}

// While runs look whether an operation is interrupted, none that begins it sees it in progress.
func TestMarkers_InterruptedIsNotInProgress(t *testing.T) {
	t.Parallel()
	dir := operationsDir(t)
	begin(t, NewMarkers(dir), "upload").Keep(t.Context(), nil)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for ctx.Err() == nil {
				NewMarkers(dir).Interrupted(ctx, "upload")
			}
		})
	}
	for range 50 {
		begin(t, NewMarkers(dir), "upload").Keep(t.Context(), nil)
	}
	cancel()
	group.Wait()
}

// A damaged marker still is a marker, with the time of its file.
func TestMarkers_Damaged(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "one byte": "\n", "nonsense": "yesterday", "torn": "\n{\"started_at\":\"2026-10-", "zeros": strings.Repeat("\x00", 60),
		"other json": "\n[]", "no time": "\n{}", "torn result": "\n{\"started_at\":\"2026-10-05T13:00:00.000000000Z\",\"result\":\"d",
		"two lines": "\n{\"started_at\":\"2026-10-05T13:00:00.000000000Z\"}\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := operationsDir(t)
			op := begin(t, NewMarkers(dir), "upload")
			op.Keep(t.Context(), nil)
			require.NoError(t, os.WriteFile(op.path, []byte(text), 0o600))
			require.NoError(t, os.Chtimes(op.path, transporttest.Start, transporttest.Start))
			got, err := NewMarkers(dir).Begin(t.Context(), transporttest.Start.Add(time.Hour), "upload")
			if err != nil || !got.Interrupted || !got.StartedAt.Equal(transporttest.Start) || got.Result != nil {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// Without a directory that can hold a marker no call may be sent.
func TestMarkers_NoDirectory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for says, m := range map[string]*Markers{
		"no directory is available": nil,
		"no directory is":           NewMarkers(),
		"mkdir " + file:             NewMarkers(file),
		"mkdir " + filepath.Dir(filepath.Join(file, "below")): NewMarkers(filepath.Join(file, "below")),
	} {
		wantMarkerError(t, m, says)
	}
}

func TestMarkers_CanceledBefore(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := operationsDir(t)
	_, err := NewMarkers(dir).Begin(ctx, transporttest.Start, "upload")
	assert.ErrorIs(t, err, context.Canceled)
	wantMarkers(t, dir, 0)
}

// Begin waits for a stopped process that holds the directory's own lock, but not indefinitely. A marker whose directory
// stays locked is not removed.
func TestMarkers_DirectoryStaysLocked(t *testing.T) {
	t.Parallel()
	dir := operationsDir(t)
	m := NewMarkers(dir)
	earlier := begin(t, m, "earlier")
	unlock, err := m.lockDir(t.Context(), dir)
	require.NoError(t, err)
	m.lockWait = 50 * time.Millisecond
	earlier.Remove(t.Context())
	wantMarkers(t, dir, 1)
	wantMarkerError(t, m, "another process has held")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	m.lockWait = time.Hour
	_, err = m.Begin(ctx, transporttest.Start, "upload")
	assert.ErrorIs(t, err, context.Canceled)
	unlock()
	begin(t, m, "upload").Remove(t.Context())
	assert.True(t, begin(t, m, "earlier").Interrupted, "the marker that could not be removed is gone")
}

// Many runs begin the same operation: one at a time holds it, and none treats one that is in progress, or has just
// ended, as interrupted.
func TestMarkers_Race(t *testing.T) {
	t.Parallel()
	dir := operationsDir(t)
	var holders, done atomic.Int64
	var group sync.WaitGroup
	for range 6 {
		m := NewMarkers(dir)
		group.Go(func() {
			for range 20 {
				op, err := m.Begin(t.Context(), transporttest.Start, "upload")
				if _, busy := errors.AsType[*InProgressError](err); busy {
					continue
				}
				if err != nil || op.Interrupted {
					t.Errorf("got %+v, %v", op, err)
					return
				}
				assert.Equal(t, int64(1), holders.Add(1), "runs at once")
				done.Add(1)
				holders.Add(-1)
				op.Remove(t.Context())
			}
		})
	}
	group.Wait()
	assert.NotEqual(t, int64(0), done.Load(), "no run had the operation")
	wantMarkers(t, dir, 0)
}
