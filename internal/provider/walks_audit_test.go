package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// One process may serve several states, as `terraform test` does with modules: what a run creates, another run adopts,
// though nothing was read in between.
func TestWalks_MemberOfAnotherState(t *testing.T) {
	t.Parallel()
	l := newLabelled(t)
	p := l.protocol()
	bob := values{"private_label_id": l.label, "email": bobEmail, "first_name": "Bob", "last_name": "Byte"}
	if told := p.walker("reseller_member").apply(bob); len(told) > 0 {
		t.Fatalf("told %+v", told)
	}
	for range 3 {
		w := p.walker("reseller_member")
		if _, told := w.plan(bob); len(told.of("warning", "Existing member is adopted")) != 1 {
			t.Errorf("told %+v", told)
		}
		if told := w.apply(bob); len(told) > 0 || w.state.IsNull() {
			t.Errorf("told %+v", told)
		}
	}
	if n := l.mails(bobEmail); n != 1 {
		t.Errorf("%d emails", n)
	}
}

// What an earlier walk of the process planned to create decides nothing about a value that is known after apply.
func TestWalks_UnknownIsNoError(t *testing.T) {
	t.Parallel()
	c := newCatalogued(t, simulator.Assumptions{})
	p := c.protocol()
	for typ, config := range map[string]values{
		"reseller_private_label": {"domain": "sign.other.example", "app_name": "Acme", "owner": owner()},
		"reseller_package":       {"code": "OTHER", "name": "Other", "currency": "EUR"},
	} {
		if _, told := p.walker(typ).plan(config); anyErrors(told) {
			t.Fatalf("told %+v", told)
		}
	}
	w := p.walker("reseller_assignment")
	config := values{"private_label_id": c.label, "package_id": c.gold}
	for range 2 {
		if told := w.apply(config); anyErrors(told) {
			t.Fatalf("told %+v", told)
		}
		for name, summary := range map[string]string{"private_label_id": "Private label is known after apply", "package_id": "Package is known after apply"} {
			later := values{"private_label_id": c.label, "package_id": c.gold}
			later[name] = tftypes.UnknownValue
			if _, told := w.plan(later); anyErrors(told) || len(told.of("warning", summary)) != 1 {
				t.Errorf("%s: told %+v", name, told)
			}
		}
		if told := w.read(); len(told) > 0 {
			t.Errorf("told %+v", told)
		}
	}
}
