package privatelabel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The plan of a removed block looks at the live object, also where the state is older.
func TestPrivateLabel_SuspensionLiftedSince(t *testing.T) {
	t.Parallel()
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		t.Run(refresh, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "suspended = true\n  deletion_policy = \"SUSPEND\"")))
			require.NoError(t, w.Sim.UnsuspendInConsole(providertest.AcmeHost))
			c.Config(w.Config(""))
			c.Planned(refresh).WantWarning(t, privatelabel.TopicSuspendOnly.Summary, providertest.AcmeHost)
			c.Apply(refresh).WantOK(t, "1 destroyed")
			assert.Equal(t, "Suspended", w.Sim.Labels()[0].Status)
		})
	}
}

// A saved plan of a destroy does no more than it announced.
func TestPrivateLabel_ChangedSinceThePlan(t *testing.T) {
	t.Parallel()
	const changed = object.SummaryChanged
	people := func(w *providertest.AssignmentEnv, n int) error {
		for i := range n {
			if _, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, fmt.Sprintf("person-%d@acme.example", i), "Some", "Body"); err != nil {
				return err
			}
		}
		return nil
	}
	for name, tc := range map[string]struct {
		policy, extra string
		before, since func(*providertest.AssignmentEnv) error
		want          string // in the error, "" for none
	}{
		"more members": {
			policy: "DEPROVISION",
			since:  func(w *providertest.AssignmentEnv) error { return people(w, 20) },
			want:   "deprovision " + providertest.AcmeHost + ", now with member person-0@acme.example, member person-10@acme.example, member person-11@acme.example and 17 more.",
		},
		"a member and a package": {
			policy: "DEPROVISION",
			since: func(w *providertest.AssignmentEnv) error {
				if err := people(w, 1); err != nil {
					return err
				}
				return w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil)
			},
			want: "now with member person-0@acme.example and package GOLD.",
		},
		"another member": {
			policy: "DEPROVISION",
			before: func(w *providertest.AssignmentEnv) error { return people(w, 2) },
			since: func(w *providertest.AssignmentEnv) error {
				if err := w.Sim.RemovePersonInConsole(providertest.AcmeHost, "person-1@acme.example"); err != nil {
					return err
				}
				_, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, "eve@acme.example", "Eve", "Other")
				return err
			},
			want: "now with member eve@acme.example.",
		},
		"a package": {
			policy: "DEPROVISION",
			since: func(w *providertest.AssignmentEnv) error {
				return w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil)
			},
			want: "now with package GOLD.",
		},
		"another package": {
			policy: "DEPROVISION",
			before: func(w *providertest.AssignmentEnv) error {
				return w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil)
			},
			since: func(w *providertest.AssignmentEnv) error {
				return w.Sim.AssignInConsole(providertest.AcmeHost, w.Silver, nil)
			},
			want: "now with package SILVER.",
		},
		"fewer of both": {
			policy: "DEPROVISION",
			before: func(w *providertest.AssignmentEnv) error {
				if err := people(w, 2); err != nil {
					return err
				}
				return w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil)
			},
			since: func(w *providertest.AssignmentEnv) error {
				if err := w.Sim.RemovePersonInConsole(providertest.AcmeHost, "person-1@acme.example"); err != nil {
					return err
				}
				return w.Sim.RemovePackageInConsole(providertest.AcmeHost)
			},
		},
		"lifted": {
			policy: "SUSPEND", extra: "suspended = true",
			since: func(w *providertest.AssignmentEnv) error { return w.Sim.UnsuspendInConsole(providertest.AcmeHost) },
			want:  "suspend " + providertest.AcmeHost,
		},
		"suspended": {
			policy: "SUSPEND",
			since: func(w *providertest.AssignmentEnv) error {
				return w.Sim.SuspendInConsole(providertest.AcmeHost, "theirs")
			},
		},
		"deprovisioned": {
			policy: "DEPROVISION",
			since:  func(w *providertest.AssignmentEnv) error { return w.Sim.DeprovisionInConsole(providertest.AcmeHost) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			must := func(f func(*providertest.AssignmentEnv) error) {
				t.Helper()
				if f == nil {
					return
				}
				require.NoError(t, f(w))
			}
			imported := fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", providertest.Acme, w.Label)
			c := coretest.Applied(t, w.TestEnv, w.Config(imported+fmt.Sprintf("resource \"reseller_private_label\" \"acme\" {\n  domain = %q\n  deletion_policy = %q\n  %s\n}\n", providertest.AcmeHost, tc.policy, tc.extra)))
			must(tc.before)
			c.Planned("-destroy")
			must(tc.since)
			w.Sim.ResetJournal()
			r := c.ApplySaved()
			if tc.want == "" {
				r.WantOK(t, "1 destroyed")
				return
			}
			r.WantError(t, changed, tc.want, "Nothing was changed")
			assert.Equal(t, 0, w.Calls(providertest.RouteDeprovision)+w.Calls(providertest.RouteSuspend))
			_, kept := c.State()[providertest.Acme]
			assert.True(t, kept, "the private label left the state")
			c.Destroy().WantOK(t, "1 destroyed") // another plan announces it
		})
	}
}

// A client leaves: the apply removes members and package first, so that fewer go with the private label than the plan
// announced.
func TestPrivateLabel_DeprovisionedWithMembers(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", providertest.Acme, w.Label) +
		fmt.Sprintf("resource \"reseller_private_label\" \"acme\" {\n  domain = %q\n  deletion_policy = \"DEPROVISION\"\n}\n", providertest.AcmeHost) + `
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = "` + w.Gold + `"
}
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
`))
	c.Apply().WantOK(t)
	c.Config(w.Config(""))
	c.Planned().WantWarning(t, "Deprovisioning "+providertest.AcmeHost+" is permanent", "2 members and package GOLD")
	c.Apply().WantOK(t, "3 destroyed")
	n := len(w.Sim.Labels())
	assert.Equal(t, 0, n, "private labels, state %v", c.State())
	assert.Empty(t, c.State(), "%d private labels, state", n)
}
