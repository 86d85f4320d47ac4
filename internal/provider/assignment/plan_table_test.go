package assignment_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

type (
	values = providertest.Values
	env    = *providertest.AssignmentEnv
)

// assigned is GOLD on the private label with other values.
func assigned(others values) func(env) values {
	return func(w env) values { return values{"private_label_id": w.Label, "package_id": w.Gold}.With(others) }
}

// silver is SILVER on the private label with other values.
func silver(others values) func(env) values {
	return func(w env) values { return assigned(others)(w).With(values{"package_id": w.Silver}) }
}

func TestAssignment_Plans(t *testing.T) {
	t.Parallel()
	unknown := tftypes.UnknownValue
	newEnv := func(t *testing.T) env {
		t.Helper()
		return providertest.NewAssignmentEnv(t, simulator.Forms{})
	}
	seats := func(quantity float64) values { return values{"addons": values{"SEATS": quantity}} }
	change := values{"allow_package_change": true}
	consoled := func(w env) error {
		return w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, map[string]float64{w.Seats: 3})
	}
	plain := assigned(nil)
	coretest.PlanTable(t, "reseller_assignment", newEnv, []coretest.PlanCase[env]{
		{Name: "create", Config: plain},
		{Name: "create with add-ons", Config: assigned(seats(2))},
		{Name: "create with an add-on in other case", Config: assigned(values{"addons": values{"seats": 2.0}})},
		{Name: "create with bounded excess", Config: assigned(values{"allow_excess": values{"seats": 25.0}})},
		{Name: "create on a private label known after apply", Config: assigned(values{"private_label_id": unknown})},
		{Name: "create with a package known after apply", Config: assigned(values{"package_id": unknown})},
		{Name: "create with add-ons known after apply", Config: assigned(values{"addons": unknown})},
		{Name: "create of what is assigned", Config: plain, Act: consoled},
		{Name: "create of what is assigned without its add-ons", Config: assigned(values{"addons": values{}}), Act: consoled},
		{Name: "create of another package than is assigned", Config: silver(nil), Act: consoled},
		{Name: "add-on that the catalog lacks", Config: assigned(values{"addons": values{"NONE": 1.0}})},
		{Name: "bad values", Config: assigned(values{"addons": values{"SEATS": 1.5}, "allow_excess": values{"pages": 1.0}})},
		{Name: "add-on in two spellings", Config: assigned(values{"addons": values{"SEATS": 1.0, "seats": 2.0}})},
		{Name: "host name as private label ID", Config: assigned(values{"private_label_id": providertest.AcmeHost})},
		{Name: "no change", Before: assigned(seats(2)), Config: assigned(seats(2))},
		{Name: "other quantity", Before: assigned(seats(2)), Config: assigned(seats(5))},
		{Name: "detach", Before: assigned(seats(2)), Config: assigned(values{"addons": values{}})},
		{Name: "no longer manage add-ons", Before: assigned(seats(2)), Config: plain},
		{Name: "no longer manage add-ons, none attached", Before: assigned(values{"addons": values{}}), Config: plain},
		{Name: "other package without consent", Before: plain, Config: silver(nil)},
		{Name: "other package", Before: assigned(seats(2)), Config: silver(seats(2).With(change))},
		{Name: "package becomes unknown", Before: plain, Config: assigned(change.With(values{"package_id": unknown}))},
		{Name: "other private label", Before: plain, Config: assigned(values{"private_label_id": "0123456789abcdef0123456789abcdef"})},
		{Name: "add-on attached outside of Terraform", Before: assigned(values{"addons": values{}}), Config: assigned(values{"addons": values{}}), Act: func(w env) error {
			return w.Sim.AttachInConsole(providertest.AcmeHost, w.Seats, 3)
		}},
		{Name: "quantity changed outside of Terraform, code in other case", Before: assigned(values{"addons": values{"seats": 2.0}}), Config: assigned(values{"addons": values{"seats": 2.0}}), Act: consoled},
		{Name: "start to manage add-ons as they are", Before: plain, Config: assigned(seats(3)), Act: consoled},
		{Name: "start to manage other add-ons", Before: plain, Config: assigned(seats(2)), Act: consoled},
		{Name: "start to manage add-ons and attach one more", Before: plain, Config: assigned(values{"addons": values{"SEATS": 3.0, "DOCS": 1.0}}), Act: func(w env) error {
			w.WithDocs()
			return consoled(w)
		}},
		{Name: "other package without its add-ons", Before: plain, Config: silver(change), Act: consoled},
		{Name: "package becomes unknown, with unmanaged add-ons", Before: plain, Config: assigned(change.With(values{"package_id": unknown})), Act: consoled},
		{Name: "less protection", Before: assigned(values{"deletion_policy": "PREVENT"}), Config: plain},
		{Name: "unknown deletion policy", Before: assigned(values{"deletion_policy": "PREVENT"}), Config: assigned(values{"deletion_policy": unknown})},
		{Name: "bad deletion policy", Config: assigned(values{"deletion_policy": "DEACTIVATE"})},
		{Name: "destroy", Before: assigned(seats(2))},
		{Name: "destroy with unmanaged add-ons", Before: plain, Act: consoled},
		{Name: "destroy under ABANDON", Before: assigned(values{"deletion_policy": "ABANDON"})},
		{Name: "destroy under PREVENT", Before: assigned(values{"deletion_policy": "PREVENT"})},
		{Name: "destroy under PREVENT of what is gone", Before: assigned(values{"deletion_policy": "PREVENT"}), Act: func(w env) error {
			return w.Sim.RemovePackageInConsole(providertest.AcmeHost)
		}},
	})
}
