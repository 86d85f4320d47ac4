package inventory

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The list includes a member added during its wait for the limit: one list for all.
func TestMembersAfterWrites_AddedWhileQueued(t *testing.T) {
	t.Parallel()
	for name, addedBefore := range map[string]bool{"done before the place is free": true, "under way then": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				grants := make(chan struct{})
				api := &fakeAPI{hosts: []string{"ada@acme.example"}, queue: func() { <-grants }}
				inv := New(api)
				var wg sync.WaitGroup
				read := func() {
					wg.Go(func() {
						_, err := inv.Members(t.Context(), idA, Current)
						assert.NoError(t, err)
					})
				}
				inv.BeginMemberWrite(idA)()
				read()
				synctest.Wait()
				second := inv.BeginMemberWrite(idA)
				if !addedBefore {
					grants <- struct{}{}
					synctest.Wait()
					assert.Equal(t, 0, api.callCount(), "the list did not wait for the second member")
				}
				second()
				read()
				synctest.Wait()
				grants <- struct{}{}
				wg.Wait()
				assert.Equal(t, 1, api.callCount(), "lists")
				_, err := inv.Members(t.Context(), idA, Current)
				require.NoError(t, err, "%d lists", api.callCount())
				assert.Equal(t, 1, api.callCount(), "lists")
			})
		})
	}
}

// A list in flight may lack a member added during the call: another list reads that member.
func TestMembersAfterWrites_AddedWhileListed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{hosts: []string{"ada@acme.example"}}
		inv, held := New(api), api.hold()
		var wg sync.WaitGroup
		read := func() {
			wg.Go(func() {
				_, err := inv.Members(t.Context(), idA, Current)
				assert.NoError(t, err)
			})
		}
		read()
		synctest.Wait()
		inv.BeginMemberWrite(idA)()
		read()
		synctest.Wait()
		assert.Equal(t, 2, api.callCount(), "lists")
		close(held)
		wg.Wait()
	})
}
