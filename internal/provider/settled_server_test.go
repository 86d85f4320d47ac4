package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The short path handles an unchanged private label; every change reaches the framework. (All tests compare both
// responses.)
func TestSettled(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Compares = true
	c := coretest.New(t, w)
	declare := func(extra string) { c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, extra))) }
	answers := func(act func()) int64 {
		before := w.Answered.Load()
		act()
		return w.Answered.Load() - before
	}
	declare("")
	c.Apply().WantOK(t)
	if n := answers(func() { c.WantEmptyPlan() }); n != 2 {
		t.Errorf("%d answers for a label that waits for its DNS, want its read and its plan", n)
	}
	w.VerifyDNS(providertest.AcmeHost)
	assert.LessOrEqual(t, answers(c.Refresh), int64(1), "answers for a label whose DNS was verified")
	if n := answers(func() { c.WantEmptyPlan() }); n != 2 {
		t.Errorf("%d answers for a settled label, want its read and its plan", n)
	}
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))

	t.Run("a default that comes back", func(t *testing.T) {
		declare(`deletion_policy = "ABANDON"`)
		c.Apply().WantOK(t, "1 changed")
		declare("")
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, "PREVENT", c.State()[providertest.Acme].Attributes["deletion_policy"])
	})
	t.Run("suspended by the platform", func(t *testing.T) {
		require.NoError(t, w.Sim.SuspendByPlatform(providertest.AcmeHost, "abuse"))
		c.Plan().WantOK(t, privatelabel.SummaryPlatform)
		require.NoError(t, w.Sim.LiftPlatformSuspension(providertest.AcmeHost))
		c.WantEmptyPlan()
	})
	t.Run("replaced", func(t *testing.T) {
		c.Plan("-replace="+providertest.Acme).WantError(t, privatelabel.SummaryNotReplaceable, providertest.AcmeHost)
	})
	t.Run("gone", func(t *testing.T) {
		declare("")
		require.NoError(t, w.Sim.DeprovisionInConsole(providertest.AcmeHost))
		c.Plan().WantError(t, privatelabel.SummaryNotFound, privatelabel.SummaryHostRetired)
	})
}

// rewriteInstance changes the attributes of an instance in the state file.
func rewriteInstance(t *testing.T, c *providertest.CLI, address string, change func(attributes map[string]any)) {
	t.Helper()
	file := filepath.Join(c.Dir, "terraform.tfstate")
	decoder := json.NewDecoder(strings.NewReader(c.Read("terraform.tfstate")))
	decoder.UseNumber()
	var state map[string]any
	require.NoError(t, decoder.Decode(&state))
	resources := state["resources"].([]any)
	i := slices.IndexFunc(resources, func(r any) bool {
		fields := r.(map[string]any)
		return fmt.Sprintf("%s.%s", fields["type"], fields["name"]) == address
	})
	require.GreaterOrEqual(t, i, 0, "the state has no %s", address)
	instance := resources[i].(map[string]any)["instances"].([]any)[0].(map[string]any)
	change(instance["attributes"].(map[string]any))
	var out bytes.Buffer
	require.NoError(t, json.NewEncoder(&out).Encode(state))
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
}

// The server wraps the framework's. A method that a later framework adds, for a new part of the protocol, would
// otherwise be hidden silently.
func TestServer_HidesNothingOfTheFramework(t *testing.T) {
	t.Parallel()
	framework, shortPath := provider.FrameworkMethods()
	require.GreaterOrEqual(t, framework.NumMethod(), 20, "the framework's server shows methods: this test sees nothing")
	stores := reflect.TypeFor[tfprotov6.StateStoreServer]() // there are none
	for method := range framework.Methods() {
		if _, ok := stores.MethodByName(method.Name); ok {
			continue
		}
		mine, ok := shortPath.MethodByName(method.Name)
		if !ok {
			t.Errorf("%s is hidden", method.Name)
			continue
		}
		assert.Equal(t, mine.Type.NumIn(), method.Type.NumIn(), "%s has another signature", method.Name)
		assert.Equal(t, mine.Type.NumOut(), method.Type.NumOut(), "%s has another signature", method.Name)
	}
}
