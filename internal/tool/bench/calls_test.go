package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// work is measured with the simulator's rate limits, in a bubble whose time passes only while everything waits.
type work struct {
	name   string
	labels int                               // that the reseller has
	config func(*simulator.Simulator) string // of what it has, or adds

	first          bool // nothing is in state before
	act            func(*coretest.Workspace) providertest.Result
	calls, windows int // the budgets: one more is a failure
	light          bool
}

var works = []work{
	{"plan without changes over 1 private label", 1, labels, false, emptyPlan, 1, 0, false},
	{"the same over 100", 100, labels, false, emptyPlan, 1, 0, false},
	{"the same over 1,000", 1000, labels, false, emptyPlan, 1, 0, false},
	{"plan over 100 with packages, add-ons, 300 members and branding, found by data sources", 100, found, false, emptyPlan, 203, 3, false},
	{"plan over 100 with add-ons", 100, assignments, false, emptyPlan, 101, 0, false},
	{"the same with 3 members each", 100, members, false, emptyPlan, 201, 1, false},
	{"import of 300 with packages, add-ons and 3 members each", 300, members, true, plan, 602, 10, false},
	{"creation of 35 with package, add-on and 2 members each", 1, created, true, apply, 320, 4, false},
	{"light refresh of 1 with add-ons and members", 1, members, false, emptyPlan, 1, 0, true},
	{"light refresh of 100 with add-ons and 3 members each", 100, members, false, emptyPlan, 3, 0, true},
	{"the same of 300", 300, members, false, emptyPlan, 3, 0, true},
	{"the same of 300 in full", 300, members, false, emptyPlan, 601, 5, false},
	{"light refresh of 1,000", 1000, members, false, emptyPlan, 3, 0, true},
	{"the same of 1,000 in full", 1000, members, false, emptyPlan, 2001, 17, false},
}

// TestCalls measures how many API calls work needs, and for how many windows of the rate limits it waits. The bench
// prints what it logs.
func TestCalls(t *testing.T) {
	t.Parallel()
	for _, task := range works {
		t.Run(task.name, func(t *testing.T) {
			if task.labels > providertest.Number(t, labelsVariable, 1) {
				t.Skip("takes seconds; the bench runs it")
			}
			synctest.Test(t, task.measure)
		})
	}
}

// The rows of the guide "Limits and run times" have the budgets of works, in this order.
func TestPages_Calls(t *testing.T) {
	t.Parallel()
	order := []int{2, 4, 5, 3, 7, 6}
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "templates", "guides", "limits.md.tmpl"))
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \| (?:at most )?(\d+) \| (\d+) \|$`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, len(order), "rows of calls and waits")
	for i, row := range rows {
		want := works[order[i]]
		assert.Equal(t, []string{strconv.Itoa(want.calls), strconv.Itoa(want.windows)}, row[2:], row[1])
	}
}

// The figure of the README is one of the budgets.
func TestReadme_Figure(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	require.NoError(t, err)
	require.Equal(t, 1, works[2].calls, "%+v", works[2])
	assert.Contains(t, string(readme), "1,000 verified private labels makes **one API call**")
}

func (task work) measure(t *testing.T) {
	w := providertest.NewTestEnvOptions(t, simulator.Options{Clock: simulator.NewClock(), IDs: "bench"})
	w.Clock, w.Compares = transport.RealClock{}, false
	require.NoError(t, w.Sim.Seed(task.labels))
	c := coretest.New(t, w)
	c.Config(task.config(w.Sim))
	if !task.first {
		r := c.Apply()
		require.Equal(t, 0, r.Code, r.Out)
		require.NoError(t, w.Clock.Sleep(t.Context(), 2*time.Minute)) // no window includes a call of the import
	}
	if task.light {
		w.Env.Set("RESELLER_REFRESH", "light")
	}
	w.Sim.ResetJournal()
	began := time.Now()
	r := task.act(c)
	require.NotEqual(t, 1, r.Code, r.Out)
	n, windows := countCalls(w.Sim.Journal()), int(math.Round(time.Since(began).Minutes()))
	t.Logf("| %s | %d | %d | %d | %d |", task.name, n.console, n.billing, n.rejected, windows)
	assert.LessOrEqual(t, n.console+n.billing, task.calls, "the budget is calls and %d windows", task.windows)
	assert.LessOrEqual(t, n.rejected, 0, "the budget is %d calls and %d windows", task.calls, task.windows)
	assert.LessOrEqual(t, windows, task.windows, "the budget is %d calls and windows", task.calls)
}

func plan(c *coretest.Workspace) providertest.Result { return c.Plan() }

func apply(c *coretest.Workspace) providertest.Result { return c.Apply() }

func emptyPlan(c *coretest.Workspace) (result providertest.Result) {
	c.WantEmptyPlan()
	return result
}

// imported is a resource block with an import block.
func imported(typ, name, id, attributes string) string {
	return fmt.Sprintf("resource %q %q {\n%s}\nimport {\n  to = %[1]s.%[2]s\n  id = %[4]q\n}\n", typ, name, attributes, id)
}

func labels(sim *simulator.Simulator) string {
	var text strings.Builder
	for i, l := range sim.Labels() {
		text.WriteString(imported("reseller_private_label", fmt.Sprintf("l%d", i), l.ID, fmt.Sprintf("domain = %q\n", l.Host)))
	}
	return text.String()
}

// assignments gives each private label the same package and add-on.
func assignments(sim *simulator.Simulator) string {
	text := labels(sim)
	item, addon := sim.Packages()[0], sim.Addons()[0]
	for i, l := range sim.Labels() {
		if err := sim.AssignInConsole(l.Host, item.ID, map[string]float64{addon.ID: 1}); err != nil {
			panic(err)
		}
		text += imported("reseller_assignment", fmt.Sprintf("a%d", i), l.ID,
			fmt.Sprintf("private_label_id = reseller_private_label.l%d.id\npackage_id = %q\naddons = { %q = 1 }\n", i, item.ID, addon.Code))
	}
	return text
}

func members(sim *simulator.Simulator) string {
	text := assignments(sim)
	for i, l := range sim.Labels() {
		for m, p := range l.People {
			text += imported("reseller_member", fmt.Sprintf("m%d_%d", i, m), l.ID+"/"+p.ID, fmt.Sprintf(
				"private_label_id = reseller_private_label.l%d.id\nemail = %q\nfirst_name = %q\nlast_name = %q\n", i, p.Email, p.FirstName, p.LastName))
		}
	}
	return text
}

// found adds the catalog, brandings, and data sources that find everything.
func found(sim *simulator.Simulator) string {
	text := strings.ReplaceAll(members(sim), "domain = ", "depends_on = [data.reseller_private_label.found]\ndomain = ") + `
data "reseller_private_labels" "all" {}
data "reseller_packages" "all" {}
data "reseller_addons" "all" {}
`
	var hosts, ids []string
	for _, l := range sim.Labels() {
		hosts, ids = append(hosts, fmt.Sprintf("%q", l.Host)), append(ids, fmt.Sprintf("%q", l.ID))
	}
	text += fmt.Sprintf(`
data "reseller_private_label" "found" {
  for_each = toset([%[1]s])
  id       = each.key
}
data "reseller_members" "found" {
  for_each         = toset([%[1]s])
  private_label_id = each.key
}
resource "reseller_branding" "x" {
  for_each      = toset([%[2]s])
  domain        = each.key
  color_primary = "#0a4"
}
`, strings.Join(ids, ", "), strings.Join(hosts, ", "))
	for typ, items := range map[string][]simulator.ItemView{"reseller_package": sim.Packages(), "reseller_addon": sim.Addons()} {
		for i, item := range items {
			text += imported(typ, fmt.Sprintf("i%d", i), item.ID,
				fmt.Sprintf("code = %q\nname = %q\ncurrency = %q\nactive = %t\n", item.Code, item.Name, item.Currency, item.Active))
		}
	}
	return text
}

func created(sim *simulator.Simulator) string {
	var text strings.Builder
	for i := range 35 {
		fmt.Fprintf(&text, `
resource "reseller_private_label" "l%d" {
  domain   = "sign.new-%[1]d.example"
  app_name = "New"
  owner    = { email = "owner@sign.new-%[1]d.example", first_name = "Olga", last_name = "Owner" }
}
resource "reseller_assignment" "a%[1]d" {
  private_label_id = reseller_private_label.l%[1]d.id
  package_id       = %[2]q
  addons           = { %[3]q = 1 }
  allow_excess     = { documents = 1000000, seats = 1000000, templates = 1000000, notarizations = 1000000 }
}
`, i, sim.Packages()[4].ID, sim.Addons()[0].Code)
		for person := range 2 {
			fmt.Fprintf(&text, `
resource "reseller_member" "m%d_%d" {
  private_label_id = reseller_private_label.l%[1]d.id
  email            = "member-%[2]d@sign.new-%[1]d.example"
  first_name       = "Max"
  last_name        = "Member"
}
`, i, person)
		}
	}
	return text.String()
}
