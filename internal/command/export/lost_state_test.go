package export_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// With imports.tf the next plan imports everything; without it, one error for each
// private label says that it is live, nothing is written, and one export brings imports.tf back.
func TestExport_LostState(t *testing.T) {
	t.Parallel()
	w := env(t)
	require.NoError(t, w.Sim.Seed(3))
	c, files, _ := exported(w)
	c.Apply().WantOK(t, "imported, 0 added, 0 changed, 0 destroyed.")
	c.WantEmptyPlan()
	lose := func() {
		t.Helper()
		c.Remove("terraform.tfstate")
	}
	lose()
	c.Run("plan", "-no-color", "-input=false").WantOK(t, " to import, 0 to add, 0 to change, 0 to destroy.")

	c.Remove("imports.tf")
	w.Sim.ResetJournal()
	r := c.PlanText()
	all, live, codes := strings.Count(r.Out, "Error: "), strings.Count(r.Out, "Error: Private label already exists"), strings.Count(r.Out, "Error: Catalog item already exists")
	t.Logf("a lost state of %d private labels: %d errors, %d of them of private labels, %d of the catalog", len(w.Sim.Labels()), all, live, codes)
	if r.Code != 1 || live != len(w.Sim.Labels()) || codes == 0 || all != live+codes || strings.Contains(r.Out, "Missing ") {
		t.Errorf("%d errors, %d, %d: %s", all, live, codes, r.Out)
	}
	w.WantReads()

	again, restored, _ := exported(w)
	c.File("imports.tf", restored["imports.tf"])
	assert.Equal(t, files["imports.tf"], restored["imports.tf"], "an export in %s imports something else", again.Dir)
	c.Apply().WantOK(t, "imported, 0 added, 0 changed, 0 destroyed.")
	c.WantEmptyPlan()
}

// The section "Restore a lost state" of the guide "Import an existing reseller", to the letter, for both styles after a year:
// an export with the flags of the first one has all import blocks, and the review of the plan has nothing that reaches a portal or a person.
func TestExport_LostStateLater(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "for_each in import blocks")
	_, section, _ := strings.Cut(read(t, "../../../templates/guides/import-reseller.md.tmpl"), "\n## Restore a lost state\n")
	kinds := regexp.MustCompile(`-fail-on (\S+)`).FindStringSubmatch(section)
	require.Len(t, kinds, 2, "the guide has no review")
	styles := map[string][]string{
		"files": nil, "set": {"-members", "set"}, "clients": {"-style", "clients"}, "clients set": {"-style", "clients", "-members", "set"}, "blocks": {"-style", "clients", "-blocks"},
	}
	for name, flags := range matrix.Rows(matrix.Of(t), styles, 2, t.Name()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := seeded(t)
			const labels = "sign.client-0001.example,sign.client-0002.example,sign.client-0003.example"
			c, _ := exportIn(w, append(slices.Clone(flags), "-label", labels)...)
			c.Ok("get", "-no-color")
			c.Apply().WantOK(t)
			c.Remove("imports.tf")
			grow(t, c, slices.Contains(flags, "set"))
			c.Apply().WantOK(t)
			c.WantEmptyPlan()

			c.Remove("terraform.tfstate")
			w.Sim.ResetJournal()
			again, _ := exportIn(w, append(slices.Clone(flags), "-label", labels+",sign.new.example")...)
			c.File("imports.tf", again.Read("imports.tf"))
			r := c.Run("plan", "-no-color", "-input=false", "-out=restore.plan")
			r.WantOK(t, "0 to destroy")
			t.Log(regexp.MustCompile(`Plan: [^.]*[.]`).FindString(r.Out))
			var stdout, stderr bytes.Buffer
			status := review.Main(t.Context(), []string{"-fail-on", kinds[1]}, provider.Reviewers(), time.Time{}, strings.NewReader(c.Raw("show", "-json", "restore.plan")), &stdout, &stderr)
			assert.Equal(t, 0, status, "%s\n%s", stdout.String(), stderr.String())
			c.Apply("restore.plan").WantOK(t, "0 destroyed")
			c.Remove("imports.tf")
			c.WantEmptyPlan()
			w.WantReads()
		})
	}
}

// grow changes a configuration as a year does: an app name, another policy, and a new client.
func grow(t *testing.T, c *providertest.CLI, asSet bool) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(c.Dir, "clients")); err != nil {
		const file = "sign.client-0001.example.tf"
		c.File(file, strings.Replace(c.Read(file), "domain ", "app_name = \"One\"\n deletion_policy = \"SUSPEND\"\n domain ", 1))
		c.File("sign.new.example.tf", `
resource "reseller_private_label" "sign_new_example" {
  domain   = "sign.new.example"
  app_name = "New"
  owner    = { email = "a@new.example", first_name = "A", last_name = "B" }
}

resource "reseller_assignment" "sign_new_example" {
  private_label_id = reseller_private_label.sign_new_example.id
  package_id       = reseller_package.plan_02.id
}
`)
		if asSet {
			c.File("members.tf", "resource \"reseller_members\" \"sign_new_example\" {\n  private_label_id = reseller_private_label.sign_new_example.id\n  members = {}\n}\n")
		}
		return
	}
	const file = "clients/sign.client-0001.example.yaml"
	c.File(file, c.Read(file)+"app_name: One\nleaving: suspend\n")
	client := "host: sign.new.example\n" + newClient + "package: PLAN-02\n"
	if asSet {
		client += "members_as: set\nmembers: {}\n"
	}
	c.File("clients/sign.new.example.yaml", client)
	if _, err := os.Stat(filepath.Join(c.Dir, "clients.tf")); err == nil {
		// The block of the error, whose name is that of the import blocks of a later export.
		name := regexp.MustCompile(`module "(\w+)" \{`).FindStringSubmatch(c.PlanText("-refresh=false").Out)
		require.Len(t, name, 2, "no block in the error")
		c.File("clients.tf", c.Read("clients.tf")+"\nmodule \""+name[1]+"\" {\n  source = \"./modules/portal\"\n  client = local.clients[\"clients/sign.new.example.yaml\"]\n}\n")
		c.Ok("get", "-no-color")
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
