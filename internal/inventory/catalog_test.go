package inventory

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

func codeOf(t *testing.T, c *Catalog, err error) string {
	t.Helper()
	require.NoError(t, err)
	return c.All()[0].Code
}

func TestItems_UntilAWrite(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"GOLD"}}
	inv := New(api)
	c, err := inv.Items(t.Context(), client.KindPackage, Current)
	assert.Equal(t, "GOLD", codeOf(t, c, err), "calls: %q", api.calls)
	_, ok := c.ByCode("gold")
	assert.True(t, ok, "a code is found without case")
	_, ok = c.ByID(idA)
	assert.True(t, ok, "an id is not found")
	_, err = inv.Items(t.Context(), client.KindAddon, Current)
	require.NoError(t, err, "the kinds are not kept apart: %q", api.calls)
	assert.Equal(t, 2, api.callCount(), "the kinds are not kept apart: %q", api.calls)
	done := inv.BeginItemWrite(client.KindPackage)
	api.set(nil, "SILVER")
	done()
	known, err := inv.Items(t.Context(), client.KindPackage, Cached)
	assert.Equal(t, "GOLD", codeOf(t, known, err), "what was known costs a call: %q", api.calls)
	assert.Equal(t, 2, api.callCount(), "what was known costs a call: %q", api.calls)
	c, err = inv.Items(t.Context(), client.KindPackage, Current)
	assert.Equal(t, "SILVER", codeOf(t, c, err), "a write invalidates nothing")
	c, err = inv.Items(t.Context(), client.KindAddon, Current)
	assert.Equal(t, "GOLD", codeOf(t, c, err), "a write invalidates the other kind")
}

func notReadAlone(status int, code string) error {
	return fmt.Errorf("%w: %w", client.ErrNotReadAlone, &transport.Error{Status: status, Code: code})
}

func TestItem_UntilAWrite(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{}
	inv := New(api)
	read := func(id string, calls int) {
		t.Helper()
		item, err := inv.Item(t.Context(), client.KindPackage, id, Current)
		require.NoError(t, err)
		assert.Equal(t, id, item.ID)
		assert.Equal(t, calls, api.callCount(), "calls: %q", api.calls)
	}
	read(idA, 1)
	read(idB, 2)
	inv.BeginItemWrite(client.KindPackage)()
	read(idA, 3)
}

func TestItem_NotReadAlone(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err   error
		calls int
		fails bool
	}{
		"no endpoint":       {notReadAlone(404, client.CodeNotFound), 1, false},
		"another request":   {notReadAlone(400, client.CodeInvalidRequest), 1, false},
		"another method":    {notReadAlone(405, ""), 1, false},
		"none of this item": {notReadAlone(400, "PACKAGE_NOT_FOUND"), 20, false},
		"a failure":         {&transport.Error{Status: 500, Code: client.CodeInternal}, 20, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &fakeAPI{itemErr: tc.err}
			inv := New(api)
			var wg sync.WaitGroup
			for i := range 20 {
				wg.Go(func() {
					item, err := inv.Item(t.Context(), client.KindAddon, fmt.Sprintf("%032x", i), Current)
					assert.Nil(t, item, "%v", err)
					assert.Equal(t, tc.fails, err != nil, "got %+v, %v", item, err)
				})
			}
			wg.Wait()
			assert.Equal(t, tc.calls, api.callCount())
		})
	}
}

// A reader whose context is canceled does not wait for the reader that tests the endpoint.
func TestItem_Canceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{}
		inv := New(api)
		api.share(1, func() { _, _ = inv.Item(t.Context(), client.KindPackage, idA, Current) }, func() {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := inv.Item(ctx, client.KindPackage, idB, Current)
			assert.ErrorIs(t, err, context.Canceled)
		})
	})
}

func TestCatalog_ItemsWithoutCode(t *testing.T) {
	t.Parallel()
	_, ok := newCatalog([]client.Item{{ID: idA}}).ByCode("")
	assert.False(t, ok, "an item is found by no code")
}

// A search may miss an item. Then its own endpoint decides.
func TestFindItem_NotInTheSearch(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"GOLD"}}
	inv := New(api)
	for _, freshness := range []Freshness{Current, Fresh} {
		item, err := inv.FindItem(t.Context(), client.KindPackage, idB, freshness)
		require.NoError(t, err)
		require.NotNil(t, item, "calls: %q", api.calls)
		assert.Equal(t, idB, item.ID)
	}
	api = &fakeAPI{hosts: []string{"GOLD"}, itemErr: notReadAlone(400, "PACKAGE_NOT_FOUND")}
	item, err := New(api).FindItem(t.Context(), client.KindPackage, idB, Current)
	require.NoError(t, err)
	assert.Nil(t, item, "neither shows it")
}
