package coretest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// testFile is a file of `terraform test` that one process serves: its runs plan and apply two modules with their own states.
type testFile struct {
	*rand.Rand
	w       *providertest.LabelEnv
	modules [2]*core
	log     []string
}

func newTestFile(t *testing.T, seed uint64) *testFile {
	t.Helper()
	f := &testFile{Rand: rand.New(rand.NewPCG(seed, 5)), w: providertest.NewLabelEnv(t)}
	f.w.Compares = false // a server that asks twice reads twice
	for i := range f.modules {
		c, err := newCore(f.w.TestEnv, f.Rand)
		require.NoError(t, err)
		f.modules[i] = c
	}
	f.modules[1].server = f.modules[0].server
	return f
}

// run is one run block: the members that a module has, by key.
func (f *testFile) run(t *testing.T, n int, members map[string]string, imports, apply bool) (goesOn bool) {
	t.Helper()
	c := f.modules[n]
	to := &target{moved: map[string]string{}, removed: map[string]bool{}}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		b := &block{typ: "reseller_member", name: key, attrs: object{
			"private_label_id": f.w.Label, "email": members[key], "first_name": "Some", "last_name": "Body",
		}}
		if _, live := f.idOf(members[key]); live && imports && c.state[b.address()] == nil {
			b.imports = f.w.Label + "/" + members[key]
		}
		to.blocks = append(to.blocks, b)
	}
	f.log = append(f.log, fmt.Sprintf("module %d: %v, imports %t, apply %t", n, members, imports, apply))
	wants := f.renames(c, to)
	// The walk that validates sees one block, with for_each.
	every := &block{typ: "reseller_member", name: "all", attrs: object{
		"private_label_id": f.w.Label, "email": "any@acme.example", "first_name": "Some", "last_name": "Body",
	}}
	if found, err := c.validateBlock(every, newScope(c.anything)); err != nil || providertest.AnyErrors(found) {
		t.Fatal(found, err)
	}
	saved, found, err := c.Plan(to, planOptions{sameProcess: true})
	require.NoError(t, err)
	says := slices.ContainsFunc(found, func(told providertest.Diagnostic) bool { return told.Summary == summaryRenamed })
	require.False(t, says && !wants, "says that an address changed, and is wrong\n%s\n%v", strings.Join(f.log, "\n"), found)
	if providertest.AnyErrors(found) {
		f.log = append(f.log, "  error: "+found[len(found)-1].Summary)
		return false
	}
	if apply {
		found, err = c.Apply(saved, planOptions{sameProcess: true})
		require.NoError(t, err, strings.Join(f.log, "\n"))
		if wants && providertest.AnyErrors(found) { // the apply removes nobody whom it has stored
			f.log = append(f.log, "  error: "+found[len(found)-1].Summary)
			return false
		}
		require.False(t, providertest.AnyErrors(found), "%v\n%s", found, strings.Join(f.log, "\n"))
	}
	return true
}

func (f *testFile) idOf(email string) (string, bool) {
	for _, v := range f.w.Sim.Labels() {
		for _, p := range v.People {
			if p.Email == email {
				return p.ID, true
			}
		}
	}
	return "", false
}

// renames reports whether a plan would destroy a member at one address, and create or import the same one at another.
func (f *testFile) renames(c *core, to *target) bool {
	for address, stored := range c.state {
		was, _ := providertest.Plain(stored.value).(map[string]any)
		b := to.block(address)
		if b != nil && b.attrs["email"] == text(was, "email") {
			continue
		}
		for _, other := range to.blocks {
			id, live := f.idOf(fmt.Sprint(other.attrs["email"]))
			before, _ := providertest.Plain(stateOf(c, other.address())).(map[string]any)
			if live && id == text(was, "id") && text(before, "id") != id {
				return true
			}
		}
	}
	return false
}

// cleanUp destroys what the modules have, without a read and without a validation.
func (f *testFile) cleanUp(t *testing.T) {
	t.Helper()
	for i, c := range f.modules {
		saved, found, err := c.Plan(&target{}, planOptions{destroy: true, noRefresh: true, sameProcess: true})
		require.NoError(t, err, "the cleanup of module %d fails: %v\n%s", i, found, strings.Join(f.log, "\n"))
		require.False(t, providertest.AnyErrors(found), "the cleanup of module %d fails: %v %v\n%s", i, found, err, strings.Join(f.log, "\n"))
		if found, err = c.Apply(saved, planOptions{sameProcess: true}); err != nil || providertest.AnyErrors(found) {
			t.Fatalf("the cleanup of module %d fails: %v %v\n%s", i, found, err, strings.Join(f.log, "\n"))
		}
	}
}

func stateOf(c *core, address string) tftypes.Value {
	if stored := c.state[address]; stored != nil {
		return stored.value
	}
	return null(c.schema("reseller_member").ValueType())
}

// TestOneProcess: `terraform test` serves a file with one process since Terraform 1.15. No run of random files gets a false
// error of a rename, and the cleanup works.
func TestOneProcess(t *testing.T) {
	t.Parallel()
	for seed := range uint64(providertest.Number(t, "RESELLER_TEST_FILES", 60)) {
		f := newTestFile(t, seed)
		f.w.Join("eve@acme.example")
		for range 2 + f.IntN(6) {
			members := map[string]string{}
			free := []string{"bob@acme.example", "eve@acme.example", "kim@acme.example"}
			for _, key := range []string{"a", "b", "c"} {
				if i := f.IntN(2 * len(free)); i < len(free) {
					members[key] = free[i]
					if free = slices.Delete(free, i, i+1); len(free) == 0 {
						break
					}
				}
			}
			if !f.run(t, f.IntN(4)/3, members, f.IntN(2) == 0, f.IntN(2) == 0) {
				break
			}
		}
		f.cleanUp(t)
	}
}
