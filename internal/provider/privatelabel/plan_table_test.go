package privatelabel_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

type (
	values = providertest.Values
	env    = *providertest.TestEnv
)

var acme = values{
	"domain": providertest.AcmeHost, "app_name": "Acme Sign",
	"owner": values{"email": "ada@acme.example", "first_name": "Ada", "last_name": "Lovelace"},
}

// given is the private label with other values.
func given(others values) func(env) values { return coretest.Given[env](acme.With(others)) }

func policy(name string) func(env) values { return given(values{"deletion_policy": name}) }

func TestPrivateLabel_Plans(t *testing.T) {
	t.Parallel()
	unknown := tftypes.UnknownValue
	plain := given(nil)
	consoleLabel := func(w env) error {
		_, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "eve@acme.example")
		return err
	}
	bySuspension := func(w env) error { return w.Sim.SuspendByPlatform(providertest.AcmeHost, "abuse") }
	coretest.PlanTable(t, "reseller_private_label", providertest.NewTestEnv, []coretest.PlanCase[env]{
		{Name: "create", Config: plain},
		{Name: "create suspended", Config: given(values{"suspended": true, "suspend_reason": "unpaid"})},
		{Name: "create with a host name known after apply", Config: given(values{"domain": unknown})},
		{Name: "create with an owner known after apply", Config: given(values{"owner": unknown})},
		{Name: "create without owner", Config: given(values{"owner": nil})},
		{Name: "create without app_name", Config: given(values{"app_name": nil})},
		{Name: "create of a host name that exists", Config: plain, Act: consoleLabel},
		{Name: "bad values", Config: given(values{"domain": "https://sign.acme.example/", "color_primary": "green", "support_url": "acme.example/help"})},
		{Name: "social link in place of a documented field", Config: given(values{"social_links": values{"appName": "https://acme.example"}})},
		{Name: "reason without suspension", Config: given(values{"suspend_reason": "unpaid"})},
		{Name: "unknown deletion policy", Config: policy("KEEP")},
		{Name: "no change", Before: plain, Config: plain},
		{Name: "host name in other case", Before: plain, Config: given(values{"domain": "SIGN.acme.example"})},
		{Name: "other host name", Before: plain, Config: given(values{"domain": "other.acme.example"})},
		{Name: "other owner", Before: plain, Config: given(values{"owner": values{"email": "eve@acme.example", "first_name": "Eve", "last_name": "Exe"}})},
		{Name: "other owner, changed in the console", Before: plain, Config: given(values{"owner": values{"email": "eve@acme.example", "first_name": "Eve", "last_name": "Exe"}}), Act: func(w env) error {
			return w.Sim.ChangeEmailInConsole(providertest.AcmeHost, "ada@acme.example", "eve@acme.example")
		}},
		{Name: "other name of the owner", Before: plain, Config: given(values{"owner": values{"email": "Ada@acme.example", "first_name": "Ada", "last_name": "Byron"}})},
		{Name: "owner known after apply", Before: plain, Config: given(values{"owner": values{"email": unknown, "first_name": "Ada", "last_name": "Lovelace"}})},
		{Name: "empty social links", Before: plain, Config: given(values{"social_links": values{}})},
		{Name: "other app_name", Before: plain, Config: given(values{"app_name": "Other"})},
		{Name: "other color", Before: given(values{"color_primary": "#0a0"}), Config: given(values{"color_primary": "#00b"})},
		{Name: "removed color", Before: given(values{"color_primary": "#0a0"}), Config: plain},
		{Name: "color that was not provisioned", Before: plain, Config: given(values{"color_primary": "#0a0"})},
		{Name: "suspend", Before: plain, Config: given(values{"suspended": true})},
		{Name: "suspended known after apply", Before: plain, Config: given(values{"suspended": unknown})},
		{Name: "lift a suspension", Before: given(values{"suspended": true}), Config: given(values{"suspended": false})},
		{Name: "no longer manage a suspension", Before: given(values{"suspended": true}), Config: plain},
		{Name: "other reason while suspended", Before: given(values{"suspended": true, "suspend_reason": "unpaid"}), Config: given(values{"suspended": true, "suspend_reason": "closed"})},
		{Name: "suspended by the platform", Before: given(values{"suspended": false}), Act: bySuspension, Config: given(values{"suspended": false})},
		{Name: "lower the protection", Before: plain, Config: policy("DEPROVISION")},
		{Name: "raise the protection", Before: policy("DEPROVISION"), Config: plain},
		{Name: "deletion policy known after apply", Before: plain, Config: given(values{"deletion_policy": unknown})},
		{Name: "destroy", Before: plain},
		{Name: "destroy with SUSPEND", Before: policy("SUSPEND")},
		{Name: "destroy with SUSPEND while suspended", Before: given(values{"deletion_policy": "SUSPEND", "suspended": true})},
		{Name: "destroy with ABANDON", Before: policy("ABANDON")},
		{Name: "destroy with DEPROVISION", Before: policy("DEPROVISION")},
		{Name: "deprovisioned outside of Terraform", Before: plain, Config: plain, Act: func(w env) error {
			return w.Sim.DeprovisionInConsole(providertest.AcmeHost)
		}},
	})
}

func TestDomainVerification_Plans(t *testing.T) {
	t.Parallel()
	type label = *providertest.LabelEnv
	verified := func(w label) values { return values{"private_label_id": w.Label} }
	coretest.PlanTable(t, "reseller_domain_verification", providertest.NewLabelEnv, []coretest.PlanCase[label]{
		{Name: "create", Config: verified},
		{Name: "create on a private label known after apply", Config: coretest.Given[label](values{"private_label_id": tftypes.UnknownValue})},
		{Name: "no change", Before: verified, Config: verified},
		{Name: "private label becomes unknown", Before: verified, Config: coretest.Given[label](values{"private_label_id": tftypes.UnknownValue})},
		{Name: "destroy", Before: verified},
	})
}
