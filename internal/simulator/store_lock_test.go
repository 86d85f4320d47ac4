package simulator_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// A request that waits for another process ends with its context, and so does one that waits for it.
func TestAWaitForALockEndsWithItsContext(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	held := flock.New(path + ".lock")
	ok, err := held.TryLock()
	require.True(t, ok, "%v %v", ok, err)
	require.NoError(t, err, ok)
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
		assert.ErrorIs(t, <-ended, context.Canceled, "the error")
	}
	require.NoError(t, held.Unlock())
}

// The wait for a stopped process has a limit.
func TestAWaitForALockIsBounded(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	openFile(t, path)
	held := flock.New(path + ".lock")
	if ok, err := held.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	_, err := simulator.New(simulator.Options{File: path, LockWait: time.Millisecond})
	assert.ErrorContains(t, err, path+".lock", "the error")
	assert.ErrorContains(t, err, "end that process", "the error")
	require.NoError(t, held.Unlock())
}
