package export_test

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// own is a layout that no export writes: maps in one block a type, keys of its own, a package by count.
const written = `
locals {
  clients = { acme = "sign.acme.example", crane = "sign.crane.example" }
  staff   = { for one in setproduct(keys(local.clients), ["bob", "eve"]) : "${one[0]}/${one[1]}" => { client = one[0], name = one[1] } }
}

resource "reseller_package" "sold" {
  count    = 1
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
  settings = { included = { seats = 9 } }
}

resource "reseller_addon" "extra" {
  for_each = toset(["SEATS"])
  code     = each.key
  name     = each.key
  currency = "EUR"
  settings = { included = { seats = 1 } }
}

resource "reseller_private_label" "portal" {
  for_each = local.clients
  domain   = each.value
  app_name = title(each.key)
  owner    = { email = "ada@${each.key}.example", first_name = "Ada", last_name = "Lovelace" }
}

resource "reseller_assignment" "sold" {
  for_each         = reseller_private_label.portal
  private_label_id = each.value.id
  package_id       = reseller_package.sold[0].id
  addons           = { (reseller_addon.extra["SEATS"].code) = 2 }
}

resource "reseller_member" "staff" {
  for_each         = local.staff
  private_label_id = reseller_private_label.portal[each.value.client].id
  email            = "${each.value.name}@agency.example"
  first_name       = title(each.value.name)
  last_name        = "Agent"
}
`

// A layout that was written by hand becomes clients in a plan of moves alone.
func TestExport_MovedFromOwnLayout(t *testing.T) {
	t.Parallel()
	w := env(t)
	c := w.Cli()
	c.Config(w.Config(written))
	c.Apply().WantOK(t, "10 added")
	to, said := clientsOf(w, "-state", filepath.Join(c.Dir, "terraform.tfstate"), "-moved")
	assert.Contains(t, said, "10 to move. 0 to import.")
	wantMoves(w, c, to)
}

// wantMoves plans and applies an export beside the state of another configuration: it moves, and does nothing else.
func wantMoves(w *providertest.TestEnv, from, to *providertest.CLI) {
	w.T.Helper()
	to.File("terraform.tfstate", from.Read("terraform.tfstate"))
	w.Sim.ResetJournal()
	to.Run("plan", "-no-color", "-input=false", "-out=moved.plan").WantOK(w.T, "Plan: 0 to add, 0 to change, 0 to destroy.")
	to.Apply("moved.plan").WantOK(w.T, "0 added, 0 changed, 0 destroyed")
	to.Remove("imports.tf")
	to.WantEmptyPlan()
	w.WantReads()
}

// everything has each attribute of each type with a value that an import does not have.
const everything = `
resource "reseller_package" "gold" {
  code            = "Gold"
  name            = "Gold"
  currency        = "EUR"
  active          = true
  settings        = { monthlyPrice = 4900, included = { seats = 9 } }
  deletion_policy = "ABANDON"
}

resource "reseller_package" "old" {
  code            = "OLD"
  name            = "Old"
  currency        = "EUR"
  active          = false
  deletion_policy = "PREVENT"
}

resource "reseller_addon" "seats" {
  code            = "SEATS"
  name            = "Seats"
  currency        = "EUR"
  active          = true
  settings        = { included = { seats = 1 } }
  deletion_policy = "ABANDON"
}

resource "reseller_addon" "old" {
  code     = "OLD"
  name     = "Old"
  currency = "EUR"
  active   = false
}

resource "reseller_private_label" "rich" {
  domain          = "Sign.Rich.example"
  app_name        = "Rich"
  owner           = { email = "Ada@rich.example", first_name = "Ada", last_name = "Lovelace" }
  support_url     = "https://rich.example/help"
  website_url     = "https://rich.example"
  color_primary   = "#0A4"
  color_accent    = "#112233"
  social_links    = { linkedIn = "https://l.example/rich" }
  deletion_policy = "SUSPEND"
}

resource "reseller_assignment" "rich" {
  private_label_id     = reseller_private_label.rich.id
  package_id           = reseller_package.gold.id
  addons               = { seats = 2 }
  allow_excess         = { seats = 2.5 }
  allow_package_change = true
  deletion_policy      = "ABANDON"
}

resource "reseller_member" "rich" {
  for_each         = { "Bob@Rich.example" = "Bob", "eve@rich.example" = "Eve" }
  private_label_id = reseller_private_label.rich.id
  email            = each.key
  first_name       = each.value
  last_name        = "Byte: #1"
  deletion_policy  = "PREVENT"
}

resource "reseller_branding" "rich" {
  domain                   = "sign.rich.EXAMPLE"
  color_primary            = "#0A0"
  color_primary_foreground = "#ffffff"
  color_accent             = "#111"
  color_accent_foreground  = "#eee"
  color_app_bar_background = "#fff"
  color_footer_background  = "#222"
  logo_path                = "LOGO"
  banner_logo_path         = "LOGO"
  reapply_trigger          = "1"
  depends_on               = [reseller_private_label.rich]
}

resource "reseller_domain_verification" "rich" {
  private_label_id = reseller_private_label.rich.id
  required         = false
  timeouts         = { create = "1s" }
}

resource "reseller_private_label" "set" {
  domain          = "sign.set.example"
  app_name        = "true"
  owner           = { email = "ada@set.example", first_name = "Ada", last_name = "Lovelace" }
  suspended       = true
  suspend_reason  = "unpaid"
  deletion_policy = "ABANDON"
  depends_on      = [reseller_members.other]
}

resource "reseller_assignment" "set" {
  private_label_id = reseller_private_label.set.id
  package_id       = reseller_package.gold.id
}

resource "reseller_private_label" "other" {
  domain    = "sign.other.example"
  app_name  = "Other"
  owner     = { email = "ada@other.example", first_name = "Ada", last_name = "Lovelace" }
  suspended = false
}

resource "reseller_members" "other" {
  private_label_id = reseller_private_label.other.id
  members          = { "Bob@other.example" = { first_name = "Bob", last_name = "Byte" } }
}

resource "reseller_domain_verification" "other" {
  private_label_id = reseller_private_label.other.id
  required         = false
  timeouts         = { create = "0s" }
}

resource "reseller_branding" "other" {
  domain = reseller_private_label.other.domain
}
`

// defaults are what an import has of attributes that it sets.
var defaults = []string{"PREVENT reseller_private_label", "REMOVE reseller_assignment", "REMOVE reseller_member", "DEACTIVATE reseller_package", "DEACTIVATE reseller_addon"}

func typeOf(address string) string { typ, _, _ := strings.Cut(address, "."); return typ }

// movedTo exports what a state has, in a style.
func movedTo(w *providertest.TestEnv, style, state string) (c *providertest.CLI, said string) {
	w.T.Helper()
	if style == "clients" {
		return clientsOf(w, "-state", state, "-moved")
	}
	c, _, said = exported(w, "-state", state, "-moved")
	return c, said
}

// Every attribute that a configuration can have moves without a change, in both styles.
func TestExport_MovedAttributes(t *testing.T) {
	t.Parallel()
	w := env(t)
	w.Env.Set("RESELLER_UPLOAD_URL", simulator.UploadURL)
	c := w.Cli()
	c.Config(w.Config(strings.ReplaceAll(everything, "LOGO", c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White))))))
	c.Apply().WantOK(t, "added")
	require.NoError(t, w.Sim.Do("attach", "sign.set.example", "SEATS", "3"))
	c.Ok("apply", "-refresh-only", "-auto-approve", "-no-color")

	set := map[string]bool{} // attributes that have another value than after an import
	for address, instance := range c.State() {
		for name, value := range instance.Attributes {
			if value != nil && !slices.Contains(defaults, fmt.Sprint(value, " ", typeOf(address))) {
				set[typeOf(address)+"."+name] = true
			}
		}
	}
	server, err := w.Server()
	require.NoError(t, err)
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for _, typ := range existing.Types {
		for _, a := range schema.ResourceSchemas[typ].Block.Attributes {
			if (a.Required || a.Optional) && !set[typ+"."+a.Name] {
				t.Errorf("no %s has a value of %s of its own: write one in the configuration of this test", typ, a.Name)
			}
		}
	}
	c.File("terraform.tfstate", strings.Replace(c.Read("terraform.tfstate"), `"create": "1s"`, `"create": null`, 1)) // timeouts = {}
	for _, style := range []string{"clients", "files"} {
		to, said := movedTo(w, style, filepath.Join(c.Dir, "terraform.tfstate"))
		assert.Contains(t, said, "logo.png", "%s: it does not say which files the branding", style)
		wantMoves(w, c, to)
	}
}

// An export that cannot carry something says so by name, before it writes anything. What it does not write, it names.
func TestExport_MovedExceptions(t *testing.T) {
	t.Parallel()
	w := env(t)
	c := w.Cli()
	c.Config(w.Config(written + `
resource "terraform_data" "note" {}

resource "reseller_member" "kept" {
  private_label_id = reseller_private_label.portal["acme"].id
  email            = "cora@agency.example"
  first_name       = "Cora"
  last_name        = "Cypher"
  deletion_policy  = "ABANDON"
}
`))
	c.Apply().WantOK(t, "12 added")
	require.NoError(t, w.Sim.MakeAdmin("sign.acme.example", "bob@agency.example"))
	state, out := filepath.Join(c.Dir, "terraform.tfstate"), filepath.Join(t.TempDir(), "out")
	for name, refused := range map[string]struct{ args, want string }{
		"policies that differ": {"-style clients", `reseller_member.kept (sign.acme.example): deletion_policy cannot move, because the members of a client have one, ` +
			`and that of bob@agency.example differs. Change it and apply, or export with -style files. Nothing was written.`},
		"members that a plan would remove": {"-members none", "-moved writes everything, so that a plan removes no member, and takes no -members none"},
	} {
		code, _, said := run(t.Context(), w, append([]string{"-state", state, "-moved", "-out", out}, strings.Fields(refused.args)...)...)
		assert.Equal(t, 1, code, "%s: exit code\n%s", name, said)
		assert.Contains(t, said, refused.want, "%s: exit code %d", name, code)
		assert.NoDirExists(t, out, "%s: something was written", name)
	}
	to, said := movedTo(w, "files", state)
	assert.Contains(t, said, "The state also has 1 resource that an export does not write, such as terraform_data.note. Keep their blocks.")
	assert.Contains(t, said, "11 to move.")
	to.File("note.tf", `resource "terraform_data" "note" {}`)
	wantMoves(w, c, to) // also the member who became an admin, whom an export omits otherwise
}

// From one module block to one for each client and back, in plans of moves alone. What another state has is omitted.
func TestExport_MovedBlocks(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	north, south := "sign.client-0001.example,sign.client-0002.example,sign.client-0003.example", "sign.client-0004.example"
	one, _ := clientsOf(w, "-label", north)
	one.Apply().WantOK(t)
	other, _, _ := exported(w, "-label", south, "-state", filepath.Join(one.Dir, "terraform.tfstate"))
	other.Apply().WantOK(t)
	theirs := filepath.Join(other.Dir, "terraform.tfstate")
	blocks, said := clientsOf(w, "-label", north+","+south, "-blocks", "-state", filepath.Join(one.Dir, "terraform.tfstate"), "-state", theirs, "-moved")
	assert.Contains(t, said, "0 to import")
	assert.NotContains(t, blocks.Read("clients.tf"), "client_0004")
	assert.Contains(t, blocks.Read("imports.tf"), "  from = module.portal[\"sign.client-0001.example\"].reseller_private_label.this\n  to   = module.sign_client_0001_example.reseller_private_label.this\n")
	wantMoves(w, one, blocks)
	back, said := clientsOf(w, "-label", north, "-state", filepath.Join(blocks.Dir, "terraform.tfstate"), "-state", theirs, "-moved")
	assert.Contains(t, said, "0 to import")
	wantMoves(w, blocks, back)
}

// A client with a YAML file moves to another state as the guide says: it leaves the first one by `leaving: keep`.
func TestExport_ClientToOtherState(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	const host = "sign.client-0001.example"
	first, _ := clientsOf(w, "-label", host+",sign.client-0002.example")
	first.Apply().WantOK(t)
	first.Remove("imports.tf")
	w.Sim.ResetJournal()
	file := "clients/" + host + ".yaml"
	first.File(file, first.Read(file)+"leaving: keep\n")
	first.Apply().WantOK(t, "0 added")
	first.Remove(file)
	first.Apply().WantOK(t, "0 added, 0 changed")
	first.WantEmptyPlan()
	second, said := clientsOf(w, "-label", host, "-state", filepath.Join(first.Dir, "terraform.tfstate"))
	wantImports(w, second, imported(t, said))
	w.WantReads()
}
