package inventory

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLabels_FreshUpdatesCache(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{}
	inv := New(api)
	api.set(nil, "old.example")
	if s, err := inv.Labels(t.Context(), Current); hostOf(t, s, err) != "old.example" {
		t.Error("not the list as it was")
	}
	api.set(nil, "new.example")
	if s, err := inv.Labels(t.Context(), Fresh); hostOf(t, s, err) != "new.example" {
		t.Error("not read again")
	}
	s, err := inv.Labels(t.Context(), Current)
	assert.Equal(t, "new.example", hostOf(t, s, err), "the fresh list is not shared: %d calls", api.callCount())
	assert.Equal(t, 2, api.callCount(), "the fresh list is not shared: calls")
}

// A fresh read does not join a call in flight, whose response may be older.
func TestLabels_FreshDoesNotJoinCallInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{}
		inv := New(api)
		api.set(nil, "old.example")
		api.share(1, func() {
			s, err := inv.Labels(t.Context(), Current)
			assert.Equal(t, "old.example", hostOf(t, s, err), "not the list as it was")
		}, func() {
			api.set(nil, "new.example")
			s, err := inv.Labels(t.Context(), Fresh)
			assert.Equal(t, "new.example", hostOf(t, s, err), "not read again")
		})
		s, err := inv.Labels(t.Context(), Current)
		assert.Equal(t, "new.example", hostOf(t, s, err), "the late list replaced the fresh one, or %d calls were made", api.callCount())
		assert.Equal(t, 2, api.callCount(), "the late list replaced the fresh one, or calls were made")
	})
}

// A write to one private label does not invalidate the detail of another one in flight.
func TestBeginWrite_KeepsOtherDetails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{hosts: []string{"a.example"}}
		inv := New(api)
		api.share(1, func() {
			_, err := inv.Label(t.Context(), idA, Current)
			assert.NoError(t, err)
		}, inv.BeginWrite(idB))
		_, err := inv.Label(t.Context(), idA, Current)
		require.NoError(t, err, "%d calls", api.callCount())
		assert.Equal(t, 1, api.callCount(), "calls")
	})
}
