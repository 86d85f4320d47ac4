package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// fullConfig imports everything that a seeded reseller has. Data sources find
// it.
const fullConfig = `
terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

data "reseller_private_labels" "all" {}
data "reseller_packages" "all" {}
data "reseller_addons" "all" {}
data "reseller_private_label" "one" {
  for_each = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  id       = each.value
}
data "reseller_members" "of" {
  for_each         = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  private_label_id = each.value
}

locals {
  packages = { for p in data.reseller_packages.all.packages : p.code => p }
  addons   = { for a in data.reseller_addons.all.addons : a.code => a }
  assigned = { for host, l in data.reseller_private_label.one : host => l if l.assignment != null }
  people = merge([
    for host, found in data.reseller_members.of : { for m in found.members : "${host}/${m.email}" => merge(m, { label = found.private_label_id }) }
  ]...)
}

import {
  for_each = data.reseller_private_label.one
  to       = reseller_private_label.all[each.key]
  id       = each.value.id
}
resource "reseller_private_label" "all" {
  for_each = data.reseller_private_label.one
  domain   = each.key
}
import {
  for_each = local.packages
  to       = reseller_package.all[each.key]
  id       = each.value.id
}
resource "reseller_package" "all" {
  for_each = local.packages
  code     = each.key
  name     = each.value.name
  currency = each.value.currency
  active   = each.value.active
}
import {
  for_each = local.addons
  to       = reseller_addon.all[each.key]
  id       = each.value.id
}
resource "reseller_addon" "all" {
  for_each = local.addons
  code     = each.key
  name     = each.value.name
  currency = each.value.currency
  active   = each.value.active
}
import {
  for_each = local.assigned
  to       = reseller_assignment.all[each.key]
  id       = each.value.id
}
resource "reseller_assignment" "all" {
  for_each         = local.assigned
  private_label_id = each.value.id
  package_id       = each.value.assignment.package_id
  addons           = length(each.value.assignment.addons) == 0 ? null : { for a in each.value.assignment.addons : a.code => a.quantity }
}
import {
  for_each = local.people
  to       = reseller_member.all[each.key]
  id       = "${each.value.label}/${each.value.id}"
}
resource "reseller_member" "all" {
  for_each         = local.people
  private_label_id = each.value.label
  email            = each.value.email
  first_name       = each.value.first_name
  last_name        = each.value.last_name
}
resource "reseller_branding" "all" {
  for_each      = data.reseller_private_label.one
  domain        = each.key
  color_primary = "#0a4"
}
`

// fixture is many objects of one resource type.
type fixture struct {
	resource string
	// seed creates n objects in the simulator.
	seed func(sim *simulator.Simulator, n int) (*objects, error)
}

// objects are the result of a fixture: the configuration that declares the objects, and the texts in which they differ.
type objects struct {
	config   string     // with a count of %d
	importID string     // of the first; empty to create it
	texts    [][]string // of each object, in the same order for all
}

// declare creates n objects and a directory whose state has all of them, and returns the cost of a plan without changes
// there.
func (h *harness) declare(ctx context.Context, name string, s *service, fix fixture, n int) (*folder, cost, error) {
	made, err := fix.seed(s.sim, n)
	if err != nil {
		return nil, cost{}, err
	}
	f := s.folder(h, name)
	if err := f.importFirst(ctx, fix.resource, made); err != nil {
		return nil, cost{}, err
	}
	if err := f.copyFirst(made); err != nil {
		return nil, cost{}, err
	}
	s.sim.ResetJournal()
	c, err := f.emptyPlan(ctx)
	return f, c, err
}

// importFirst imports the first object, or creates it.
func (f *folder) importFirst(ctx context.Context, resource string, made *objects) error {
	if err := f.write("main.tf", made.declaration(1)); err != nil {
		return err
	}
	if made.importID == "" {
		return f.apply(ctx)
	}
	block := fmt.Sprintf("import {\n  to = %s.x[0]\n  id = %q\n}\n", resource, made.importID)
	if err := f.write("imports.tf", block); err != nil {
		return err
	}
	if err := f.apply(ctx); err != nil {
		return err
	}
	return os.Remove(filepath.Join(f.dir, "imports.tf"))
}

// copyFirst adds the other objects to the state as copies of the first, because the CLI needs minutes to import
// thousands.
func (f *folder) copyFirst(made *objects) error {
	path := filepath.Join(f.dir, "terraform.tfstate")
	state, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if state, err = multiply(state, made.texts); err != nil {
		return err
	}
	if err := os.WriteFile(path, state, 0o600); err != nil {
		return err
	}
	return f.write("main.tf", made.declaration(len(made.texts)))
}

func (o *objects) declaration(n int) string { return requirements + fmt.Sprintf(o.config, n) }

const requirements = `terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

`

// fixtures are the resource types that the bench compares with the floor.
var (
	privateLabels = fixture{"reseller_private_label", seedLabels}
	fixtures      = []fixture{
		privateLabels,
		{"reseller_member", seedMembers},
		{"reseller_assignment", seedAssignments},
		{"reseller_package", seedPackages},
		{"reseller_branding", seedBrandings},
	}
)

func seedLabels(sim *simulator.Simulator, n int) (*objects, error) {
	if err := sim.Seed(n); err != nil {
		return nil, err
	}
	made := &objects{config: `resource "reseller_private_label" "x" {
  count    = %d
  domain   = format("sign.client-%%04d.example", count.index + 1)
  app_name = "Client ${count.index + 1}"
  owner = {
    email      = format("person-1@client-%%04d.example", count.index + 1)
    first_name = "Person 1"
    last_name  = "of Client ${count.index + 1}"
  }
}
`}
	for i, l := range sim.Labels() {
		made.texts = append(made.texts, []string{l.ID, clientOf(i), fmt.Sprintf("Client %d", i+1)})
	}
	made.importID = made.texts[0][0]
	return made, nil
}

// clientOf is the name in the host name and the email addresses of a seeded
// private label.
func clientOf(i int) string { return fmt.Sprintf("client-%04d.example", i+1) }

// seedMembers adds all members to one private label.
func seedMembers(sim *simulator.Simulator, n int) (*objects, error) {
	if err := sim.Seed(1); err != nil {
		return nil, err
	}
	label := sim.Labels()[0]
	made := &objects{config: fmt.Sprintf(`resource "reseller_member" "x" {
  count            = %%d
  private_label_id = %q
  email            = format("member-%%%%04d@client.example", count.index + 1)
  first_name       = "Member"
  last_name        = format("Number %%%%04d", count.index + 1)
}
`, label.ID)}
	for i := range n {
		number := fmt.Sprintf("%04d", i+1)
		email, last := "member-"+number+"@client.example", "Number "+number
		id, err := sim.AddPersonInConsole(label.Host, email, "Member", last)
		if err != nil {
			return nil, err
		}
		made.texts = append(made.texts, []string{id, email, last})
	}
	made.importID = label.ID + "/" + made.texts[0][0]
	return made, nil
}

// seedAssignments assigns one package to each of n private labels, without
// add-ons.
func seedAssignments(sim *simulator.Simulator, n int) (*objects, error) {
	if err := sim.Seed(n); err != nil {
		return nil, err
	}
	item := sim.Packages()[0]
	made := &objects{}
	ids := make([]string, 0, n)
	for _, l := range sim.Labels() {
		if err := sim.AssignInConsole(l.Host, item.ID, nil); err != nil {
			return nil, err
		}
		ids = append(ids, fmt.Sprintf("%q", l.ID))
		made.texts = append(made.texts, []string{l.ID, l.Host})
	}
	made.importID = made.texts[0][0]
	made.config = fmt.Sprintf(`locals {
  labels = [%s]
}

resource "reseller_assignment" "x" {
  count            = %%d
  private_label_id = local.labels[count.index]
  package_id       = %q
}
`, strings.Join(ids, ", "), item.ID)
	return made, nil
}

// seedPackages adds more packages than the limit of 100, which the simulator does not apply to out-of-band changes.
func seedPackages(sim *simulator.Simulator, n int) (*objects, error) {
	made := &objects{config: `resource "reseller_package" "x" {
  count    = %d
  code     = format("CODE-%%04d", count.index + 1)
  name     = format("CODE-%%04d", count.index + 1)
  currency = "EUR"
}
`}
	for i := range n {
		code := fmt.Sprintf("CODE-%04d", i+1)
		id, err := sim.AddPackage(code, map[string]float64{"documents": 10, "seats": 2}, true)
		if err != nil {
			return nil, err
		}
		made.texts = append(made.texts, []string{id, code})
	}
	made.importID = made.texts[0][0]
	return made, nil
}

func seedBrandings(sim *simulator.Simulator, n int) (*objects, error) {
	if err := sim.Seed(n); err != nil {
		return nil, err
	}
	made := &objects{config: `resource "reseller_branding" "x" {
  count         = %d
  domain        = format("sign.client-%%04d.example", count.index + 1)
  color_primary = "#0a4"
}
`}
	for i, l := range sim.Labels() {
		made.texts = append(made.texts, []string{l.ID, clientOf(i)})
	}
	return made, nil
}
