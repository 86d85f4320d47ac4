package provider_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// imports is what the CLI is asked to import: address to id.
type imports map[string]string

func (i imports) blocks() string {
	var b strings.Builder
	for address, id := range i {
		fmt.Fprintf(&b, "import {\n  to = %s\n  id = %q\n}\n", address, id)
	}
	return b.String()
}

// adopt imports with a configuration that the CLI generates, and wants nothing
// but the import: no change, no call that writes, no warning. It returns the
// generated configuration.
func (w *world) adopt(what imports, calls map[string]int) string {
	w.t.Helper()
	c := w.cli()
	c.config(w.config(what.blocks()))
	w.sim.ResetJournal()
	generated := c.run("plan", "-no-color", "-input=false", "-generate-config-out=generated.tf")
	generated.wantOK(w.t, fmt.Sprintf("Plan: %d to import, 0 to add, 0 to change, 0 to destroy", len(what)))
	w.wantQuiet(generated)
	for route, n := range calls {
		if got := w.calls(route); got != n {
			w.t.Errorf("%s: %d calls, want %d", route, got, n)
		}
	}
	c.apply().wantOK(w.t, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", len(what)))
	c.wantEmptyPlan()
	text := c.read("generated.tf")
	c.file("generated.tf", nullAttribute.ReplaceAllString(text, "")) // as a newer CLI generates it
	c.wantEmptyPlan()
	w.wantReads()
	return text
}

// nullAttribute is a line that Terraform 1.15 leaves out where the attribute is
// an object; 1.11 writes it.
var nullAttribute = regexp.MustCompile(`(?m)^  \w+ += null.*\n`)

// wantQuiet allows the CLI's own warning that generating is experimental.
func (w *world) wantQuiet(r result) {
	w.t.Helper()
	if n := strings.Count(r.out, "Warning:") - strings.Count(r.out, "Warning: Config generation is experimental"); n != 0 {
		w.t.Errorf("%d warnings:\n%s", n, r.out)
	}
}

// What an agency has made in the console is adopted as it is.
func TestImport_PrivateLabel(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(*labelled) error
		settled bool
		quiet   bool // without a warning
		in      string
	}{
		"plain":               {func(*labelled) error { return nil }, true, true, `"ada@acme.example"`},
		"suspended":           {func(w *labelled) error { return w.sim.SuspendInConsole(acmeHost, "unpaid") }, true, true, ""},
		"no owner":            {func(w *labelled) error { return w.sim.RemoveOwner(acmeHost) }, true, true, ""},
		"unverified DNS":      {func(*labelled) error { return nil }, false, true, ""},
		"package and add-ons": {(*labelled).assign, true, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := waiting(t, 0)
			if err := tc.prepare(w); err != nil {
				t.Fatal(err)
			}
			if tc.settled {
				w.settle(acmeHost)
			}
			for _, id := range []string{w.label, acmeHost} {
				text := w.adopt(imports{acme: id}, map[string]int{routeList: 1, routeDetail: 1})
				if !strings.Contains(text, tc.in) {
					t.Errorf("the configuration lacks %s:\n%s", tc.in, text)
				}
			}
		})
	}
}

// A platform's suspension is told, truly; nothing is planned against it.
func TestImport_SuspendedByPlatform(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	if err := w.sim.SuspendByPlatform(acmeHost, "abuse"); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config(imports{acme: acmeHost}.blocks()))
	c.run("plan", "-no-color", "-input=false", "-generate-config-out=generated.tf").wantOK(t, "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy")
	c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.wantEmptyPlan()
	if state := c.state()[acme].Attributes; state["suspended_by"] != "Platform" || state["deletion_policy"] != "PREVENT" {
		t.Errorf("state %v", state)
	}
	c.destroy().wantError(t, "Private label is protected from deletion")
}

// assign gives the label a package and an add-on.
func (w *labelled) assign() error {
	gold, err := w.sim.AddPackage("GOLD", map[string]float64{"documents": 100, "seats": 10}, true)
	if err != nil {
		return err
	}
	seats, err := w.sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true)
	if err != nil {
		return err
	}
	return w.sim.AssignInConsole(acmeHost, gold, map[string]float64{seats: 2})
}

func TestImport_Catalogue(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	if err := w.assign(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.sim.AddPackage("OLD", nil, false); err != nil {
		t.Fatal(err)
	}
	text := w.adopt(imports{
		"reseller_package.gold": "gold", "reseller_package.old": "OLD", "reseller_addon.seats": "SEATS", assigned: acmeHost,
	}, map[string]int{routeList: 1, routeDetail: 1, routePackageSearch: 1, routeAddonSearch: 1})
	for _, part := range []string{"active   = false", "SEATS = 2"} {
		if !strings.Contains(text, part) {
			t.Errorf("the configuration lacks %q:\n%s", part, text)
		}
	}
}

// People, looks and verification; an admin and the owner are imported like
// anybody, and their destroy is blocked.
func TestImport_People(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	for _, who := range []string{bobEmail, "eve@acme.example"} {
		if _, err := w.sim.AddPersonInConsole(acmeHost, who, "Some", "Body"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.sim.MakeAdmin(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	w.adopt(imports{
		bob: acmeHost + "/" + bobEmail, "reseller_member.eve": acmeHost + "/eve@acme.example", "reseller_member.ada": acmeHost + "/ada@acme.example",
		branding: acmeHost, verification: acmeHost,
	}, map[string]int{routeList: 1, routeDetail: 1, routeMembers: 1})
	c := w.cli()
	c.config(w.bob() + imports{bob: acmeHost + "/" + bobEmail}.blocks())
	c.apply().wantOK(t)
	c.destroy().wantError(t, "Owners and admins cannot be removed", bobEmail+", admin of "+acmeHost)
}

// What cannot be imported is told with the right form, and leaves no state.
func TestImport_Refused(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	if _, err := w.sim.AddConsoleLabel("gone.acme.example", "ada@acme.example"); err != nil {
		t.Fatal(err)
	}
	gone := w.sim.Labels()[1].ID
	if err := w.sim.DeprovisionInConsole("gone.acme.example"); err != nil {
		t.Fatal(err)
	}
	foreign, err := w.sim.AddConsoleLabel("sign.foreign.example", "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.MoveAway("sign.foreign.example"); err != nil {
		t.Fatal(err)
	}
	const form = "sign.acme.example"
	for _, tc := range []struct{ address, id, want string }{
		{acme, "acme", "is neither a tenant id nor a host name"},
		{acme, "https://sign.acme.example/", "is neither a tenant id nor a host name"},
		{acme, strings.ToUpper(w.label), "is neither a tenant id nor a host name"},
		{acme, "sign.foreign.example", "is no live label of partner.example"},
		{acme, foreign, "is no live label of partner.example"},
		{acme, gone, "is no live label of partner.example"},
		{acme, "gone.acme.example", "is no live label of partner.example"},
		{assigned, "acme", "is neither a tenant id nor a host name"},
		{assigned, gone, "is no live label of partner.example"},
		{bob, acmeHost, "does not name a member"},
		{bob, gone + "/" + bobEmail, "is no live label of partner.example"},
		{branding, w.label, "is no host name"},
		{branding, "sign.foreign.example", "is no live label of partner.example"},
		{verification, "acme", "is neither a tenant id nor a host name"},
		// The CLI passes an empty id on.
		{acme, "", `"" is neither a tenant id nor a host name`},
		{assigned, "", `"" is neither a tenant id nor a host name`},
		{bob, "", `"" does not name a member`},
		{branding, "", `"" is no host name`},
		{verification, "", `"" is neither a tenant id nor a host name`},
		{"reseller_package.gold", "", `The reseller has no package ""`},
		{"reseller_addon.gold", "", `The reseller has no add-on ""`},
	} {
		t.Run(tc.address+" "+tc.id, func(t *testing.T) {
			c := w.cli()
			block := fmt.Sprintf("resource %q %q {\n", strings.Split(tc.address, ".")[0], strings.Split(tc.address, ".")[1])
			c.config(w.config(block + importable[strings.Split(tc.address, ".")[0]] + "\n}\n"))
			r := c.run("import", "-no-color", "-input=false", tc.address, tc.id)
			r.wantError(t, tc.want, "Nothing was imported")
			if !strings.HasPrefix(tc.want, "The reseller has no") {
				r.wantText(t, form)
			}
			if len(c.state()) != 0 {
				t.Errorf("state %v", c.state())
			}
		})
	}
}

// importable are the attributes that the CLI wants to see declared.
var importable = map[string]string{
	"reseller_private_label":       `domain = "sign.acme.example"`,
	"reseller_assignment":          "private_label_id = \"00000000000000000000000000000000\"\npackage_id = \"00000000000000000000000000000000\"",
	"reseller_member":              "private_label_id = \"00000000000000000000000000000000\"\nemail = \"bob@acme.example\"\nfirst_name = \"Bob\"\nlast_name = \"Byte\"",
	"reseller_package":             "code = \"GOLD\"\nname = \"Gold\"\ncurrency = \"EUR\"",
	"reseller_addon":               "code = \"GOLD\"\nname = \"Gold\"\ncurrency = \"EUR\"",
	"reseller_branding":            `domain = "sign.acme.example"`,
	"reseller_domain_verification": `private_label_id = "00000000000000000000000000000000"`,
}
