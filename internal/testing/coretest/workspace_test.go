package coretest

import (
	_ "embed"
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
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

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

//go:embed testdata/turns.txt
var turns string

// blocksOf are the blocks of a line of turns.
func blocksOf(words string) (all string) {
	label := func(name string) string { return providertest.Label(name, providertest.AcmeHost, "") }
	for word := range strings.FieldsSeq(words) {
		name, value, _ := strings.Cut(word, "_")
		switch {
		case name == "LATER":
			all += later(strings.ReplaceAll(value, "_", " "))
		case slices.Contains([]string{"BOB", "EVE", "KIM"}, name):
			all += createdFirst(strings.ToLower(name)+"@acme.example", value)
		default:
			block, known := map[string]string{
				"NONE": "", "ACME": label("acme"), "OTHER": label("other"), "REPEATED3": fmt.Sprintf(repeated, 3), "READ1": fmt.Sprintf(read, "1"), "READ2": fmt.Sprintf(read, "2"),
				"REPEATED1": strings.Replace(fmt.Sprintf(repeated, 1), `south = "s"`, `east = "e"`, 1),
				"MOVED":     "moved {\n  from = reseller_private_label.acme\n  to = reseller_private_label.other\n}\n",
				"RELEASED":  "removed {\n  from = reseller_private_label.other\n  lifecycle {\n    destroy = false\n  }\n}\n",
				"IMPORT":    "import {\n  to = reseller_private_label.acme\n  id = \"sign.acme.example\"\n}\n",
				"SUSPENDED": providertest.Label("acme", providertest.AcmeHost, "suspended = true\ncolor_primary = \"#ffffff\"\ncolor_accent = \"#fefefe\""),
				"GOLD":      providertest.Item("package", "gold", "GOLD", ""), "SEATS": providertest.Item("addon", "seats", "SEATS", ""),
				"NO_CODE":       "resource \"reseller_package\" \"p\" {\n  name = \"P\"\n  currency = \"EUR\"\n}\n",
				"NO_NAME":       strings.Replace(label("acme"), "first_name", "# first_name", 1),
				"BAD_HOST":      strings.Replace(label("again"), providertest.AcmeHost, "https://acme.example", 1),
				"LIST_FOR_TEXT": "resource \"reseller_private_label\" \"acme\" {\n  domain = [\"a.example\"]\n}\n",
				"NO_LABEL":      "data \"reseller_private_label\" \"none\" {\n  domain = \"none.example\"\n}\n",
			}[word]
			if !known {
				panic("no block is called " + word)
			}
			all += block
		}
	}
	return all
}

// before does what happens before a turn.
func before(t *testing.T, w *providertest.TestEnv, c workspace, what, config string) {
	t.Helper()
	switch verb, rest, _ := strings.Cut(what, " "); verb {
	case "forget":
		c.Forget(providertest.Acme)
	case "refresh":
		c.Config(config)
		c.Refresh()
	case "forbid", "permit":
		w.Sim.ClearFaults()
		if route := map[string]string{"POST": providertest.RouteAdd, "DELETE": providertest.RouteRemove}[rest]; route != "" {
			w.Sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultForbidden, Times: -1})
		}
	default:
		require.NoError(t, w.Sim.Do(strings.Fields(what)...))
	}
}

// The driver plans, applies and reports as the real CLI does.
func TestWorkspace_LikeTheCLI(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "the removed block")
	_, parts := goldentest.Parts(turns)
	for _, part := range parts {
		t.Run(part.Name, func(t *testing.T) {
			t.Parallel()
			if part.Name == "moved and removed" {
				providertest.NeedsRemovedBlocks(t)
			}
			genuine, driven := providertest.NewTestEnv(t), providertest.NewTestEnv(t)
			cli, core := genuine.Cli(), New(t, driven)
			for _, turn := range texttable.Rows(part.Text) {
				want, got := observe(t, genuine, cli, turn), observe(t, driven, core, turn)
				want = strings.ReplaceAll(want, summaryForgottenByOpenTofu, summaryForgotten)
				assert.Equal(t, want, got, "%v: the driver\nthe CLI", turn)
			}
		})
	}
}

var declaredOutput = regexp.MustCompile(`(?m)^output "(\w+)"`)

var generated = regexp.MustCompile(`[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// observe plans and applies, and returns what can be seen of it.
func observe(t *testing.T, w *providertest.TestEnv, c workspace, turn []string) string {
	t.Helper()
	config := w.Config(blocksOf(turn[0]))
	var options []string
	for _, cell := range turn[1:] {
		if strings.HasPrefix(cell, "-") {
			options = append(options, cell)
		} else {
			before(t, w, c, cell, config)
		}
	}
	w.Sim.ResetJournal()
	c.Config(config)
	var out strings.Builder
	planned := c.Plan(options...)
	slices.Sort(planned.Changes)
	if planned.Code == 1 {
		planned.Changes = nil // the CLI lists what it planned before the error
	}
	fmt.Fprintf(&out, "plan: exit code %d, changes %v\n%s", planned.Code, planned.Changes, diagnosed(planned))
	applied := c.Apply(options...)
	fmt.Fprintf(&out, "apply: exit code %d\n%s", applied.Code, diagnosed(applied))
	if applied.Code == 0 {
		for _, output := range declaredOutput.FindAllStringSubmatch(config, -1) {
			fmt.Fprintf(&out, "%s = %s\n", output[1], c.Output(output[1]))
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
