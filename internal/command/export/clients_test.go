package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/examples/clients"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

// clientsOf exports in the style of clients, and initializes the module.
func clientsOf(w *providertest.TestEnv, args ...string) (c *providertest.CLI, said string) {
	w.T.Helper()
	c, said = exportIn(w, append(args, "-style", "clients")...)
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
			n := imported(t, said)
			assert.GreaterOrEqual(t, n, map[string]int{"each": 65, "set": 15, "none": 12}[members], said)
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
		shipped, err := os.ReadFile("../../../examples/clients/" + name)
		require.NoError(t, err)
		assert.Equal(t, string(shipped), c.Read(name), "%s is not the shipped one", name)
	}
	assert.LessOrEqual(t, strings.Count(c.Read("main.tf"), "\n"), 30, "main.tf has lines")
	if !strings.Contains(c.Read(".gitignore"), "*.tfstate") || !strings.Contains(c.Read("providers.tf"), "backend") {
		t.Error(c.Read(".gitignore"), c.Read("providers.tf"))
	}
}

const newClient = "app_name: New\nowner: {email: a@new.example, first_name: A, last_name: B}\n"

// planClients plans with files of clients, one for each row of a table. HOST is a host name that no other file has.
func planClients(c *providertest.CLI, rows [][]string) providertest.Result {
	c.T.Helper()
	for i, row := range rows {
		host := fmt.Sprintf("host: sign.bad-%02d.example\n", i)
		good := host + newClient
		text := strings.NewReplacer(`\n`, "\n", "HOST ", host, "NEW", newClient, "GOOD ", good, "PAID ", good+"package: PLAN-02\n").Replace(row[0])
		c.File(fmt.Sprintf("clients/bad-%02d.yaml", i), text+"\n")
	}
	defer c.Remove("clients/bad-*")
	return c.PlanText("-refresh=false")
}

// wants are the second cells of a table, sorted.
func wants(rows [][]string) (all []string) {
	for _, row := range rows {
		all = append(all, row[1])
	}
	slices.Sort(all)
	return all
}

// A person edits YAML: a mistake is an error at plan that names the file and the key, also in what a key has. What a host name,
// an address or a color is, the provider decides.
func TestExport_ClientsBadInput(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w, "-label", "sign.client-0001.example")
	if providertest.OlderCLI(t, "1.7.0") { // it checks the targets of imports first, and says nothing else of a client with a mistake
		c.Apply().WantOK(t)
		c.Remove("imports.tf")
	}
	rows := texttable.Rows(read(t, "testdata/clients.txt"))
	result := planClients(c, rows)
	for i, row := range rows {
		result.WantText(t, fmt.Sprintf("clients/bad-%02d.yaml: %s", i, row[1]))
	}
	assert.Equal(t, 1, result.Code)
	assert.Equal(t, len(rows), strings.Count(result.Out, "Error: "), result.Out)
	c.File("clients/twice.yaml", "host: sign.twice.example\n"+newClient+"members:\n  b@new.example: {first_name: B, last_name: C}\nmembers: {}\n")
	again := c.PlanText("-refresh=false")
	again.WantError(t, "members: this key is there twice")
	assert.NotContains(t, again.Out, "as another type than text", "the members of the first one")
	c.Remove("clients/twice.yaml")
	c.File("clients/broken.yaml", "host: a.example\n  app_name: A\n") // the parser says what is wrong
	c.PlanText().WantError(t, `var.file is "clients/broken.yaml"`, "on line 2, column 1: mapping values are not allowed")
	c.File("clients/broken.yaml", "# nothing\n")
	c.PlanText().WantError(t, `var.file is "clients/broken.yaml"`, "missing start of document")
	c.Remove("clients/broken.yaml")

	for group := range strings.SplitSeq(read(t, "testdata/decisions.txt"), "\n\n") { // of the provider; an error of a private label stops what depends on it
		decisions := texttable.Rows(group)
		planClients(c, decisions).WantError(t, wants(decisions)...)
	}
	c.File("clients/again.yaml", "host: SIGN.client-0001.example\n")
	c.File("clients/notes.txt", "To do: ask for the logo\n") // not a file that is ignored, as one with another ending could be a client
	c.File("clients/.again.yaml.swp", "an editor's")
	c.PlanText().WantError(t,
		"clients/again.yaml and clients/sign.client-0001.example.yaml: host: these have the same host name", "clients/notes.txt: To do: there is no such key")
}

const (
	csvHead = "host,app_name,owner_email,owner_first_name,owner_last_name,package,addons\n"
	csvRow  = "sign.new.example,\"New, here\",a@new.example,A,B,plan-02,EXTRA-04=2\n"
)

// A mistake in clients.csv is an error that names the row and the column, and does not print the whole file.
func TestExport_ClientsCSVBadInput(t *testing.T) {
	t.Parallel()
	problems := texttable.Rows(read(t, "testdata/csv.txt"))
	rows, err := filepath.Abs("../../../examples/clients/modules/portal/rows")
	require.NoError(t, err)
	c := env(t).Cli()
	var config strings.Builder
	for i, problem := range problems {
		text := strings.NewReplacer(`\n`, "\n", "HEAD ", csvHead, "ROW ", csvRow, "ROW", csvRow, "EMPTY", "").Replace(problem[0])
		fmt.Fprintf(&config, "module \"rows_%d\" {\n  source = %q\n  csv = { \"clients.csv\" = %q }\n}\n", i, rows, text)
	}
	c.Config(config.String())
	c.Ok("get", "-no-color")
	r := c.PlanText()
	r.WantError(t, wants(problems)...)
	assert.Equal(t, len(problems), strings.Count(r.Out, "Error: "), r.Out)
	assert.NotContains(t, r.Out, "Error in function call", "a whole file is printed")
}

// Rows of clients.csv are clients beside the files.
func TestExport_ClientsCSV(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w, "-members", "none", "-label", "sign.client-0001.example,sign.client-0002.example,sign.client-0003.example")
	c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	c.Remove("imports.tf")
	const head, row = csvHead, csvRow
	for text, want := range map[string]string{
		head + row + row: "clients.csv row 2 and clients.csv row 3: host: these have the same host name",
		head + "sign.client-0001.example,,,,,,\n":               "clients.csv row 2 and clients/sign.client-0001.example.yaml: host: these have the same host name",
		head + "sign.new.example,New,a@new.example,A,B,NOPE,\n": "clients.csv row 2: package: the catalog has no package NOPE",
	} {
		c.File("clients.csv", text)
		c.PlanText("-refresh=false").WantError(t, want)
	}
	const empty = ",,,,,,\n" // as a spreadsheet leaves it
	c.File("clients.csv", "\ufeff"+strings.ReplaceAll(head+row+empty+"sign.next.example,Next,a@next.example,A,B,,\n"+empty, "\n", "\r\n"))
	c.Apply().WantOK(t, "5 added, 0 changed, 0 destroyed") // two private labels, two looks at DNS, an assignment
	c.WantEmptyPlan()
	for _, l := range w.Sim.Labels() {
		if l.Host == "sign.new.example" {
			assert.Equal(t, "New, here, PLAN-02, 1 add-ons", fmt.Sprintf("%s, %s, %d add-ons", l.AppName, l.Package, len(l.Addons)))
		}
	}
	// A client whose row becomes a file is the same client, who can leave.
	c.File("clients.csv", head+row)
	c.File("clients/sign.next.example.yaml", "host: sign.next.example\napp_name: Next\nowner: {email: a@next.example, first_name: A, last_name: B}\nleaving: keep\n")
	c.Apply().WantOK(t, "0 added, 1 changed, 0 destroyed")
	c.WantEmptyPlan()
}

// With -blocks, a client that fails at apply does not stop others, and a file without a block is an error.
func TestExport_ClientsBlocks(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, said := clientsOf(w, "-blocks", "-label", "sign.client-0001.example,sign.client-0002.example,sign.client-0003.example")
	wantImports(w, c, imported(t, said))
	blocks := c.Read("clients.tf")
	assert.Contains(t, blocks, "module \"sign_client_0001_example\" {\n  source = \"./modules/portal\"\n  client = local.clients[\"clients/sign.client-0001.example.yaml\"]\n}\n")
	assert.Equal(t, strings.Count(blocks, "module \""), strings.Count(c.Read("imports.tf"), ".reseller_private_label.this\n"), blocks)
	c.Remove("imports.tf")

	for _, name := range []string{"bad", "good"} {
		c.File("clients/"+name+".yaml", "host: sign."+name+".example\n"+newClient+"package: PLAN-02\nmembers: {b@new.example: {first_name: B, last_name: C}}\n")
	}
	plan := func() providertest.Result { return c.Run("plan", "-no-color", "-input=false", "-refresh=false") }
	block := func(name, key string) string {
		return fmt.Sprintf("\nmodule %q {\n  source = \"./modules/portal\"\n  client = local.clients[%q]\n}\n", name, key)
	}
	c.File("clients.csv", "host,app_name,owner_email,owner_first_name,owner_last_name,package,addons\n1-Row.example,Row,a@row.example,A,B,,\n")
	plan().WantError(t, "1-row.example, clients/bad.yaml, clients/good.yaml: there is no module block",
		strings.Join(strings.Fields(block("_1_row_example", "1-row.example")+block("sign_bad_example", "clients/bad.yaml")+block("sign_good_example", "clients/good.yaml")), " "))
	c.Remove("clients.csv")
	c.File("clients.tf", blocks+block("bad", "clients/bad.yaml")+block("good", "clients/good.yaml")+block("twice", "clients/good.yaml"))
	c.Ok("get", "-no-color")
	plan().WantError(t, "two module blocks of one client: clients/good.yaml")
	c.File("clients.tf", blocks+block("bad", "clients/bad.yaml")+block("good", "clients/good.yaml"))
	_, err := w.Sim.AddConsoleLabel("sign.bad.example", "ada@bad.example")
	must(t, err, w.Sim.DeprovisionInConsole("sign.bad.example")) // nobody can provision it again, which no plan sees
	r := c.Apply("-parallelism=1")
	r.WantError(t, "HOST_TAKEN")
	var people []string
	for _, l := range w.Sim.Labels() {
		if l.Host == "sign.good.example" || l.Host == "sign.bad.example" {
			people = append(people, fmt.Sprintf("%d people, %s", l.Members, l.Package))
		}
	}
	assert.Equal(t, []string{"2 people, PLAN-02"}, people, r.Out)
	c.Remove("clients/bad.yaml")
	lacking := plan()
	lacking.WantError(t, "clients/bad.yaml: clients.tf has a module block for this file, which does not exist.", "To remove the client, also remove the block")
	assert.NotContains(t, lacking.Out, "Invalid index", lacking.Out)
	c.File("clients/again.yaml", c.Read("clients/good.yaml"))
	c.File("clients.tf", blocks+block("good", "clients/good.yaml"))
	c.Ok("get", "-no-color")
	again := plan()
	again.WantError(t, "clients/again.yaml and clients/good.yaml: host: these have the same host name")
	assert.NotContains(t, again.Out, "there is no module block", "a second block of one client")
	c.Remove("clients/again.yaml")
	c.File("clients.tf", blocks+block("good", "clients/good.yaml")+block("row", "sign.row.example"))
	c.Ok("get", "-no-color")
	plan().WantError(t, "sign.row.example: clients.tf has a module block for this row of clients.csv, which does not exist")
	c.File("clients.tf", blocks+block("good", "clients/good.yaml"))
	c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()
}

// The error of a client without a block names the block as an export does.
func TestExport_ClientsBlockNames(t *testing.T) {
	t.Parallel()
	w := env(t)
	long := strings.Repeat("a-long-name.", 9)
	for _, host := range []string{
		"sign.acme.example", "sign-acme.example", "a-b.c.example", "a.b-c.example", "1st.example", "single-name.example", long + "example", long + "b.example",
	} {
		must(t, problem(w.Sim.AddConsoleLabel(host, "ada@acme.example")))
	}
	c, _ := clientsOf(w, "-blocks")
	c.Remove("imports.tf")
	blocks := regexp.MustCompile(`(?s)module ".*?\n}\n`).FindAllString(c.Read("clients.tf"), -1)
	assert.Len(t, blocks, 8)
	c.File("clients.tf", "")
	for i, block := range blocks {
		blocks[i] = strings.Join(strings.Fields(block), " ")
	}
	c.PlanText("-refresh=false").WantError(t, blocks...)
}

// An export can be planned with `terraform test` in a simulator that is empty, in either layout of clients.
func TestExport_Tested(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.6.0", "terraform test")
	for name, flags := range map[string][]string{"files": nil, "blocks": {"-blocks"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := seeded(t)
			c, _ := clientsOf(w, flags...)
			c.Remove("imports.tf")
			c.File("clients.tftest.hcl", read(t, "../../../examples/testing/export/clients.tftest.hcl"))
			if flags == nil {
				c.File("clients.csv", read(t, "../../../examples/export/clients.csv"))
				c.File("clients/sign.dune.example.yaml", read(t, "../../../examples/export/sign.dune.example.yaml"))
			}
			files, err := filepath.Glob(filepath.Join(c.Dir, "clients", "*"))
			require.NoError(t, err)
			for _, file := range append(files, filepath.Join(c.Dir, "catalog.tf")) { // the codes of clients.csv
				text := strings.NewReplacer("PLAN-02", "GOLD", "EXTRA-01", "SEATS", "EXTRA-02", "MAIL").Replace(read(t, file))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			installed := providertest.InstalledCLI(t) // the build with a simulator
			installed.Dir = c.Dir
			installed.Init()
			installed.Run("test", "-no-color").WantOK(t, "1 passed, 0 failed")
		})
	}
}

// rowsOfGuide are the first cells of the table in a section of the guide "Clients as YAML files".
func rowsOfGuide(t *testing.T, section string) (cells []string) {
	t.Helper()
	_, text, found := strings.Cut(read(t, "../../../templates/guides/clients-as-yaml.md.tmpl"), "\n## "+section+"\n")
	require.True(t, found, section)
	text, _, _ = strings.Cut(text, "\n## ")
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| .+ \\|$").FindAllStringSubmatch(text, -1) {
		cells = append(cells, strings.Split(strings.Trim(row[1], "`"), "`, `")...)
	}
	return cells
}

// Each message that the guide explains is one of the configuration.
func TestExport_ClientsMessages(t *testing.T) {
	t.Parallel()
	var sources strings.Builder
	for _, name := range []string{"blocks/main.tf", "modules/portal/client/main.tf", "modules/portal/rows/main.tf"} {
		sources.WriteString(read(t, "../../../examples/clients/"+name))
	}
	messages := rowsOfGuide(t, "Errors")
	assert.GreaterOrEqual(t, len(messages), 5)
	for _, message := range messages {
		assert.True(t, strings.Contains(sources.String(), message), message)
	}
}

// imported is the number of imports that an export prints.
func imported(t *testing.T, said string) (n int) {
	t.Helper()
	_, err := fmt.Sscanf(said[strings.Index(said, "portals. ")+len("portals. "):], "%d to import", &n)
	require.NoError(t, err, said)
	return n
}

// The module, the JSON schema of an editor and the guide have the same keys.
func TestExport_ClientsSchema(t *testing.T) {
	t.Parallel()
	var schema struct {
		Properties map[string]struct{ Properties map[string]any }
	}
	text, err := clients.Files.ReadFile("modules/portal/client.schema.json")
	must(t, err, json.Unmarshal(text, &schema))
	module := read(t, "../../../examples/clients/modules/portal/client/main.tf")
	list := func(name string) (names []string) {
		found := regexp.MustCompile(`(?m)^ +` + name + ` += \[([^\]]*)\]$`).FindStringSubmatch(module)
		require.Len(t, found, 2, name)
		for _, quoted := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(found[1], -1) {
			names = append(names, quoted[1])
		}
		return names
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(schema.Properties)), list("all"))
	assert.Equal(t, list("all"), rowsOfGuide(t, "Keys"))
	for key, property := range schema.Properties {
		if nested := slices.Collect(maps.Keys(property.Properties)); len(nested) > 0 && key != "allow_excess" {
			assert.ElementsMatch(t, nested, list(key), key)
		}
	}
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
	c.Apply().WantOK(t, "18 imported, 1 added, 7 changed, 0 destroyed")
	c.Remove("imports.tf")
	c.WantEmptyPlan()

	for _, name := range leaving {
		c.Remove("clients/" + host(name) + ".yaml")
	}
	c.Ok("state", "rm", `module.portal["sign.stay.example"].reseller_member.this`) // else the set is another address of the same person
	c.File("clients/"+host("stay")+".yaml", "host: Sign.Stay.example\napp_name: Stay\npackage: silver\nallow_package_change: true\n"+
		"allow_excess: {seats: 10}\nmembers_as: set\nmembers: {bob@stay.example: {first_name: Bob, last_name: Byte}}\n")
	c.File("clients/new.yml", "host: sign.new.example\n"+newClient+"package: GOLD\naddons: {seats: 2}\nmembers: {b@new.example: {first_name: B, last_name: C}}\n"+
		"branding: {color_primary: \"#0a4\"}\nallow_excess: {seats: 10}\n")
	c.Apply().WantOK(t, "6 added, 1 changed, 12 destroyed")
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
	c.Apply().WantOK(t)
	state := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, os.WriteFile(state, []byte(c.Raw("show", "-json")), 0o600))
	_, again, said := exported(w, "-state", filepath.Join(c.Dir, "terraform.tfstate"))
	names := slices.Sorted(maps.Keys(again))
	assert.Equal(t, []string{"providers.tf"}, names, said)
	assert.Contains(t, said, "0 to import", names)
	w.Sim.ResetJournal()
	to, said := clientsOf(w, "-state", state, "-moved")
	assert.LessOrEqual(t, len(w.Sim.Journal()), 1+2+8+8, "calls") // as many as without a state: the list, the catalog, two for each
	assert.Contains(t, said, "33 to move. 0 to import.")
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
	must(t, w.Sim.AssignInConsole("sign.client-0008.example", w.PackageID("PLAN-02"), nil))
	c, _, _ := exported(w, "-label", "sign.client-0001.example")
	c.Apply().WantOK(t)
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
	north.Apply().WantOK(t)
	state := filepath.Join(north.Dir, "terraform.tfstate")
	south, _, _ := exported(w, "-label", "sign.bolt.example", "-state", state)
	south.Apply().WantOK(t, "3 imported, 0 added, 0 changed, 0 destroyed")
	south.WantEmptyPlan()

	removed, err := os.ReadFile("../../../examples/export/removed.tf")
	require.NoError(t, err)
	north.Remove("sign.acme.example.tf")
	north.Remove("imports.tf")
	north.File("removed.tf", string(removed))
	w.Sim.ResetJournal()
	north.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	all, files, _ := exported(w, "-state", state, "-state", filepath.Join(south.Dir, "terraform.tfstate"))
	assert.Equal(t, []string{"catalog.tf", "imports.tf", "providers.tf", "sign.acme.example.tf"}, slices.Sorted(maps.Keys(files)), "in %s", all.Dir)
	south.File("acme.tf", files["sign.acme.example.tf"])
	south.File("acme-imports.tf", files["imports.tf"])
	south.Apply().WantOK(t, "3 imported, 0 added, 0 changed, 0 destroyed")
	south.WantEmptyPlan()
	north.WantEmptyPlan()
	w.WantReads()
}

// A code that YAML takes for a merge, one with two spaces in a row, a host name that Windows takes for a device, and a key of
// settings that is no identifier.
func TestExport_ClientsOddNames(t *testing.T) {
	t.Parallel()
	w := env(t)
	first := w.Cli()
	first.Config(w.Config("resource \"reseller_package\" \"odd\" {\n  code = \"ODD\"\n  name = \"Odd\"\n  currency = \"EUR\"\n  settings = { weirdKey = \"<<\" }\n}\n"))
	first.Apply().WantOK(t, "1 added")
	merge, err := w.Sim.AddAddon("<<", nil, true)
	must(t, err)
	spaced, err := w.Sim.AddAddon("MORE  SEATS", nil, true)
	must(t, err, problem(w.Sim.AddConsoleLabel("con.acme.example", "ada@acme.example")))
	must(t, w.Sim.AssignInConsole("con.acme.example", w.Sim.Packages()[0].ID, map[string]float64{merge: 2, spaced: 1}))
	w.VerifyDNS("con.acme.example")
	w.Transport = rewriting{w.Sim.Transport(), func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("weirdKey"), []byte("we${ird} key")) }}
	for _, flags := range [][]string{nil, {"-blocks"}} {
		c, said := clientsOf(w, flags...)
		files, err := filepath.Glob(filepath.Join(c.Dir, "clients", "con.*"))
		require.NoError(t, err)
		assert.Empty(t, files)
		assert.Contains(t, c.Read("catalog.tf"), `"we$${ird} key"`)
		wantImports(w, c, imported(t, said))
	}
}

// An error says that a portal is gone: that of the plan that finds it gone, and that of a later one.
func TestExport_ClientsGone(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w, "-label", "sign.client-0001.example,sign.client-0003.example")
	c.Apply().WantOK(t)
	c.Remove("imports.tf")
	require.NoError(t, w.Sim.DeprovisionInConsole("sign.client-0001.example"))
	c.PlanText().WantError(t, "sign.client-0001.example is still in the configuration, and the host name of a deprovisioned")
	c.Ok("apply", "-refresh-only", "-auto-approve", "-no-color", "-input=false")
	c.PlanText().WantError(t, "sign.client-0001.example is not among the reseller's private labels",
		"If it existed before, it was deprovisioned or moved: remove its block, or the client's file")
}

// A destroy of everything explains what protects the objects of each type once, in the first error about one.
func TestExport_ClientsProtected(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w)
	c.Apply().WantOK(t)
	c.Remove("imports.tf")
	labels := len(w.Sim.Labels())
	for name, want := range map[string]map[string]int{
		`{}`: {"private label": labels},
		`{leaving={private_label="PREVENT",assignment="PREVENT",members="PREVENT"}}`: {"assignment of": 1, "member": 2}, // for which their private labels wait
	} {
		defaults := "-var=defaults=" + name
		c.Apply(defaults).WantOK(t, "0 added", "0 destroyed")
		r := c.Run("plan", "-destroy", "-no-color", "-input=false", defaults)
		r.WantError(t)
		_, said, _ := strings.Cut(r.Out, "Error: ")
		assert.Equal(t, len(want), strings.Count(said, "a client's file: leaving"), said)
		for noun, least := range want {
			errors := strings.Split(said, "deletion_policy of the "+noun+" ")[1:]
			require.GreaterOrEqual(t, len(errors), least, "%s in %s", noun, said)
			assert.Contains(t, errors[0], `is "PREVENT". If you renamed it, add a moved block. To keep the `+strings.TrimSuffix(noun, " of"), said)
		}
	}
}
