package simulator_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestTheClockMovesForward(t *testing.T) {
	t.Parallel()
	t.Run("moves forward, never back", func(t *testing.T) {
		t.Parallel()
		clock := simulator.NewFrozenClock(start)
		clock.Advance(time.Minute)
		clock.Advance(-time.Hour)
		clock.Advance(0)
		require.Equal(t, start.Add(time.Minute), clock.Now())
	})
	t.Run("who waits moves it", func(t *testing.T) {
		t.Parallel()
		clock := simulator.NewFrozenClock(start)
		require.NoError(t, clock.Sleep(t.Context(), time.Hour))
		require.Equal(t, start.Add(time.Hour), clock.Now())
		ended, end := context.WithCancel(t.Context())
		end()
		assert.ErrorIs(t, clock.Sleep(ended, time.Hour), context.Canceled)
		require.Equal(t, start.Add(time.Hour), clock.Now())
	})
	t.Run("is in UTC", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, time.UTC, simulator.NewClock().Now().Location())
		require.Equal(t, time.UTC, simulator.NewFrozenClock(start.In(time.FixedZone("east", 3600))).Now().Location())
	})
}

// What tests see without a call: private labels in order of creation, and tokens.
func TestViewsShowLabelsAndTokens(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	id := c.made(c.sim.AddPackage("plan", nil, true))
	c.post(labelsPath, order(client, withPackage(id))).data()
	c.provision("sign.second.example")
	require.NoError(t, c.sim.SuspendByPlatform("sign.second.example", "abuse"))
	labels := c.sim.Labels()
	require.Len(t, labels, 2)
	require.Equal(t, client, labels[0].Host)
	require.Equal(t, "Client Sign", labels[0].AppName)
	require.Equal(t, "ada@client.example", labels[0].Owner)
	require.Equal(t, "Active", labels[0].Status)
	require.Equal(t, "PLAN", labels[0].Package)
	require.Equal(t, start, labels[0].CreatedAt)
	require.Equal(t, "Platform", labels[1].SuspendedBy)
	require.Equal(t, "abuse", labels[1].SuspendReason)
	require.Equal(t, []string{c.token}, c.sim.Tokens())
}
