package simulator_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// A request that waits for another process ends with its context, and so does one that waits for it.
func TestFile_LockHearsTheContext(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	held := flock.New(path + ".lock")
	if ok, err := held.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	for range 2 {
		go func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, simulator.BaseURL+"/console/dashboard", http.NoBody)
			if err == nil {
				_, err = sim.Transport().RoundTrip(req) //nolint:bodyclose // there is no response
			}
			ended <- err
		}()
	}
	cancel()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
	}
	must(t, held.Unlock())
}

// The wait for a stopped process has a limit.
func TestFile_LockWaitIsBounded(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	openFile(t, path)
	held := flock.New(path + ".lock")
	if ok, err := held.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	_, err := simulator.New(simulator.Options{File: path, LockWait: time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), path+".lock") || !strings.Contains(err.Error(), "end that process") {
		t.Errorf("the error is %v", err)
	}
	must(t, held.Unlock())
}
