package provider_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// One server plans, applies, reads, imports and destroys a resource several times. No plan is rejected because of an
// earlier walk, and no warning remains from one.
func TestWalks_OneProcess(t *testing.T) {
	t.Parallel()
	for name, tc := range walkCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := newWalks(t, tc)
			for round := range 3 {
				w.Round(t, c, round)
			}
		})
	}
}

func newWalks(t *testing.T, makeCase func(*providertest.LabelEnv, string) providertest.Walks) (*providertest.Walker, providertest.Walks) {
	t.Helper()
	l := providertest.NewLabelEnv(t)
	dir := t.TempDir()
	c := &providertest.CLI{T: t, Dir: dir}
	c.File("terms.pdf", string(providertest.OnePage("Terms")))
	l.Env.Set("RESELLER_SIGNING_URL", simulator.SigningURL)
	l.Env.Set("RESELLER_SIGNING_API_KEY", l.Sim.SigningAPIKey())
	tc := makeCase(l, dir)
	return l.Protocol().Walker(tc.Typ), tc
}

// The next walk sees what a user changes between two walks, although the process has read it before.
func TestWalks_OutOfBand(t *testing.T) {
	t.Parallel()
	l := providertest.NewLabelEnv(t)
	p := l.Protocol()
	w := p.Walker("reseller_member")
	bob := providertest.Values{"private_label_id": l.Label, "email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte"}
	require.Empty(t, w.Apply(bob))
	act := func(err error) {
		t.Helper()
		require.NoError(t, err)
		require.Empty(t, w.Read())
	}
	for range 2 {
		act(l.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail))
		_, told := w.Plan(nil)
		assert.Len(t, told.Of("error", providertest.SumPermanentRole), 1, "got %+v", told)
		act(l.Sim.DemoteAdmin(providertest.AcmeHost, providertest.BobEmail))
		_, told = w.Plan(nil)
		assert.False(t, providertest.AnyErrors(told), "got %+v", told)
	}
	require.NoError(t, l.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail))
	told := w.Read()
	require.Len(t, told.Of("warning", providertest.SumMemberGone), 1, "got %+v, state %s", told, w.State)
	assert.True(t, w.State.IsNull(), "got %+v, state %s", told, w.State)

	// A create sees the present members, not those of an earlier plan.
	again := p.Walker("reseller_member")
	_, err := l.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
	require.NoError(t, err)
	emails := l.Mails(providertest.BobEmail)
	eve := bob.With(providertest.Values{"email": providertest.EveEmail})
	told = p.Walker("reseller_member").Apply(eve)
	assert.False(t, providertest.AnyErrors(told), "got %+v", told) // an apply ends the plans before it
	told = again.Apply(bob)
	assert.False(t, providertest.AnyErrors(told), "got %+v, %d emails, want %d", told, l.Mails(providertest.BobEmail), emails)
	assert.Equal(t, emails, l.Mails(providertest.BobEmail), "got %+v, emails", told)
}

func owner() providertest.Values {
	return providertest.Values{"email": "ada@acme.example", "first_name": "Ada", "last_name": "Lovelace"}
}

func walkCases() map[string]func(l *providertest.LabelEnv, dir string) providertest.Walks {
	provisioning := providertest.SumProvisioned
	host := func(round int) string { return fmt.Sprintf("sign.client-%d.example", round) }
	label := func(policy string, more providertest.Values) func(int) providertest.Values {
		return func(round int) providertest.Values {
			v := providertest.Values{"domain": host(round), "app_name": "Acme Sign", "owner": owner(), "deletion_policy": policy}
			maps.Copy(v, more)
			return v
		}
	}
	otherHost := func(policy string) func(int) providertest.Values {
		return func(round int) providertest.Values {
			v := label(policy, nil)(round)
			v["domain"] = "sign.never.example"
			return v
		}
	}
	otherName := func(policy string) func(int) providertest.Values {
		return label(policy, providertest.Values{"app_name": "Another name"})
	}
	labelID := func(w *providertest.Walker) string { return w.Attribute("id") }
	items := func(kind, summary string) func(*providertest.LabelEnv, string) providertest.Walks {
		code := func(round int) string { return fmt.Sprintf("GOLD%d", round) }
		item := func(name string, active any) func(int) providertest.Values {
			return func(round int) providertest.Values {
				return providertest.Values{"code": code(round), "name": name, "currency": "EUR", "active": active}
			}
		}
		return func(*providertest.LabelEnv, string) providertest.Walks {
			return providertest.Walks{
				Typ: "reseller_" + kind, Config: item("Gold", nil), Update: item("Gold plus", false),
				Other: func(int) providertest.Values {
					return providertest.Values{"code": "NEVER", "name": "Never", "currency": "EUR"}
				},
				Importe: func(w *providertest.Walker) string { return w.Attribute("code") },
				Created: []string{summary}, Updated: []string{"Deactivated code stays reserved"}, Destroyed: []string{providertest.SumDeactivating},
				Again: providertest.SumItemExists,
			}
		}
	}
	person := func(l *providertest.LabelEnv, email, first string) providertest.Values {
		return providertest.Values{"private_label_id": l.Label, "email": email, "first_name": first, "last_name": "Byte"}
	}
	adding, removing := providertest.SumMemberAdded, providertest.SumMemberRemoved
	return map[string]func(l *providertest.LabelEnv, dir string) providertest.Walks{
		"private label, DEPROVISION": func(*providertest.LabelEnv, string) providertest.Walks {
			return providertest.Walks{
				Typ: "reseller_private_label", Config: label("DEPROVISION", nil), Other: otherHost("DEPROVISION"), Importe: nil,
				Created: []string{provisioning}, Destroyed: []string{"Deprovisioning %s is permanent"}, Again: providertest.SumHostRetired,
			}
		},
		"private label, ABANDON": func(*providertest.LabelEnv, string) providertest.Walks {
			return providertest.Walks{
				Typ: "reseller_private_label", Config: label("ABANDON", nil), Other: otherName("ABANDON"), Importe: labelID,
				Update:  label("ABANDON", providertest.Values{"suspended": true}),
				Created: []string{provisioning}, Updated: []string{"Suspending a private label signs out its members"},
				Destroyed: []string{"Private label will only be removed from state"}, Again: providertest.SumLabelExists,
			}
		},
		"package": items("package", providertest.SumPackageCode),
		"add-on":  items("addon", providertest.SumAddonCode),
		"member": func(l *providertest.LabelEnv, _ string) providertest.Walks {
			return providertest.Walks{
				Typ: "reseller_member", Config: func(int) providertest.Values { return person(l, providertest.BobEmail, "Bob") }, Other: func(int) providertest.Values { return person(l, providertest.BobEmail, "Robert") },
				Update:  func(int) providertest.Values { return person(l, "bobby@acme.example", "Bob") },
				Importe: func(w *providertest.Walker) string { return l.Label + "/" + w.Attribute("email") },
				Created: []string{adding}, Updated: []string{removing, adding}, Destroyed: []string{removing},
			}
		},
		"set of members": func(l *providertest.LabelEnv, _ string) providertest.Walks {
			labels := map[int]string{}
			values := func(emails ...string) func(int) providertest.Values {
				return func(round int) providertest.Values {
					if labels[round] == "" {
						id, err := l.Sim.AddConsoleLabel(host(round), "ada@acme.example")
						require.NoError(l.T, err)
						labels[round] = id
					}
					people := providertest.Values{}
					for _, email := range emails {
						people[email] = providertest.Values{"first_name": "Bob", "last_name": "Byte"}
					}
					return providertest.Values{"private_label_id": labels[round], "members": people}
				}
			}
			return providertest.Walks{
				Typ: "reseller_members", Config: values(providertest.BobEmail), Other: values(providertest.EveEmail), Update: values(providertest.EveEmail),
				Importe: func(w *providertest.Walker) string { return w.Attribute("id") },
				Created: []string{adding}, Updated: []string{removing, adding}, Destroyed: []string{"Members stay and are no longer managed"},
			}
		},
		"assignment": func(l *providertest.LabelEnv, _ string) providertest.Walks {
			gold, err := l.Sim.AddPackage("GOLD", map[string]float64{"documents": 1}, true)
			require.NoError(l.T, err)
			_, err = l.Sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true)
			require.NoError(l.T, err)
			with := func(seats int) func(int) providertest.Values {
				return func(int) providertest.Values {
					return providertest.Values{"private_label_id": l.Label, "package_id": gold, "addons": providertest.Values{"SEATS": seats}}
				}
			}
			return providertest.Walks{
				Typ: "reseller_assignment", Config: with(2), Other: with(3), Update: with(5), Importe: func(*providertest.Walker) string { return l.Label },
				Created: []string{providertest.SumBilled}, Updated: []string{providertest.SumAddons}, Destroyed: []string{providertest.SumRemoved},
			}
		},
		"branding": func(*providertest.LabelEnv, string) providertest.Walks {
			values := func(color string) func(int) providertest.Values {
				return func(int) providertest.Values {
					return providertest.Values{"domain": providertest.AcmeHost, "color_primary": color}
				}
			}
			return providertest.Walks{
				Typ: "reseller_branding", Config: values("#0a0"), Other: values("#0b0"), Update: values("#0c0"), Importe: func(*providertest.Walker) string { return providertest.AcmeHost },
				Created: []string{"Replaced colors and logos are not kept"}, Updated: []string{"Replaced colors and logos are not kept"},
				Destroyed: []string{"Branding is only removed from state"},
			}
		},
		"domain verification": func(l *providertest.LabelEnv, _ string) providertest.Walks {
			return providertest.Walks{
				Typ: "reseller_domain_verification", Config: func(int) providertest.Values {
					return providertest.Values{"private_label_id": l.Label, "timeouts": providertest.Values{"create": "0s"}} // no wait to announce
				},
				Importe:   func(*providertest.Walker) string { return providertest.AcmeHost },
				Destroyed: []string{"Domain verification is only removed from state"},
			}
		},
		"document": func(_ *providertest.LabelEnv, dir string) providertest.Walks {
			values := func(title string) func(int) providertest.Values {
				return func(int) providertest.Values {
					return providertest.Values{
						"domain": providertest.AcmeHost, "owner_email": "ada@acme.example", "title": title, "file_path": filepath.Join(dir, "terms.pdf"),
						"signers": []any{providertest.Values{"email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte", "annotations": []any{}}},
					}
				}
			}
			return providertest.Walks{
				Typ: "reseller_document", Config: values("Terms"), Other: values("Other terms"),
				Created: []string{"Document upload cannot be undone"}, Destroyed: []string{providertest.SumSigningLeft},
			}
		},
		"minted document": func(_ *providertest.LabelEnv, dir string) providertest.Walks {
			values := func(name string) func(int) providertest.Values {
				return func(int) providertest.Values {
					return providertest.Values{"file_path": filepath.Join(dir, "terms.pdf"), "unit_name": "TERMS", "asset_name": name, "nft_standard": "ARC3", "store_on_ipfs": false}
				}
			}
			return providertest.Walks{
				Typ: "reseller_minted_document", Config: values("Terms"), Other: values("Other terms"),
				Created: []string{"Minting is public and permanent"}, Destroyed: []string{providertest.SumSigningLeft},
			}
		},
	}
}
