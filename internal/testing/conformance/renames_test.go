package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// TestRenames: a new address of a block, or a new key of for_each, without a moved block is one error for each object, on
// whichever of the two Terraform plans second, with and without an import block where it belongs; unless it costs nothing.
// One configuration has an object of each type.
func TestRenames(t *testing.T) {
	t.Parallel()
	cells := matrix.Of(t)
	for name, form := range map[string]renaming{
		"address":  {},
		"key":      {keyed: true},
		"imported": {imported: true}, // the old address, too
		"CLI":      {throughCLI: true},
	} {
		both := []bool{false, true}
		if form.throughCLI {
			both = matrix.Cells(cells, both, t.Name())
		}
		for _, costs := range both {
			t.Run(fmt.Sprintf("%s/costs=%t", name, costs), func(t *testing.T) {
				t.Parallel()
				r := form
				r.world = providertest.NewWorld(t)
				r.objects = objectsToRename(t, r.world, costs, r.imported)
				r.check(t)
			})
		}
	}
}

// renaming is one way to change the addresses of objects.
type renaming struct {
	keyed, imported, throughCLI bool

	world   *providertest.World
	objects []object
}

// object is the object of a case. A set of members has a private label to itself, because its members cannot be in
// another resource.
type object struct {
	providertest.Case
	ownLabel *strings.Replacer
}

// objectsToRename are an object of each type whose new address is an error, or else of the others. What an import of the
// Signing API's has cannot be compared.
func objectsToRename(t *testing.T, w *providertest.World, costs, imported bool) (all []object) {
	t.Helper()
	const ownHost = "sign.own.example"
	own, err := w.Sim.AddConsoleLabel(ownHost, "ada@own.example")
	require.NoError(t, err)
	for _, c := range conformance.Cases() {
		if costs != (c.Named != "") || imported && c.Once != nil {
			continue
		}
		o := object{c, strings.NewReplacer()}
		if c.Type == "reseller_members" {
			o.ownLabel = strings.NewReplacer(w.Label, own, providertest.AcmeHost, ownHost)
		}
		if prepare := c.Calls["sign"].Prepare; prepare != nil {
			prepare(w)
		}
		all = append(all, o)
	}
	return all
}

// address is that of an object by the name of its block, or by its key.
func (r *renaming) address(o object, name string) string {
	if r.keyed {
		return fmt.Sprintf("%s.of[%q]", o.Type, name)
	}
	return o.Type + "." + name
}

// blocks configure all objects under a name.
func (r *renaming) blocks(name string) string {
	var out strings.Builder
	for _, o := range r.objects {
		block := o.ownLabel.Replace(o.Block(r.world))
		if r.keyed {
			block = strings.Replace(providertest.As(block, "of"), "{\n", fmt.Sprintf("{\n  for_each = toset([%q])\n", name), 1)
		} else {
			block = providertest.As(block, name)
		}
		out.WriteString(block)
	}
	return out.String()
}

// imports are the import blocks for that name. That of a document is made by another test: its ID is not compared.
func (r *renaming) imports(name string) string {
	imports := providertest.Imports{}
	for _, o := range r.objects {
		if o.Once == nil {
			imports[r.address(o, name)] = o.ownLabel.Replace(o.IDs(r.world)[0])
		}
	}
	return imports.Blocks()
}

func (r *renaming) check(t *testing.T) {
	t.Helper()
	w, ws := r.world, workspace(t, r.world, r.throughCLI)
	old := w.Config(r.blocks("m"))
	ws.Config(old)
	ws.Apply().WantOK(t)
	if r.imported {
		ws = workspace(t, w, r.throughCLI)
		ws.Config(old + r.imports("m"))
		ws.Apply().WantOK(t, fmt.Sprintf("%d imported", len(r.objects)))
	}
	w.Sim.ResetJournal()
	for _, name := range []string{"a", "z"} {
		blocks := w.Config(strings.ReplaceAll(r.blocks(name), "/terms.pdf", "/moved.pdf")) // of the same content
		for _, imports := range []string{"", r.imports(name)} {
			ws.Config(blocks + imports)
			r.wantRejected(t, ws, imports != "")
		}
	}
	w.WantReads()
	ws.Config(old)
	ws.WantEmptyPlan()
	moves := ""
	for _, o := range r.objects {
		moves += fmt.Sprintf("moved {\n  from = %s\n  to = %s\n}\n", r.address(o, "m"), r.address(o, "a"))
	}
	ws.Config(w.Config(r.blocks("a") + moves))
	ws.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	ws.WantEmptyPlan()
	w.WantReads()
}

// wantRejected plans and applies new addresses that are imported, or else created.
func (r *renaming) wantRejected(t *testing.T, ws providertest.Workspace, imported bool) {
	t.Helper()
	orders, times := [][]string{nil, {"-refresh=false"}, {"-parallelism=1"}, {"-parallelism=1", "-refresh=false"}}, 3
	if r.throughCLI {
		orders, times = orders[:2], 1
	}
	costs := r.objects[0].Named != ""
	for _, options := range orders {
		for range times { // the order of a plan without dependencies is random
			planned := ws.Plan(options...)
			if !costs {
				planned.WantText(t, fmt.Sprintf("%d to destroy", len(r.objects)))
				continue
			}
			r.wantErrors(t, planned, imported)
		}
	}
	if costs {
		r.wantErrors(t, ws.Apply(), imported)
	}
}

// wantErrors asserts one error for each object, which says how to move it.
func (r *renaming) wantErrors(t *testing.T, told providertest.Result, imported bool) {
	t.Helper()
	errs := slices.DeleteFunc(slices.Clone(told.Diagnostics), func(d providertest.Diagnostic) bool { return !d.IsError() })
	assert.Len(t, errs, len(r.objects), "errors, want one for each object: %s", told.Out)
	for _, o := range r.objects {
		own := slices.DeleteFunc(slices.Clone(errs), func(d providertest.Diagnostic) bool {
			return !strings.HasPrefix(d.Address, o.Type+".") && !strings.Contains(d.Detail, o.Type+".")
		})
		summaries := []string{session.SummaryRenamed}
		parts := []string{o.ownLabel.Replace(o.Named), "moved {", "from = " + o.Type + ".OLD"}
		switch {
		case o.Once != nil:
		case imported:
			parts = append(parts, "for_each", "terraform state mv")
		default: // some types say that it exists already
			summaries = append(summaries, privatelabel.SummaryExists, catalog.SummaryExists)
			parts = []string{"moved block"}
		}
		if !assert.Len(t, own, 1, "errors of %s in\n%s", o.Type, told.Out) {
			continue
		}
		assert.Contains(t, summaries, own[0].Summary, own[0])
		for _, part := range parts {
			assert.Contains(t, strings.ToLower(own[0].Detail), strings.ToLower(part), o.Type)
		}
	}
}
