package member_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// team returns a set of users who all have the same names.
func team(emails ...string) func(label) values {
	return func(w label) values {
		people := values{}
		for _, email := range emails {
			people[email] = values{"first_name": "Bob", "last_name": "Byte"}
		}
		return values{"private_label_id": w.Label, "members": people}
	}
}

func teamWith(others values) func(label) values {
	return func(w label) values { return team(bobMail)(w).With(others) }
}

func TestMembers_Plans(t *testing.T) {
	t.Parallel()
	unknown := tftypes.UnknownValue
	join := func(emails ...string) func(label) error {
		return func(w label) error {
			w.Join(emails...)
			return nil
		}
	}
	moved := func(w label) values {
		id, err := w.Sim.AddConsoleLabel("sign.other.example", "otto@other.example")
		require.NoError(w.T, err)
		return team(bobMail)(w).With(values{"private_label_id": id})
	}
	people := func(names values) values { return values{"members": values{bobMail: names}} }
	coretest.PlanTable(t, "reseller_members", providertest.NewLabelEnv, []coretest.PlanCase[label]{
		{Name: "create of nobody", Config: team()},
		{Name: "create", Config: team(bobMail, eveMail)},
		{Name: "create with names known after apply", Config: teamWith(people(values{"first_name": unknown, "last_name": unknown}))},
		{Name: "create with members known after apply", Config: teamWith(values{"members": unknown})},
		{Name: "create on a private label known after apply", Config: teamWith(values{"private_label_id": unknown})},
		{Name: "create with an existing member", Config: team(bobMail, eveMail), Act: join(eveMail)},
		{Name: "create with existing members alone", Config: team(bobMail, eveMail), Act: join(bobMail, eveMail)},
		{Name: "create with the owner", Config: team("ADA@acme.example", bobMail)},
		{Name: "create that lacks members", Config: team(bobMail), Act: join(carolMail, eveMail)},
		{Name: "bad email address", Config: team("Bob <bob@acme.example>")},
		{Name: "email address in two spellings", Config: team(bobMail, "BOB@acme.example")},
		{Name: "bad private label ID", Config: teamWith(values{"private_label_id": providertest.AcmeHost})},
		{Name: "blank name", Config: teamWith(people(values{"first_name": " ", "last_name": "Byte"}))},
		{Name: "no names", Config: teamWith(people(nil))},
		{Name: "no change", Before: team(bobMail, eveMail), Config: team(bobMail, eveMail)},
		{Name: "email address in other case", Before: team(bobMail), Config: team("BOB@acme.example")},
		{Name: "other name", Before: team(bobMail), Config: teamWith(people(values{"first_name": "Rob", "last_name": "Byte"}))},
		{Name: "one more", Before: team(bobMail), Config: team(bobMail, eveMail)},
		{Name: "one less", Before: team(bobMail, eveMail), Config: team(eveMail)},
		{Name: "exchange", Before: team(bobMail), Config: team(eveMail)},
		{Name: "members become unknown", Before: team(bobMail), Config: teamWith(values{"members": unknown})},
		{Name: "joined outside of Terraform", Before: team(bobMail), Config: team(bobMail), Act: join(carolMail)},
		{Name: "joined outside of Terraform and configured", Before: team(bobMail), Config: team(bobMail, carolMail), Act: join(carolMail)},
		{Name: "removed outside of Terraform", Before: team(bobMail, eveMail), Config: team(bobMail, eveMail), Act: func(w label) error {
			return w.Sim.RemovePersonInConsole(providertest.AcmeHost, bobMail)
		}},
		{Name: "made admin outside of Terraform", Before: team(bobMail), Config: team(bobMail), Act: admin},
		{Name: "without an admin", Before: team(bobMail), Config: team(), Act: admin},
		{Name: "other private label", Before: team(bobMail), Config: moved},
		{Name: "private label becomes unknown", Before: team(bobMail), Config: teamWith(values{"private_label_id": unknown})},
		{Name: "destroy", Before: team(bobMail, eveMail)},
	})
}
