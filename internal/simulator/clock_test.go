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
