package inventory

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// A provisioned private label is in the cached list, with its host name.
func TestRecordProvisioned(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"a.example"}}
	inv := New(api)
	inv.RecordProvisioned(idB, "first.example") // no list yet: the first one will show the private label
	if _, err := inv.Labels(t.Context(), Cached); err != nil {
		t.Fatal(err)
	}
	inv.RecordProvisioned(idB, "Sign.Acme.example")
	labels, err := inv.Labels(t.Context(), Cached)
	if item, ok := labels.ByHost("sign.acme.EXAMPLE"); err != nil || !ok || item.TenantID != idB || len(labels.All()) != 2 {
		t.Errorf("got %+v, %v", labels.All(), err)
	}
	host, ok := inv.Host(idB)
	require.True(t, ok, "got %q, %t", host, ok)
	assert.Equal(t, "Sign.Acme.example", host, "%t", ok)
	_, err = inv.Labels(t.Context(), Fresh)
	require.NoError(t, err, "%d calls", api.callCount())
	assert.Equal(t, 2, api.callCount(), "calls")
	labels, err = inv.Labels(t.Context(), Cached)
	require.NoError(t, err, "a later list does not replace it: %v", labels.All())
	assert.Len(t, labels.All(), 1, "a later list does not replace it")
}

// A created or changed item is known without an API call.
func TestRecordItem(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"GOLD"}}
	inv := New(api)
	known := func(code string, items int) *client.Item {
		t.Helper()
		c, err := inv.Items(t.Context(), client.KindPackage, Cached)
		require.NoError(t, err, "%v, want %d items", c, items)
		require.Len(t, c.All(), items, c)
		item, _ := c.ByCode(code)
		return item
	}
	known("GOLD", 1)
	inv.RecordItem(client.KindPackage, client.Item{ID: idB, Code: "SILVER", Name: "Silver"})
	item := known("silver", 2)
	require.NotNil(t, item, "got %+v", item)
	assert.Equal(t, idB, item.ID, "got %+v", item)
	inv.RecordItem(client.KindPackage, client.Item{ID: idA, Code: "GOLD", Name: "changed"})
	item = known("GOLD", 2)
	assert.Equal(t, "changed", item.Name, "got %+v", item)
	assert.Equal(t, 1, api.callCount(), "calls: %q", api.calls)
}

func TestRecordMember(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"ada@acme.example"}}
	inv := New(api)
	known := func(want ...string) {
		t.Helper()
		members, err := inv.Members(t.Context(), idA, Cached)
		require.NoError(t, err, "%+v, want %q", members, want)
		require.Len(t, members.All(), len(want), "%+v, want %q", members, want)
		for _, email := range want {
			_, ok := members.ByEmail(email)
			assert.True(t, ok, "%s is not known", email)
		}
	}
	bob := client.Member{ID: idB, Email: "bob@acme.example"}
	inv.RecordMemberAdded(idA, bob) // no list yet: the first one will show the member
	known("ada@acme.example")
	inv.RecordMemberAdded(idA, bob)
	inv.RecordMemberAdded(idA, bob)
	known("ada@acme.example", "bob@acme.example")
	assert.Equal(t, 1, api.callCount(), "calls: %q", api.calls)
}
