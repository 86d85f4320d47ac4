package simulator_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestSection8_Limits(t *testing.T) {
	t.Parallel()
	eachFront(t, "token exchange", func(t *testing.T, c *caller) {
		c.sim.Clock().Advance(15 * time.Minute)
		for left := 4; left >= 0; left-- {
			key := c.sim.APIKey()
			if left == 2 {
				key = "unknown" // counts as well
			}
			c.exchange(key).limits(5, left)
		}
		c.sim.Clock().Advance(time.Minute)
		got := c.exchange(c.sim.APIKey())
		got.limited(5, 14*60)
		require.Equal(t, "", got.header.Get("X-Request-Id"))
		c.sim.Clock().Advance(14*time.Minute - time.Second)
		c.exchange(c.sim.APIKey()).limited(5, 1)
		c.sim.Clock().Advance(time.Second)
		c.exchange(c.sim.APIKey()).limits(5, 4)
	})
	eachFront(t, "console", func(t *testing.T, c *caller) {
		c.sim.Clock().Advance(time.Minute)
		for left := 59; left >= 0; left-- {
			path := labelsPath
			if left%2 == 0 {
				path = "/console/dashboard" // the same limit
			}
			c.get(path).limits(60, left)
		}
		c.get(labelsPath).limited(60, 60)
		c.post(labelsPath, order(client)).limited(60, 60)
		require.Len(t, c.sim.Labels(), 0)
		c.sim.Clock().Advance(59*time.Second + 500*time.Millisecond)
		c.get(labelsPath).limited(60, 1)
		c.sim.Clock().Advance(500 * time.Millisecond)
		c.get(labelsPath).limits(60, 59)
	})
	withCaller(t, "console counts rejected calls", func(_ *testing.T, c *caller) {
		c.sim.Clock().Advance(time.Minute)
		for range 30 {
			c.with("").get(labelsPath).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
			c.post(labelsPath, object{}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		}
		c.get(labelsPath).limited(60, 60)
	})
	withCaller(t, "total", func(_ *testing.T, c *caller) {
		c.sim.Clock().Advance(time.Minute)
		for left := 299; left >= 0; left-- {
			c.get("/nowhere").limits(300, left)
		}
		c.get("/nowhere").limited(300, 60)
		c.get(labelsPath).limited(300, 60)
		c.exchange(c.sim.APIKey()).limited(300, 60)
		c.sim.Clock().Advance(time.Minute)
		c.get(labelsPath).data()
	})
	t.Run("headers show the tighter limit", func(t *testing.T) {
		t.Parallel()
		for form, want := range map[string][2]int{"fewest": {300, 9}, "own": {60, 59}} {
			c := assuming(t, simulator.Forms{"limit-headers": form})
			c.sim.Clock().Advance(time.Minute)
			for range 290 {
				c.get("/nowhere")
			}
			c.get(labelsPath).limits(want[0], want[1])
		}
	})
	t.Run("reset in each of its forms; Retry-After is always in seconds", func(t *testing.T) {
		t.Parallel()
		ends := start.Add(time.Minute)
		for form, want := range map[string]string{
			"seconds": "60", "epoch": strconv.FormatInt(ends.Unix(), 10), "epoch-ms": strconv.FormatInt(ends.UnixMilli(), 10),
			"date": ends.UTC().Format(http.TimeFormat),
		} {
			sim := newSim(t, simulator.Options{Forms: simulator.Forms{"reset": form}})
			c := inProcess(t, sim)
			for range 60 {
				require.Equal(t, want, c.get(labelsPath).header.Get("RateLimit-Reset"))
			}
			c.get(labelsPath).limited(60, 60)
		}
	})
	withCaller(t, "addresses are counted apart", func(t *testing.T, c *caller) {
		c = c.with("")
		for range 60 {
			c.get(labelsPath)
		}
		c.get(labelsPath).limited(60, 60)
		call := func(addr string) int {
			req := c.request(http.MethodGet, labelsPath, nil)
			req.RemoteAddr = addr
			return serve(c.sim, req).Code
		}
		require.Equal(t, http.StatusUnauthorized, call("192.0.2.7:1000"))
		require.Equal(t, http.StatusTooManyRequests, call("127.0.0.1:1000"))
	})
}

func TestFastWindows(t *testing.T) {
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

// A machine's clock that is set back between two runs does not keep a limit exhausted.
func TestSection8_Limits_ClockSetBack(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	late := newSim(t, simulator.Options{File: path, Clock: simulator.NewFrozenClock(start.Add(24 * time.Hour))})
	c := inProcess(t, late)
	for range 5 {
		c.exchange("unknown")
	}
	c.exchange("unknown").limited(5, 15*60)
	early := inProcess(t, openFile(t, path))
	early.exchange("unknown").limits(5, 4)
}
