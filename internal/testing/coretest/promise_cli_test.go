package coretest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func (t *target) hcl() string {
	var out strings.Builder
	for _, b := range t.blocks {
		out.WriteString(b.hcl())
	}
	for _, from := range slices.Sorted(maps.Keys(t.moved)) {
		fmt.Fprintf(&out, "moved {\n  from = %s\n  to = %s\n}\n", from, t.moved[from])
	}
	for _, address := range slices.Sorted(maps.Keys(t.removed)) {
		if t.removed[address] {
			fmt.Fprintf(&out, "removed {\n  from = %s\n  lifecycle {\n    destroy = false\n  }\n}\n", address)
		}
	}
	return out.String()
}

// driver plans and applies as the CLI does. An error is a bug of the provider or of the test; a diagnostic is a
// finding.
type driver interface {
	Plan(*target, planOptions) (savedPlan, providertest.Diagnostics, error)
	Apply(savedPlan, planOptions) (providertest.Diagnostics, error)
	instances() map[string]map[string]any // attributes in state by address
	show(savedPlan) ([]byte, error)       // its JSON
}

// realCLI is the driver that runs the CLI.
type realCLI struct {
	w *providertest.TestEnv
	c *providertest.CLI
}

func newRealCLI(w *providertest.TestEnv) *realCLI { return &realCLI{w, w.Cli()} }

type cliPlan struct{ changes []string }

func (p *cliPlan) pending() []string { return p.changes }

func (r *realCLI) Plan(t *target, o planOptions) (savedPlan, providertest.Diagnostics, error) {
	r.c.Config(r.w.ConfigWith(fmt.Sprintf("  signing = {\n    url = %q\n    user_api_key = %q\n  }\n", simulator.SigningURL, r.w.Sim.SigningAPIKey()), t.hcl()))
	args := []string{"plan", "-json", "-input=false", "-out=saved.plan"}
	if o.destroy {
		args = append(args, "-destroy")
	}
	if o.noRefresh {
		args = append(args, "-refresh=false")
	}
	for _, address := range o.replace {
		args = append(args, "-replace="+address)
	}
	found, changes, failed, err := r.run(args...)
	if failed {
		return nil, found, err
	}
	return &cliPlan{changes}, found, err
}

func (r *realCLI) Apply(savedPlan, planOptions) (providertest.Diagnostics, error) {
	found, _, _, err := r.run("apply", "-json", "-input=false", "saved.plan")
	return found, err
}

const summaryForgottenByOpenTofu = "Resource will be removed from the state"

// run returns the diagnostics and changes of a command of the CLI.
func (r *realCLI) run(args ...string) (found providertest.Diagnostics, changes []string, failed bool, err error) {
	said := r.c.JSON(args...)
	found, failed = said.Diagnostics, said.Code != 0
	for i := range found {
		if found[i].Summary == summaryForgottenByOpenTofu {
			found[i].Summary = summaryForgotten
		}
	}
	if failed && !providertest.AnyErrors(found) {
		err = fmt.Errorf("%v: exit code %d\n%s", args, said.Code, said.Out)
	}
	for _, f := range found {
		if f.IsError() && isBug(f) {
			err = broken{what: f.Summary + ": " + f.Detail}
			if f.Summary == summaryInconsistent {
				err = broken{what: f.Summary + ": " + f.Detail, final: replanned(f.Detail)}
			}
		}
	}
	return found, said.Changes, failed, err
}

// replanned is the address in the CLI's text about a final plan that differs; the diagnostic has none.
func replanned(text string) string {
	_, after, _ := strings.Cut(text, "When expanding the plan for ")
	address, _, _ := strings.Cut(after, " ")
	return address
}

// isBug distinguishes the CLI's errors about a provider from the errors of the provider.
func isBug(f providertest.Diagnostic) bool {
	for _, text := range []string{"Provider produced in", "Provider returned in", "Plugin did not respond", "Value Conversion Error", "Missing Resource", "Unexpected "} {
		if strings.HasPrefix(f.Summary, text) {
			return true
		}
	}
	return false
}

func (r *realCLI) instances() map[string]map[string]any {
	out := map[string]map[string]any{}
	for address, instance := range r.c.State() {
		if !strings.HasPrefix(address, lateType+".") {
			out[address] = instance.Attributes
		}
	}
	return out
}

// hclOf writes an expression.
func hclOf(e expression) string {
	switch e := e.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(e)
	case ref:
		return e.address + "." + e.attribute
	case object:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(e)) {
			parts = append(parts, fmt.Sprintf("%q = %s", name, hclOf(e[name])))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case table:
		var parts []string
		for _, r := range e {
			parts = append(parts, fmt.Sprintf("(%s) = %s", hclOf(r.key), hclOf(r.value)))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case list:
		var parts []string
		for _, inner := range e {
			parts = append(parts, hclOf(inner))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		return fmt.Sprint(e)
	}
}

func (b *block) hcl() string {
	var out strings.Builder
	kind := "resource"
	if b.isData {
		kind = "data"
	}
	fmt.Fprintf(&out, "%s %q %q {\n", kind, b.typ, b.name)
	for _, name := range slices.Sorted(maps.Keys(b.attrs)) {
		if b.attrs[name] != nil {
			fmt.Fprintf(&out, "  %s = %s\n", name, hclOf(b.attrs[name]))
		}
	}
	for _, g := range b.after {
		fmt.Fprintf(&out, "  depends_on = [%s]\n", g.address)
	}
	if b.before {
		out.WriteString("  lifecycle {\n    create_before_destroy = true\n  }\n")
	}
	out.WriteString("}\n")
	if b.imports != "" {
		fmt.Fprintf(&out, "import {\n  to = %s\n  id = %q\n}\n", b.address(), b.imports)
	}
	return out.String()
}
