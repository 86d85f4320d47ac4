package coverage_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/coverage"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

func TestMain(m *testing.M) { os.Exit(providertest.Main(m)) }

func env(t *testing.T) *providertest.TestEnv {
	t.Helper()
	return envIn(t, simulator.Forms{})
}

func envIn(t *testing.T, forms simulator.Forms) *providertest.TestEnv {
	t.Helper()
	w := providertest.NewTestEnvAssuming(t, forms)
	w.Env.Set("RESELLER_BASE_URL", simulator.BaseURL)
	w.Env.Set("RESELLER_API_KEY", w.APIKey())
	return w
}

func run(w *providertest.TestEnv, args ...string) (code int, out, said string) {
	w.T.Helper()
	pace := &existing.Pace{Transport: cmp.Or(w.Transport, w.Sim.Transport())}
	w.Transport = pace
	server, err := w.Server()
	require.NoError(w.T, err)
	w.Transport = pace.Transport
	var stdout, stderr bytes.Buffer
	code = coverage.Main(w.T.Context(), args, server, pace, w.Sim.Clock().Now(), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// object is an object as a state has it.
type object struct {
	address string
	values  map[string]any
}

// statesOf is what a state may have of each object of the simulator's books.
func statesOf(w *providertest.TestEnv) (all []object) {
	add := func(typ, name string, values map[string]any) {
		values["reseller"] = w.Sim.Slug()
		all = append(all, object{typ + "." + name, values})
	}
	for _, item := range w.Sim.Packages() {
		add("reseller_package", item.Code, map[string]any{"id": item.ID, "code": item.Code})
	}
	for _, item := range w.Sim.Addons() {
		add("reseller_addon", item.Code, map[string]any{"id": item.ID, "code": item.Code})
	}
	for i, l := range w.Sim.Labels() {
		name := fmt.Sprintf("l%d", i)
		add("reseller_private_label", name, map[string]any{"id": l.ID, "domain": l.Host})
		if l.Package != "" {
			addons := map[string]any{}
			for _, a := range l.Addons {
				addons[a.Code] = a.Quantity
			}
			add("reseller_assignment", name, map[string]any{"private_label_id": l.ID, "package_code": l.Package, "addons": addons})
		}
		for j, p := range l.People {
			if p.Role == "member" {
				add("reseller_member", fmt.Sprintf("%s_%d", name, j), map[string]any{"private_label_id": l.ID, "id": p.ID, "email": p.Email})
			}
		}
	}
	return all
}

// write writes a state, as a file or as `terraform show -json` prints it.
func write(t *testing.T, raw bool, objects []object) string {
	t.Helper()
	var all []any
	for _, o := range objects {
		typ, name, _ := strings.Cut(o.address, ".")
		if raw {
			all = append(all, map[string]any{"mode": "managed", "type": typ, "name": name, "instances": []any{map[string]any{"attributes": o.values}}})
		} else {
			all = append(all, map[string]any{"address": o.address, "mode": "managed", "type": typ, "name": name, "values": o.values})
		}
	}
	state := map[string]any{"version": 4, "lineage": t.Name() + fmt.Sprint(len(objects), raw, rand.Uint64()), "resources": all}
	if !raw {
		state = map[string]any{"format_version": "1.0", "values": map[string]any{"root_module": map[string]any{"child_modules": []any{map[string]any{"resources": all}}}}}
	}
	text, err := json.Marshal(state)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

// rowsOf are the rows of a report: kind, type, subject and what it says.
func rowsOf(t *testing.T, out string) (rows []string) {
	t.Helper()
	var report struct {
		Effects []struct{ Kind, Address, What, Subject string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	for _, e := range report.Effects {
		typ, _, _ := strings.Cut(e.Address, ".")
		rows = append(rows, fmt.Sprintf("%s %s %s: %s", e.Kind, typ, e.Subject, e.What))
	}
	return rows
}

// Of every five objects, two are in no state, one is in both, and one in each. Then the console attaches an add-on that no state
// manages, and two private labels go. Walks of TestPromise compare the rows of random states with the books.
func TestCoverage_Rows(t *testing.T) {
	t.Parallel()
	w := env(t)
	require.NoError(t, w.Sim.Seed(10))
	addon, err := w.Sim.AddAddon("EXTRA", nil, true)
	require.NoError(t, err)
	labels := w.Sim.Labels()
	var states [2][]object
	for i, o := range statesOf(w) {
		if o.values["private_label_id"] == labels[1].ID && o.values["addons"] != nil {
			o.values["addons"] = nil
			states[0] = append(states[0], o)
			continue
		}
		for n := range states {
			if i%5 == 1 || i%5 == 2+n {
				states[n] = append(states[n], o)
			}
		}
	}
	require.NoError(t, w.Sim.AttachInConsole(labels[1].Host, addon, 3))
	for _, gone := range []int{4, 7} {
		require.NoError(t, w.Sim.DeprovisionInConsole(labels[gone].Host))
	}
	first, second := write(t, true, states[0]), write(t, false, states[1])
	w.Sim.ResetJournal()
	code, out, said := run(w, "-state", first, "-state", second, "-state", first, "-format", "json")
	assert.Equal(t, 2, code, said)
	goldentest.Check(t, "testdata/rows.txt", strings.Join(rowsOf(t, strings.NewReplacer(first, "first.json", second, "second.json").Replace(out)), "\n")+"\n")
	calls := map[string]int{}
	for _, call := range w.Sim.Journal() {
		text := fmt.Sprintf("%s %s?%s %s", call.Method, call.Path, call.Query, call.Body)
		calls[text]++
		assert.LessOrEqual(t, calls[text], 1, "read twice: %s", text)
	}
	w.WantReads()
	known := filepath.Join(t.TempDir(), "known.json")
	require.NoError(t, os.WriteFile(known, []byte(out), 0o600))
	code, out, said = run(w, "-state", first, "-state", second, "-known", known, "-format", "json")
	assert.Equal(t, 0, code, "with all rows known: exit code\n%s%s", out, said)
	assert.Empty(t, rowsOf(t, out), "with all rows known")
}

func TestCoverage_Everything(t *testing.T) {
	t.Parallel()
	w := env(t)
	require.NoError(t, w.Sim.Seed(3))
	states := statesOf(w)
	code, out, said := run(w, "-state", write(t, true, states))
	assert.Equal(t, 0, code, "exit code\n%s%s", out, said)
	assert.Contains(t, out, "Every object of the reseller is in one state", "exit code %d%s", code, said)
}

// An item of a state is read by its ID where the search hides it.
func TestCoverage_HiddenItem(t *testing.T) {
	t.Parallel()
	w := envIn(t, simulator.Forms{"search-inactive": "hidden"})
	_, err := w.Sim.AddPackage("GOLD", nil, false)
	require.NoError(t, err)
	states := statesOf(w)
	have := states
	code, out, said := run(w, "-state", write(t, true, have))
	assert.Equal(t, 0, code, "%s%s", out, said)
	lost := object{"reseller_package.lost", map[string]any{"id": strings.Repeat("a", 32), "code": "LOST", "reseller": w.Sim.Slug()}}
	state := write(t, true, append(have, lost))
	code, out, said = run(w, "-state", state, "-format", "json")
	assert.Equal(t, 2, code, said)
	assert.Equal(t, []string{"gone reseller_package LOST: in state.json and not found"}, rowsOf(t, strings.ReplaceAll(out, state, "state.json")))
}

// The key of another reseller is an error, also if that has nothing: nothing of the states is gone. States under an older slug
// of the same reseller are accepted.
func TestCoverage_Slugs(t *testing.T) {
	t.Parallel()
	w := env(t)
	require.NoError(t, w.Sim.Seed(2))
	slug := w.Sim.Slug()
	states := statesOf(w)
	state := write(t, true, states)
	key, err := w.Sim.AddReseller("empty.example")
	require.NoError(t, err)
	w.Env.Set("RESELLER_API_KEY", key)
	code, out, said := run(w, "-state", state)
	assert.Equal(t, 1, code, out)
	assert.Empty(t, out)
	assert.Contains(t, said, "is a state of the reseller "+slug+", and the API key belongs to empty.example, which has none of its")
	code, out, said = run(w)
	assert.Equal(t, 0, code, "%s%s", out, said)

	w.Env.Set("RESELLER_API_KEY", w.APIKey())
	require.NoError(t, w.Sim.ChangeSlug(slug, "renamed.example"))
	code, out, said = run(w, "-state", state)
	assert.Equal(t, 0, code, "%s%s", out, said)
	assert.Contains(t, strings.Join(strings.Fields(out), " "), "is a state of this reseller under its older slug "+slug)
}

// Two states of one lineage are two states: a copied directory manages its objects as well. One file counts once.
func TestCoverage_CopiedState(t *testing.T) {
	t.Parallel()
	w := env(t)
	_, err := w.Sim.AddConsoleLabel("sign.acme.example", "ada@acme.example")
	require.NoError(t, err)
	states := statesOf(w)
	for raw, said := range map[bool]string{true: "have one lineage, and count as two states", false: "have the same content, and count as two states"} {
		first := write(t, raw, states)
		text, err := os.ReadFile(first)
		require.NoError(t, err)
		second, link := filepath.Join(t.TempDir(), "copy.json"), filepath.Join(t.TempDir(), "link.json")
		require.NoError(t, os.WriteFile(second, text, 0o600))
		require.NoError(t, os.Symlink(first, link))
		code, out, _ := run(w, "-state", first, "-state", link)
		assert.Equal(t, 0, code, out)
		assert.NotContains(t, out, "two states")
		code, out, _ = run(w, "-state", first, "-state", second)
		assert.Equal(t, 2, code, out)
		assert.Contains(t, out, "twice")
		assert.Contains(t, strings.Join(strings.Fields(out), " "), said)
	}
}

// A row whose day has passed counts again, and a sentence says so. A list of known rows that is empty is in the JSON.
func TestCoverage_Known(t *testing.T) {
	t.Parallel()
	w := env(t)
	_, err := w.Sim.AddConsoleLabel("sign.acme.example", "ada@acme.example")
	require.NoError(t, err)
	known := filepath.Join(t.TempDir(), "known.json")
	_, earlier, _ := run(w, "-format", "json")
	day := func(offset int) string { return w.Sim.Clock().Now().AddDate(0, 0, offset).Format(time.DateOnly) }
	for until, want := range map[string]struct {
		code int
		said string
	}{day(-1): {2, "the day until which " + known + " knows 1 object has passed"}, day(0): {0, ""}, day(1): {0, ""}} {
		dated := strings.Replace(earlier, `"kind":`, fmt.Sprintf(`"until": %q, "kind":`, until), 1)
		require.NoError(t, os.WriteFile(known, []byte(dated), 0o600))
		code, out, said := run(w, "-known", known, "-format", "json")
		if code != want.code || !strings.Contains(said, want.said) || strings.Contains(said, "has passed") != (want.said != "") || !strings.Contains(out, `"known": [`) {
			t.Errorf("until %s: exit code %d, %q, %s", until, code, said, out)
		}
	}
	assert.NotContains(t, earlier, `"known"`, "without -known")
}

func TestCoverage_Errors(t *testing.T) {
	t.Parallel()
	w := env(t)
	_, err := w.Sim.AddConsoleLabel("sign.acme.example", "ada@acme.example")
	require.NoError(t, err)
	dir := t.TempDir()
	const (
		showed = `{"format_version": "1.0", "values": {"root_module": {"resources": [{"address": "TYPE.x", "mode": "managed", "type": "TYPE", "name": "x", "values": {"id": "x", "code": "X", "reseller": "SLUG"}}]}}}`
		raw    = `{"version": 4, "lineage": "x", "resources": [{"mode": "managed", "type": "null_resource", "name": "x", "instances": [{"attributes": {"id": "x"}}]}]}`
	)
	ofType := func(typ, slug string) string { return strings.NewReplacer("TYPE", typ, "SLUG", slug).Replace(showed) }
	for name, text := range map[string]string{
		"a": ofType("reseller_package", "a.example"), "b": ofType("reseller_package", "b.example"), "plan": `{"format_version": "1.2", "planned_values": {}}`,
		"others": ofType("null_resource", ""), "raw": raw, "text": "x", "object": "{}", "old": `{"version": 3}`, "format": `{"format_version": "2.0"}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, row := range texttable.Rows(strings.NewReplacer("DIR", dir, "SLUG", w.Sim.Slug()).Replace(`
		-state DIR/a -state DIR/b | is a state of the reseller a.example, and
		-state DIR/a              | the reseller a.example, and the API key belongs to SLUG
		-state DIR/plan           | is a plan, not a state
		-state DIR/others         | is a state of other providers
		-state DIR/raw            | is a state of other providers
		-state DIR/text           | is no state: it is not JSON
		-state DIR/object         | is no state: neither
		-state DIR/old            | version 3; the version must be 4
		-state DIR/format         | format version 2.0
		-state nowhere.json       | nowhere.json
		state.json                | a state needs -state
		-format xml               | values are text, markdown and json
		-known DIR/object         | is not a report
	`)) {
		code, out, said := run(w, strings.Fields(row[0])...)
		assert.Equal(t, 1, code, "%s: exit code\n%s%s", row[0], out, said)
		assert.Empty(t, out, row[0])
		assert.Contains(t, said, row[1], row[0])
	}
}
