package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The guide "Importing an existing reseller", run from end to end: what stands in
// examples/importing is what the guide shows.
const importing = "../../examples/importing"

// An agency of 300 labels, 12 packages, 8 add-ons and 900 people is adopted, in
// the time that the service's own limits take, with no call that writes; the
// plan after it is empty.
func TestImport_Estate(t *testing.T) {
	t.Parallel()
	needsCLI(t, "1.7.0", "for_each of import blocks")
	const labels, people = 300, 900
	w := newWorld(t)
	if err := w.sim.Seed(labels); err != nil {
		t.Fatal(err)
	}
	assigned := 0
	for _, l := range w.sim.Labels() {
		if l.Package != "" {
			assigned++
		}
	}
	c := w.cli()
	text, err := os.ReadFile(filepath.Join(importing, "everything.tf"))
	if err != nil {
		t.Fatal(err)
	}
	c.config(w.config(string(text)))
	began := w.sim.Clock().Now()
	adopted := c.apply()
	adopted.wantOK(t, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", labels+assigned+people+12+8))
	took := w.sim.Clock().Now().Sub(began)
	if _, warning, found := strings.Cut(adopted.out, "Warning:"); found {
		t.Errorf("a warning: %.2000s", warning)
	}
	w.wantReads()
	// Twice: once for the plan that the apply makes, once for the apply itself.
	for route, most := range map[string]int{routeList: 2, routeDetail: 2 * labels, routeMembers: 2 * labels, routePackageSearch: 2, routeAddonSearch: 2, routeToken: 1, routeDashboard: 1} {
		if n := w.calls(route); n > most {
			t.Errorf("%s: %d calls, want %d at most", route, n, most)
		}
	}
	refused := 0
	for _, call := range w.sim.Journal() {
		if call.Status == 429 {
			refused++
		}
	}
	t.Logf("%d labels, %d assignments, %d people: %d calls, %d refused for their number, %s of the service's time", labels, assigned, people, len(w.sim.Journal()), refused, took)
	if most := 25 * time.Minute; took > most {
		t.Errorf("took %s of the service's time, want %s at most", took, most)
	}
	if refused != 0 {
		t.Errorf("%d calls were refused for their number", refused)
	}
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if n := w.calls(routeDetail); n > labels {
		t.Errorf("%d details", n)
	}
}

// The same with an import block for each object and a configuration that the
// CLI generates, as Terraform 1.5 can.
func TestImport_EstateGenerated(t *testing.T) {
	t.Parallel()
	const labels, people = 300, 900
	w := newWorld(t)
	if err := w.sim.Seed(labels); err != nil {
		t.Fatal(err)
	}
	find, adopt := w.cli(), w.cli()
	text, err := os.ReadFile(filepath.Join(importing, "blocks.tf"))
	if err != nil {
		t.Fatal(err)
	}
	began := w.sim.Clock().Now()
	find.config(w.config(string(text)))
	find.apply().wantOK(t)
	adopt.config(w.config(""))
	adopt.file("imports.tf", find.raw("output", "-raw", "imports"))
	planned := adopt.plan("-generate-config-out=generated.tf", "-out=adopt.plan")
	planned.wantText(t, "to import, 0 to add, 0 to change, 0 to destroy")
	w.wantQuiet(planned)
	applied := adopt.run("apply", "-no-color", "-input=false", "adopt.plan")
	applied.wantOK(t, "imported, 0 added, 0 changed, 0 destroyed")
	if n, want := len(adopt.state()), labels+people+12+8; n < want {
		t.Errorf("%d objects in state, want %d and the assignments", n, want)
	}
	w.wantReads()
	t.Logf("%d calls, %s of the service's time", len(w.sim.Journal()), w.sim.Clock().Now().Sub(began))
	w.sim.ResetJournal()
	adopt.wantEmptyPlan()
}

// Whatever hosts and codes are, each object gets a block of its own.
func TestImport_OddNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hosts := []string{"1st.acme.example", "a-b.example", "a.b.example", "SIGN.Acme.example"}
	for _, host := range hosts {
		if _, err := w.sim.AddConsoleLabel(host, "ada@acme.example"); err != nil {
			t.Fatal(err)
		}
	}
	find, adopt := w.cli(), w.cli()
	find.config(w.config(item("package", "a", "2026-GOLD", "") + item("package", "b", "GOLD_1", "") + item("package", "c", "GOLD-1", "")))
	find.apply().wantOK(t)
	find = w.cli()
	text, err := os.ReadFile(filepath.Join(importing, "blocks.tf"))
	if err != nil {
		t.Fatal(err)
	}
	find.config(w.config(string(text)))
	find.apply().wantOK(t)
	adopt.config(w.config(""))
	adopt.file("imports.tf", find.raw("output", "-raw", "imports"))
	adopt.plan("-generate-config-out=generated.tf", "-out=adopt.plan").wantText(t, "11 to import, 0 to add, 0 to change, 0 to destroy")
	adopt.run("apply", "-no-color", "-input=false", "adopt.plan").wantOK(t, "11 imported, 0 added, 0 changed, 0 destroyed")
	for _, address := range []string{"reseller_private_label._1st_acme_example", "reseller_private_label.a_b_example_2", "reseller_package._2026_gold", "reseller_package.gold_1_2", "reseller_member.a_b_example_ada_acme_example_2"} {
		if _, there := adopt.state()[address]; !there {
			t.Errorf("no %s in state", address)
		}
	}
	adopt.wantEmptyPlan()
}

// The same with `terraform query`, which writes import blocks and configuration
// in one go.
func TestImport_EstateQueried(t *testing.T) {
	t.Parallel()
	needsCLI(t, "1.14.0", "terraform query")
	const labels, people = 300, 900
	w := newWorld(t)
	if err := w.sim.Seed(labels); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config(""))
	var query strings.Builder
	for _, kind := range []string{"private_label", "package", "addon", "assignment", "member"} {
		fmt.Fprintf(&query, "list \"reseller_%s\" \"all\" {\n  provider = reseller\n  include_resource = true\n  limit = 2000\n}\n", kind)
	}
	c.file("all.tfquery.hcl", query.String())
	c.ok("query", "-no-color", "-generate-config-out=generated.tf")
	planned := c.plan("-out=adopt.plan")
	planned.wantText(t, "to import, 0 to add, 0 to change, 0 to destroy")
	c.run("apply", "-no-color", "-input=false", "adopt.plan").wantOK(t, "imported, 0 added, 0 changed, 0 destroyed")
	if n, want := len(c.state()), labels+people+12+8; n < want {
		t.Errorf("%d objects in state, want %d and the assignments", n, want)
	}
	w.wantReads()
	c.wantEmptyPlan()
}
