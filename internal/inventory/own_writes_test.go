package inventory

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

func TestOwnWrites_Labels(t *testing.T) {
	t.Parallel()
	inv := New(&fakeAPI{})
	inv.RecordProvisioned(idA, "Sign.Acme.example")
	if id, ok := inv.Provisioned("sign.acme.EXAMPLE"); !ok || id != idA {
		t.Errorf("got %q, %t", id, ok)
	}
	if host, ok := inv.Host(idA); !ok || host != "Sign.Acme.example" {
		t.Errorf("got %q, %t", host, ok)
	}
	inv.MarkDeprovisioned("sign.acme.example")
	if _, ok := inv.Provisioned("sign.acme.example"); ok || !inv.IsDeprovisioned("sign.acme.example") {
		t.Error("a deprovisioned label is known as provisioned")
	}
}

// A created item is known without an API call, and the row of a later search takes precedence.
func TestOwnWrites_Items(t *testing.T) {
	t.Parallel()
	api := fakeCatalog{&fakeAPI{hosts: []string{"GOLD"}}}
	inv := New(api)
	known := func(code string, items int) *client.Item {
		t.Helper()
		c, err := inv.CachedItems(t.Context(), client.KindPackage)
		if err != nil || len(c.All()) != items {
			t.Fatalf("%v, %v, want %d items", c, err, items)
		}
		item, _ := c.ByCode(code)
		return item
	}
	if !inv.RecordItem(client.KindPackage, client.Item{ID: idB, Code: "SILVER", Name: "Silver"}) {
		t.Error("the first item with a code is not the first")
	}
	if item := known("silver", 2); item == nil || item.ID != idB {
		t.Errorf("got %+v", item)
	}
	if inv.RecordItem(client.KindPackage, client.Item{ID: idB, Code: "Silver"}) || !inv.RecordItem(client.KindAddon, client.Item{ID: idB, Code: "SILVER"}) {
		t.Error("what was created is not known by kind and code")
	}
	inv.RecordItem(client.KindPackage, client.Item{ID: idB, Code: "GOLD", Name: "mine"})
	if item := known("GOLD", 2); item.Name == "mine" {
		t.Error("what was recorded hides what the API shows")
	}
	if n := api.made(); n != 1 {
		t.Errorf("%d calls: %q", n, api.calls)
	}
}

func TestOwnWrites_Members(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"ada@acme.example"}}
	inv := New(api)
	known := func(want ...string) {
		t.Helper()
		members, err := inv.CachedMembers(t.Context(), idA)
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
	inv.RecordMemberRemoved(idA, idB)
	known("ada@acme.example")
	if n := api.made(); n != 1 {
		t.Errorf("%d calls: %q", n, api.calls)
	}
}

// A list in flight during the removal of a member still shows the member, and is not stored.
func TestOwnWrites_OvertakenMembers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{hosts: []string{"ada@acme.example", "bob@acme.example"}}
		inv := New(api)
		if _, err := inv.CachedMembers(t.Context(), idA); err != nil {
			t.Fatal(err)
		}
		held := api.hold()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = inv.RefreshMembers(context.Background(), idA)
		}()
		synctest.Wait()
		inv.RecordMemberRemoved(idA, idB)
		close(held)
		<-done
		if members, err := inv.CachedMembers(t.Context(), idA); err != nil || len(members.All()) != 1 {
			t.Errorf("%+v, %v", members, err)
		}
	})
}

// A reader gets its response even if a new walk begins in between.
func TestInvalidateReads_Concurrent(t *testing.T) {
	t.Parallel()
	inv := New(fakeCatalog{&fakeAPI{hosts: []string{"GOLD"}}})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				if c, err := inv.CachedItems(t.Context(), client.KindPackage); err != nil || c == nil || len(c.All()) != 1 {
					t.Errorf("%v, %v", c, err)
					return
				}
				inv.InvalidateReads()
			}
		})
	}
	wg.Wait()
}

// A new walk reads everything again and keeps the records of this process's writes.
func TestInvalidateReads(t *testing.T) {
	t.Parallel()
	api := fakeCatalog{&fakeAPI{hosts: []string{"a.example"}}}
	inv := New(api)
	read := func() {
		t.Helper()
		for name, read := range map[string]func() error{
			"labels":        func() error { _, err := inv.Labels(t.Context()); return err },
			"known labels":  func() error { _, err := inv.CachedLabels(t.Context()); return err },
			"detail":        func() error { _, err := inv.Label(t.Context(), idA); return err },
			"members":       func() error { _, err := inv.Members(t.Context(), idA); return err },
			"known members": func() error { _, err := inv.CachedMembers(t.Context(), idA); return err },
			"packages":      func() error { _, err := inv.CachedItems(t.Context(), client.KindPackage); return err },
			"add-ons":       func() error { _, err := inv.Items(t.Context(), client.KindAddon); return err },
		} {
			if err := read(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	inv.RecordProvisioned(idB, "b.example")
	read()
	calls := api.made()
	read()
	if api.made() != calls {
		t.Errorf("%d calls, want %d: %q", api.made(), calls, api.calls)
	}
	inv.InvalidateReads()
	read()
	if api.made() != 2*calls {
		t.Errorf("%d calls, want %d: %q", api.made(), 2*calls, api.calls)
	}
	if _, ok := inv.Provisioned("b.example"); !ok {
		t.Error("the record of the provisioned label is lost")
	}
}
