package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const (
	listRoute    = "/reseller/private-labels"
	membersRoute = "/members"
	peopleRoute  = "/console/users/search"
)

// setIn sets a field of every object of a list.
func setIn(data map[string]any, list, field string, value any) {
	rows, _ := data[list].([]any)
	for _, row := range rows {
		if fields, ok := row.(map[string]any); ok {
			fields[field] = value
		}
	}
}

// Members are read as the API returns them: configuration rules do not apply to the API. An empty address is null.
func TestReading_Emails(t *testing.T) {
	t.Parallel()
	for _, email := range []string{"ada@bücher.example", `"ada lovelace"@acme.example`, "root@localhost", "ada@acme_2.example", "not an address", ""} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			w, s := providertest.NewSecond(t)
			id, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
			require.NoError(t, err)
			_, err = w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
			require.NoError(t, err)
			s.Edits(http.MethodGet, membersRoute, func(data map[string]any) { setIn(data, "members", "email", email) })
			s.Edits(http.MethodPost, peopleRoute, func(data map[string]any) { setIn(data, "users", "email", email) })
			s.Edits(http.MethodGet, listRoute, func(data map[string]any) { setIn(data, "privateLabels", "adminEmail", email) })
			s.Edits(http.MethodGet, listRoute+"/"+id, func(data map[string]any) {
				if owner, ok := data["owner"].(map[string]any); ok {
					owner["email"] = email
				}
			})
			c := coretest.New(t, w)
			c.Config(w.Config(fmt.Sprintf(`
data "reseller_members" "m" { private_label_id = %[1]q }
data "reseller_people" "p" {}
data "reseller_private_label" "l" { id = %[1]q }
data "reseller_private_labels" "all" {}
output "all" {
  value = "${length(data.reseller_members.m.members)} members, ${length(data.reseller_people.p.people)} people, first%%{ for e in [data.reseller_members.m.members[0].email, data.reseller_people.p.people[0].email, data.reseller_private_label.l.owner.email, data.reseller_private_labels.all.private_labels[0].admin_email] } <${e == null ? "" : e}>%%{ endfor }"
}
`, id)))
			shown := "<" + strings.ReplaceAll(email, `"`, `\"`) + ">"
			c.Apply().WantOK(t, "2 members, 2 people, first "+strings.Join([]string{shown, shown, shown, shown}, " "))
		})
	}
}

// A member whose email address the configuration rules once rejected is imported, read and planned like any other.
func TestReading_MemberEmails(t *testing.T) {
	t.Parallel()
	for name, email := range map[string]string{"international domain": "ada@bücher.example", "quoted local part": `"ada lovelace"@acme.example`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := providertest.NewSecond(t)
			if _, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "owner@acme.example"); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte"); err != nil {
				t.Fatal(err)
			}
			s.Edits(http.MethodGet, membersRoute, func(data map[string]any) {
				rows, _ := data["members"].([]any)
				if fields, ok := rows[len(rows)-1].(map[string]any); ok {
					fields["email"] = email
				}
			})
			label := w.LabelID(providertest.AcmeHost)
			c := coretest.New(t, w)
			c.Config(w.Config(fmt.Sprintf("resource \"reseller_member\" \"bob\" {\n  private_label_id = %q\n  email = %q\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n}\n", label, email) +
				fmt.Sprintf("import {\n  to = reseller_member.bob\n  id = %q\n}\n", providertest.AcmeHost+"/"+email)))
			c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
			c.WantEmptyPlan()
		})
	}
}

// Times outside of four-digit years are omitted, and cause no error.
func TestReading_Times(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		millis any
		want   string
	}{
		"in exponents":   {1.7e12, "2023-11-14T22:13:20Z"},
		"past year 9999": {9e15, "null"},
		"before year 0":  {-9e15, "null"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := providertest.NewSecond(t)
			require.NoError(t, w.Sim.Seed(1))
			s.Edits(http.MethodGet, membersRoute, func(data map[string]any) { setIn(data, "members", "createdAt", tc.millis) })
			coretest.Applied(t, w, w.Config(fmt.Sprintf("data \"reseller_members\" \"m\" { private_label_id = %q }\noutput \"at\" {\n  value = coalesce(data.reseller_members.m.members[0].created_at, \"null\")\n}\n", w.Sim.Labels()[0].ID)), fmt.Sprintf("at = %q", tc.want))
		})
	}
}

// Host names, statuses, roles and currencies are shown as the API returns them.
func TestReading_AnyWords(t *testing.T) {
	t.Parallel()
	w, s := providertest.NewSecond(t)
	require.NoError(t, w.Sim.Seed(1))
	l := w.Sim.Labels()[0]
	const host = "sign_1.bücher.example"
	s.Edits(http.MethodGet, listRoute, func(data map[string]any) {
		setIn(data, "privateLabels", "primaryHost", host)
		setIn(data, "privateLabels", "status", "Frozen")
	})
	s.Edits(http.MethodGet, listRoute+"/"+l.ID, func(data map[string]any) { data["primaryHost"], data["status"] = host, "Frozen" })
	s.Edits(http.MethodGet, membersRoute, func(data map[string]any) {
		setIn(data, "members", "role", "auditor")
		setIn(data, "members", "status", "")
	})
	s.Rows("packages", func(row map[string]any) { row["currency"] = "euro cents" })
	c := coretest.New(t, w)
	c.Config(w.Config(fmt.Sprintf(`
data "reseller_private_label" "l" { id = %[1]q }
data "reseller_private_labels" "all" {}
data "reseller_members" "m" { private_label_id = %[1]q }
data "reseller_packages" "all" {}
data "reseller_package" "one" { id = data.reseller_packages.all.packages[0].id }
output "words" {
  value = join("|", [data.reseller_private_label.l.domain, data.reseller_private_label.l.status, data.reseller_private_labels.all.private_labels[0].domain,
    data.reseller_members.m.members[0].role, data.reseller_packages.all.packages[0].currency, data.reseller_package.one.currency])
}
`, l.ID)))
	c.Apply().WantOK(t, host+"|Frozen|"+host+"|auditor|euro cents|euro cents")
}
