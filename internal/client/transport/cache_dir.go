package transport

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/privatefile"
)

// lockGrace is added to the time that a holder may need for its calls.
const lockGrace = 30 * time.Second

// cacheDir is a directory that processes share. If it cannot be used, its data stays in memory, without an error.
type cacheDir struct {
	path     string        // "": memory only
	lockWait time.Duration // for other processes
	once     sync.Once     // creates and checks it
	broken   atomic.Bool   // no longer used
}

// newCacheDir returns a directory whose locks other processes hold during one call, which they retry once.
func newCacheDir(path string, requestTimeout time.Duration) *cacheDir {
	return &cacheDir{path: path, lockWait: 2*requestTimeout + lockGrace}
}

// usable creates the directory. It returns false if the directory cannot be used.
func (d *cacheDir) usable(ctx context.Context) bool {
	d.once.Do(func() {
		if d.path == "" {
			d.broken.Store(true)
		} else if err := privatefile.MakeDir(d.path); err != nil {
			d.giveUp(ctx, err)
		}
	})
	return !d.broken.Load()
}

func (d *cacheDir) giveUp(ctx context.Context, err error) {
	if !d.broken.Swap(true) {
		tflog.Warn(ctx, "the token cache cannot be used; tokens are kept in memory", map[string]any{"error": err.Error()})
	}
}

// lock takes a lock that is held across read, exchange and write. It returns an error only if the context ends: if the
// lock cannot be taken in time, memory is used.
func (d *cacheDir) lock(ctx context.Context, name string) (unlock func(), err error) {
	if !d.usable(ctx) {
		return func() {}, nil
	}
	unlock, err = privatefile.Lock(ctx, filepath.Join(d.path, name+".lock"), d.lockWait)
	if err != nil && ctx.Err() == nil {
		d.giveUp(ctx, err)
		return func() {}, nil
	}
	return unlock, err
}

func (d *cacheDir) read(ctx context.Context, name string) []byte {
	if !d.usable(ctx) {
		return nil
	}
	raw, err := privatefile.Read(filepath.Join(d.path, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tflog.Warn(ctx, "a file of the token cache cannot be used and will be replaced", map[string]any{"error": err.Error()})
	}
	return raw
}

func (d *cacheDir) write(ctx context.Context, name string, raw []byte) {
	if !d.usable(ctx) {
		return
	}
	if err := privatefile.Replace(filepath.Join(d.path, name), raw); err != nil {
		d.giveUp(ctx, err)
	}
}
