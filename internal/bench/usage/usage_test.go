package usage_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/usage"
)

func TestRead_AddsUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got, err := usage.Read(dir); err != nil || got != (usage.Process{}) {
		t.Errorf("without processes: %+v, %v", got, err)
	}
	for pid, p := range map[int]usage.Process{
		7: {CPU: 100 * time.Millisecond, Peak: 30e6},
		8: {CPU: 50 * time.Millisecond, Peak: 90e6},
		9: {},
	} {
		if err := errors.Join(usage.Begin(dir, pid), usage.Finish(dir, pid, p)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := usage.Read(dir)
	if want := (usage.Process{CPU: 150 * time.Millisecond, Peak: 90e6}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestRead_ReportsWhatIsLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := errors.Join(usage.Begin(dir, 7), usage.Finish(dir, 7, usage.Process{CPU: 1}), usage.Begin(dir, 8)); err != nil {
		t.Fatal(err)
	}
	if got, err := usage.Read(dir); !errors.Is(err, usage.ErrUnfinished) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "8.json"), []byte("torn{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := usage.Read(dir); err == nil || errors.Is(err, usage.ErrUnfinished) {
		t.Errorf("a report that is no JSON gave %+v, %v", got, err)
	}
}
