package inventory

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// A list read before a write, or during it, is not stored.
func TestMembers_InvalidatedByWrites(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"ada@acme.example"}}
	inv := New(api)
	read := func(want int, freshness Freshness) {
		t.Helper()
		members, err := inv.Members(t.Context(), idA, freshness)
		require.NoError(t, err, "%v, error, want %d members", members, want)
		require.Len(t, members.All(), want, "%v, error", members)
	}
	read(1, Current)
	done := inv.BeginMemberWrite(idA)
	read(1, Fresh)
	api.set(nil, "ada@acme.example", "bob@acme.example")
	done()
	read(2, Current)
	_, err := inv.Members(t.Context(), idB, Current)
	require.NoError(t, err)
	calls := api.callCount()
	inv.BeginMemberWrite(idA)()
	api.set(errBroken)
	_, err = inv.Members(t.Context(), idB, Current)
	require.NoError(t, err, "another label's members were forgotten")
	assert.Equal(t, calls, api.callCount(), "another label's members were forgotten")
	_, err = inv.Members(t.Context(), idA, Current)
	assert.ErrorIs(t, err, errBroken)
}

// Ten members added concurrently wait for one another, and one call reads them.
func TestMembersAfterWrites(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{hosts: []string{"ada@acme.example"}}
		inv := New(api)
		added := make(chan struct{})
		var read atomic.Int64
		for range 10 {
			done := inv.BeginMemberWrite(idA)
			go func() {
				<-added
				done()
				if _, err := inv.Members(t.Context(), idA, Current); err != nil {
					t.Error(err)
				}
				read.Add(1)
			}()
		}
		for i := range 10 {
			synctest.Wait()
			if read.Load() != 0 || api.callCount() != 0 {
				t.Fatalf("%d of 10 added: %d readers and %d calls went ahead", i, read.Load(), api.callCount())
			}
			added <- struct{}{}
		}
		synctest.Wait()
		if read.Load() != 10 || api.callCount() != 1 {
			t.Errorf("%d readers, %d calls, want 10 and one", read.Load(), api.callCount())
		}
	})
}

func TestMembersAfterWrites_Canceled(t *testing.T) {
	t.Parallel()
	inv := New(&fakeAPI{})
	done := inv.BeginMemberWrite(idA)
	defer done()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := inv.Members(ctx, idA, Current)
	assert.ErrorIs(t, err, context.Canceled)
}

// The members before a write are read once, and not at all for a private label that this run provisioned. The current
// members are read again.
func TestMembers_Cached(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"ada@acme.example"}}
	inv := New(api)
	known := func(labelID, email string, calls int) {
		t.Helper()
		members, err := inv.Members(t.Context(), labelID, Cached)
		require.NoError(t, err, "%v, error, after %d calls, want one member after %d", members, api.callCount(), calls)
		require.Len(t, members.All(), 1, "%v, error, after %d calls, want one member after %d", members, api.callCount(), calls)
		require.Equal(t, calls, api.callCount(), "%v, error, after calls", members)
		_, ok := members.ByEmail(email)
		assert.True(t, ok, "%s is not known of %v", email, members.All())
	}
	known(idA, "ada@acme.example", 1)
	inv.BeginMemberWrite(idA)()
	known(idA, "ada@acme.example", 1)

	inv.RecordOwner(idB, client.Member{ID: idA, Email: "Grace@acme.example", Role: client.RoleOwner})
	known(idB, "grace@acme.example", 1)
	_, err := inv.Members(t.Context(), idB, Current)
	require.NoError(t, err, "error, %d calls", api.callCount())
	assert.Equal(t, 2, api.callCount(), "error, calls")
	known(idB, "ada@acme.example", 2)
}
