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

// A person edits YAML: a mistake is an error at plan that names the file and the key, also in what a key has. What a host name,
// an address or a color is, the provider decides.
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
		noOwner   = "owner: write email, first_name and last_name"
		noNames   = "write first_name and last_name, and no other key"
		noText    = "write a text"
		noKey     = "there is no such key"
		twice     = "this key is there twice"
		empty     = "this key is empty."
	)
	good, paid := "HOST"+newClient, "HOST"+newClient+"package: PLAN-02\n"
	wantProblems(t, c, map[string]string{
		good + "pack: GOLD\n":      "pack: there is no such key. Keys are host, app_name, owner, at_creation, package,",
		good + "package: [GOLD]\n": "package: " + noText,
		good + "package: NOPE\n":   "package: the catalog has no package NOPE",

		"HOSTapp_name: A\nowner: {email: a@new.example}\n":                                noOwner,
		"HOSTapp_name: A\nowner: {email: a@b, first_name: A, last_name: B, phone: '1'}\n": "owner: phone: " + noKey,
		"HOSTapp_name: A\nowner: ada@new.example\n":                                       noOwner,

		paid + "addons: {NOPE: 1}\n":                  "addons: the catalog has no add-on NOPE",
		paid + "addons: {EXTRA-01: many}\n":           "addons: EXTRA-01: write a quantity",
		paid + "addons: {EXTRA-01: 1, extra-01: 2}\n": "addons: write each code once",
		paid + "addons: [EXTRA-01]\n":                 "addons: write a quantity for each code",
		paid + "addons:\n":                            "addons: this key is empty. Write {} for none",
		good + "addons: {EXTRA-01: 1}\n":              "addons: a client without a package has no add-ons",

		good + "members: {b@new.example: B}\n":                                                                           "members: b@new.example: " + noNames,
		good + "members: {b@new.example: {first_name: B, last_name: }}\n":                                                "members: b@new.example: " + noNames,
		good + "members: {b@new.example: {first_name: B, last_name: C, role: admin}}\n":                                  "members: b@new.example: " + noNames,
		good + "members: {b@new.example: {first_name: B, last_name: C}, B@new.example: {first_name: B, last_name: C}}\n": "members: write each email address once",
		good + "members: [b@new.example]\n":                                                                              "members: write first_name and last_name for each email address",
		good + "members:\n":                                                                                              "members: this key is empty. Write {} for none",
		good + "members: {}\nmembers:\n  b@new.example: {first_name: B, last_name: C}\n":                                 "members: " + twice,
		good + "members: # all\n  b@n.example: {first_name: B, last_name: C}\n\n  # again\n  \"b@n.example\":\n    first_name: B\n    last_name: C\n": "members: b@n.example: " + twice,
		paid + "addons:\n  EXTRA-01: 1\n  EXTRA-01: 2\n":                                         "addons: EXTRA-01: " + twice,
		good + "members_as: list\n":                                                              "members_as: write each or set",
		"HOSTowner: {email: a@new.example, first_name: A, last_name: B}\napp_name: No\n":         "app_name: " + noText,
		"HOSTowner: {email: a@new.example, first_name: A, last_name: B}\napp_name: 2026-03-14\n": "app_name: " + noText,
		good + "package: 007\n":                                                                  "package: " + noText,
		"HOSTapp_name: A\nowner: {email: a@new.example, first_name: No, last_name: B}\n":         "owner: first_name: " + noText,
		good + "members:\n  b@new.example: {first_name: 2026-03-14, last_name: C}\n":             "members: b@new.example: first_name: " + noText,
		good + "leaving: now\n":                                                                  "leaving: write suspend, keep, release or deprovision",
		good + "leaving: {label: SUSPEND}\n":                                                     "leaving: label: " + noKey,
		good + "at_creation: {app_name: Acme}\n":                                                 "at_creation: app_name: " + noKey,
		good + "at_creation: {support_url: }\n":                                                  "at_creation: support_url: " + empty,
		good + "verification: wait\n":                                                            "verification: write none, or required and timeout",
		good + "verification: {required: maybe}\n":                                               "verification: required: write true or false",
		good + "verification: {timeout: 30}\n":                                                   "verification: timeout: " + noText,
		good + "verification: {wait: 30m}\n":                                                     "verification: wait: " + noKey,
		good + "suspended: maybe\n":                                                              "suspended: write true or false",
		good + "branding: {color_primry: '#fff'}\n":                                              "branding: color_primry: " + noKey,
		good + "branding:\n  color_primary: #00aa44\n":                                           "branding: color_primary: " + empty + " Write a value, in quotes if it begins with #",
		good + "branding:\n":                                                                     "branding: " + empty,
		good + "package:\n":                                                                      "package: " + empty,
		good + "branding: '#fff'\n":                                                              "branding: write keys with values",
		paid + "allow_excess: 5\n":                                                               "allow_excess: write a number",
		paid + "allow_package_change: maybe\n":                                                   "allow_package_change: write true or false",
		"app_name: New\n":                                                                        noHost,
		"host: 12\n" + newClient:                                                                 "host: " + noText,
		"- a\n- b\n":                                                                             notClient,
	})
	c.File("clients/twice.yaml", "host: sign.twice.example\n"+newClient+"members:\n  b@new.example: {first_name: B, last_name: C}\nmembers: {}\n")
	again := c.Run("plan", "-no-color", "-input=false", "-refresh=false")
	again.WantError(t, "members: "+twice)
	assert.NotContains(t, again.Out, "as another type than text", "the members of the first one")
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "clients", "twice.yaml")))
	c.File("clients/broken.yaml", "host: a.example\n  app_name: A\n") // the parser says what is wrong
	c.Run("plan", "-no-color", "-input=false").WantError(t, `var.file is "clients/broken.yaml"`, "on line 2, column 1: mapping values are not allowed")
	c.File("clients/broken.yaml", "# nothing\n")
	c.Run("plan", "-no-color", "-input=false").WantError(t, `var.file is "clients/broken.yaml"`, "missing start of document")
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "clients", "broken.yaml")))

	for _, decisions := range []map[string]string{ // of the provider; an error of a private label stops what depends on it
		{
			"host: https://x.example\n" + newClient:                               "Invalid value for domain",
			"host: sign.bücher.example\n" + newClient:                             "xn--",
			"HOSTowner: {email: a, first_name: A, last_name: B}\napp_name: New\n": "Invalid value for owner.email",
			good + "suspend_reason: unpaid\n":                                     "suspend_reason requires suspended = true",
			good + "leaving: {private_label: REMOVE}\n":                           "deletion_policy",
			"HOSTapp_name: New\n":                                                 "Missing owner for provisioning",
		},
		{
			good + "members: {bob: {first_name: B, last_name: C}}\n": "Invalid value for email",
			good + "branding: {color_primary: green}\n":              "Invalid value for color_primary",
			good + "branding: {logo_path: none.png}\n":               "requires upload_url",
		},
	} {
		for i, text := range slices.Sorted(maps.Keys(decisions)) {
			c.File(fmt.Sprintf("clients/bad-%d.yaml", i), strings.ReplaceAll(text, "HOST", fmt.Sprintf("host: sign.bad-%d.example\n", i)))
		}
		c.Run("plan", "-no-color", "-input=false", "-refresh=false").WantError(t, slices.Sorted(maps.Values(decisions))...)
		for i := range len(decisions) {
			require.NoError(t, os.Remove(filepath.Join(c.Dir, fmt.Sprintf("clients/bad-%d.yaml", i))))
		}
	}
	c.File("clients/again.yaml", "host: SIGN.client-0001.example\n")
	c.File("clients/notes.txt", "To do: ask for the logo\n") // not a file that is ignored, as one with another ending could be a client
	c.File("clients/.again.yaml.swp", "an editor's")
	c.Run("plan", "-no-color", "-input=false").WantError(t,
		"clients/again.yaml and clients/sign.client-0001.example.yaml: host: these have the same host name", "clients/notes.txt: To do: there is no such key")
}

const (
	csvHead = "host,app_name,owner_email,owner_first_name,owner_last_name,package,addons\n"
	csvRow  = "sign.new.example,\"New, here\",a@new.example,A,B,plan-02,EXTRA-04=2\n"
)

// A mistake in clients.csv is an error that names the row and the column, and does not print the whole file.
func TestExport_ClientsCSVBadInput(t *testing.T) {
	t.Parallel()
	const head, row = csvHead, csvRow
	problems := map[string]string{
		"host,app_name,owner_email,owner_first_name,package,addons\nsign.new.example,New,a@new.example,A,,\n":  "clients.csv: there is no column owner_last_name",
		strings.Replace(head, "addons", "addons,notes", 1):                                                     "clients.csv: notes: there is no such column",
		strings.ReplaceAll(head+"sign.new.example,New,a@new.example,A,B,,\n", ",", ";"):                        "clients.csv: separate the columns by commas",
		head + row + "sign.two.example,\"Two\nlines\",a@two.example,A,B,,\n":                                   "clients.csv row 3: app_name: write it on one line",
		head + ",New,a@new.example,A,B,,\n":                                                                    "clients.csv row 2: host: write the host name",
		head + "sign.new.example,New,a@new.example,A,B,PLAN-02,EXTRA-01\n":                                     "clients.csv row 2: addons: write a quantity for each code",
		head + "sign.new.example,New,a@new.example,A,B,PLAN-02,EXTRA-01=1;extra-01=2\n":                        "clients.csv row 2: addons: write a quantity for each code, and each code once",
		head + "sign.new.example,New,a@new.example,,B,,\n":                                                     "clients.csv row 2: owner_first_name: this cell is empty. Fill in all cells of the owner",
		head + row + "sign.new.example,New\n":                                                                  "clients.csv row 3: write a cell for each column",
		head + "sign.new.example,New, here,a@new.example,A,B,,\n" + row:                                        "clients.csv row 2: write a cell for each column, and quotes around a cell that contains a comma",
		head + row + "sign.two.example,\"Two,a@two.example,A,B,,\n":                                            "clients.csv row 3: write a cell for each column",
		"\n" + head + "\n" + row + "\n\n,New,a@new.example,A,B,,\n":                                            "clients.csv row 7: host: write the host name",
		head + "\n" + row + "\nsign.new.example,New\n":                                                         "clients.csv row 5: write a cell for each column",
		head + "sign.two.example,\"The \"\"Two\"\"\n\nlines\",a@two.example,A,B,,\n,New,a@new.example,A,B,,\n": "one line. clients.csv row 3: host: write the host name", // as a spreadsheet counts
		"": "clients.csv: separate the columns by commas",
	}
	rows, err := filepath.Abs("../../../examples/clients/modules/portal/rows")
	require.NoError(t, err)
	c := env(t).Cli()
	var config strings.Builder
	for i, text := range slices.Sorted(maps.Keys(problems)) {
		fmt.Fprintf(&config, "module \"rows_%d\" {\n  source = %q\n  csv = { \"clients.csv\" = %q }\n}\n", i, rows, text)
	}
	c.Config(config.String())
	c.Ok("get", "-no-color")
	r := c.Run("plan", "-no-color", "-input=false")
	r.WantError(t, slices.Sorted(maps.Values(problems))...)
	assert.Equal(t, len(problems), strings.Count(r.Out, "Error: "), r.Out)
	assert.NotContains(t, r.Out, "Error in function call", "a whole file is printed")
}

// Rows of clients.csv are clients beside the files.
func TestExport_ClientsCSV(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w, "-members", "none", "-label", "sign.client-0001.example,sign.client-0002.example,sign.client-0003.example")
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "0 added, 0 changed, 0 destroyed")
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
	const head, row = csvHead, csvRow
	for text, want := range map[string]string{
		head + row + row: "clients.csv row 2 and clients.csv row 3: host: these have the same host name",
		head + "sign.client-0001.example,,,,,,\n":               "clients.csv row 2 and clients/sign.client-0001.example.yaml: host: these have the same host name",
		head + "sign.new.example,New,a@new.example,A,B,NOPE,\n": "clients.csv row 2: package: the catalog has no package NOPE",
	} {
		c.File("clients.csv", text)
		c.Run("plan", "-no-color", "-input=false", "-refresh=false").WantError(t, want)
	}
	const empty = ",,,,,,\n" // as a spreadsheet leaves it
	c.File("clients.csv", "\ufeff"+strings.ReplaceAll(head+row+empty+"sign.next.example,Next,a@next.example,A,B,,\n"+empty, "\n", "\r\n"))
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "5 added, 0 changed, 0 destroyed") // two private labels, two looks at DNS, an assignment
	c.WantEmptyPlan()
	for _, l := range w.Sim.Labels() {
		if l.Host == "sign.new.example" {
			assert.Equal(t, "New, here, PLAN-02, 1 add-ons", fmt.Sprintf("%s, %s, %d add-ons", l.AppName, l.Package, len(l.Addons)))
		}
	}
	// A client whose row becomes a file is the same client, who can leave.
	c.File("clients.csv", head+row)
	c.File("clients/sign.next.example.yaml", "host: sign.next.example\napp_name: Next\nowner: {email: a@next.example, first_name: A, last_name: B}\nleaving: keep\n")
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "0 added, 1 changed, 0 destroyed")
	c.WantEmptyPlan()
}

// With -blocks, a client that fails at apply stops itself alone, and a file without a block is an error.
func TestExport_ClientsBlocks(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, said := clientsOf(w, "-blocks", "-label", "sign.client-0001.example,sign.client-0002.example,sign.client-0003.example")
	wantImports(w, c, imported(t, said))
	blocks := c.Read("clients.tf")
	assert.Contains(t, blocks, "module \"sign_client_0001_example\" {\n  source = \"./modules/portal\"\n  client = local.clients[\"clients/sign.client-0001.example.yaml\"]\n}\n")
	assert.Equal(t, strings.Count(blocks, "module \""), strings.Count(c.Read("imports.tf"), ".reseller_private_label.this\n"), blocks)
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))

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
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "clients.csv")))
	c.File("clients.tf", blocks+block("bad", "clients/bad.yaml")+block("good", "clients/good.yaml")+block("twice", "clients/good.yaml"))
	c.Ok("get", "-no-color")
	plan().WantError(t, "two module blocks of one client: clients/good.yaml")
	c.File("clients.tf", blocks+block("bad", "clients/bad.yaml")+block("good", "clients/good.yaml"))
	_, err := w.Sim.AddConsoleLabel("sign.bad.example", "ada@bad.example")
	must(t, err, w.Sim.DeprovisionInConsole("sign.bad.example")) // nobody can provision it again, which no plan sees
	r := c.Run("apply", "-no-color", "-input=false", "-auto-approve", "-parallelism=1")
	r.WantError(t, "HOST_TAKEN")
	var people []string
	for _, l := range w.Sim.Labels() {
		if l.Host == "sign.good.example" || l.Host == "sign.bad.example" {
			people = append(people, fmt.Sprintf("%d people, %s", l.Members, l.Package))
		}
	}
	assert.Equal(t, []string{"2 people, PLAN-02"}, people, r.Out)
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "clients", "bad.yaml")))
	lacking := plan()
	lacking.WantError(t, "clients/bad.yaml: clients.tf has a module block for this file, which does not exist.", "To remove the client, also remove the block")
	assert.NotContains(t, lacking.Out, "Invalid index", lacking.Out)
	c.File("clients/again.yaml", c.Read("clients/good.yaml"))
	c.File("clients.tf", blocks+block("good", "clients/good.yaml"))
	c.Ok("get", "-no-color")
	again := plan()
	again.WantError(t, "clients/again.yaml and clients/good.yaml: host: these have the same host name")
	assert.NotContains(t, again.Out, "there is no module block", "a second block of one client")
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "clients", "again.yaml")))
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
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
	blocks := regexp.MustCompile(`(?s)module ".*?\n}\n`).FindAllString(c.Read("clients.tf"), -1)
	assert.Len(t, blocks, 8)
	c.File("clients.tf", "")
	for i, block := range blocks {
		blocks[i] = strings.Join(strings.Fields(block), " ")
	}
	c.Run("plan", "-no-color", "-input=false", "-refresh=false").WantError(t, blocks...)
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
			require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
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

	removed, err := os.ReadFile("../../../examples/export/removed.tf")
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
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
	require.NoError(t, w.Sim.DeprovisionInConsole("sign.client-0001.example"))
	c.Run("plan", "-no-color", "-input=false").WantError(t, "sign.client-0001.example is still in the configuration, and the host name of a deprovisioned")
	c.Ok("apply", "-refresh-only", "-auto-approve", "-no-color", "-input=false")
	c.Run("plan", "-no-color", "-input=false").WantError(t, "sign.client-0001.example is not among the reseller's private labels",
		"If it existed before, it was deprovisioned or moved: remove its block, or the client's file")
}

// A destroy of everything explains what protects the objects of each type once, in the first error about one.
func TestExport_ClientsProtected(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, _ := clientsOf(w)
	c.Apply().WantOK(t)
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
	labels := len(w.Sim.Labels())
	for name, want := range map[string]map[string]int{
		`{}`: {"private label": labels},
		`{leaving={private_label="PREVENT",assignment="PREVENT",members="PREVENT"}}`: {"assignment of": 1, "member": 2}, // for which their private labels wait
	} {
		defaults := "-var=defaults=" + name
		c.Run("apply", "-no-color", "-input=false", "-auto-approve", defaults).WantOK(t, "0 added", "0 destroyed")
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
