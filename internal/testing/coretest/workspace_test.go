package coretest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// turn is a configuration that is planned and applied.
type turn struct {
	config  string
	outputs []string
	options []string
	before  func(t *testing.T, w *providertest.TestEnv, c workspace)
}

type workspace interface {
	providertest.Workspace
	Output(name string) string
}

const repeated = `
variable "clients" {
  default = { north = "n", south = "s" }
}
resource "reseller_package" "p" {
  count    = %d
  code     = "P${count.index}"
  name     = "P"
  currency = "EUR"
  settings = { included = { documents = 10 + count.index }, note = "x" }
}
resource "reseller_private_label" "l" {
  for_each = var.clients
  domain   = "${each.value}.acme.example"
  app_name = "Acme ${each.key}"
  owner    = { email = "ada@acme.example", first_name = "Ada", last_name = "L" }
}
resource "reseller_member" "m" {
  for_each         = toset(["north"])
  private_label_id = reseller_private_label.l[each.key].id
  email            = "${each.key}@acme.example"
  first_name       = "Bob"
  last_name        = "B"
}
output "codes" {
  value = reseller_package.p[*].code
}
output "hosts" {
  value = join(" ", [for l in reseller_private_label.l : l.domain])
}
`

const read = `
resource "terraform_data" "host" {
  input            = "sign.acme.example"
  triggers_replace = [%q]
}
resource "reseller_private_label" "l" {
  domain   = "sign.acme.example"
  app_name = "Acme"
  owner    = { email = "ada@acme.example", first_name = "Ada", last_name = "L" }
}
data "reseller_private_label" "known" {
  domain     = reseller_private_label.l.domain
  depends_on = [reseller_private_label.l]
}
data "reseller_private_labels" "later" {
  status     = "Active"
  depends_on = [terraform_data.host, reseller_private_label.l]
}
output "app" {
  value = data.reseller_private_label.known.status
}
output "hosts" {
  value = length(data.reseller_private_labels.later.private_labels)
}
`

func createdFirst(email, policy string) string {
	return providertest.Label("acme", providertest.AcmeHost, fmt.Sprintf("deletion_policy = %q", policy)) + fmt.Sprintf(`
data "reseller_private_label" "acme" {
  domain     = "sign.acme.example"
  depends_on = [reseller_private_label.acme]
}
resource "reseller_member" "m" {
  private_label_id = data.reseller_private_label.acme.id
  email            = %q
  first_name       = "Bob"
  last_name        = "Byte"
  lifecycle {
    create_before_destroy = true
  }
}
`, email)
}

func later(name string) string {
	label := strings.Replace(providertest.Label("acme", providertest.AcmeHost, ""), `"Acme Sign"`, `"The ${terraform_data.name.output}"`, 1)
	return label + fmt.Sprintf("resource \"terraform_data\" \"name\" {\n  input = %q\n}\n", name)
}

// The driver plans, applies and reports as the real CLI does.
func TestWorkspace_LikeTheCLI(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "the removed block")
	label := func(name string) string { return providertest.Label(name, providertest.AcmeHost, "") }
	forget := func(_ *testing.T, _ *providertest.TestEnv, c workspace) { c.Forget(providertest.Acme) }
	for name, steps := range map[string][]turn{
		"repeated": {
			{config: fmt.Sprintf(repeated, 3), outputs: []string{"codes", "hosts"}},
			{config: strings.Replace(fmt.Sprintf(repeated, 1), `south = "s"`, `east = "e"`, 1), outputs: []string{"codes", "hosts"}},
			{config: ""},
		},
		"read": {
			{config: fmt.Sprintf(read, "1"), outputs: []string{"app", "hosts"}},
			{config: fmt.Sprintf(read, "1"), outputs: []string{"app", "hosts"}},
			{config: fmt.Sprintf(read, "2"), outputs: []string{"app", "hosts"}},
		},
		"moved and removed": {
			{config: label("acme")},
			{config: label("other") + "moved {\n  from = reseller_private_label.acme\n  to = reseller_private_label.other\n}\n"},
			{config: "removed {\n  from = reseller_private_label.other\n  lifecycle {\n    destroy = false\n  }\n}\n"},
			{config: label("acme") + "import {\n  to = reseller_private_label.acme\n  id = \"" + providertest.AcmeHost + "\"\n}\n"},
			{config: label("acme"), before: forget},
		},
		"changed outside": {
			{config: label("acme")},
			{config: label("acme"), before: func(t *testing.T, w *providertest.TestEnv, _ workspace) {
				t.Helper()
				assert.NoError(t, w.Sim.SuspendInConsole(providertest.AcmeHost, "unpaid"))
			}},
			{config: label("acme"), options: []string{"-refresh=false"}},
			{config: providertest.Label("acme", providertest.AcmeHost, "suspended = true\ncolor_primary = \"#ffffff\"\ncolor_accent = \"#fefefe\"")},
			{config: label("acme"), options: []string{"-replace=" + providertest.Acme}},
			{config: label("acme"), before: func(_ *testing.T, w *providertest.TestEnv, c workspace) {
				c.Config(w.Config(label("acme")))
				c.Refresh()
			}},
			{config: label("acme"), before: func(t *testing.T, w *providertest.TestEnv, _ workspace) {
				t.Helper()
				assert.NoError(t, w.Sim.MoveAway(providertest.AcmeHost))
			}},
		},
		"removed and destroyed": {
			{config: providertest.Item("package", "gold", "GOLD", "") + providertest.Item("addon", "seats", "SEATS", "")},
			{config: providertest.Item("addon", "seats", "SEATS", "")},
			{config: ""},
			{config: ""},
		},
		"created before destroyed": {
			{config: createdFirst("bob@acme.example", "PREVENT")},
			{config: createdFirst("bob@acme.example", "SUSPEND")},
			{config: createdFirst("eve@acme.example", "SUSPEND"), before: func(_ *testing.T, w *providertest.TestEnv, _ workspace) {
				w.Sim.Inject(simulator.Fault{Route: providertest.RouteAdd, Kind: simulator.FaultForbidden, Times: -1})
			}},
			{config: createdFirst("eve@acme.example", "SUSPEND"), before: func(_ *testing.T, w *providertest.TestEnv, _ workspace) {
				w.Sim.ClearFaults()
				w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Kind: simulator.FaultForbidden, Times: -1})
			}},
			{config: createdFirst("eve@acme.example", "SUSPEND"), before: func(_ *testing.T, w *providertest.TestEnv, _ workspace) { w.Sim.ClearFaults() }},
			{config: createdFirst("kim@acme.example", "SUSPEND"), options: []string{"-refresh=false"}},
			{config: createdFirst("kim@acme.example", "ABANDON")},
			{config: ""},
		},
		"known after apply": {
			{config: later("Acme")},
			{config: later("Acme Sign")},
			{config: later("Acme Sign")},
		},
		"rejected": {
			{config: label("acme") + "resource \"reseller_package\" \"p\" {\n  name = \"P\"\n  currency = \"EUR\"\n}\n"},
			{config: strings.Replace(label("acme"), "first_name", "# first_name", 1)},
			{config: label("acme") + strings.Replace(label("again"), providertest.AcmeHost, "https://acme.example", 1)},
			{config: "resource \"reseller_private_label\" \"acme\" {\n  domain = [\"a.example\"]\n}\n"},
			{config: "data \"reseller_private_label\" \"none\" {\n  domain = \"none.example\"\n}\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "moved and removed" {
				providertest.NeedsRemovedBlocks(t)
			}
			genuine, driven := providertest.NewTestEnv(t), providertest.NewTestEnv(t)
			cli, core := genuine.Cli(), New(t, driven)
			for i, s := range steps {
				want, got := observe(t, genuine, cli, s), observe(t, driven, core, s)
				want = strings.ReplaceAll(want, summaryForgottenByOpenTofu, summaryForgotten)
				assert.Equal(t, want, got, "step %d: the driver\nthe CLI", i)
			}
		})
	}
}

var generated = regexp.MustCompile(`[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// observe plans and applies, and returns what can be seen of it.
func observe(t *testing.T, w *providertest.TestEnv, c workspace, s turn) string {
	t.Helper()
	if s.before != nil {
		s.before(t, w, c)
	}
	w.Sim.ResetJournal()
	c.Config(w.Config(s.config))
	var out strings.Builder
	planned := c.Plan(s.options...)
	slices.Sort(planned.Changes)
	if planned.Code == 1 {
		planned.Changes = nil // the CLI lists what it planned before the error
	}
	fmt.Fprintf(&out, "plan: exit code %d, changes %v\n%s", planned.Code, planned.Changes, diagnosed(planned))
	applied := c.Apply(s.options...)
	fmt.Fprintf(&out, "apply: exit code %d\n%s", applied.Code, diagnosed(applied))
	if applied.Code == 0 {
		for _, name := range s.outputs {
			fmt.Fprintf(&out, "%s = %s\n", name, c.Output(name))
		}
	}
	state := c.State()
	for _, address := range slices.Sorted(maps.Keys(state)) {
		if strings.HasPrefix(address, lateType) {
			continue // the driver has only its output
		}
		text, err := json.Marshal(state[address].Attributes)
		require.NoError(t, err)
		fmt.Fprintf(&out, "%s %s %s\n", address, state[address].Status, text)
	}
	writes := map[string]int{}
	for _, call := range w.Sim.Journal() {
		if call.Method != http.MethodGet && !strings.HasSuffix(call.Route, "/search") && call.Route != providertest.RouteToken {
			writes[call.Route]++
		}
	}
	fmt.Fprintf(&out, "writes %v\n", writes)
	return generated.ReplaceAllString(out.String(), "(generated)")
}

// diagnosed lists diagnostics without their texts. Errors of the language have no address.
func diagnosed(r providertest.Result) string {
	var lines []string
	for _, d := range r.Diagnostics {
		if d.Severity == "error" {
			d.Address = ""
		}
		lines = append(lines, fmt.Sprintf("  %s %s %s\n", d.Severity, d.Address, d.Summary))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
