package export_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/export"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

func TestMain(m *testing.M) { os.Exit(providertest.Main(m)) }

// env is a reseller with the settings of the provider in its environment.
func env(t *testing.T) *providertest.TestEnv {
	t.Helper()
	return configured(providertest.NewTestEnv(t))
}

func configured(w *providertest.TestEnv) *providertest.TestEnv {
	w.Env.Set("RESELLER_BASE_URL", simulator.BaseURL)
	w.Env.Set("RESELLER_API_KEY", w.APIKey())
	return w
}

// run runs the command as a process does, with a provider of its own.
func run(ctx context.Context, w *providertest.TestEnv, args ...string) (code int, out, said string) {
	w.T.Helper()
	below := w.Transport
	defer func() { w.Transport = below }()
	pace := &existing.Pace{Transport: cmp.Or(below, w.Sim.Transport())}
	w.Transport = pace
	server, err := w.Server()
	require.NoError(w.T, err)
	var stdout, stderr bytes.Buffer
	code = export.Main(ctx, args, server, pace, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// exportIn exports into a new directory, which is that of the CLI.
func exportIn(w *providertest.TestEnv, args ...string) (c *providertest.CLI, said string) {
	w.T.Helper()
	if providertest.OlderCLI(w.T, "1.7.0") && !slices.Contains(args, "-terraform") {
		args = append(args, "-terraform", "1.5")
	}
	c = w.Cli()
	c.Dir = filepath.Join(w.T.TempDir(), "new", "portals")
	code, out, said := run(w.T.Context(), w, append(args, "-out", c.Dir)...)
	require.Equal(w.T, 0, code, "exit code\n%s\n%s", out, said)
	require.Empty(w.T, out, said)
	return c, said
}

// exported exports into a directory and returns a CLI there, its files, and what was said.
func exported(w *providertest.TestEnv, args ...string) (c *providertest.CLI, files map[string]string, said string) {
	w.T.Helper()
	c, said = exportIn(w, args...)
	files = map[string]string{}
	entries, err := os.ReadDir(c.Dir)
	require.NoError(w.T, err)
	for _, e := range entries {
		if e.Name() != ".gitignore" {
			files[e.Name()] = c.Read(e.Name())
		}
	}
	return c, files, said
}

// wantImports plans and applies an export: it imports, and nothing else.
func wantImports(w *providertest.TestEnv, c *providertest.CLI, n int) {
	w.T.Helper()
	c.Ok("fmt", "-check", "-diff")
	plan := c.Run("plan", "-no-color", "-input=false", "-out=export.plan")
	if n == 0 {
		plan.WantOK(w.T, "No changes.")
		return
	}
	plan.WantOK(w.T, fmt.Sprintf("Plan: %d to import, 0 to add, 0 to change, 0 to destroy.", n))
	w.Sim.ResetJournal()
	c.Apply("export.plan").WantOK(w.T, fmt.Sprintf("Resources: %d imported, 0 added, 0 changed, 0 destroyed.", n))
	c.WantEmptyPlan()
	w.WantReads()
}

func must(t *testing.T, problems ...error) {
	t.Helper()
	require.NoError(t, errors.Join(problems...))
}

// problem is the error of a move of the simulator whose result no test needs.
func problem(_ string, err error) error { return err }

func TestExport_EmptyReseller(t *testing.T) {
	t.Parallel()
	w := env(t)
	c, files, said := exported(w)
	require.Len(t, files, 1, said)
	assert.NotEmpty(t, files["providers.tf"], "%v\n%s", files, said)
	assert.Contains(t, said, "0 to import", files)
	wantImports(w, c, 0)
}

// seeded is a reseller with what an agency has after a year.
func seeded(t *testing.T) *providertest.TestEnv {
	t.Helper()
	w := env(t)
	host := func(i int) string { return fmt.Sprintf("sign.client-%04d.example", i) }
	must(t, w.Sim.Seed(8), w.Sim.RemovePackageInConsole(host(8)), w.Sim.SuspendInConsole(host(1), "unpaid ${now}"), w.Sim.SuspendByPlatform(host(2), "abuse"),
		w.Sim.MakeAdmin(host(3), "person-2@client-0003.example"), w.Sim.RemoveOwner(host(4)))
	for _, email := range []string{"${path}@a.example", `"quoted \" one"@a.example`, "Ünïcode@bücher.example", "UPPER@a.example", "%{if}+tag@a.example"} {
		must(t, problem(w.Sim.AddPersonInConsole(host(5), email, "New\nLine ${each.key}", "\x00\x1b[31m\\ \"%{ for }\" \u202e\U0001f600")))
	}
	for _, email := range []string{"person-2@client-0006.example", "person-3@client-0006.example"} {
		require.NoError(t, w.Sim.RemovePersonInConsole(host(6), email))
	}
	for _, code := range []string{"1ST", "GOLD_PLUS", "Gold.Plus", "GOLD-PLUS", "${code}", `"%{X}`, "ÜBER", "A B"} {
		must(t, problem(w.Sim.AddPackage(code, map[string]float64{"seats": 1}, code != "1ST")))
	}
	odd, err := w.Sim.AddPackage("ODD", nil, true)
	require.NoError(t, err)
	quantities := map[string]float64{}
	for _, code := range []string{"${seats}", "SEATS.MANY", "UNUSED"} {
		id, err := w.Sim.AddAddon(code, map[string]float64{"seats": 1}, true)
		require.NoError(t, err)
		quantities[id] = 3
	}
	require.NoError(t, w.Sim.AssignInConsole(host(7), odd, quantities))
	w.Sim.ResetJournal()
	return w
}

func TestExport_Reseller(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, files, said := exported(w)
	assert.NoError(t, w.WantCalls(map[string]int{
		providertest.RouteToken: 1, providertest.RouteDashboard: 1, providertest.RouteList: 1, providertest.RoutePackageSearch: 1,
		providertest.RouteAddonSearch: 1, providertest.RouteDetail: 8, providertest.RouteMembers: 8,
	}))
	// 21 packages, 11 add-ons, 8 private labels, 7 assignments; 2 members each, less 1 admin and 2 who were removed, and
	// 5 more.
	const objects = 21 + 11 + 8 + 7 + 2*8 - 3 + 5
	require.Len(t, files, 11, "files\n%s", said)
	assert.Contains(t, said, fmt.Sprintf("12 files in %s. %d to import: 21 reseller_package,", c.Dir, objects), "%d files", len(files))
	for name, text := range files {
		for _, never := range []string{"app_name", "owner", "deletion_policy", w.APIKey(), simulator.BaseURL} {
			assert.NotContains(t, text, never, name)
		}
	}
	for file, parts := range map[string][]string{
		"imports.tf": {"  to = reseller_member.sign_client_0001_example["},
		"catalog.tf": {`resource "reseller_package" "gold_plus" {`, `resource "reseller_package" "gold_plus_`, `code     = "$${CODE}"`, "active   = false"},
		"sign.client-0007.example.tf": {
			"package_id       = reseller_package.odd.id", "private_label_id = reseller_private_label.sign_client_0007_example.id", ".code) = 3",
		},
		"sign.client-0005.example.tf": {"each.value.email", `"New\nLine $${each.key}"`},
		"sign.client-0001.example.tf": {
			"each.key", "addons           = {}",
			`"person-2@client-0001.example" = { first_name = "Person 2", last_name = "of Client 1" }`,
		},
	} {
		for _, part := range parts {
			assert.Contains(t, files[file], part, "%s lacks", file)
		}
	}
	wantImports(w, c, objects)

	w.Transport = rewriting{w.Sim.Transport(), reverseRows}
	_, again, _ := exported(w)
	assert.Equal(t, again, files, "another order of rows changes the files")
}

func TestExport_MembersAsSets(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, files, _ := exported(w, "-members", "set", "-label", "SIGN.client-0005.example, sign.client-0006.example,sign.client-0005.example")
	assert.Equal(t, []string{
		"catalog.tf", "imports.tf", "providers.tf", "sign.client-0005.example.tf", "sign.client-0006.example.tf",
	}, slices.Sorted(maps.Keys(files)))
	assert.Contains(t, files["sign.client-0006.example.tf"], "members          = {}")
	assert.Equal(t, 2, w.Calls(providertest.RouteDetail), "details")
	// Of each private label: it, its assignment, its members; the two packages, and an add-on.
	wantImports(w, c, 2*3+2+1)
}

func TestExport_WithoutMembers(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	code, out, said := run(t.Context(), w, "-members=none")
	assert.Equal(t, 0, code, "exit code\n%s", said)
	assert.Equal(t, 0, w.Calls(providertest.RouteMembers), "exit code %d\n%s", code, said)
	assert.NotContains(t, out, "reseller_member", "exit code %d\n%s", code, said)
	assert.Equal(t, out, string(hclwrite.Format([]byte(out))), "standard output is not one formatted configuration")
	assert.Equal(t, 1, strings.Count(out, `provider "reseller"`), "standard output is not one formatted configuration")
	assert.Equal(t, 21+11+8+7, strings.Count(out, "import {"), "imports")
}

// The file that the guide shows.
func TestExport_Example(t *testing.T) {
	t.Parallel()
	w := configured(providertest.NewTestEnvOptions(t, simulator.Options{IDs: "example"}))
	const host = "sign.acme.example"
	must(t, problem(w.Sim.AddConsoleLabel(host, "ada@acme.example")))
	gold, noGold := w.Sim.AddPackage("GOLD", nil, true)
	seats, noSeats := w.Sim.AddAddon("SEATS", nil, true)
	must(t, noGold, noSeats, problem(w.Sim.AddPersonInConsole(host, "bob@acme.example", "Bob", "Byte")),
		problem(w.Sim.AddPersonInConsole(host, "cora@acme.example", "Cora", "Cypher")), w.Sim.AssignInConsole(host, gold, map[string]float64{seats: 10}))
	w.VerifyDNS(host)
	_, files, _ := exported(w, "-terraform", "1.7")
	for _, name := range []string{"sign.acme.example.tf", "imports.tf"} {
		goldentest.Check(t, "../../../examples/export/"+name, files[name])
	}
	c, _ := clientsOf(w)
	const client = "sign.acme.example.yaml"
	goldentest.Check(t, "../../../examples/export/"+client, c.Read("clients/"+client))
	c, _ = clientsOf(w, "-blocks")
	goldentest.Check(t, "../../../examples/export/clients.tf", c.Read("clients.tf"))
}

// A host name that is not attached is the one change that is left.
func TestExport_Detached(t *testing.T) {
	t.Parallel()
	w := env(t)
	w.Sim.FailAttach(1)
	must(t, problem(w.Sim.AddConsoleLabel("sign.acme.example", "ada@acme.example")))
	c, _, said := exported(w)
	assert.Contains(t, said, "sign.acme.example is not attached")
	c.Apply().WantOK(t, "1 imported, 0 added, 1 changed, 0 destroyed.")
	c.WantEmptyPlan()
}

// Host names that give the same name, and those that are no names.
func TestExport_HostNames(t *testing.T) {
	t.Parallel()
	w := env(t)
	long := strings.TrimSuffix(strings.Repeat(strings.Repeat("a", 62)+".", 4), ".")
	for i, host := range []string{"sign.acme.example", "sign-acme.example", "1st.example", "xn--bcher-kva.example", long, "b" + long[1:], "underscore.example", "blank.example"} {
		must(t, problem(w.Sim.AddConsoleLabel(host, fmt.Sprintf("owner-%d@acme.example", i))))
		w.VerifyDNS(host)
	}
	must(t, problem(w.Sim.AddPersonInConsole("blank.example", "blank@acme.example", "", "")))
	w.Transport = rewriting{w.Sim.Transport(), func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte("underscore.example"), []byte("under_score.${x}"))
	}}
	c, files, said := exported(w)
	for _, name := range []string{"sign.acme.example.tf", "sign-acme.example.tf", "1st.example.tf", "xn--bcher-kva.example.tf"} {
		assert.NotEmpty(t, files[name], "there is no %s", name)
	}
	if len(files) != 9 { // with providers.tf and imports.tf, and without the host name that a configuration cannot have
		t.Errorf("%d files: %v", len(files), slices.Sorted(maps.Keys(files)))
	}
	for _, part := range []string{"reseller_private_label of under_score.${x} (", "reseller_member of blank.example ("} {
		assert.Contains(t, said, part, "nothing says")
	}
	wantImports(w, c, 7)
}

func TestExport_Errors(t *testing.T) {
	t.Parallel()
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "main.tf"), nil, 0o600))
	sets := map[string]func(w *providertest.TestEnv){
		"no base URL":           func(w *providertest.TestEnv) { w.Env.Set("RESELLER_BASE_URL", "") },
		"wrong key":             func(w *providertest.TestEnv) { w.Env.Set("RESELLER_API_KEY", wrongKey) },
		"key without the scope": limitedKey,
		"server failure":        faulty(simulator.FaultServerError),
		"page of a proxy":       faulty(simulator.FaultPage),
	}
	for _, row := range texttable.Rows(strings.ReplaceAll(`
		no base URL                                     | base_url is not set.\n\nSet RESELLER_BASE_URL.
		key without the scope                           | INSUFFICIENT_SCOPE
		wrong key                                       | API key
		server failure                                  | HTTP 500
		page of a proxy                                 | the response is not JSON
		-label sign.acme.example,sign.nobody.example    | sign.nobody.example
		-out FULL/main.tf/portals                       | main.tf
		-out FULL                                       | has files, such as main.tf
		-all                                            | export -h
		-members all                                    | each, set and none
		-label ,                                        | there is no host name
		portals                                         | unexpected argument "portals"
	`, "FULL", full)) {
		t.Run(row[0], func(t *testing.T) {
			t.Parallel()
			w := env(t)
			must(t, problem(w.Sim.AddConsoleLabel("sign.acme.example", "ada@acme.example")))
			dir := filepath.Join(t.TempDir(), "portals")
			args := []string{"-out", dir}
			if set := sets[row[0]]; set != nil {
				set(w)
			} else {
				args = append(args, strings.Fields(row[0])...)
			}
			code, out, said := run(t.Context(), w, args...)
			assert.Equal(t, 1, code, said)
			assert.Empty(t, out)
			assert.Contains(t, said, strings.ReplaceAll(row[1], `\n`, "\n"))
			assert.Equal(t, 1, strings.Count(said, "Nothing was written."), said)
			assert.NoDirExists(t, dir)
			for _, secret := range []string{w.Sim.APIKey(), wrongKey, w.Env.Get("RESELLER_API_KEY")} {
				if secret != "" && strings.Contains(said, secret) {
					t.Errorf("a secret in %s", said)
				}
			}
		})
	}
	entries, err := os.ReadDir(full)
	require.NoError(t, err, "files were written beside others %v", entries)
	assert.Len(t, entries, 1, "files were written beside others")
}

const wrongKey = "rsl_live_00000000000000000000000000000000_0000000000000000"

func limitedKey(w *providertest.TestEnv) {
	key, err := w.Sim.MintKey("reseller:provision")
	require.NoError(w.T, err)
	w.Env.Set("RESELLER_API_KEY", key)
}

func faulty(kind simulator.FaultKind) func(w *providertest.TestEnv) {
	return func(w *providertest.TestEnv) {
		w.Sim.Inject(simulator.Fault{Route: providertest.RouteDetail, Kind: kind, Times: -1})
	}
}

func TestExport_Interrupted(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteMembers, Skip: 5, Hook: cancel})
	dir := t.TempDir()
	code, out, said := run(ctx, w, "-out", dir)
	assert.Equal(t, 1, code, "exit code\n%s%s", out, said)
	assert.Empty(t, out, "exit code %d%s", code, said)
	assert.True(t, strings.HasSuffix(said, "terraform-provider-reseller export: interrupted. Nothing was written.\n"), "exit code %d\n%s%s", code, out, said)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err, entries)
	assert.Empty(t, entries)
}

// The minutes are those of the API's limit, and the lines are few.
func TestExport_Progress(t *testing.T) {
	t.Parallel()
	w := env(t)
	require.NoError(t, w.Sim.Seed(100))
	began := w.Sim.Clock().Now()
	code, _, said := run(t.Context(), w)
	if took := w.Sim.Clock().Now().Sub(began).Minutes(); code != 0 || took < 3 || took > 4 {
		t.Errorf("exit code %d after %v minutes", code, took)
	}
	want := `Reading 100 private labels with 200 API calls: about 3 min at the limit of 60 a minute.
29 of 100 private labels are read: about 2 min left.
59 of 100 private labels are read: about 1 min left.
89 of 100 private labels are read: less than a minute left.
`
	assert.True(t, strings.HasPrefix(said, want), said)
}

// rewriting changes the bodies of responses.
type rewriting struct {
	http.RoundTripper
	change func([]byte) []byte
}

func (r rewriting) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	body = r.change(body)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, resp.Body.Close()
}

// With -terraform 1.5, each instance has its own import block: the only form that CLIs before 1.7 know.
func TestExport_OldCLI(t *testing.T) {
	t.Parallel()
	if !providertest.OlderCLI(t, "1.16.0") {
		t.Skip("Terraform 1.16.0 uses only the first import block of an address")
	}
	w := seeded(t)
	const labels = "sign.client-0001.example,sign.client-0005.example,sign.client-0007.example" // add-ons, and addresses and codes of odd characters
	c, files, _ := exported(w, "-terraform", "1.5", "-label", labels)
	assert.Contains(t, files["providers.tf"], `required_version = ">= 1.5" # imports.tf; for 1.7 and later, export with: -terraform 1.7`, files["imports.tf"])
	assert.NotContains(t, files["imports.tf"], "for_each =", files["providers.tf"])
	assert.Contains(t, files["imports.tf"], `to = reseller_member.sign_client_0001_example["person-2@client-0001.example"]`, files["providers.tf"])
	wantImports(w, c, 3+3+3*2+5+6) // private labels, assignments, members, and their items
}

// A CLI that knows no for_each in import blocks stops, and the file that it names says which flag helps.
func TestExport_NewFormInOldCLI(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c, files, _ := exported(w, "-terraform", "1.7")
	assert.Contains(t, files["imports.tf"], `"Unsupported argument"). For these versions, export with -terraform 1.5.`)
	if providertest.OlderCLI(t, "1.7.0") {
		c.PlanText().WantError(t, "Unsupported argument on imports.tf")
	}
}

// A private label that goes while the export reads is omitted and named.
func TestExport_GoneDuringRead(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"", "/members"} {
		t.Run("before"+call, func(t *testing.T) {
			t.Parallel()
			w := seeded(t)
			const host = "sign.client-0008.example"
			id := w.LabelID(host)
			var once sync.Once
			w.Transport = before{w.Sim.Transport(), func(path string) {
				if strings.HasSuffix(path, "/"+id+call) {
					once.Do(func() { require.NoError(t, w.Sim.DeprovisionInConsole(host)) })
				}
			}}
			_, files, said := exported(w)
			if files[host+".tf"] != "" || len(files) != 10 || !strings.Contains(said, host+" ("+id+") was removed during the read, and is omitted.") {
				t.Errorf("%v\n%s", slices.Sorted(maps.Keys(files)), said)
			}
		})
	}
}

// before sees the path of a call before it is sent.
type before struct {
	http.RoundTripper
	see func(path string)
}

func (b before) RoundTrip(req *http.Request) (*http.Response, error) {
	b.see(req.URL.Path)
	return b.RoundTripper.RoundTrip(req)
}

// Codes and names are kept byte for byte, and nothing that the API has reaches the terminal as a control character.
func TestExport_Bytes(t *testing.T) {
	t.Parallel()
	w := env(t)
	for _, code := range []string{"TWO  SPACES", " LEADS"} {
		must(t, problem(w.Sim.AddPackage(code, nil, true)))
	}
	must(t, problem(w.Sim.AddConsoleLabel("sign.acme.example", "ada@acme.example")))
	w.Transport = rewriting{w.Sim.Transport(), func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(`"sign.acme.example"`), []byte(`"sign\u0000.acme\u001b[31m.example"`))
	}}
	_, files, said := exported(w)
	assert.Contains(t, files["catalog.tf"], `"TWO  SPACES"`)
	for _, r := range said {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%q", said)
			break
		}
	}
	assert.NotContains(t, said, "the reseller has nothing")
	assert.Contains(t, said, "reseller_private_label of sign")
}

// hexID matches an ID, which differs from one simulator to the next.
var hexID = regexp.MustCompile(`[0-9a-f]{32}`)

// The files are the same in any form of the API, but for the spelling of addresses and what an add-on or a search does not
// show.
func TestExport_Forms(t *testing.T) {
	t.Parallel()
	const seeds = 24
	in := func(t *testing.T, forms simulator.Forms) map[string]string {
		t.Helper()
		forms["email-case"], forms["addon-fields"], forms["search-inactive"] = "as-sent", "full", "found"
		w := configured(providertest.NewTestEnvAssuming(t, forms))
		must(t, w.Sim.Seed(4), w.Sim.RemovePackageInConsole("sign.client-0001.example"))
		w.Sim.Clock().Advance(time.Hour) // late reads show it
		_, files, _ := exported(w)
		for name, text := range files {
			files[name] = hexID.ReplaceAllString(text, "ID")
		}
		return files
	}
	want := in(t, simulator.Forms{})
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			forms := simulator.RandomForms(seed)
			assert.Equal(t, want, in(t, forms), "other files with simulate -forms %s", forms)
		})
	}
}
