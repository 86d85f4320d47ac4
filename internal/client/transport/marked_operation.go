package transport

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// MarkedOperation is a one-time call whose marker this process has locked until Keep or Remove.
type MarkedOperation struct {
	Interrupted bool            // an earlier run left the marker and ended
	StartedAt   time.Time       // of the call; of the earlier run's if Interrupted
	Result      json.RawMessage // the response to the earlier run; nil if unknown

	dir  markerDir
	path string
	lock *flock.Flock
}

// Keep leaves the marker to a later run, with the call's result if known.
func (o *MarkedOperation) Keep(ctx context.Context, result json.RawMessage) {
	if result != nil {
		if err := rewriteMarker(o.path, marker{StartedAt: markerTime(o.StartedAt), Result: result}); err != nil {
			tflog.Warn(ctx, "the result could not be written to the operation marker; a later run reports an unknown outcome", map[string]any{"error": err.Error()})
		}
	}
	_ = o.lock.Unlock()
}

// Remove removes the marker of a call whose outcome is known or was reported. If that fails, a later run reports
// it.
func (o *MarkedOperation) Remove(ctx context.Context) {
	if !removesOpenFiles {
		// Without the directory's lock, another run could treat the marker as interrupted in between.
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
		tflog.Warn(ctx, "the operation marker could not be removed; a later run reports an unknown outcome", map[string]any{"error": err.Error()})
	}
	_ = o.lock.Unlock()
}
