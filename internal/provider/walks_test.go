package provider_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// walks is the life of one resource in one process.
type walks struct {
	typ     string
	config  func(round int) values
	other   func(round int) values // planned and not applied, nil for none
	update  func(round int) values // applied after the create, nil for none
	importe func(w *walker) string // how it is imported, nil for what cannot be

	created, updated, destroyed []string // summaries that a plan announces
	again                       string   // the error of a second create with the same values, "" for none
}

// One server plans, applies, reads, imports and destroys a resource again and again. No plan is refused for what an
// earlier walk planned, and no warning is left over from one.
func TestWalks_OneProcess(t *testing.T) {
	t.Parallel()
	for name, tc := range walkCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := newWalks(t, tc)
			for round := range 3 {
				w.round(t, c, round)
			}
		})
	}
}

func newWalks(t *testing.T, makeCase func(*labelled, string) walks) (*walker, walks) {
	t.Helper()
	l := newLabelled(t)
	dir := t.TempDir()
	c := &cli{t: t, dir: dir}
	c.file("terms.pdf", string(onePage("Terms")))
	l.env.set("RESELLER_SIGNING_URL", simulator.SigningURL)
	l.env.set("RESELLER_SIGNING_API_KEY", l.sim.SigningAPIKey())
	tc := makeCase(l, dir)
	return l.protocol().walker(tc.typ), tc
}

func (w *walker) round(t *testing.T, c walks, round int) {
	t.Helper()
	at := func(what string) string { return fmt.Sprintf("round %d, %s", round, what) }
	want := func(what string, told diagnostics, summaries []string) {
		t.Helper()
		if host, ok := c.config(round)["domain"].(string); ok {
			summaries = slices.Clone(summaries)
			for i := range summaries {
				summaries[i] = strings.ReplaceAll(summaries[i], "%s", host)
			}
		}
		if got := told.summaries(); !slices.Equal(got, slices.Sorted(slices.Values(summaries))) {
			t.Fatalf("%s: told %+v, want %q", at(what), told, summaries)
		}
	}
	plan := func(what string, config values, summaries []string) []step {
		t.Helper()
		steps, told := w.plan(config)
		want(what, told, summaries)
		return steps
	}
	config := c.config(round)
	plan("first plan", config, c.created)
	if c.other != nil {
		plan("plan with other values", c.other(round), c.created)
	}
	plan("second plan", config, c.created)
	want("apply", w.apply(config), nil)
	still := func(what string, config values) {
		t.Helper()
		want(what+", read", w.read(), nil)
		if steps := plan(what+", plan", config, nil); !w.unchanged(steps) {
			t.Fatalf("%s: a change: %s, was %s", at(what), steps[0].planned, w.state)
		}
	}
	still("after the create", config)
	if c.update != nil {
		config = c.update(round)
		plan("plan of the update", config, c.updated)
		plan("plan of the old values", c.config(round), nil)
		want("update", w.apply(config), nil)
		still("after the update", config)
	}
	if c.importe != nil {
		want("import", w.importBy(c.importe(w)), nil)
		if steps, told := w.plan(config); anyErrors(told) || len(steps) != 1 {
			t.Fatalf("%s: told %+v, %d steps", at("plan after the import"), told, len(steps))
		}
		if told := w.apply(config); anyErrors(told) {
			t.Fatalf("%s: told %+v", at("apply after the import"), told)
		}
		still("after the import", config)
	}
	plan("plan of the destroy", nil, c.destroyed)
	want("destroy", w.apply(nil), nil)
	if !w.state.IsNull() {
		t.Fatalf("%s: a state is left", at("destroy"))
	}
	w.private, w.identity = nil, nil
	if c.again == "" {
		plan("plan after the destroy", config, c.created)
		return
	}
	if _, told := w.plan(config); len(told) != 1 || told[0].Severity != "error" || told[0].Summary != c.again {
		t.Fatalf("%s: told %+v, want %q", at("plan after the destroy"), told, c.again)
	}
}

// What somebody changes between two walks is seen by the next one, though the process has read it before.
func TestWalks_OutOfBand(t *testing.T) {
	t.Parallel()
	l := newLabelled(t)
	p := l.protocol()
	w := p.walker("reseller_member")
	bob := values{"private_label_id": l.label, "email": bobEmail, "first_name": "Bob", "last_name": "Byte"}
	if told := w.apply(bob); len(told) > 0 {
		t.Fatalf("told %+v", told)
	}
	act := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if told := w.read(); len(told) > 0 {
			t.Fatalf("told %+v", told)
		}
	}
	for range 2 {
		act(l.sim.MakeAdmin(acmeHost, bobEmail))
		if _, told := w.plan(nil); len(told.of("error", "Owners and admins cannot be removed")) != 1 {
			t.Errorf("told %+v", told)
		}
		act(l.sim.DemoteAdmin(acmeHost, bobEmail))
		if _, told := w.plan(nil); anyErrors(told) {
			t.Errorf("told %+v", told)
		}
	}
	if err := l.sim.RemovePersonInConsole(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	if told := w.read(); len(told.of("warning", "Member not found, removed from state")) != 1 || !w.state.IsNull() {
		t.Errorf("told %+v, state %s", told, w.state)
	}

	// A create sees who is there now, whatever an earlier plan saw.
	again := p.walker("reseller_member")
	if _, err := l.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Byte"); err != nil {
		t.Fatal(err)
	}
	emails := l.mails(bobEmail)
	if told := again.apply(bob); anyErrors(told) || l.mails(bobEmail) != emails {
		t.Errorf("told %+v, %d emails, want %d", told, l.mails(bobEmail), emails)
	}
}

func owner() values {
	return values{"email": "ada@acme.example", "first_name": "Ada", "last_name": "Lovelace"}
}

func walkCases() map[string]func(l *labelled, dir string) walks {
	const provisioning = "Provisioning is permanent and emails the owner"
	host := func(round int) string { return fmt.Sprintf("sign.client-%d.example", round) }
	label := func(policy string, more values) func(int) values {
		return func(round int) values {
			v := values{"domain": host(round), "app_name": "Acme Sign", "owner": owner(), "deletion_policy": policy}
			maps.Copy(v, more)
			return v
		}
	}
	otherHost := func(policy string) func(int) values {
		return func(round int) values {
			v := label(policy, nil)(round)
			v["domain"] = "sign.never.example"
			return v
		}
	}
	otherName := func(policy string) func(int) values {
		return label(policy, values{"app_name": "Another name"})
	}
	labelID := func(w *walker) string { return w.attribute("id") }
	catalog := func(kind, summary string) func(*labelled, string) walks {
		code := func(round int) string { return fmt.Sprintf("GOLD%d", round) }
		item := func(name string, active any) func(int) values {
			return func(round int) values {
				return values{"code": code(round), "name": name, "currency": "EUR", "active": active}
			}
		}
		return func(*labelled, string) walks {
			return walks{
				typ: "reseller_" + kind, config: item("Gold", nil), update: item("Gold plus", false),
				other:   func(int) values { return values{"code": "NEVER", "name": "Never", "currency": "EUR"} },
				importe: func(w *walker) string { return w.attribute("code") },
				created: []string{summary}, updated: []string{"Deactivated code stays reserved"}, destroyed: []string{"Catalog items cannot be deleted"},
				again: "Catalog item already exists",
			}
		}
	}
	member := func(l *labelled, email, first string) values {
		return values{"private_label_id": l.label, "email": email, "first_name": first, "last_name": "Byte"}
	}
	const adding, removing = "Adding a member sends an email", "Removed member is signed out immediately"
	return map[string]func(l *labelled, dir string) walks{
		"private label, DEPROVISION": func(*labelled, string) walks {
			return walks{
				typ: "reseller_private_label", config: label("DEPROVISION", nil), other: otherHost("DEPROVISION"), importe: nil,
				created: []string{provisioning}, destroyed: []string{"Deprovisioning %s is permanent"}, again: "Host name cannot be reused",
			}
		},
		"private label, ABANDON": func(*labelled, string) walks {
			return walks{
				typ: "reseller_private_label", config: label("ABANDON", nil), other: otherName("ABANDON"), importe: labelID,
				update:  label("ABANDON", values{"suspended": true}),
				created: []string{provisioning}, updated: []string{"Suspending a private label signs out its members"},
				destroyed: []string{"Private label will only be removed from state"}, again: "Private label already exists",
			}
		},
		"package": catalog("package", "Package code is permanent"),
		"add-on":  catalog("addon", "Add-on code is permanent"),
		"member": func(l *labelled, _ string) walks {
			return walks{
				typ: "reseller_member", config: func(int) values { return member(l, bobEmail, "Bob") }, other: func(int) values { return member(l, bobEmail, "Robert") },
				update:  func(int) values { return member(l, "bobby@acme.example", "Bob") },
				importe: func(w *walker) string { return l.label + "/" + w.attribute("email") },
				created: []string{adding}, updated: []string{removing, adding}, destroyed: []string{removing},
			}
		},
		"assignment": func(l *labelled, _ string) walks {
			gold, err := l.sim.AddPackage("GOLD", map[string]float64{"documents": 1}, true)
			if err != nil {
				l.t.Fatal(err)
			}
			if _, err := l.sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true); err != nil {
				l.t.Fatal(err)
			}
			with := func(seats int) func(int) values {
				return func(int) values {
					return values{"private_label_id": l.label, "package_id": gold, "addons": values{"SEATS": seats}}
				}
			}
			return walks{
				typ: "reseller_assignment", config: with(2), other: with(3), update: with(5), importe: func(*walker) string { return l.label },
				created: []string{sumBilled}, updated: []string{sumAddons}, destroyed: []string{sumRemoved},
			}
		},
		"branding": func(*labelled, string) walks {
			of := func(color string) func(int) values {
				return func(int) values { return values{"domain": acmeHost, "color_primary": color} }
			}
			return walks{
				typ: "reseller_branding", config: of("#0a0"), other: of("#0b0"), update: of("#0c0"), importe: func(*walker) string { return acmeHost },
				destroyed: []string{"Branding is only removed from state"},
			}
		},
		"domain verification": func(l *labelled, _ string) walks {
			return walks{
				typ: "reseller_domain_verification", config: func(int) values { return values{"private_label_id": l.label} },
				importe:   func(*walker) string { return acmeHost },
				destroyed: []string{"Domain verification is only removed from state"},
			}
		},
		"document": func(_ *labelled, dir string) walks {
			of := func(title string) func(int) values {
				return func(int) values {
					return values{
						"domain": acmeHost, "owner_email": "ada@acme.example", "title": title, "file_path": filepath.Join(dir, "terms.pdf"),
						"signers": []any{values{"email": bobEmail, "first_name": "Bob", "last_name": "Byte", "annotations": []any{}}},
					}
				}
			}
			return walks{
				typ: "reseller_document", config: of("Terms"), other: of("Other terms"),
				created: []string{"Document upload cannot be undone"}, destroyed: []string{"Signing resources are only removed from state"},
			}
		},
		"minted document": func(_ *labelled, dir string) walks {
			of := func(name string) func(int) values {
				return func(int) values {
					return values{"file_path": filepath.Join(dir, "terms.pdf"), "unit_name": "TERMS", "asset_name": name, "nft_standard": "ARC3", "store_on_ipfs": false}
				}
			}
			return walks{
				typ: "reseller_minted_document", config: of("Terms"), other: of("Other terms"),
				created: []string{"Minting is public and permanent"}, destroyed: []string{"Signing resources are only removed from state"},
			}
		},
	}
}
