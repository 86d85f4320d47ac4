package client

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// DeedMarks keep in the cache folder which deeds are under way that can be done
// once only, so that the run after a killed one knows of them. Without a folder,
// or a nil *DeedMarks, nothing is kept.
type DeedMarks struct{ dir *cacheDir }

// NewDeedMarks keeps marks in a folder that processes share; "" is none.
func NewDeedMarks(dir string) *DeedMarks { return &DeedMarks{newCacheDir(dir)} }

// Begin marks the deed that parts name as under way until done is called, which
// is when its outcome is known or was told. earlier is when the same deed began
// without ever ending: its process was killed. It is zero otherwise.
func (m *DeedMarks) Begin(ctx context.Context, now time.Time, parts ...string) (earlier time.Time, done func()) {
	if m == nil || !m.dir.usable(ctx) {
		return time.Time{}, func() {}
	}
	path := filepath.Join(m.dir.path, fingerprint(parts...)+".deed")
	earlier = beginOf(path)
	if earlier.IsZero() {
		if err := replaceFile(path, []byte(now.UTC().Format(time.RFC3339Nano))); err != nil {
			m.dir.giveUp(ctx, err)
		}
	}
	return earlier, func() { _ = os.Remove(path) } // one that stays stops the next run once, which looks
}

// beginOf is zero where there is no mark. One that cannot be read is as old as
// its file.
func beginOf(path string) time.Time {
	raw, err := readPrivate(path)
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}
	}
	if began, err := time.Parse(time.RFC3339Nano, string(raw)); err == nil {
		return began
	}
	info, err := os.Lstat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
