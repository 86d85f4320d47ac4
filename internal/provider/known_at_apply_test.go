package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// What a plan knows of the service may be old when it is applied: whatever moved
// in between is read by the next plan, and never an inconsistent result.
func TestMovedBetweenPlanAndApply_PrivateLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	c.config(w.config(label("acme", acmeHost, "suspended = true")))
	c.ok("plan", "-no-color", "-input=false", "-out=saved")
	if err := w.sim.CorrectDNS(acmeHost); err != nil {
		t.Fatal(err)
	}
	w.sim.Clock().Advance(2 * time.Minute)
	c.run("apply", "-no-color", "-input=false", "saved").wantOK(t, "1 changed")
	c.apply().wantOK(t)
	c.wantEmptyPlan()
	if got := c.state()[acme].Attributes["domain_verified"]; got != true {
		t.Errorf("domain_verified = %v", got)
	}
}

func TestMovedBetweenPlanAndApply_Assignment(t *testing.T) {
	t.Parallel()
	for name, moves := range map[string]func(*catalogued){
		"the package has another name": func(w *catalogued) {
			w.updatePackage(w.gold, `"name":"Gold Plus"`)
		},
		"it was assigned anew": func(w *catalogued) {
			if err := w.sim.RemovePackageInConsole(acmeHost); err != nil {
				w.t.Fatal(err)
			}
			w.sim.Clock().Advance(time.Hour)
			if err := w.sim.AssignInConsole(acmeHost, w.gold, map[string]float64{w.seats: 2}); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			c := w.cli()
			c.config(w.assignment(w.gold, w.addons(2)))
			c.apply().wantOK(t)
			c.config(w.assignment(w.gold, w.addons(3)))
			c.ok("plan", "-no-color", "-input=false", "-out=saved")
			moves(w)
			c.run("apply", "-no-color", "-input=false", "saved").wantOK(t, "1 changed")
			w.wantBooks("GOLD", 3)
			c.apply().wantOK(t)
			c.wantEmptyPlan()
		})
	}
}

// A package that is renamed while its label's add-ons change.
func TestAssignment_PackageRenamed(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	declare := func(name string, quantity int) {
		c.config(w.assignment("${reseller_package.plus.id}", w.addons(quantity)) + strings.Replace(item("package", "plus", "PLUS", ""), `"Gold"`, fmt.Sprintf("%q", name), 1))
	}
	declare("Plus", 1)
	c.apply().wantOK(t)
	declare("Plus One", 2)
	c.apply().wantOK(t, "2 changed")
	w.wantBooks("PLUS", 2)
	c.wantEmptyPlan()
	if got := c.state()[assigned].Attributes["package_name"]; got != "Plus" && got != "Plus One" {
		t.Errorf("package_name = %v", got)
	}
}

func TestMovedBetweenPlanAndApply_Package(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.config(item("package", "plus", "PLUS", "settings = { monthlyPrice = 1 }")))
	c.apply().wantOK(t)
	c.config(w.config(item("package", "plus", "PLUS", "settings = { monthlyPrice = 2 }")))
	c.ok("plan", "-no-color", "-input=false", "-out=saved")
	for _, p := range w.sim.Packages() {
		if p.Code == "PLUS" {
			w.updatePackage(p.ID, `"name":"Other"`)
		}
	}
	c.run("apply", "-no-color", "-input=false", "saved").wantOK(t, "1 changed")
	if r := c.plan(); r.code != 2 {
		t.Errorf("the other name is no change of the next plan: %s", r.out)
	}
	c.apply().wantOK(t)
	c.wantEmptyPlan()
}

// A package that the same run creates is another one, which a plan request does not tell: the plan warns, and the apply
// changes nothing of the assignment.
func TestAssignment_ChangeToANewPackage(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, ""))
	c.apply().wantOK(t)
	declare := func(extra string) {
		c.config(w.assignment("${reseller_package.plus.id}", extra) + item("package", "plus", "PLUS", ""))
	}
	declare("")
	c.plan().wantText(t, "Package is known after apply", "allow_package_change is not true", "take its depends_on off")
	c.apply().wantError(t, "Package change not allowed", "allow_package_change = true")
	w.wantHas("GOLD")
	declare("allow_package_change = true")
	c.plan().wantText(t, "Changing the package bills both packages", "package GOLD is removed and package PLUS is assigned")
	c.apply().wantOK(t, "1 changed")
	w.wantBooks("PLUS", 0)
	c.wantEmptyPlan()
}

// So is a label that the same run creates.
func TestAssignment_ChangeToANewLabel(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, ""))
	c.apply().wantOK(t)
	c.config(w.config(label("new", "sign.new.example", "") + fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = reseller_private_label.new.id\n  package_id = %q\n}\n", w.gold)))
	c.plan().wantText(t, "Private label is known after apply", acmeHost, "take its depends_on off", "declare another resource")
	c.apply().wantError(t, "private_label_id of "+w.label+" cannot change")
	w.wantHas("GOLD")
	for _, l := range w.sim.Labels() {
		if l.Host != acmeHost && l.Package != "" {
			t.Errorf("%s has %s", l.Host, l.Package)
		}
	}
}

// A signing whose document may be another one: the plan warns, and the apply
// signs nothing.
func TestDocumentSigning_ChangeToANewDocument(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	w.withDocument(minimalDocument)
	before := len(w.sim.Documents())
	c := w.cliWith(onePage("Terms"))
	signing := signingOf(w.sim.Documents()[0].ID, w.annotationOf(0, 0), w.signature(), "")
	c.config(w.config(signing))
	c.apply().wantOK(t)
	other := strings.NewReplacer(`"Terms"`, `"Other terms"`).Replace(minimalDocument)
	c.config(w.config(other + strings.Replace(signing, fmt.Sprintf("%q", w.sim.Documents()[0].ID), "reseller_document.terms.id", 1)))
	id := w.sim.Documents()[0].ID
	c.plan().wantText(t, "Change would be rejected at apply", "doc_id of the signing of "+id+" is known after apply", "take its depends_on off", "declare another resource")
	w.sim.ResetJournal()
	c.apply().wantError(t, "doc_id of the signing of "+id+" cannot change")
	if n := len(w.sim.Documents()); n != before+1 || w.calls(routeSign) != 0 {
		t.Errorf("%d documents, %d signings", n, w.calls(routeSign))
	}
}

func TestPlan_WarnsPermanentWithUnknownNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	named := func(block, was, attribute string) string {
		return strings.Replace(block, fmt.Sprintf("%q", was), "terraform_data.name.output."+attribute, 1)
	}
	c.config(w.config("resource \"terraform_data\" \"name\" {\n input = { host = \"" + acmeHost + "\", code = \"GOLD\" }\n}\n" +
		named(label("acme", acmeHost, ""), acmeHost, "host") + named(item("package", "gold", "GOLD", ""), "GOLD", "code") + named(item("addon", "gold", "GOLD", ""), "GOLD", "code")))
	told := c.planned()
	told.wantWarning(t, "Provisioning is permanent and emails the owner", "host name is known after apply", "ada@acme.example")
	told.wantWarning(t, "Package code is permanent", "package code is known after apply", "99 remain after this apply")
	told.wantWarning(t, "Add-on code is permanent", "add-on code is known after apply")
	c.apply().wantOK(t, "4 added")
	c.wantEmptyPlan()
}
