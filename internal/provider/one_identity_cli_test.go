package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Runs of a test file, in one process since Terraform 1.15: an error is right only within one run.
func TestOneIdentity_TestFiles(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "import blocks with for_each")
	const (
		bob    = "keys = { b = \"bob@acme.example\" }\n"
		eve    = "keys = { e = \"eve@acme.example\" }\nimports = { e = \"eve@acme.example\" }\n"
		noKeys = "keys = {}\n"
		plan   = "command = plan\n"
	)
	in := func(folder string) string { return "module {\n source = \"./" + folder + "\"\n}\n" }
	set := func(variables string) string { return "variables {\n" + variables + "}\n" }
	for name, tc := range map[string]struct {
		runs   []string
		fails  bool // where no run before has applied anything in the same process
		always bool // an import applies nothing
	}{
		"a plan that creates the same":       {runs: []string{set(bob), plan + in("other"), set(noKeys)}},
		"a plan that creates, then the end":  {runs: []string{set(bob), plan + in("other")}},
		"a plan that destroys":               {runs: []string{set(bob), plan + set(noKeys), in("other"), set(bob)}},
		"an import, then its destroy":        {runs: []string{set(eve), set(noKeys)}},
		"an import, then the end":            {runs: []string{set(eve)}},
		"a plan that imports":                {runs: []string{plan + set(eve), in("eve"), plan + set(eve), set(bob), set(noKeys)}},
		"a plan that imports, then the end":  {runs: []string{in("eve"), plan + set(eve)}},
		"an import that another one has":     {runs: []string{in("eve"), set(eve), set(noKeys)}},
		"import of one, destroy of another":  {runs: []string{set(bob), plan + set(eve), set(eve)}},
		"plans of all kinds":                 {runs: []string{plan + set(bob), set(bob), plan + set(noKeys), plan + in("other"), plan + set(bob), set(noKeys), set(bob)}},
		"another key":                        {runs: []string{set(bob), set("keys = { c = \"bob@acme.example\" }\n")}, fails: true},
		"another key that is imported":       {runs: []string{set(bob), plan + in("other"), set("keys = { c = \"bob@acme.example\" }\nimports = { c = \"bob@acme.example\" }\n")}, fails: true},
		"another key of what was imported":   {runs: []string{set(eve), set("keys = { f = \"eve@acme.example\" }\nimports = { f = \"eve@acme.example\" }\n")}, fails: true, always: true},
		"another key after a plan":           {runs: []string{set(bob), plan + set(noKeys), plan + in("other"), set("keys = { c = \"bob@acme.example\" }\n")}, fails: true},
		"another key that is only planned":   {runs: []string{set(bob), plan + set("keys = { c = \"bob@acme.example\" }\n")}, fails: true},
		"an import of what is being removed": {runs: []string{in("eve"), plan + set(eve), set(bob), in("eve")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			w.Join("eve@acme.example")
			c := w.Cli()
			settings, _, _ := strings.Cut(w.Config("\x00"), "\x00")
			rest := fmt.Sprintf("  private_label_id = %q\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n", w.Label)
			c.Config("variable \"keys\" {\n  default = {}\n}\nvariable \"imports\" {\n  default = {}\n}\n" +
				"resource \"reseller_member\" \"all\" {\n  for_each = var.keys\n  email = each.value\n" + rest + "}\n" +
				"import {\n  for_each = var.imports\n  to = reseller_member.all[each.key]\n  id = \"" + w.Label + "/${each.value}\"\n}\n")
			for folder, email := range map[string]string{"other": "bob@acme.example", "eve": "eve@acme.example"} {
				require.NoError(t, os.Mkdir(filepath.Join(c.Dir, folder), 0o700))
				c.File(folder+"/main.tf", "terraform {\n  required_providers {\n    reseller = { source = \"privatelabels/reseller\" }\n  }\n}\n"+
					fmt.Sprintf("resource \"reseller_member\" \"one\" {\n  email = %q\n", email)+rest+"}\n")
			}
			var file strings.Builder
			file.WriteString(settings)
			for i, run := range tc.runs {
				fmt.Fprintf(&file, "run \"r%d\" {\n%s}\n", i, run)
			}
			c.File("runs.tftest.hcl", file.String())
			c.Ok("init", "-no-color", "-input=false")
			r := c.Run("test", "-no-color")
			if tc.fails && !tc.always && !providertest.OlderCLI(t, "1.15.0") && r.Code == 0 { // it was destroyed first, as announced
				r.WantOK(t, fmt.Sprintf("%d passed, 0 failed", len(tc.runs)), member.TopicRemovingMember.Summary)
				return
			}
			if tc.fails {
				r.WantError(t)
				assert.Regexp(t, strings.Join([]string{changedAddress, session.SummaryKeptElsewhere, session.SummaryStoredElsewhere, object.SummaryVanished}, "|"), r.Out)
				assert.NotContains(t, w.People(providertest.AcmeHost), "bob@acme.example", "the cleanup failed:\n%s", r.Out)
				assert.NotContains(t, r.Out, "left the following resources in state", "the cleanup failed")
				return
			}
			r.WantOK(t, fmt.Sprintf("%d passed, 0 failed", len(tc.runs)))
		})
	}
}
