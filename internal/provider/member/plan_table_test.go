package member_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

type (
	values = providertest.Values
	label  = *providertest.LabelEnv
)

func bob(w label) values {
	return values{"private_label_id": w.Label, "email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte"}
}

func bobWith(others values) func(label) values {
	return func(w label) values { return bob(w).With(others) }
}

func admin(w label) error { return w.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail) }

func TestMember_Plans(t *testing.T) {
	t.Parallel()
	unknown := tftypes.UnknownValue
	abandon, prevent := values{"deletion_policy": "ABANDON"}, values{"deletion_policy": "PREVENT"}
	coretest.PlanTable(t, "reseller_member", providertest.NewLabelEnv, []coretest.PlanCase[label]{
		{Name: "create", Config: bob},
		{Name: "create with an email address known after apply", Config: bobWith(values{"email": unknown})},
		{Name: "create on a private label known after apply", Config: bobWith(values{"private_label_id": unknown})},
		{Name: "create of an existing member", Config: bob, Act: func(w label) error {
			_, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
			return err
		}},
		{Name: "create of the owner", Config: bobWith(values{"email": "ADA@acme.example"})},
		{Name: "bad email address", Config: bobWith(values{"email": "Bob <bob@acme.example>"})},
		{Name: "bad private label ID", Config: bobWith(values{"private_label_id": providertest.AcmeHost})},
		{Name: "blank name", Config: bobWith(values{"first_name": " "})},
		{Name: "no change", Before: bob, Config: bob},
		{Name: "email address in other case", Before: bob, Config: bobWith(values{"email": "BOB@acme.example"})},
		{Name: "other name", Before: bob, Config: bobWith(values{"first_name": "Rob"})},
		{Name: "other email address", Before: bob, Config: bobWith(values{"email": "rob@acme.example"})},
		{Name: "email address becomes unknown", Before: bob, Config: bobWith(values{"email": unknown})},
		{Name: "private label becomes unknown", Before: bob, Config: bobWith(values{"private_label_id": unknown})},
		{Name: "other email address of an abandoned member", Before: bobWith(abandon), Config: bobWith(abandon.With(values{"email": "rob@acme.example"}))},
		{Name: "lower the protection", Before: bobWith(prevent), Config: bobWith(abandon)},
		{Name: "lower it by a removal", Before: bobWith(abandon), Config: bob},
		{Name: "raise the protection", Before: bob, Config: bobWith(prevent)},
		{Name: "deletion policy known after apply", Before: bobWith(prevent), Config: bobWith(values{"deletion_policy": unknown})},
		{Name: "unknown deletion policy", Config: bobWith(values{"deletion_policy": "DELETE"})},
		{Name: "destroy under ABANDON", Before: bobWith(abandon)},
		{Name: "destroy under PREVENT", Before: bobWith(prevent)},
		{Name: "destroy", Before: bob},
		{Name: "destroy of an admin", Before: bob, Act: admin},
		{Name: "other email address of an admin", Before: bob, Act: admin, Config: bobWith(values{"email": "rob@acme.example"})},
		{Name: "removed outside of Terraform", Before: bob, Config: bob, Act: func(w label) error {
			return w.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail)
		}},
	})
}
