package inventory

import (
	"testing"

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
	if host, ok := inv.Host(idB); !ok || host != "Sign.Acme.example" {
		t.Errorf("got %q, %t", host, ok)
	}
	if _, err := inv.Labels(t.Context(), Fresh); err != nil || api.made() != 2 {
		t.Errorf("%d calls, %v", api.made(), err)
	}
	if labels, err := inv.Labels(t.Context(), Cached); err != nil || len(labels.All()) != 1 {
		t.Errorf("a later list does not replace it: %v, %v", labels.All(), err)
	}
}

// A created or changed item is known without an API call.
func TestRecordItem(t *testing.T) {
	t.Parallel()
	api := fakeCatalog{&fakeAPI{hosts: []string{"GOLD"}}}
	inv := New(api)
	known := func(code string, items int) *client.Item {
		t.Helper()
		c, err := inv.Items(t.Context(), client.KindPackage, Cached)
		if err != nil || len(c.All()) != items {
			t.Fatalf("%v, %v, want %d items", c, err, items)
		}
		item, _ := c.ByCode(code)
		return item
	}
	known("GOLD", 1)
	inv.RecordItem(client.KindPackage, client.Item{ID: idB, Code: "SILVER", Name: "Silver"})
	if item := known("silver", 2); item == nil || item.ID != idB {
		t.Errorf("got %+v", item)
	}
	inv.RecordItem(client.KindPackage, client.Item{ID: idA, Code: "GOLD", Name: "changed"})
	if item := known("GOLD", 2); item.Name != "changed" {
		t.Errorf("got %+v", item)
	}
	if n := api.made(); n != 1 {
		t.Errorf("%d calls: %q", n, api.calls)
	}
}

func TestRecordMember(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"ada@acme.example"}}
	inv := New(api)
	known := func(want ...string) {
		t.Helper()
		members, err := inv.Members(t.Context(), idA, Cached)
		if err != nil || len(members.All()) != len(want) {
			t.Fatalf("%+v, %v, want %q", members, err, want)
		}
		for _, email := range want {
			if _, ok := members.ByEmail(email); !ok {
				t.Errorf("%s is not known", email)
			}
		}
	}
	bob := client.Member{ID: idB, Email: "bob@acme.example"}
	inv.RecordMemberAdded(idA, bob) // no list yet: the first one will show the member
	known("ada@acme.example")
	inv.RecordMemberAdded(idA, bob)
	inv.RecordMemberAdded(idA, bob)
	known("ada@acme.example", "bob@acme.example")
	if n := api.made(); n != 1 {
		t.Errorf("%d calls: %q", n, api.calls)
	}
}
