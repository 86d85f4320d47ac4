package export_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
)

// clientsOf exports in the style of clients, and initializes the module.
func clientsOf(w *providertest.TestEnv, args ...string) (c *providertest.CLI, said string) {
	w.T.Helper()
	if providertest.OlderCLI(w.T, "1.7.0") {
		args = append(args, "-terraform", "1.5")
	}
	dir := filepath.Join(w.T.TempDir(), "portals")
	code, out, said := run(w.T.Context(), w, append(args, "-style", "clients", "-out", dir)...)
	if code != 0 || out != "" {
		w.T.Fatalf("exit code %d\n%s\n%s", code, out, said)
	}
	c = w.Cli()
	c.Dir = dir
	c.Ok("get", "-no-color")
	return c, said
}

func TestExport_Clients(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"-members", "set"}, {"-members", "none"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			w := seeded(t)
			c, said := clientsOf(w, args...)
			var n int
			if _, err := fmt.Sscanf(said[strings.Index(said, "portals. ")+len("portals. "):], "%d to import", &n); err != nil || n < 71 {
				t.Error(said)
			}
			wantImports(w, c.Dir, n)
			client := c.Read("clients/sign.client-0005.example.yaml")
			if args == nil && !strings.Contains(client, `    first_name: "New\nLine ${each.key}"`) {
				t.Error(client)
			}
		})
	}
}

// The files are the shipped ones, with a main.tf of some thirty lines.
func TestExport_ClientsFiles(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w, "-label", "sign.client-0001.example")
	for _, name := range []string{"main.tf", "modules/portal/main.tf", "modules/portal/variables.tf", "modules/portal/client.schema.json"} {
		shipped, err := os.ReadFile("../../examples/clients/" + name)
		must(t, err)
		if c.Read(name) != string(shipped) {
			t.Errorf("%s is not the shipped one", name)
		}
	}
	if n := strings.Count(c.Read("main.tf"), "\n"); n > 30 {
		t.Errorf("main.tf has %d lines", n)
	}
	if !strings.Contains(c.Read(".gitignore"), "*.tfstate") || !strings.Contains(c.Read("providers.tf"), "backend") {
		t.Error(c.Read(".gitignore"), c.Read("providers.tf"))
	}
}

// A person edits YAML: a mistake is an error at plan that names the file and the key.
func TestExport_ClientsBadInput(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w, "-label", "sign.client-0001.example")
	good := "host: sign.new.example\napp_name: New\nowner: {email: a@new.example, first_name: A, last_name: B}\n"
	for text, want := range map[string]string{
		good + "pack: GOLD\n":                                     "pack: there is no such key",
		good + "package: NOPE\n":                                  "package: the catalog has no package NOPE",
		good + "package: PLAN-01\naddons: {NOPE: 1}\n":            "addons: the catalog has no add-on NOPE",
		good + "addons: {SEATS: many}\n":                          "addons: write a quantity",
		good + "members: {b@new.example: B}\n":                    "members: write first_name and last_name",
		good + "members_as: list\n":                               "members_as: write each or set",
		good + "leaving: now\n":                                   "leaving: write suspend, keep, release or deprovision",
		"host: SIGN.client-0001.example\n":                        "clients/new.yaml and clients/sign.client-0001.example.yaml: host: both files have this host name",
		"app_name: New\n":                                         "host: write the host name",
		"host: https://x.example\n":                               "host: write the host name",
		"- a\n- b\n":                                              "this is not a client",
		"host: [\n":                                               "this is not a client",
		"host: sign.new.example\nowner: {email: a@new.example}\n": "owner: write email, first_name and last_name",
	} {
		c.File("clients/new.yaml", text)
		if result := c.Run("plan", "-no-color", "-input=false"); result.Code != 1 || !strings.Contains(result.Out, want) || !strings.Contains(result.Out, "clients/new.yaml") {
			t.Errorf("%s\nlacks %q: %s", text, want, result.Out)
		}
	}
	c.File("clients/new.yaml", good+"package: plan-02\nmembers: {b@new.example: {first_name: B, last_name: C}}\nbranding: {color_primary: \"#0a4\"}\n")
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "5 added, 0 changed, 0 destroyed")
}

// From files to clients, or from another layout: a plan of moves alone.
func TestExport_Moved(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	files, _, _ := exported(w)
	c := w.Cli()
	c.Dir = files
	c.Ok("apply", "-no-color", "-input=false", "-auto-approve")
	state := filepath.Join(t.TempDir(), "state.json")
	must(t, os.WriteFile(state, []byte(c.Raw("show", "-json")), 0o600))
	raw := filepath.Join(files, "terraform.tfstate")

	_, again, said := exported(w, "-state", raw)
	if names := slices.Sorted(maps.Keys(again)); !slices.Equal(names, []string{"providers.tf"}) || !strings.Contains(said, "0 to import") {
		t.Errorf("%v\n%s", names, said)
	}
	to, said := clientsOf(w, "-state", state, "-moved")
	text, err := os.ReadFile(raw)
	must(t, err)
	to.File("terraform.tfstate", string(text))
	plan := to.Run("plan", "-no-color", "-input=false", "-out=moved.plan")
	plan.WantOK(t, "Plan: 0 to add, 0 to change, 0 to destroy.")
	if !strings.Contains(said, "81 to move. 0 to import.") {
		t.Error(said)
	}
	to.Run("apply", "-no-color", "-input=false", "moved.plan").WantOK(t, "0 added, 0 changed, 0 destroyed")
	must(t, os.Remove(filepath.Join(to.Dir, "imports.tf")))
	to.WantEmptyPlan()
	w.WantReads()

	// What has its address already gets neither.
	must(t, os.WriteFile(state, []byte(to.Raw("show", "-json")), 0o600))
	if same, said := clientsOf(w, "-state", state, "-moved"); !strings.Contains(said, "0 to import") || strings.Contains(said, "to move") {
		t.Error(said)
	} else if _, err := os.Stat(filepath.Join(same.Dir, "imports.tf")); err == nil {
		t.Error(same.Read("imports.tf"))
	}
}

// With -state, what a state lacks refers to what it has by data sources.
func TestExport_Unmanaged(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	dir, _, _ := exported(w, "-label", "sign.client-0001.example")
	c := w.Cli()
	c.Dir = dir
	c.Ok("apply", "-no-color", "-input=false", "-auto-approve")
	_, err := w.Sim.AddPersonInConsole("sign.client-0001.example", "new@client-0001.example", "New", "Member")
	must(t, err)
	rest, files, said := exported(w, "-state", filepath.Join(dir, "terraform.tfstate"))
	if text := files["sign.client-0001.example.tf"]; !strings.Contains(text, `data "reseller_private_label" "sign_client_0001_example"`) || strings.Contains(text, "person-2@") {
		t.Error(text)
	}
	if !strings.Contains(files["catalog.tf"], `data "reseller_package" "plan_02"`) || !strings.Contains(said, "omitted, because a state has them") {
		t.Error(files["catalog.tf"], said)
	}
	r := w.Cli()
	r.Dir = rest
	r.Run("plan", "-no-color", "-input=false").WantOK(t, "to import, 0 to add, 0 to change, 0 to destroy.")
}

// The guide's steps for two states: the second refers to the catalog of the first, and a client moves between them.
func TestExport_TwoStates(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "removed blocks")
	w := env(t)
	gold, err := w.Sim.AddPackage("GOLD", nil, true)
	must(t, err)
	for _, host := range []string{"sign.acme.example", "sign.bolt.example"} {
		_, err := w.Sim.AddConsoleLabel(host, "ada@"+host)
		must(t, err)
		_, err = w.Sim.AddPersonInConsole(host, "bob@"+host, "Bob", "Byte")
		must(t, err)
		must(t, w.Sim.AssignInConsole(host, gold, nil))
		w.VerifyDNS(host)
	}
	north, south := w.Cli(), w.Cli()
	north.Dir, _, _ = exported(w, "-label", "sign.acme.example")
	north.Ok("apply", "-no-color", "-input=false", "-auto-approve")
	state := filepath.Join(north.Dir, "terraform.tfstate")
	south.Dir, _, _ = exported(w, "-label", "sign.bolt.example", "-state", state)
	south.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "3 imported, 0 added, 0 changed, 0 destroyed")
	south.WantEmptyPlan()

	removed, err := os.ReadFile("../../examples/taking-over/removed.tf")
	must(t, err)
	must(t, os.Remove(filepath.Join(north.Dir, "sign.acme.example.tf")))
	must(t, os.Remove(filepath.Join(north.Dir, "imports.tf")))
	north.File("removed.tf", string(removed))
	w.Sim.ResetJournal()
	north.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "0 added, 0 changed, 0 destroyed")
	all, files, _ := exported(w, "-state", state, "-state", filepath.Join(south.Dir, "terraform.tfstate"))
	if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, []string{"catalog.tf", "imports.tf", "providers.tf", "sign.acme.example.tf"}) {
		t.Errorf("%v in %s", names, all)
	}
	south.File("acme.tf", files["sign.acme.example.tf"])
	south.File("acme-imports.tf", files["imports.tf"])
	south.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "3 imported, 0 added, 0 changed, 0 destroyed")
	south.WantEmptyPlan()
	north.WantEmptyPlan()
	w.WantReads()
}
