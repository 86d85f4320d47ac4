package simulator_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestClock(t *testing.T) {
	t.Parallel()
	t.Run("moves forward, never back", func(t *testing.T) {
		t.Parallel()
		clock := simulator.NewFrozenClock(start)
		clock.Advance(time.Minute)
		clock.Advance(-time.Hour)
		clock.Advance(0)
		equal(t, clock.Now(), start.Add(time.Minute))
	})
	t.Run("who waits moves it", func(t *testing.T) {
		t.Parallel()
		clock := simulator.NewFrozenClock(start)
		must(t, clock.Sleep(t.Context(), time.Hour))
		equal(t, clock.Now(), start.Add(time.Hour))
		ended, end := context.WithCancel(t.Context())
		end()
		if err := clock.Sleep(ended, time.Hour); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		equal(t, clock.Now(), start.Add(time.Hour))
	})
	t.Run("is in UTC", func(t *testing.T) {
		t.Parallel()
		equal(t, simulator.NewClock().Now().Location(), time.UTC)
		equal(t, simulator.NewFrozenClock(start.In(time.FixedZone("east", 3600))).Now().Location(), time.UTC)
	})
}

// What tests see without a call: private labels in order of creation, and tokens.
func TestViews(t *testing.T) {
	t.Parallel()
	c, id := packaged(t, ample, true)
	c.post(labelsPath, order(client, withPackage(id))).data()
	c.provision("sign.second.example")
	must(t, c.sim.SuspendByPlatform("sign.second.example", "abuse"))
	labels := c.sim.Labels()
	equal(t, len(labels), 2)
	equal(t, labels[0].Host, client)
	equal(t, labels[0].AppName, "Client Sign")
	equal(t, labels[0].Owner, "ada@client.example")
	equal(t, labels[0].Status, "Active")
	equal(t, labels[0].Package, "PLAN")
	equal(t, labels[0].CreatedAt, start)
	equal(t, labels[1].SuspendedBy, "Platform")
	equal(t, labels[1].SuspendReason, "abuse")
	equal(t, len(c.sim.Tokens()), 1)
	equal(t, c.sim.Tokens()[0], c.token)
}
