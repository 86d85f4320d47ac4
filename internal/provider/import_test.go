package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Objects that were created in the console are imported unchanged.
func TestImport_PrivateLabel(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(*providertest.LabelEnv) error
		settled bool
		quiet   bool // without a warning
		in      string
	}{
		"plain":               {func(*providertest.LabelEnv) error { return nil }, true, true, `"ada@acme.example"`},
		"suspended":           {func(w *providertest.LabelEnv) error { return w.Sim.SuspendInConsole(providertest.AcmeHost, "unpaid") }, true, true, ""},
		"no owner":            {func(w *providertest.LabelEnv) error { return w.Sim.RemoveOwner(providertest.AcmeHost) }, true, true, ""},
		"unverified DNS":      {func(*providertest.LabelEnv) error { return nil }, false, true, ""},
		"package and add-ons": {(*providertest.LabelEnv).Assign, true, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.Waiting(t, 0)
			if err := tc.prepare(w); err != nil {
				t.Fatal(err)
			}
			if tc.settled {
				w.VerifyDNS(providertest.AcmeHost)
			}
			for _, id := range []string{w.Label, providertest.AcmeHost} {
				text := w.Adopt(providertest.Imports{providertest.Acme: id}, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 1})
				// Before 1.14 the CLI writes the block, with the owner; since then the provider, with what a configuration needs.
				if providertest.OlderCLI(t, "1.14.0") && !strings.Contains(text, tc.in) {
					t.Errorf("the configuration lacks %s:\n%s", tc.in, text)
				}
			}
		})
	}
}

// A suspension by the platform is reported; the plan does not change it.
func TestImport_SuspendedByPlatform(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewLabelEnv(t)
	if err := w.Sim.SuspendByPlatform(providertest.AcmeHost, "abuse"); err != nil {
		t.Fatal(err)
	}
	c := w.Cli()
	c.Config(w.Config(""))
	c.Generate(providertest.Imports{providertest.Acme: providertest.AcmeHost}.Blocks()).WantOK(t, "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy")
	c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()
	if state := c.State()[providertest.Acme].Attributes; state["suspended_by"] != "Platform" || state["deletion_policy"] != "PREVENT" {
		t.Errorf("state %v", state)
	}
	c.Destroy().WantError(t, "Resource is protected from deletion")
}

func TestImport_Catalog(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	if err := w.Assign(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Sim.AddPackage("OLD", nil, false); err != nil {
		t.Fatal(err)
	}
	text := w.Adopt(providertest.Imports{
		"reseller_package.gold": "gold", "reseller_package.old": "OLD", "reseller_addon.seats": "SEATS", providertest.Assigned: providertest.AcmeHost,
	}, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 1, providertest.RoutePackageSearch: 1, providertest.RouteAddonSearch: 1})
	for _, part := range []string{"active = false", "SEATS = 2"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), part) {
			t.Errorf("the configuration lacks %q:\n%s", part, text)
		}
	}
}

// Members, branding and verification; an admin and the owner are imported like members, and destroying them is an
// error.
func TestImport_People(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	for _, who := range []string{providertest.BobEmail, "eve@acme.example"} {
		if _, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, who, "Some", "Body"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail); err != nil {
		t.Fatal(err)
	}
	w.Adopt(providertest.Imports{
		providertest.Bob: providertest.AcmeHost + "/" + providertest.BobEmail, "reseller_member.eve": providertest.AcmeHost + "/eve@acme.example", "reseller_member.ada": providertest.AcmeHost + "/ada@acme.example",
		providertest.Branding: providertest.AcmeHost, providertest.Verification: providertest.AcmeHost,
	}, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 1, providertest.RouteMembers: 1})
	c := w.Cli()
	c.Config(w.Bob() + providertest.Imports{providertest.Bob: providertest.AcmeHost + "/" + providertest.BobEmail}.Blocks())
	c.Apply().WantOK(t)
	c.Destroy().WantError(t, "Owners and admins cannot be removed", providertest.BobEmail+", admin of "+providertest.AcmeHost)
}

// The error of a failed import shows the right form, and nothing is in state.
func TestImport_Refused(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	if _, err := w.Sim.AddConsoleLabel("gone.acme.example", "ada@acme.example"); err != nil {
		t.Fatal(err)
	}
	gone := w.Sim.Labels()[1].ID
	if err := w.Sim.DeprovisionInConsole("gone.acme.example"); err != nil {
		t.Fatal(err)
	}
	foreign, err := w.Sim.AddConsoleLabel("sign.foreign.example", "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Sim.MoveAway("sign.foreign.example"); err != nil {
		t.Fatal(err)
	}
	const form = "sign.acme.example"
	for _, tc := range []struct{ address, id, want string }{
		{providertest.Acme, "acme", "is neither a private label ID nor a host name"},
		{providertest.Acme, "https://sign.acme.example/", "is neither a private label ID nor a host name"},
		{providertest.Acme, strings.ToUpper(w.Label), "is neither a private label ID nor a host name"},
		{providertest.Acme, "sign.foreign.example", "is not a live private label of partner.example"},
		{providertest.Acme, foreign, "is not a live private label of partner.example"},
		{providertest.Acme, gone, "is not a live private label of partner.example"},
		{providertest.Acme, "gone.acme.example", "is not a live private label of partner.example"},
		{providertest.Assigned, "acme", "is neither a private label ID nor a host name"},
		{providertest.Assigned, gone, "is not a live private label of partner.example"},
		{providertest.Bob, providertest.AcmeHost, "does not name a member"},
		{providertest.Bob, gone + "/" + providertest.BobEmail, "is not a live private label of partner.example"},
		{providertest.Branding, w.Label, "is not a host name"},
		{providertest.Branding, "sign.foreign.example", "is not a live private label of partner.example"},
		{providertest.Verification, "acme", "is neither a private label ID nor a host name"},
		// The CLI passes an empty id on.
		{providertest.Acme, "", `"" is neither a private label ID nor a host name`},
		{providertest.Assigned, "", `"" is neither a private label ID nor a host name`},
		{providertest.Bob, "", `"" does not name a member`},
		{providertest.Branding, "", `"" is not a host name`},
		{providertest.Verification, "", `"" is neither a private label ID nor a host name`},
		{"reseller_package.gold", "", `The reseller has no package ""`},
		{"reseller_addon.gold", "", `The reseller has no add-on ""`},
	} {
		t.Run(tc.address+" "+tc.id, func(t *testing.T) {
			c := w.Cli()
			block := fmt.Sprintf("resource %q %q {\n", strings.Split(tc.address, ".")[0], strings.Split(tc.address, ".")[1])
			c.Config(w.Config(block + importable[strings.Split(tc.address, ".")[0]] + "\n}\n"))
			r := c.Import(tc.address, tc.id)
			r.WantError(t, tc.want, "Nothing was imported")
			if !strings.HasPrefix(tc.want, "The reseller has no") {
				r.WantText(t, form)
			}
			if len(c.State()) != 0 {
				t.Errorf("state %v", c.State())
			}
		})
	}
}

// importable are the attributes that the CLI requires in the configuration.
var importable = map[string]string{
	"reseller_private_label":       `domain = "sign.acme.example"`,
	"reseller_assignment":          "private_label_id = \"00000000000000000000000000000000\"\npackage_id = \"00000000000000000000000000000000\"",
	"reseller_member":              "private_label_id = \"00000000000000000000000000000000\"\nemail = \"bob@acme.example\"\nfirst_name = \"Bob\"\nlast_name = \"Byte\"",
	"reseller_package":             "code = \"GOLD\"\nname = \"Gold\"\ncurrency = \"EUR\"",
	"reseller_addon":               "code = \"GOLD\"\nname = \"Gold\"\ncurrency = \"EUR\"",
	"reseller_branding":            `domain = "sign.acme.example"`,
	"reseller_domain_verification": `private_label_id = "00000000000000000000000000000000"`,
}
