package simulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Each IP address has limits of its own.
func TestAddressesAreCountedApart(t *testing.T) {
	t.Parallel()
	c := newCaller(t).with("")
	call := func(addr string) int {
		req := c.request(http.MethodGet, labelsPath, nil)
		req.RemoteAddr = addr
		return serve(c.sim, req).Code
	}
	for range 60 {
		require.Equal(t, http.StatusUnauthorized, call("127.0.0.1:1000"))
	}
	require.Equal(t, http.StatusTooManyRequests, call("127.0.0.1:1000"))
	require.Equal(t, http.StatusUnauthorized, call("192.0.2.7:1000"))
}

func TestFastWindowsAreShort(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{Fast: true})
	c := inProcess(t, sim)
	for range 60 {
		c.get(labelsPath)
	}
	c.get(labelsPath).limited(60, 1)
	sim.Clock().Advance(time.Second)
	c.get(labelsPath).limits(60, 59)
	for range 5 {
		c.exchange("unknown")
	}
	c.exchange("unknown").limited(5, 15)
	sim.Clock().Advance(15 * time.Second)
	c.exchange("unknown").limits(5, 4)
}
