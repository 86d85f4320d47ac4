package providertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// OfAssignments returns the diagnostics of assignments. One of a removed block has no address.
func (ds Diagnostics) OfAssignments() Diagnostics {
	return ds.filter(func(d Diagnostic) bool { return d.Address == "" || strings.Contains(d.Address, "reseller_assignment") })
}

func (c *CLI) ApplySaved() Result {
	c.T.Helper()
	return c.Run("apply", "-no-color", "-input=false", "saved")
}

// Writes lists the calls of assignments that write since the last reset: "assign GOLD", "attach SEATS 2", "detach 1"
// for the first detached add-on.
func (w *AssignmentEnv) Writes() string {
	w.T.Helper()
	codes := map[string]string{}
	for _, i := range append(w.Sim.Packages(), w.Sim.Addons()...) {
		codes[i.ID] = i.Code
	}
	var out []string
	detached := 0
	for _, call := range w.Sim.Journal() {
		var body struct {
			PackageID, AddonID string
			Quantity           float64
			ConfirmationKey    string
		}
		_ = json.Unmarshal(call.Body, &body)
		confirmed := ""
		if body.ConfirmationKey != "" {
			confirmed = " confirmed"
		}
		switch call.Route {
		case RouteAssign:
			out = append(out, "assign "+codes[body.PackageID]+confirmed)
		case RouteAttachAddon:
			out = append(out, fmt.Sprintf("attach %s %g%s", codes[body.AddonID], body.Quantity, confirmed))
		case RouteRemovePackage:
			out = append(out, "remove")
		case RouteRemoveAddon:
			detached++
			out = append(out, fmt.Sprintf("detach %d", detached))
		}
	}
	return strings.Join(out, ", ")
}

// Console assigns a package and attaches add-ons, as a user outside of Terraform does.
func (w *AssignmentEnv) Console(packageID string, addons map[string]float64) {
	w.T.Helper()
	require.NoError(w.T, w.Sim.AssignInConsole(AcmeHost, packageID, addons))
}

// WithDocs adds a second add-on.
func (w *AssignmentEnv) WithDocs() (id string) {
	w.T.Helper()
	id, err := w.Sim.AddAddon("DOCS", map[string]float64{"documents": 1}, true)
	require.NoError(w.T, err)
	return id
}

func (w *AssignmentEnv) Allowance(documents, seats float64) {
	w.T.Helper()
	require.NoError(w.T, w.Sim.SetAllowance(map[string]float64{"documents": documents, "seats": seats}))
}

// Has lists the package and add-ons of the private label: "GOLD DOCS=1 SEATS=2".
func (w *AssignmentEnv) Has() string {
	labels := w.Sim.Labels()
	if len(labels) == 0 {
		return "" // another reseller's
	}
	l := labels[0]
	out := []string{}
	for _, a := range l.Addons {
		out = append(out, fmt.Sprintf("%s=%g", a.Code, a.Quantity))
	}
	slices.Sort(out)
	return strings.Join(append([]string{l.Package}, out...), " ")
}

func (w *AssignmentEnv) WantHas(want string) {
	w.T.Helper()
	assert.Equal(w.T, want, w.Has(), "the private label")
}

// Body is the assignment without a provider block.
func (w *AssignmentEnv) Body(packageID, extra string) string {
	return fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.Label, packageID, extra)
}

// Docs is the ID of the second add-on.
func (w *AssignmentEnv) Docs() string { return w.Sim.Addons()[1].ID }

func (w *AssignmentEnv) RemovePackage() {
	w.T.Helper()
	require.NoError(w.T, w.Sim.RemovePackageInConsole(AcmeHost))
}

func (w *AssignmentEnv) Bronze() string {
	w.T.Helper()
	id, err := w.Sim.AddPackage("BRONZE", nil, true)
	require.NoError(w.T, err)
	return id
}
