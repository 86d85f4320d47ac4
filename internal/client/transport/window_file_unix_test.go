//go:build unix

package transport

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
)

func TestSharedWindows_ReplacesPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(windowFileOf(t, dir), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { plans(t, &bucketService{}, 1, 3, withDir(dir)) })
	if raw, err := os.ReadFile(windowFileOf(t, dir)); err != nil || len(readRecords(raw)) != 1 {
		t.Errorf("the file has %q, %v", raw, err)
	}
}
