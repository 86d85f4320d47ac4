package export_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/examples/clients"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// clientsOf exports in the style of clients, and initializes the module.
func clientsOf(w *providertest.TestEnv, args ...string) (c *providertest.CLI, said string) {
	w.T.Helper()
	if providertest.OlderCLI(w.T, "1.7.0") {
		args = append(args, "-terraform", "1.5")
	}
	dir := filepath.Join(w.T.TempDir(), "portals")
	code, out, said := run(w.T.Context(), w, append(args, "-style", "clients", "-out", dir)...)
	require.Equal(w.T, 0, code, "exit code\n%s\n%s", out, said)
	require.Empty(w.T, out, "exit code %d\n%s", code, said)
	c = w.Cli()
	c.Dir = dir
	c.Ok("get", "-no-color")
	return c, said
}

// addClient adds what a client has: a private label with its owner, a member and a package.
func addClient(w *providertest.TestEnv, name, packageID string) {
	w.T.Helper()
	host := "sign." + name + ".example"
	must(w.T, problem(w.Sim.AddConsoleLabel(host, "ada@"+name+".example")), problem(w.Sim.AddPersonInConsole(host, "bob@"+name+".example", "Bob", "Byte")),
		w.Sim.AssignInConsole(host, packageID, nil))
	w.VerifyDNS(host)
}

func TestExport_Clients(t *testing.T) {
	t.Parallel()
	some := []string{"-label", "sign.client-0004.example,sign.client-0005.example,sign.client-0007.example"}
	for members, labels := range map[string][]string{"each": nil, "set": some, "none": some} {
		t.Run(members, func(t *testing.T) {
			t.Parallel()
			w := seeded(t)
			c, said := clientsOf(w, append([]string{"-members", members}, labels...)...)
			var n int
			_, err := fmt.Sscanf(said[strings.Index(said, "portals. ")+len("portals. "):], "%d to import", &n)
			require.NoError(t, err, said)
			assert.GreaterOrEqual(t, n, map[string]int{"each": 71, "set": 15, "none": 12}[members], said)
			wantImports(w, c, n)
			client := c.Read("clients/sign.client-0005.example.yaml")
			if members == "each" && !strings.Contains(client, `    first_name: "New\nLine ${each.key}"`) {
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
		require.NoError(t, err)
		assert.Equal(t, string(shipped), c.Read(name), "%s is not the shipped one", name)
	}
	assert.LessOrEqual(t, strings.Count(c.Read("main.tf"), "\n"), 30, "main.tf has lines")
	if !strings.Contains(c.Read(".gitignore"), "*.tfstate") || !strings.Contains(c.Read("providers.tf"), "backend") {
		t.Error(c.Read(".gitignore"), c.Read("providers.tf"))
	}
}

const newClient = "app_name: New\nowner: {email: a@new.example, first_name: A, last_name: B}\n"

// wantProblems plans with files of clients that have one problem each. The errors name the file and the key. HOST is a host
// name that no other file has.
func wantProblems(t *testing.T, c *providertest.CLI, problems map[string]string) {
	t.Helper()
	want := map[string]string{} // by file
	for i, text := range slices.Sorted(maps.Keys(problems)) {
		name := fmt.Sprintf("clients/bad-%02d.yaml", i)
		c.File(name, strings.ReplaceAll(text, "HOST", fmt.Sprintf("host: sign.bad-%02d.example\n", i)))
		want[name] = problems[text]
	}
	result := c.Run("plan", "-no-color", "-input=false", "-refresh=false")
	said := strings.Join(strings.Fields(result.Out), " ")
	for name, problem := range want {
		if !strings.Contains(said, name+": "+problem) {
			t.Errorf("%s lacks %q:\n%s", name, problem, c.Read(name))
		}
		require.NoError(t, os.Remove(filepath.Join(c.Dir, name)))
	}
	n := strings.Count(said, "Error: ")
	assert.Equal(t, 1, result.Code, "exit code, %d errors for %d files:\n%s", n, len(want), result.Out)
	assert.Equal(t, len(want), n, "exit code %d, errors for files:\n%s", result.Code, result.Out)
}

// A person edits YAML: a mistake is an error at plan that names the file and the key, also in what a key has.
func TestExport_ClientsBadInput(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w, "-label", "sign.client-0001.example")
	if providertest.OlderCLI(t, "1.7.0") { // it checks the targets of imports first, and says nothing else of a client with a mistake
		c.Apply().WantOK(t)
		require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
	}
	const (
		notClient = "this is not a client"
		noHost    = "host: write the host name"
		noOwner   = "owner: write email, first_name and last_name, and no other key"
		noAddons  = "addons: write a whole number of 1 or more for each code"
		noMembers = "members: write first_name and last_name, and no other key"
		noColors  = "branding: write colors"
		noExcess  = "allow_excess: write a number of 0 or more for documents, seats, templates or notarizations"
		noStart   = "at_creation: write support_url and website_url with https://"
		noDNS     = "verification: write none, or required (true or false) and timeout, such as 30m"
		noLeaving = "leaving: write suspend, keep, release or deprovision, or the deletion_policy of private_label, assignment and members"
	)
	good, paid := "HOST"+newClient, "HOST"+newClient+"package: PLAN-02\n"
	wantProblems(t, c, map[string]string{
		good + "pack: GOLD\n":      "pack: there is no such key. Keys are host, app_name, owner, at_creation, package,",
		good + "package: [GOLD]\n": "package: write the code",

		"HOSTowner: {email: a@new.example}\n":                                noOwner,
		"HOSTowner: {email: a@b.example, first_name: A, last_name: ' '}\n":   noOwner,
		"HOSTowner: {email: a@b, first_name: A, last_name: B, phone: '1'}\n": noOwner,

		paid + "addons: {SEATS: many}\n":        noAddons,
		paid + "addons: {SEATS: 0}\n":           noAddons,
		paid + "addons: {SEATS: 1.5}\n":         noAddons,
		paid + "addons: {SEATS: 1, seats: 2}\n": noAddons,
		paid + "addons: [SEATS]\n":              noAddons,
		good + "addons: {SEATS: 1}\n":           "addons: a client without a package has no add-ons",

		good + "members: {b@new.example: B}\n":                                                                           noMembers,
		good + "members: {b@new.example: {first_name: B, last_name: }}\n":                                                noMembers,
		good + "members: {b@new.example: {first_name: B, last_name: C, role: admin}}\n":                                  noMembers,
		good + "members: {b@new.example: {first_name: B, last_name: C}, B@new.example: {first_name: B, last_name: C}}\n": noMembers,
		good + "members: {bob: {first_name: B, last_name: C}}\n":                                                         noMembers,
		good + "members_as: list\n":                                                                                      "members_as: write each or set",
		good + "leaving: now\n":                                                                                          noLeaving,
		good + "leaving: {label: SUSPEND}\n":                                                                             noLeaving,
		good + "leaving: {private_label: REMOVE}\n":                                                                      noLeaving,
		good + "at_creation: {support_url: acme.example}\n":                                                              noStart,
		good + "at_creation: {color_primary: green}\n":                                                                   noStart,
		good + "at_creation: {social_links: {linkedIn: acme}}\n":                                                         noStart,
		good + "at_creation: {app_name: Acme}\n":                                                                         noStart,
		good + "verification: wait\n":                                                                                    noDNS,
		good + "verification: {required: maybe}\n":                                                                       noDNS,
		good + "verification: {timeout: 30}\n":                                                                           noDNS,
		good + "verification: {wait: 30m}\n":                                                                             noDNS,
		good + "suspended: maybe\n":                                                                                      "suspended: write true or false",
		good + "suspend_reason: unpaid\n":                                                                                "suspend_reason: write why, beside suspended: true",
		good + "branding: {color_primry: '#fff'}\n":                                                                      noColors,
		good + "branding: {color_primary: green}\n":                                                                      noColors,
		good + "branding: '#fff'\n":                                                                                      noColors,
		paid + "allow_excess: {seat: 5}\n":                                                                               noExcess,
		paid + "allow_excess: {seats: -5}\n":                                                                             noExcess,
		paid + "allow_excess: 5\n":                                                                                       noExcess,
		paid + "allow_package_change: maybe\n":                                                                           "allow_package_change: write true or false",
		"host: https://x.example\n":                                                                                      noHost,
		"app_name: New\n":                                                                                                noHost,
		"- a\n- b\n":                                                                                                     notClient,
		"host: [\n":                                                                                                      notClient,
		"# nothing\n":                                                                                                    notClient,
	})
	wantProblems(t, c, map[string]string{ // of the catalog and the private labels, which a plan knows later
		good + "package: NOPE\n":     "package: the catalog has no package NOPE",
		paid + "addons: {NOPE: 1}\n": "addons: the catalog has no add-on NOPE",

		"HOSTowner: {email: a@new.example, first_name: A, last_name: B}\n": "app_name: write the name of the portal. A new portal needs one",
		"HOSTapp_name: New\n": "owner: write email, first_name and last_name. A new portal needs an owner",

		good + "branding: {logo_path: none.png}\n":        "branding: logo_path: there is no file none.png",
		good + "branding: {banner_logo_path: none.png}\n": "branding: banner_logo_path: there is no file none.png",
	})
	c.File("clients/again.yaml", "host: SIGN.client-0001.example\n")
	c.File("clients/notes.txt", "To do: ask for the logo\n") // not a file that is ignored, as one with another ending could be a client
	c.File("clients/.again.yaml.swp", "an editor's")
	c.Run("plan", "-no-color", "-input=false").WantError(t,
		"clients/again.yaml and clients/sign.client-0001.example.yaml: host: both files have this host name", "clients/notes.txt: To do: there is no such key")
}

// The module and the JSON schema of an editor know the same keys.
func TestExport_ClientsSchema(t *testing.T) {
	t.Parallel()
	var schema struct {
		Properties map[string]struct{ Properties map[string]any }
	}
	text, err := clients.Files.ReadFile("modules/portal/client.schema.json")
	must(t, err, json.Unmarshal(text, &schema))
	variables, err := clients.Files.ReadFile("modules/portal/variables.tf")
	require.NoError(t, err)
	for key, property := range schema.Properties {
		assert.Contains(t, string(variables), `"`+key+`"`, "the module has no validation of %s", key)
		assert.Contains(t, string(variables), "]}: "+key+": ", "the module has no validation of %s", key)
		for nested := range property.Properties {
			assert.Contains(t, string(variables), nested, "the module does not name of %s", key)
		}
	}
	n := strings.Count(string(variables), `"allow_package_change"`)
	assert.Equal(t, 3, n, "lists of keys, %d keys in the schema", len(schema.Properties))
	assert.Len(t, schema.Properties, 15, "%d lists of keys, keys in the schema", n)
}

// All that a file of a client can say: a new client, one whose package changes, and one who leaves in each way.
func TestExport_ClientsLife(t *testing.T) {
	t.Parallel()
	w := env(t)
	gold, err := w.Sim.AddPackage("GOLD", map[string]float64{"seats": 3}, true)
	require.NoError(t, err)
	must(t, problem(w.Sim.AddPackage("SILVER", map[string]float64{"seats": 10}, true)), problem(w.Sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true)))
	leaving := []string{"suspend", "keep", "release", "deprovision"}
	host := func(name string) string { return "sign." + name + ".example" }
	for _, name := range append([]string{"stay"}, leaving...) {
		addClient(w, name, gold)
	}
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"seats": 16}))
	c, _ := clientsOf(w)
	for _, name := range leaving {
		c.File("clients/"+host(name)+".yaml", c.Read("clients/"+host(name)+".yaml")+"leaving: "+name+"\n")
	}
	c.File("clients/"+host("stay")+".yaml", c.Read("clients/"+host("stay")+".yaml")+"app_name: Stay\n")
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "18 imported, 1 added, 7 changed, 0 destroyed")
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
	c.WantEmptyPlan()

	for _, name := range leaving {
		require.NoError(t, os.Remove(filepath.Join(c.Dir, "clients", host(name)+".yaml")))
	}
	c.Ok("state", "rm", `module.portal["sign.stay.example"].reseller_member.this`) // else the set is another address of the same person
	c.File("clients/"+host("stay")+".yaml", "host: Sign.Stay.example\napp_name: Stay\npackage: silver\nallow_package_change: true\n"+
		"allow_excess: {seats: 10}\nmembers_as: set\nmembers: {bob@stay.example: {first_name: Bob, last_name: Byte}}\n")
	c.File("clients/new.yml", "host: sign.new.example\n"+newClient+"package: GOLD\naddons: {seats: 2}\nmembers: {b@new.example: {first_name: B, last_name: C}}\n"+
		"branding: {color_primary: \"#0a4\"}\nallow_excess: {seats: 10}\n")
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "6 added, 1 changed, 12 destroyed")
	c.WantEmptyPlan()
	got := map[string]string{}
	for _, l := range w.Sim.Labels() {
		got[l.Host] = strings.Join(strings.Fields(fmt.Sprintf("%s, %s, %d people, %d add-ons, %v", l.Status, l.Package, l.Members, len(l.Addons), l.Colors)), " ")
	}
	assert.Equal(t, map[string]string{
		host("stay"):    "Active, SILVER, 2 people, 0 add-ons, map[]",
		host("new"):     "Active, GOLD, 2 people, 1 add-ons, map[colorPrimary:#0a4]",
		host("suspend"): "Suspended, , 1 people, 0 add-ons, map[]",
		host("keep"):    "Active, GOLD, 2 people, 0 add-ons, map[]",
		host("release"): "Active, , 1 people, 0 add-ons, map[]",
	}, got)
}

// From files to clients, or from another layout: a plan of moves alone.
func TestExport_Moved(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _, _ := exported(w)
	c.Ok("apply", "-no-color", "-input=false", "-auto-approve")
	state := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, os.WriteFile(state, []byte(c.Raw("show", "-json")), 0o600))
	_, again, said := exported(w, "-state", filepath.Join(c.Dir, "terraform.tfstate"))
	names := slices.Sorted(maps.Keys(again))
	assert.Equal(t, []string{"providers.tf"}, names, said)
	assert.Contains(t, said, "0 to import", names)
	w.Sim.ResetJournal()
	to, said := clientsOf(w, "-state", state, "-moved")
	assert.LessOrEqual(t, len(w.Sim.Journal()), 1+2+20+20, "calls") // as many as without a state: the list, the catalog, two for each
	assert.Contains(t, said, "81 to move. 0 to import.")
	wantMoves(w, c, to)

	// What has its address already gets neither.
	require.NoError(t, os.WriteFile(state, []byte(to.Raw("show", "-json")), 0o600))
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
	c, _, _ := exported(w, "-label", "sign.client-0001.example")
	c.Ok("apply", "-no-color", "-input=false", "-auto-approve")
	must(t, problem(w.Sim.AddPersonInConsole("sign.client-0001.example", "new@client-0001.example", "New", "Member")))
	rest, files, said := exported(w, "-state", filepath.Join(c.Dir, "terraform.tfstate"))
	text := files["sign.client-0001.example.tf"]
	assert.Contains(t, text, `data "reseller_private_label" "sign_client_0001_example"`)
	assert.NotContains(t, text, "person-2@")
	assert.Contains(t, files["catalog.tf"], `data "reseller_package" "plan_02"`, said)
	assert.Contains(t, said, "omitted, because a state has them", files["catalog.tf"])
	rest.Run("plan", "-no-color", "-input=false").WantOK(t, "to import, 0 to add, 0 to change, 0 to destroy.")
}

// The guide's steps for two states: the second refers to the catalog of the first, and a client moves between them.
func TestExport_TwoStates(t *testing.T) {
	t.Parallel()
	providertest.NeedsRemovedBlocks(t)
	w := env(t)
	gold, err := w.Sim.AddPackage("GOLD", nil, true)
	require.NoError(t, err)
	for _, name := range []string{"acme", "bolt"} {
		addClient(w, name, gold)
	}
	north, _, _ := exported(w, "-label", "sign.acme.example")
	north.Ok("apply", "-no-color", "-input=false", "-auto-approve")
	state := filepath.Join(north.Dir, "terraform.tfstate")
	south, _, _ := exported(w, "-label", "sign.bolt.example", "-state", state)
	south.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "3 imported, 0 added, 0 changed, 0 destroyed")
	south.WantEmptyPlan()

	removed, err := os.ReadFile("../../examples/taking-over/removed.tf")
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(north.Dir, "sign.acme.example.tf")))
	require.NoError(t, os.Remove(filepath.Join(north.Dir, "imports.tf")))
	north.File("removed.tf", string(removed))
	w.Sim.ResetJournal()
	north.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "0 added, 0 changed, 0 destroyed")
	all, files, _ := exported(w, "-state", state, "-state", filepath.Join(south.Dir, "terraform.tfstate"))
	assert.Equal(t, []string{"catalog.tf", "imports.tf", "providers.tf", "sign.acme.example.tf"}, slices.Sorted(maps.Keys(files)), "in %s", all.Dir)
	south.File("acme.tf", files["sign.acme.example.tf"])
	south.File("acme-imports.tf", files["imports.tf"])
	south.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "3 imported, 0 added, 0 changed, 0 destroyed")
	south.WantEmptyPlan()
	north.WantEmptyPlan()
	w.WantReads()
}
