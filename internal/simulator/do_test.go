package simulator_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// doing runs `simulate do`.
func doing(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out, problem bytes.Buffer
	code = simulator.Main(t.Context(), append([]string{"do"}, args...), &out, &problem)
	return code, out.String() + problem.String()
}

// Each verb does what its row says, in a data file and on a running server alike.
func TestDo(t *testing.T) {
	t.Parallel()
	const host, other = "sign.client.example", "sign.other.example"
	for place, target := range map[string]func(t *testing.T, sim *simulator.Simulator, file string) []string{
		"file": func(_ *testing.T, _ *simulator.Simulator, file string) []string { return []string{"-data", file} },
		"url": func(t *testing.T, sim *simulator.Simulator, _ string) []string {
			t.Helper()
			return []string{"-url", overHTTP(t, sim).base}
		},
	} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			file := dataFile(t)
			sim := openFile(t, file)
			at := target(t, sim, file)
			c := inProcess(t, sim).as(sim.APIKey())
			do := func(words ...string) {
				t.Helper()
				code, said := doing(t, append(at, words...)...)
				require.Equal(t, 0, code, "%v ends with: %s", words, said)
				require.Empty(t, said, "%v ends with %d", words, code)
			}
			for _, add := range []func(string, map[string]float64, bool) (string, error){sim.AddPackage, sim.AddAddon} {
				_, err := add("GOLD", nil, true)
				require.NoError(t, err)
			}
			label := func() simulator.LabelView { return sim.Labels()[0] }
			do("provision", host)
			require.Equal(t, host, label().Host)
			do("suspend", host, "-by", "platform", "-reason", "Not paid")
			_, path := c.items()[0], labelsPath+"/"+label().ID
			detail := func() object { return c.get(path).data() }
			require.Equal(t, "Platform", detail()["suspendedBy"])
			require.Equal(t, "Not paid", detail()["suspendReason"])
			do("unsuspend", host)
			require.Equal(t, "Active", detail()["status"])
			do("suspend", host)
			require.Equal(t, "Reseller", detail()["suspendedBy"])
			do("assign", host, "gold")
			do("attach", host, "gold", "3")
			require.Equal(t, 3.0, pick(t, as[object](list(t, detail(), "assignment", "addons")[0]), "quantity"))
			do("detach", host, "gold")
			require.Len(t, list(t, detail(), "assignment", "addons"), 0)
			do("member", "add", host, "bob@client.example")
			do("member", "promote", host, "bob@client.example")
			require.Equal(t, "admin", c.member(path, "bob@client.example")["role"])
			do("member", "remove", host, "bob@client.example")
			require.Len(t, c.members(path), 1)
			do("allowance", "seats", "7")
			require.Equal(t, 7.0, pick(t, as[object](list(t, c.get(quotaPath).data(), "items")[1]), "allowance"))
			do("dns", host, "wrong")
			require.Len(t, sim.Resolve(host), 1)
			do("dns", host, "missing")
			require.Len(t, sim.Resolve(host), 0)
			do("dns", host, "ok")
			require.Equal(t, true, len(sim.Resolve(host)) > 0)
			do("fault", "POST /unsuspend", "500", "-after", "-times", "2")
			for range 2 {
				c.post(path+"/unsuspend", nil).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")
				require.Equal(t, "Active", detail()["status"])
			}
			c.post(path+"/unsuspend", nil).data()
			do("provision", other)
			do("move-away", other)
			require.Len(t, c.items(), 1)
			do("deprovision", host)
			require.Len(t, c.items(), 0)
		})
	}
}

func TestDo_Refused(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	sim := openFile(t, file)
	_, err := sim.AddConsoleLabel("sign.client.example", "ada@client.example")
	require.NoError(t, err)
	before := fileText(t, file)
	url := overHTTP(t, sim).base
	for words, want := range map[string]string{
		"jump":                                   "unknown verb jump; simulate do -h lists the verbs",
		"suspend":                                "usage: simulate do suspend HOST [-by platform] [-reason TEXT]",
		"suspend sign.client.example -by nobody": "-by is reseller or platform, not nobody",
		"suspend sign.client.example -for ever":  "usage: simulate do suspend HOST [-by platform] [-reason TEXT]",
		"suspend sign.client.example -reason":    "usage: simulate do suspend HOST [-by platform] [-reason TEXT]",
		"suspend nowhere.example":                "no private label has the host name nowhere.example",
		"dns sign.client.example late":           "DNS is ok, missing or wrong, not late",
		"attach sign.client.example SEATS 1":     "no addon has the code SEATS",
		"assign sign.client.example GOLD":        "no package has the code GOLD",
		"allowance paper 3":                      "paper is not an item code",
		"allowance seats -3":                     "usage: simulate do allowance ITEM NUMBER",
		"allowance seats many":                   "many is no whole number",
		"member marry sign.client.example a@b.c": "a member is added, removed or promoted: add, remove or promote, not marry",
		"fault /suspend 500":                     `"/suspend" is 0 routes; name one as the list of calls on the page does`,
		"fault POST_/suspend odd":                "odd is no kind of fault",
		"fault POST_/suspend 500 -times none":    "-times is a whole number of at least 1, not none",
	} {
		for _, at := range [][]string{{"-data", file}, {"-url", url}} {
			list := strings.Fields(words)
			for i := range list {
				list[i] = strings.Replace(list[i], "POST_", "POST ", 1)
			}
			code, said := doing(t, append(at, list...)...)
			assert.Equal(t, 1, code, words)
			assert.True(t, strings.HasPrefix(said, "simulate do: "+want), "%s %s: %s", at[0], words, said)
		}
	}
	require.Equal(t, before, fileText(t, file))
	missing := filepath.Join(t.TempDir(), "none.json")
	code, said := doing(t, "-data", missing, "unsuspend", "sign.client.example")
	assert.Equal(t, 1, code, "got: %s", said)
	assert.Contains(t, said, "-data names another data file", "got %d", code)
	_, err = os.Stat(missing)
	assert.Error(t, err, "a file was made")
	code, said = doing(t, "-h")
	assert.Equal(t, 0, code, "got: %s", said)
	assert.Contains(t, said, "move-away HOST", "got %d", code)
}

// A transcript chooses the forms that it shows.
func TestForms_Like(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	forms, err := simulator.FormsLike(write("seen.json", `{"format":"terraform-provider-reseller check 1","answers":{"rows":"items","quota":"in-cells","weather":"fair"}}`))
	require.NoError(t, err)
	require.Equal(t, "rows=items", forms.String())
	for name, text := range map[string]string{
		"foreign": `{"format":"har","answers":{"rows":"items"}}`, "cut": `{"format":"terraform-provider-reseller check 1","ans`,
		"empty": "", "silent": `{"format":"terraform-provider-reseller check 1","answers":{}}`,
	} {
		_, err := simulator.FormsLike(write(name, text))
		assert.Error(t, err, "%s is accepted", name)
	}
}
