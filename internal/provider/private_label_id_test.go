package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A host name instead of an ID is an error at plan time, at the attribute, that says where to find the ID.
func TestPrivateLabelID_HostName(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	const label = "reseller_private_label.acme"
	for name, block := range map[string]string{
		"member":       "resource \"reseller_member\" \"x\" {\n  private_label_id = VALUE\n  email = \"bob@acme.example\"\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n}\n",
		"assignment":   "resource \"reseller_assignment\" \"x\" {\n  private_label_id = VALUE\n  package_id = \"0123456789abcdef0123456789abcdef\"\n}\n",
		"verification": "resource \"reseller_domain_verification\" \"x\" {\n  private_label_id = VALUE\n}\n",
		"data source":  "data \"reseller_members\" \"x\" {\n  private_label_id = \"sign.acme.example\" # Terraform validates a deferred data source at apply\n}\n",
	} {
		c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, "") + strings.Replace(block, "VALUE", label+".domain", 1))
		r := c.Plan()
		r.WantError(t, diagnostic.SummaryInvalidValue, `Invalid value for private_label_id: "sign.acme.example". Set the ID of a private label, 32 lowercase hex characters; sign.acme.example is a host name`,
			"reseller_private_label.example.id", `data "reseller_private_label" "example" { domain = "sign.acme.example" }`, "private_label_id = ")
		require.False(t, t.Failed(), name)
	}
	c.Config(providertest.InSimulator + "resource \"reseller_domain_verification\" \"x\" {\n  private_label_id = \"acme\"\n}\n")
	r := c.Plan()
	r.WantError(t, diagnostic.SummaryInvalidValue, `Invalid value for private_label_id: "acme". Set the ID of a private label`)
	assert.NotContains(t, r.Out, "is a host name", "acme is no host name")
}

// A code instead of an ID says where to find the ID of a package.
func TestPackageID_Code(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	c.Config(providertest.InSimulator + "resource \"reseller_assignment\" \"x\" {\n  private_label_id = \"0123456789abcdef0123456789abcdef\"\n  package_id = \"PLAN-01\"\n}\n")
	r := c.Plan()
	r.WantError(t, diagnostic.SummaryInvalidValue, `Invalid value for package_id: "PLAN-01". Set the ID of a package, 32 lowercase hex characters. A code is not an ID.`,
		"reseller_package.example.id", `data "reseller_package" "example" { code = "PLAN-01" }`)
}
