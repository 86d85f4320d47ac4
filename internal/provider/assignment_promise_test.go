package provider_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// announced is a diagnostic of a plan or an apply as the CLI prints it with -json.
type announced struct{ Severity, Summary, Detail, Address string }

// asked runs a command with -json and returns its diagnostics.
func (c *cli) asked(args ...string) []announced {
	c.t.Helper()
	r := c.run(append(args, "-json")...)
	var out []announced
	decoder := json.NewDecoder(strings.NewReader(r.out))
	for decoder.More() {
		var line struct{ Diagnostic *announced }
		if err := decoder.Decode(&line); err != nil {
			c.t.Fatalf("%v: %s", err, r.out)
		}
		if line.Diagnostic != nil {
			out = append(out, *line.Diagnostic)
		}
	}
	return out
}

// promises saves a plan, and returns what it announces of assignments. A warning of a removed block has no address.
func (c *cli) promises() []announced {
	c.t.Helper()
	return slices.DeleteFunc(c.asked("plan", "-input=false", "-out=saved"), func(d announced) bool { return d.Address != "" && !strings.Contains(d.Address, "reseller_assignment") })
}

func (c *cli) applySaved() result {
	c.t.Helper()
	return c.run("apply", "-no-color", "-input=false", "saved")
}

// wantPromise asserts that just these are announced: a summary and parts of its detail each.
func wantPromise(t *testing.T, got []announced, want ...[]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d announcements, want %d: %+v", len(got), len(want), got)
	}
	for _, parts := range want {
		if !slices.ContainsFunc(got, func(d announced) bool {
			return d.Summary == parts[0] && !slices.ContainsFunc(parts[1:], func(p string) bool { return !strings.Contains(d.Detail, p) })
		}) {
			t.Errorf("%q is not announced: %+v", parts, got)
		}
	}
}

const (
	sumBilled    = "Package is billed for the entire billing period"
	sumPackage   = "Changing the package bills both packages"
	sumAddons    = "Changing add-ons bills old and new quantities"
	sumRemoved   = "Removed package stays billed this period"
	sumUnmanaged = "Add-ons stay attached and are no longer managed"
	sumMoved     = "Assignment changed outside of Terraform"
	// Terraform's own error where a plan differs at apply; see assignment_promise.go.
	sumInconsistent = "Provider produced inconsistent final plan"
)

// writes lists the writing calls of assignments since the last reset: "assign GOLD", "attach SEATS 2", "detach 1" for the
// first detached add-on.
func (w *catalogued) writes() string {
	w.t.Helper()
	codes := map[string]string{}
	for _, i := range append(w.sim.Packages(), w.sim.Addons()...) {
		codes[i.ID] = i.Code
	}
	var out []string
	detached := 0
	for _, call := range w.sim.Journal() {
		var body struct {
			PackageID, AddonID string
			Quantity           float64
			ConfirmationKey    string
		}
		_ = json.Unmarshal(call.Body, &body)
		confirmed := ""
		if body.ConfirmationKey != "" {
			confirmed = " confirmed"
		}
		switch call.Route {
		case routeAssign:
			out = append(out, "assign "+codes[body.PackageID]+confirmed)
		case routeAttachAddon:
			out = append(out, fmt.Sprintf("attach %s %g%s", codes[body.AddonID], body.Quantity, confirmed))
		case routeRemovePackage:
			out = append(out, "remove")
		case routeRemoveAddon:
			detached++
			out = append(out, fmt.Sprintf("detach %d", detached))
		}
	}
	return strings.Join(out, ", ")
}

func (w *catalogued) wantWrites(want string) {
	w.t.Helper()
	if got := w.writes(); got != want {
		w.t.Errorf("written: %s\nwant:    %s", got, want)
	}
}

// setActive changes an item as somebody outside of Terraform does.
func (w *catalogued) setActive(kind, id string, active bool) {
	w.t.Helper()
	body := fmt.Sprintf(`{"%sId":%q,"active":%t}`, kind, id, active)
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, simulator.BaseURL+"/console/"+w.sim.Slug()+"/reseller/billing/"+kind+"s/update", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+w.exchange())
	resp, err := w.sim.Transport().RoundTrip(req)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
		w.t.Fatalf("HTTP %d, %v", resp.StatusCode, err)
	}
}

// console gives the label a package and add-ons, as somebody outside of Terraform does.
func (w *catalogued) console(packageID string, addons map[string]float64) {
	w.t.Helper()
	if err := w.sim.AssignInConsole(acmeHost, packageID, addons); err != nil {
		w.t.Fatal(err)
	}
}

// withDocs adds a second add-on.
func (w *catalogued) withDocs() (id string) {
	w.t.Helper()
	id, err := w.sim.AddAddon("DOCS", map[string]float64{"documents": 1}, true)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func (w *catalogued) allowance(documents, seats float64) {
	w.t.Helper()
	if err := w.sim.SetAllowance(map[string]float64{"documents": documents, "seats": seats}); err != nil {
		w.t.Fatal(err)
	}
}

// has lists what the label has: "GOLD DOCS=1 SEATS=2".
func (w *catalogued) has() string {
	l := w.sim.Labels()[0]
	out := []string{}
	for _, a := range l.Addons {
		out = append(out, fmt.Sprintf("%s=%g", a.Code, a.Quantity))
	}
	slices.Sort(out)
	return strings.Join(append([]string{l.Package}, out...), " ")
}

func (w *catalogued) wantHas(want string) {
	w.t.Helper()
	if got := w.has(); got != want {
		w.t.Errorf("the private label has %q, want %q", got, want)
	}
}

const allowChange = "allow_package_change = true\n"

// What a plan announces is what its apply does, call by call.
func TestAssignmentPromise_AppliesWhatItAnnounced(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before, after func(w *catalogued) string // bodies below the provider block
		console       func(w *catalogued)        // before the plan
		announced     [][]string
		writes, has   string
	}{
		"create": {
			after:     func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 2, docs = 3 }") },
			announced: [][]string{{sumBilled, acmeHost, "package GOLD is assigned", "add-on DOCS is attached (quantity 3)", "add-on SEATS is attached (quantity 2)"}},
			writes:    "assign GOLD, attach DOCS 3, attach SEATS 2", has: "GOLD DOCS=3 SEATS=2",
		},
		"create with consent": {
			console:   func(w *catalogued) { w.allowance(80, 100) },
			after:     func(w *catalogued) string { return w.body(w.gold, "allow_excess = { documents = 20, templates = 7 }") },
			announced: [][]string{{sumBilled, "allow_excess permits exceeding the allowance: documents by up to 20 and templates by up to 7"}},
			writes:    "assign GOLD, assign GOLD confirmed", has: "GOLD",
		},
		"adoption without a difference": {
			console:   func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) },
			after:     func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 2 }") },
			announced: nil, writes: "", has: "GOLD SEATS=2",
		},
		"adoption, unmanaged": {
			console:   func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) },
			after:     func(w *catalogued) string { return w.body(w.gold, "") },
			announced: nil, writes: "", has: "GOLD SEATS=2",
		},
		"adoption with other add-ons": {
			console: func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 4, w.docs(): 1}) },
			after: func(w *catalogued) string {
				return w.body(w.gold, "addons = { SEATS = 5, (reseller_addon.more.code) = 1 }") + item("addon", "more", "MORE", "")
			},
			announced: [][]string{{sumAddons, acmeHost, "add-on DOCS is detached (quantity 1)", "add-on SEATS is detached (quantity 4)", "add-on SEATS is attached (quantity 5)", "add-on MORE is attached (quantity 1)"}},
			writes:    "detach 1, detach 2, attach SEATS 5, attach MORE 1", has: "GOLD MORE=1 SEATS=5",
		},
		"package change, unmanaged": {
			before:    func(w *catalogued) string { return w.body(w.gold, "") },
			console:   func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) },
			after:     func(w *catalogued) string { return w.body(w.silver, allowChange) },
			announced: [][]string{{sumPackage, "add-on SEATS is detached (quantity 2)", "package GOLD is removed", "package SILVER is assigned", "add-on SEATS is attached (quantity 2)"}},
			writes:    "detach 1, remove, assign SILVER, attach SEATS 2", has: "SILVER SEATS=2",
		},
		"package change, none wanted": {
			before:    func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 2, DOCS = 1 }") },
			after:     func(w *catalogued) string { return w.body(w.silver, allowChange+"addons = {}") },
			announced: [][]string{{sumPackage, "add-on SEATS is detached (quantity 2)", "package SILVER is assigned"}},
			writes:    "detach 1, detach 2, remove, assign SILVER", has: "SILVER",
		},
		"package change, other quantity": {
			before:    func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 2 }") },
			after:     func(w *catalogued) string { return w.body(w.silver, allowChange+"addons = { SEATS = 5 }") },
			announced: [][]string{{sumPackage, "add-on SEATS is attached (quantity 5)"}},
			writes:    "detach 1, remove, assign SILVER, attach SEATS 5", has: "SILVER SEATS=5",
		},
		"add-ons become managed: none": {
			before:    func(w *catalogued) string { return w.body(w.gold, "") },
			console:   func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) },
			after:     func(w *catalogued) string { return w.body(w.gold, "addons = {}") },
			announced: [][]string{{sumAddons, "add-on SEATS is detached (quantity 2)"}},
			writes:    "detach 1", has: "GOLD",
		},
		"add-ons become managed: another quantity": {
			before:    func(w *catalogued) string { return w.body(w.gold, "") },
			console:   func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2, w.docs(): 1}) },
			after:     func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 3, DOCS = 1 }") },
			announced: [][]string{{sumAddons, "add-on SEATS is detached (quantity 2) and add-on SEATS is attached (quantity 3)."}},
			writes:    "detach 1, attach SEATS 3", has: "GOLD DOCS=1 SEATS=3",
		},
		"add-ons become managed: as they are": {
			before:    func(w *catalogued) string { return w.body(w.gold, "") },
			console:   func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) },
			after:     func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 2 }") },
			announced: nil, writes: "", has: "GOLD SEATS=2",
		},
		"add-ons are no longer managed": {
			before:    func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 2, DOCS = 1 }") },
			after:     func(w *catalogued) string { return w.body(w.gold, "") },
			announced: [][]string{{sumUnmanaged, acmeHost, "DOCS (quantity 1) and SEATS (quantity 2)"}},
			writes:    "", has: "GOLD DOCS=1 SEATS=2",
		},
		"no add-ons are no longer managed": {
			before:    func(w *catalogued) string { return w.body(w.gold, "addons = {}") },
			after:     func(w *catalogued) string { return w.body(w.gold, "") },
			announced: nil, writes: "", has: "GOLD",
		},
		"consent alone": {
			before:    func(w *catalogued) string { return w.body(w.gold, "") },
			after:     func(w *catalogued) string { return w.body(w.gold, "allow_excess = { seats = 3 }") },
			announced: nil, writes: "", has: "GOLD",
		},
		"destroy": {
			before:    func(w *catalogued) string { return w.body(w.gold, "addons = { SEATS = 2 }") },
			after:     func(*catalogued) string { return "" },
			announced: [][]string{{sumRemoved, acmeHost, "add-on SEATS is detached (quantity 2) and package GOLD is removed"}},
			writes:    "detach 1, remove", has: "",
		},
		"destroy, unmanaged": {
			before:    func(w *catalogued) string { return w.body(w.gold, "") },
			console:   func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) },
			after:     func(*catalogued) string { return "" },
			announced: [][]string{{sumRemoved, acmeHost, "add-on SEATS is detached (quantity 2) and package GOLD is removed"}},
			writes:    "detach 1, remove", has: "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			w.withDocs()
			c := w.cli()
			if tc.before != nil {
				c.config(w.config(tc.before(w)))
				c.apply().wantOK(t)
			}
			if tc.console != nil {
				tc.console(w)
			}
			c.config(w.config(tc.after(w)))
			wantPromise(t, c.promises(), tc.announced...)
			w.sim.ResetJournal()
			c.applySaved().wantOK(t)
			w.wantWrites(tc.writes)
			w.wantHas(tc.has)
			c.wantEmptyPlan()
		})
	}
}

// body is the assignment without a provider block.
func (w *catalogued) body(packageID, extra string) string {
	return fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.label, packageID, extra)
}

// docs is the ID of the second add-on.
func (w *catalogued) docs() string { return w.sim.Addons()[1].ID }

// A private label, its package, its add-on and its assignment in one plan: the plan announces what they bill, by code.
func TestAssignmentPromise_EverythingInOnePlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "") + item("addon", "seats", "SEATS", "") + label("acme", acmeHost, "") + `
resource "terraform_data" "documents" {
  input = 4
}
resource "reseller_addon" "documents" {
  code     = "DOCS"
  name     = "Documents"
  currency = "EUR"
}
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = 2, (reseller_addon.documents.code) = terraform_data.documents.output }
  allow_excess     = { seats = 5 }
}`))
	wantPromise(t, c.promises(), []string{
		sumBilled, "A private label known after apply", "a package known after apply is assigned",
		"add-on SEATS is attached (quantity 2)", "add-on DOCS is attached (quantity known after apply)", "seats by up to 5",
	})
	c.applySaved().wantOK(t, "6 added")
	if got := c.addonsOf(assigned); got["SEATS"] != 2.0 || got["DOCS"] != 4.0 {
		t.Errorf("addons = %v", got)
	}
	c.wantEmptyPlan()
}

// A private label that is known, a package that is not, and one that may be the same.
func TestAssignmentPromise_UnknownPackage(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	later := func(id string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"package\" {\n  input = %q\n}\n", id)
	}
	c.config(w.config(later(w.gold) + w.body("${terraform_data.package.output}", "addons = { SEATS = 2 }")))
	wantPromise(t, c.promises(), []string{sumBilled, "a package known after apply is assigned", "add-on SEATS is attached (quantity 2)"})
	c.applySaved().wantOK(t, "2 added")
	w.wantHas("GOLD SEATS=2")
	c.config(w.config(later(w.silver) + w.body("${terraform_data.package.output}", allowChange+"addons = { SEATS = 2 }")))
	wantPromise(t, c.promises(), []string{sumPackage, "package GOLD may be removed", "a package known after apply may be assigned", "add-on SEATS may be attached (quantity 2)"})
	c.applySaved().wantOK(t)
	w.wantHas("SILVER SEATS=2")
	c.wantEmptyPlan()
	c.config(w.config(later(w.gold) + w.body("${terraform_data.package.output}", "addons = { SEATS = 3 }")))
	wantPromise(t, c.promises(),
		[]string{"Package is known after apply", acmeHost, "package SILVER is assigned", "allow_package_change is not true"},
		[]string{sumAddons, "add-on SEATS is attached (quantity 3)"})
	w.sim.ResetJournal()
	c.applySaved().wantError(t, "Package change not allowed", "from SILVER to")
	w.wantWrites("")
	w.wantHas("SILVER SEATS=2")
}

// What moved after the plan is never billed or removed, and the error says so before the first call.
func TestAssignmentPromise_MovedAfterThePlan(t *testing.T) {
	t.Parallel()
	seats := func(n int) string { return fmt.Sprintf("addons = { SEATS = %d }", n) }
	for name, tc := range map[string]struct {
		before, after string // "" for no assignment; "silver " in front for the other package
		moves         func(w *catalogued)
		fails         []string // none: the apply does what is left
		has           string
	}{
		"add-on attached before a change of another":   {seats(2), seats(3), func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2, w.docs(): 1}) }, []string{sumMoved, acmeHost, "add-on DOCS is detached (quantity 1)", "Nothing was changed", "Plan again"}, "GOLD DOCS=1 SEATS=2"},
		"quantity changed":                             {seats(2), seats(3), func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 7}) }, []string{sumMoved, "add-on SEATS is detached (quantity 7)", "Nothing was changed"}, "GOLD SEATS=7"},
		"package changed before a change of an add-on": {seats(2), seats(3), func(w *catalogued) { w.console(w.silver, map[string]float64{w.seats: 2}) }, []string{sumMoved, "package SILVER is removed", "Nothing was changed"}, "SILVER SEATS=2"},
		"package removed before a change of an add-on": {seats(2), seats(3), func(w *catalogued) { w.removePackage() }, []string{sumMoved, "package GOLD is assigned", "Nothing was changed"}, ""},
		"add-on detached before its change":            {seats(2), seats(3), func(w *catalogued) { w.console(w.gold, nil) }, nil, "GOLD SEATS=3"},
		"changed already":                              {seats(2), seats(3), func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 3}) }, nil, "GOLD SEATS=3"},
		"add-on attached before a package change":      {seats(2), "silver " + allowChange + seats(2), func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2, w.docs(): 1}) }, []string{sumMoved, "add-on DOCS is detached (quantity 1)", "Nothing was changed"}, "GOLD DOCS=1 SEATS=2"},
		"package changed before a package change":      {seats(2), "silver " + allowChange + seats(2), func(w *catalogued) { w.console(w.bronze(), nil) }, []string{sumMoved, "package BRONZE is removed", "Nothing was changed"}, "BRONZE"},
		"package removed before a package change":      {seats(2), "silver " + allowChange + seats(2), func(w *catalogued) { w.removePackage() }, nil, "SILVER SEATS=2"},
		"package changed already":                      {seats(2), "silver " + allowChange + seats(2), func(w *catalogued) { w.console(w.silver, map[string]float64{w.seats: 2}) }, nil, "SILVER SEATS=2"},
		"add-on attached before a destroy":             {seats(2), "", func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2, w.docs(): 1}) }, []string{sumMoved, "add-on DOCS is detached (quantity 1)", "Nothing was changed"}, "GOLD DOCS=1 SEATS=2"},
		"add-on attached before an unmanaged destroy":  {" ", "", func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) }, []string{sumMoved, "add-on SEATS is detached (quantity 2)", "Nothing was changed"}, "GOLD SEATS=2"},
		"package changed before a destroy":             {seats(2), "", func(w *catalogued) { w.console(w.silver, map[string]float64{w.seats: 2}) }, []string{sumMoved, "package SILVER is removed", "Nothing was changed"}, "SILVER SEATS=2"},
		"package removed before a destroy":             {seats(2), "", func(w *catalogued) { w.removePackage() }, nil, ""},
		"other package assigned before a create":       {"", seats(2), func(w *catalogued) { w.console(w.silver, nil) }, []string{"Private label has another package", "package SILVER is already assigned", "Nothing was changed"}, "SILVER"},
		"same package assigned before a create":        {"", seats(2), func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) }, nil, "GOLD SEATS=2"},
		"more assigned before a create":                {"", seats(2), func(w *catalogued) { w.console(w.gold, map[string]float64{w.docs(): 1}) }, []string{sumInconsistent}, "GOLD DOCS=1"},
		"another quantity before a create":             {"", seats(2), func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 7}) }, []string{sumInconsistent}, "GOLD SEATS=7"},
		"package removed before an adoption":           {"console", seats(2), func(w *catalogued) { w.removePackage() }, []string{sumInconsistent}, ""},
		"add-on detached before an adoption":           {"console", seats(2), func(w *catalogued) { w.console(w.gold, nil) }, []string{sumInconsistent}, "GOLD"},
		"add-on attached before an adoption":           {"console", "addons = { SEATS = 5 }", func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2, w.docs(): 1}) }, []string{sumInconsistent}, "GOLD DOCS=1 SEATS=2"},
		"assigned again before an adoption":            {"console", seats(2), func(w *catalogued) { w.console(w.gold, map[string]float64{w.seats: 2}) }, nil, "GOLD SEATS=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			w.withDocs()
			c := w.cli()
			declare := func(text string) {
				id := w.gold
				if rest, other := strings.CutPrefix(text, "silver "); other {
					id, text = w.silver, rest
				}
				if text == "" {
					c.config(w.config(""))
					return
				}
				c.config(w.config(w.body(id, text)))
			}
			switch tc.before {
			case "":
			case "console":
				w.console(w.gold, map[string]float64{w.seats: 2})
			default:
				declare(tc.before)
				c.apply().wantOK(t)
			}
			declare(tc.after)
			c.promises()
			tc.moves(w)
			w.sim.ResetJournal()
			r := c.applySaved()
			if len(tc.fails) > 0 {
				r.wantError(t, tc.fails...)
				w.wantWrites("")
			} else {
				r.wantOK(t)
			}
			w.wantHas(tc.has)
			if len(tc.fails) == 0 {
				c.wantEmptyPlan()
			}
		})
	}
}

func (w *catalogued) removePackage() {
	w.t.Helper()
	if err := w.sim.RemovePackageInConsole(acmeHost); err != nil {
		w.t.Fatal(err)
	}
}

func (w *catalogued) bronze() string {
	w.t.Helper()
	id, err := w.sim.AddPackage("BRONZE", nil, true)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// A package change is refused before anything is removed where the API would reject it half-way.
func TestAssignment_PackageChangeRefusedFirst(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		moves func(w *catalogued)
		want  []string
	}{
		"new package inactive":    {func(w *catalogued) { w.setActive("package", w.silver, false) }, []string{"Package is inactive", "package SILVER is inactive", "Nothing was changed"}},
		"old package inactive":    {func(w *catalogued) { w.setActive("package", w.gold, false) }, []string{"Package is inactive", "package GOLD is inactive", "assigned again", "Nothing was changed"}},
		"kept add-on is inactive": {func(w *catalogued) { w.setActive("addon", w.seats, false) }, []string{"Add-on is inactive", "add-on SEATS is inactive", "Nothing was changed"}},
	} {
		for _, extra := range []string{"addons = { SEATS = 2 }\n", ""} {
			t.Run(fmt.Sprintf("%s, managed=%t", name, extra != ""), func(t *testing.T) {
				t.Parallel()
				w := newCatalogued(t, simulator.Assumptions{})
				c := w.cli()
				c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
				c.apply().wantOK(t)
				c.config(w.assignment(w.silver, extra+allowChange))
				c.promises()
				tc.moves(w)
				w.sim.ResetJournal()
				c.applySaved().wantError(t, tc.want...)
				w.wantWrites("")
				c.plan().wantError(t, tc.want...)
				w.wantHas("GOLD SEATS=2")
			})
		}
	}
}

// A package that the same apply activates is no error of its plan.
func TestAssignment_PackageActivatedInTheSameApply(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	plus := item("package", "plus", "PLUS", "active = false")
	c.config(w.config(plus + w.body(w.gold, "")))
	c.apply().wantOK(t)
	change := w.body("${reseller_package.plus.id}", allowChange)
	c.config(w.config(plus + change))
	c.plan().wantError(t, "Package is inactive", "package PLUS is inactive")
	c.config(w.config(strings.Replace(plus, "active = false", "active = true", 1) + change))
	c.apply().wantOK(t, "2 changed")
	w.wantHas("PLUS")
	c.wantEmptyPlan()
}

// The API rejects the new package after the old one is removed: what was there is restored beyond any consent, since it was
// there a moment ago. What is attached under a new package is within allow_excess.
func TestAssignment_PackageChangeRestores(t *testing.T) {
	t.Parallel()
	for _, extra := range []string{"addons = { SEATS = 2 }\n", "addons = {}\n", ""} {
		t.Run(fmt.Sprintf("rejected %q", extra), func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			c := w.cli()
			c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
			c.apply().wantOK(t)
			c.config(w.assignment(w.silver, extra+allowChange))
			c.promises()
			w.sim.Inject(simulator.Fault{Route: routeAssign, Hook: func() {
				w.setActive("package", w.silver, false)
				w.allowance(0, 0)
			}})
			w.sim.ResetJournal()
			c.applySaved().wantError(t, "Error updating assignment", acmeHost+": package SILVER was not assigned", "PACKAGE_INACTIVE",
				"Written: add-on SEATS detached (quantity 2), package GOLD removed.", "Restored: package GOLD assigned, add-on SEATS attached (quantity 2).")
			w.wantHas("GOLD SEATS=2")
			if got := c.state()[assigned].Attributes["package_code"]; got != "GOLD" {
				t.Errorf("package_code %v in state", got)
			}
			c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
			c.apply().wantOK(t)
			c.wantEmptyPlan()
		})
	}
	t.Run("an add-on beyond the consent is not attached under the new package", func(t *testing.T) {
		t.Parallel()
		w := newCatalogued(t, simulator.Assumptions{})
		w.allowance(1000, 20)
		c := w.cli()
		c.config(w.assignment(w.gold, "addons = { SEATS = 5 }"))
		c.apply().wantOK(t) // 15 seats, 5 remain
		c.config(w.assignment(w.silver, "addons = { SEATS = 12 }\n"+allowChange))
		w.sim.ResetJournal()
		c.apply().wantError(t, "Assignment exceeds the allowance", "Attaching add-on SEATS (quantity 12)", "seats: requested", "Written: add-on SEATS detached (quantity 5), package GOLD removed, package SILVER assigned.", "Lost: add-on SEATS (quantity 5).")
		w.wantHas("SILVER")
		for _, key := range w.sim.Journal() {
			if strings.Contains(string(key.Body), "confirmationKey") {
				t.Error("an excess was confirmed beyond the consent")
			}
		}
		if got := c.state()[assigned].Attributes["package_code"]; got != "SILVER" {
			t.Errorf("package_code %v in state", got)
		}
		c.config(w.assignment(w.silver, "addons = {}"))
		c.apply().wantOK(t)
		c.wantEmptyPlan()
	})
}

// The package cannot be removed: what was detached before is attached again, or named as lost.
func TestAssignment_PackageNotRemoved(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		attachFails bool
		want        []string
		has         string
	}{
		"restored": {false, []string{"package GOLD was not removed", "Written: add-on DOCS detached (quantity 1), add-on SEATS detached (quantity 2).", "Restored: add-on DOCS attached (quantity 1), add-on SEATS attached (quantity 2)."}, "GOLD DOCS=1 SEATS=2"},
		"lost":     {true, []string{"package GOLD was not removed", "Written: add-on DOCS detached (quantity 1), add-on SEATS detached (quantity 2).", "Lost: add-on DOCS (quantity 1) and add-on SEATS (quantity 2)."}, "GOLD"},
	} {
		for _, extra := range []string{"", "addons = { SEATS = 9 }\n"} {
			t.Run(fmt.Sprintf("%s, managed=%t", name, extra != ""), func(t *testing.T) {
				t.Parallel()
				w := newCatalogued(t, simulator.Assumptions{})
				w.withDocs()
				c := w.cli()
				c.config(w.assignment(w.gold, ""))
				c.apply().wantOK(t)
				w.console(w.gold, map[string]float64{w.seats: 2, w.docs(): 1})
				c.config(w.assignment(w.silver, extra+allowChange))
				c.promises()
				w.sim.Inject(simulator.Fault{Route: routeRemovePackage, Kind: simulator.FaultForbidden, Times: -1})
				if tc.attachFails {
					w.sim.Inject(simulator.Fault{Route: routeAttachAddon, Kind: simulator.FaultForbidden, Times: -1})
				}
				r := c.applySaved()
				r.wantError(t, append(tc.want, "Error updating assignment", acmeHost, "FORBIDDEN")...)
				if strings.Contains(r.out, "Nothing was changed") {
					t.Error("the error says that nothing was changed")
				}
				w.wantHas(tc.has)
				w.sim.ClearFaults()
				c.apply().wantOK(t)
				w.wantUntainted(c)
				c.wantEmptyPlan()
			})
		}
	}
}

// A create that ends half-way says what it wrote, and the next apply goes on.
func TestAssignment_CreateSaysWhatItWrote(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	w.allowance(1000, 20)
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { SEATS = 12 }\nallow_excess = { documents = 7 }"))
	r := c.apply()
	r.wantError(t, "Assignment exceeds the allowance", "Attaching add-on SEATS (quantity 12) to "+acmeHost, "Written: package GOLD assigned.", "Nothing is in state", "allow_excess = { documents = 7, seats = 2 }")
	if strings.Contains(r.out, "Nothing was changed") {
		t.Error("the error says that nothing was changed")
	}
	if len(c.state()) != 0 {
		t.Errorf("state: %v", c.state())
	}
	c.config(w.assignment(w.gold, "addons = { SEATS = 12 }\nallow_excess = { documents = 7, seats = 2 }"))
	wantPromise(t, c.promises(), []string{sumAddons, "add-on SEATS is attached (quantity 12)", "seats by up to 2"})
	w.sim.ResetJournal()
	c.applySaved().wantOK(t)
	w.wantWrites("attach SEATS 12, attach SEATS 12 confirmed")
	c.wantEmptyPlan()
}

// A code that the catalog lacks, or that is inactive, is an error at plan, and before the first call where the plan could
// not know.
func TestAssignment_AddonsTheCatalogLacks(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { Nope = 1 }"))
	w.sim.ResetJournal()
	c.plan().wantError(t, "Add-on not found", "no add-on with code NOPE", "addons = { Nope = 1 }")
	w.wantReads()
	c.config(w.assignment(w.gold, "addons = { SEATS = 1 }"))
	c.promises()
	w.setActive("addon", w.seats, false)
	w.sim.ResetJournal()
	c.applySaved().wantError(t, "Add-on is inactive", "add-on SEATS is inactive", "Nothing was changed")
	w.wantWrites("")
	w.setActive("addon", w.seats, true)
	later := "resource \"terraform_data\" \"code\" {\n  input = \"LATER\"\n}\n"
	c.config(w.config(later + w.body(w.gold, "addons = { (terraform_data.code.output) = 1 }")))
	wantPromise(t, c.promises(), []string{sumBilled, "package GOLD is assigned and add-ons known after apply may be attached"})
	w.sim.ResetJournal()
	c.applySaved().wantError(t, "Add-on not found", "no add-on with code LATER")
	w.wantWrites("")
	w.wantHas("")
	c.config(w.assignment(strings.Repeat("ab", 16), ""))
	c.plan().wantError(t, "Package not found", acmeHost, strings.Repeat("ab", 16))
	w.setActive("package", w.silver, false)
	c.config(w.assignment(w.silver, ""))
	c.plan().wantError(t, "Package is inactive", "package SILVER is inactive")
}

// Without -refresh only the private state says that an assignment is to be replaced.
func TestAssignment_ReplaceWithoutRefresh(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
	c.apply().wantOK(t)
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		c.plan("-replace="+assigned, refresh).wantError(t, "Assignments cannot be replaced", acmeHost)
	}
	c.ok("taint", "-no-color", assigned)
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		w.sim.ResetJournal()
		c.apply(refresh).wantError(t, "Assignments cannot be replaced", "terraform untaint")
		w.wantWrites("")
	}
	c.ok("untaint", "-no-color", assigned)
	c.wantEmptyPlan()
	c.config(w.config(""))
	c.apply().wantOK(t, "1 destroyed")
	w.wantHas("")
}

// Without add-ons the list of private labels is all that a read takes, and it has the package's code and name.
func TestAssignment_PackageNameIsRefreshed(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, ""))
	c.apply().wantOK(t)
	w.updatePackage(w.gold, `"name":"Gold Plus"`)
	w.sim.ResetJournal()
	c.ok("refresh", "-no-color")
	if n := w.calls(routeDetail); n != 0 {
		t.Errorf("%d details", n)
	}
	if got := c.state()[assigned].Attributes["package_name"]; got != "Gold Plus" {
		t.Errorf("package_name = %v", got)
	}
	c.wantEmptyPlan()
}

// An assignment to a private label of another reseller.
func TestAssignment_OfAnotherReseller(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
	c.promises()
	if err := w.sim.MoveAway(acmeHost); err != nil {
		t.Fatal(err)
	}
	w.sim.ResetJournal()
	c.applySaved().wantError(t, "Private label not found", w.label, "Nothing was changed")
	w.wantWrites("")
	c.plan().wantError(t, "Private label not found", w.label, "another reseller")
}

// Two applies of one plan, the second in the middle of the first.
func TestAssignment_TwoAppliesAtOnce(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before, after string
		route         string
		has           string
	}{
		"create, at the package":  {"", "addons = { SEATS = 2 }", routeAssign, "GOLD SEATS=2"},
		"create, at the add-on":   {"", "addons = { SEATS = 2 }", routeAttachAddon, "GOLD SEATS=2"},
		"quantity, at the detach": {"addons = { SEATS = 2 }", "addons = { SEATS = 5 }", routeRemoveAddon, "GOLD SEATS=5"},
		"quantity, at the attach": {"addons = { SEATS = 2 }", "addons = { SEATS = 5 }", routeAttachAddon, "GOLD SEATS=5"},
		"package, at the detach":  {"addons = { SEATS = 2 }", "silver", routeRemoveAddon, "SILVER SEATS=2"},
		"package, at the assign":  {"addons = { SEATS = 2 }", "silver", routeAssign, "SILVER SEATS=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			first, second := w.cli(), w.cli()
			if tc.before != "" {
				first.config(w.assignment(w.gold, tc.before))
				first.apply().wantOK(t)
				second.config(w.assignment(w.gold, tc.before))
				second.file("terraform.tfstate", first.read("terraform.tfstate"))
			}
			for _, c := range []*cli{first, second} {
				if tc.after == "silver" {
					c.config(w.assignment(w.silver, tc.before+"\n"+allowChange))
				} else {
					c.config(w.assignment(w.gold, tc.after))
				}
				c.promises()
			}
			var other result
			w.sim.Inject(simulator.Fault{Route: tc.route, Hook: func() { other = second.applySaved() }})
			r := first.applySaved()
			w.wantFault()
			other.wantOK(t)
			if r.code != 0 {
				t.Logf("the first apply: %s", r.out)
			}
			w.wantHas(tc.has)
			first.ok("refresh", "-no-color")
			first.wantEmptyPlan()
			second.wantEmptyPlan()
		})
	}
}
