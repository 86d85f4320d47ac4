package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const bob = "reseller_member.bob"

// person is the block of a member; extra lines go inside.
func (w *labelled) person(name, email, first string) string {
	return fmt.Sprintf("resource \"reseller_member\" %q {\n  private_label_id = %q\n  email = %q\n  first_name = %q\n  last_name = \"Byte\"\n}\n", name, w.label, email, first)
}

func (w *labelled) bob() string { return w.config(w.person("bob", bobEmail, "Bob")) }

// seats is who holds one, by e-mail.
func (w *labelled) seats() int { return w.sim.Labels()[0].Members }

func TestMember_Lifecycle(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.planned().wantWarning(t, "Adding a member sends an email", bobEmail, acmeHost)
	w.sim.ResetJournal()
	c.apply().wantOK(t, "1 added")
	if n := w.mails(bobEmail); n != 1 {
		t.Errorf("%d e-mails, want one", n)
	}
	state := c.state()[bob].Attributes
	for name, want := range map[string]any{"email": bobEmail, "role": "member", "status": "Active", "created_at": "2026-03-14T09:02:00Z"} {
		if state[name] != want {
			t.Errorf("%s = %v, want %v", name, state[name], want)
		}
	}
	if id, _ := state["id"].(string); len(id) != 32 {
		t.Errorf("id %v", state["id"])
	}

	t.Run("unchanged: one call", func(t *testing.T) {
		w.sim.ResetJournal()
		c.wantEmptyPlan()
		if err := w.wantCalls(map[string]int{routeMembers: 1}); err != nil {
			t.Error(err)
		}
	})
	t.Run("another case of the address is no change", func(*testing.T) {
		c.config(w.config(w.person("bob", "BOB@Acme.example", "Bob")))
		c.wantEmptyPlan()
	})
	t.Run("a name only warns", func(t *testing.T) {
		c.config(w.config(w.person("bob", bobEmail, "Robert")))
		c.plan().wantText(t, "Member name is not updated by the API", bobEmail, "1 to change")
		w.sim.ResetJournal()
		c.apply().wantOK(t, "1 changed")
		if n := w.calls(routeAdd); n != 0 {
			t.Errorf("%d adds", n)
		}
		c.wantEmptyPlan()
	})
	t.Run("renamed in the console: no drift", func(t *testing.T) {
		if err := w.sim.RenamePerson(acmeHost, bobEmail, "Robbie", "Bit"); err != nil {
			t.Fatal(err)
		}
		c.wantEmptyPlan()
	})
	t.Run("another address replaces", func(t *testing.T) {
		c.config(w.config(w.person("bob", "bobby@acme.example", "Robert")))
		told := c.planned()
		told.wantWarning(t, "Removed member is signed out immediately", bobEmail, acmeHost)
		told.wantWarning(t, "Adding a member sends an email", "bobby@acme.example", acmeHost)
		c.apply().wantOK(t, "1 added, 0 changed, 1 destroyed")
		if w.seats() != 2 {
			t.Errorf("%d seats, want the owner's and the new one", w.seats())
		}
		c.wantEmptyPlan()
	})
	t.Run("a removed block removes", func(t *testing.T) {
		c.config(w.config(""))
		c.planned().wantWarning(t, "Removed member is signed out immediately", "bobby@acme.example", acmeHost)
		c.apply().wantOK(t, "1 destroyed")
		if w.seats() != 1 {
			t.Errorf("%d seats, want the owner's", w.seats())
		}
	})
}

// Twenty-five people are added with as many calls, and read with few.
func TestMember_Many(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.config(fmt.Sprintf(`
resource "reseller_member" "team" {
  count            = 25
  private_label_id = %q
  email            = "person-${count.index}@acme.example"
  first_name       = "Person"
  last_name        = "${count.index}"
}
`, w.label)))
	c.apply().wantOK(t, "25 added")
	if w.calls(routeAdd) != 25 || w.seats() != 26 {
		t.Errorf("%d adds, %d seats", w.calls(routeAdd), w.seats())
	}
	if n := w.calls(routeMembers); n > 27 { // one at most for each, fewer the more are under way at once, and two that see who was there
		t.Errorf("%d lists of members", n)
	}
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeMembers: 1}); err != nil {
		t.Error(err)
	}
}

// An unchanged plan over 20 labels with 25 members each: one members list a
// label, at full speed.
func TestMember_ManyLabels(t *testing.T) {
	t.Parallel()
	needsCLI(t, "1.7.0", "for_each of import blocks")
	const labels, people = 20, 25
	w := newWorld(t)
	var hosts []string
	for i := range labels {
		host := fmt.Sprintf("sign.client-%d.example", i)
		if _, err := w.sim.AddConsoleLabel(host, "ada@acme.example"); err != nil {
			t.Fatal(err)
		}
		for p := 1; p < people; p++ {
			if _, err := w.sim.AddPersonInConsole(host, fmt.Sprintf("person-%d@acme.example", p), "Person", "Number"); err != nil {
				t.Fatal(err)
			}
		}
		hosts = append(hosts, host)
	}
	c := w.cli()
	c.config(w.config(fmt.Sprintf(`
data "reseller_private_label" "of" {
  for_each = toset(%s)
  domain   = each.key
}
data "reseller_members" "of" {
  for_each         = data.reseller_private_label.of
  private_label_id = each.value.id
}
locals {
  people = merge([for host, found in data.reseller_members.of : { for m in found.members : "${host}/${m.email}" => merge(m, { label = found.private_label_id }) }]...)
}
import {
  for_each = local.people
  to       = reseller_member.all[each.key]
  id       = "${each.value.label}/${each.value.id}"
}
resource "reseller_member" "all" {
  for_each         = local.people
  private_label_id = each.value.label
  email            = each.value.email
  first_name       = each.value.first_name
  last_name        = each.value.last_name
}
`, jsonOf(t, hosts))))
	c.apply().wantOK(t, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", labels*people))
	if n := w.calls(routeAdd); n != 0 {
		t.Errorf("%d adds", n)
	}
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeList: 1, routeDetail: labels, routeMembers: labels}); err != nil { // the details are the data source's
		t.Error(err)
	}
}

// With the label in the same configuration.
func TestMember_OfANewLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "") + `
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_member" "owner" {
  private_label_id = reseller_private_label.acme.id
  email            = "ADA@acme.example"
  first_name       = "Ada"
  last_name        = "Lovelace"
}
`))
	c.planned().want(t, 2, "warning", "Adding a member sends an email", bobEmail, "the new private label")
	w.sim.ResetJournal()
	c.apply().wantOK(t, "3 added", "Existing member is adopted", "ADA@acme.example is already owner of "+acmeHost)
	if n := len(w.sim.Outbox()); n != 2 {
		t.Errorf("%d e-mails, want the owner's and Bob's", n)
	}
	if n := w.calls(routeMembers); n > 2 { // after adding; nobody is asked who was there before
		t.Errorf("%d lists of members", n)
	}
	w.settle(acmeHost)
	c.apply().wantOK(t)
	c.wantEmptyPlan()
}

// Terraform replaces what it does not know yet, though it may be the same: that
// is told, with the way out.
func TestMember_KnownOnlyAtApply(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	declare := func(trigger, id, email, more string) {
		c.config(w.config(fmt.Sprintf(`
resource "terraform_data" "other" {
  triggers_replace = %q
  input            = "bob"
}
data "reseller_private_label" "acme" {
  domain     = %q
  depends_on = [terraform_data.other]
}
resource "reseller_member" "bob" {
  private_label_id = %s
  email            = "%s@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
`, trigger, acmeHost, id, email) + more))
	}
	const deferred = "data.reseller_private_label.acme.id"
	declare("1", fmt.Sprintf("%q", w.label), "${terraform_data.other.output}", "")
	c.planned().wantWarning(t, "Adding a member sends an email", "email address is known after apply", acmeHost)
	declare("1", deferred, "bob", "")
	c.apply().wantOK(t)
	declare("2", deferred, "bob", "")
	c.planned().wantWarning(t, "Member must be replaced", "private_label_id of "+bobEmail, acmeHost, "-target")
	declare("2", fmt.Sprintf("%q", w.label), "${terraform_data.other.output}", "")
	c.planned().wantWarning(t, "Member must be replaced", "email of "+bobEmail, acmeHost)
	if w.mails(bobEmail) != 1 || w.seats() != 2 {
		t.Errorf("%d e-mails, %d seats", w.mails(bobEmail), w.seats())
	}

	declare("1", "reseller_private_label.new.id", "bob", label("new", "sign.new.example", abandon))
	c.planned().wantWarning(t, "Member must be replaced", "private_label_id of "+bobEmail, acmeHost)
	c.apply().wantOK(t)
	if w.mails(bobEmail) != 2 || w.seats() != 1 {
		t.Errorf("%d e-mails, %d seats", w.mails(bobEmail), w.seats())
	}
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestMember_Adopted(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	if _, err := w.sim.AddPersonInConsole(acmeHost, "Bob@Acme.example", "Robert", "Bite"); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.bob())
	told := c.planned()
	told.wantWarning(t, "Existing member is adopted", bobEmail, acmeHost, "no email is sent")
	told.want(t, 0, "warning", "Adding a member sends an email")
	w.sim.ResetJournal()
	applied := c.apply()
	applied.wantOK(t, "1 added", "Existing member is adopted")
	if n := strings.Count(applied.out, "Existing member is adopted"); n != 1 {
		t.Errorf("told %d times", n)
	}
	w.wantReads()
	if n := w.mails(bobEmail); n != 1 {
		t.Errorf("%d e-mails, want that of the console alone", n)
	}
	c.wantEmptyPlan()
}

// Somebody in the console is faster than the apply.
func TestMember_AddedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	w.sim.Inject(simulator.Fault{Route: routeAdd, Hook: func() {
		if _, err := w.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Byte"); err != nil {
			t.Error(err)
		}
	}})
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t, "1 added", "Existing member is adopted", bobEmail+" is already a member of "+acmeHost)
	c.wantEmptyPlan()
}

// Owners and admins are never removed: not by a destroy, not by a replacement.
func TestMember_Admin(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t)
	if err := w.sim.MakeAdmin(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	c.apply("-refresh-only").wantOK(t)
	if role := c.state()[bob].Attributes["role"]; role != "admin" {
		t.Errorf("role %v, want admin", role)
	}
	const refused = "Owners and admins cannot be removed"
	admin := bobEmail + ", admin of " + acmeHost
	c.destroy().wantError(t, refused, admin, "CANNOT_REMOVE_OWNER", "destroy = false")
	c.plan("-replace="+bob).wantError(t, refused, "Replacing "+admin)
	c.config(w.config(w.person("bob", "other@acme.example", "Bob")))
	c.plan().wantError(t, refused, "Replacing "+admin)
	c.config(w.config(""))
	c.plan().wantError(t, refused, admin)
	c.plan("-refresh=false").wantError(t, refused, admin)
	if n := w.calls(routeRemove); n != 0 {
		t.Errorf("%d removals were sent", n)
	}

	t.Run("forgotten by a removed block", func(t *testing.T) {
		needsCLI(t, "1.7.0", "the removed block")
		c.config(w.config("removed {\n  from = reseller_member.bob\n  lifecycle {\n    destroy = false\n  }\n}\n"))
		c.apply().wantOK(t)
		if w.seats() != 2 || len(c.state()) != 0 {
			t.Errorf("%d seats, state %v", w.seats(), c.state())
		}
	})
}

// Made admin between plan and removal: the service's refusal is told.
func TestMember_AdminMeanwhile(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t)
	w.sim.Inject(simulator.Fault{Route: routeRemove, Hook: func() {
		if err := w.sim.MakeAdmin(acmeHost, bobEmail); err != nil {
			t.Error(err)
		}
	}})
	c.destroy().wantError(t, "Owners and admins cannot be removed", bobEmail, acmeHost, "CANNOT_REMOVE_OWNER")
	if _, kept := c.state()[bob]; !kept || w.seats() != 2 {
		t.Errorf("state %v, %d seats", c.state(), w.seats())
	}
}

func TestMember_RemovedInConsole(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t)
	if err := w.sim.RemovePersonInConsole(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	c.plan().wantText(t, "Member not found, removed from state", bobEmail, "1 to add")
	c.apply().wantOK(t, "1 added")
	if w.seats() != 2 || w.mails(bobEmail) != 2 {
		t.Errorf("%d seats, %d e-mails", w.seats(), w.mails(bobEmail))
	}
	c.wantEmptyPlan()
	t.Run("a destroy of somebody who is gone", func(t *testing.T) {
		if err := w.sim.RemovePersonInConsole(acmeHost, bobEmail); err != nil {
			t.Fatal(err)
		}
		c.destroy("-refresh=false").wantOK(t, "1 destroyed")
	})
}

func TestMember_Refused(t *testing.T) {
	t.Parallel()
	t.Run("no seat left", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		small, err := w.sim.AddPackage("SMALL", map[string]float64{"seats": 1}, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.sim.AssignInConsole(acmeHost, small, nil); err != nil {
			t.Fatal(err)
		}
		c := w.cli()
		c.config(w.bob())
		c.apply().wantError(t, bobEmail+" was not added to "+acmeHost+" (SEAT_QUOTA_REACHED)", "Attach an add-on with seats")
		if len(c.state()) != 0 || w.mails(bobEmail) != 0 {
			t.Errorf("state %v, %d e-mails", c.state(), w.mails(bobEmail))
		}
	})
	t.Run("no such label", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		c := w.cli()
		c.config(strings.ReplaceAll(w.bob(), w.label, strings.Repeat("0", 32)))
		c.plan().wantError(t, "is no live label of")
	})
	t.Run("the label is gone", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		c := w.cli()
		c.config(w.bob())
		c.apply().wantOK(t)
		if err := w.sim.DeprovisionInConsole(acmeHost); err != nil {
			t.Fatal(err)
		}
		c.plan().wantError(t, "Member removed from state with its label", bobEmail, "is no live label of")
		c.config(w.config(""))
		c.apply().wantOK(t)
		if len(c.state()) != 0 {
			t.Errorf("state %v", c.state())
		}
	})
	t.Run("the key is another reseller's", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		c := w.cli()
		c.config(w.bob())
		c.apply().wantOK(t)
		rival, err := w.sim.AddReseller("rival.example")
		if err != nil {
			t.Fatal(err)
		}
		w.key = rival
		c.config(w.bob())
		c.plan().wantError(t, "API key belongs to another reseller", "rival.example")
		if _, kept := c.state()[bob]; !kept {
			t.Error("the person was lost from state")
		}
	})
	t.Run("a key without the scope", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		key, err := w.sim.MintKey("reseller:read")
		if err != nil {
			t.Fatal(err)
		}
		w.key = key
		c := w.cli()
		c.config(w.bob())
		c.apply().wantError(t, bobEmail+" was not added", "INSUFFICIENT_SCOPE")
	})
}

func TestMember_Import(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	id, err := w.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Byte")
	if err != nil {
		t.Fatal(err)
	}
	for name, given := range map[string]string{
		"host and address":   acmeHost + "/BOB@acme.example",
		"host and user id":   acmeHost + "/" + id,
		"id and address":     w.label + "/" + bobEmail,
		"tenant id and id":   w.label + "/" + id,
		"host in upper case": strings.ToUpper(acmeHost) + "/" + bobEmail,
	} {
		t.Run(name, func(t *testing.T) {
			c := w.cli()
			c.config(w.bob() + fmt.Sprintf("import {\n  to = reseller_member.bob\n  id = %q\n}\n", given))
			c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
			c.wantEmptyPlan()
		})
	}
	for given, want := range map[string]string{
		acmeHost:                         "does not name a member",
		acmeHost + "/":                   "does not name a member",
		"/" + bobEmail:                   "does not name a member",
		acmeHost + "/bob":                "does not name a member",
		acmeHost + "/eve@acme.example":   "eve@acme.example holds no seat on " + acmeHost,
		"sign.other.example/" + bobEmail: "is no live label of",
		"https://x/" + bobEmail:          "does not name a member",
	} {
		t.Run("refused: "+given, func(t *testing.T) {
			c := w.cli()
			c.config(w.bob())
			c.run("import", "-no-color", "-input=false", bob, given).wantError(t, want)
			if len(c.state()) != 0 {
				t.Errorf("state %v", c.state())
			}
		})
	}
	if n := w.calls(routeAdd) + w.calls(routeRemove); n != 0 {
		t.Errorf("%d calls that write", n)
	}
}
