package providertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Diagnostic is a diagnostic of `plan -json`, which neither folds nor wraps.
type Diagnostic struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	Address  string `json:"address"`
	Snippet  struct {
		Code string `json:"code"` // of the configuration, where the diagnostic belongs to an attribute
	} `json:"snippet"`

	Attribute string `json:"-"` // path, of the protocol's diagnostics only
}

// String is the diagnostic in one line, as the CLI shows it without its frame.
func (d Diagnostic) String() string {
	kind := "Warning: "
	if d.IsError() {
		kind = "Error: "
	}
	return kind + strings.Join(strings.Fields(d.Summary+" "+d.Detail+" "+d.Snippet.Code), " ")
}

type Diagnostics []Diagnostic

// Planned returns every diagnostic of a plan.
func (c *CLI) Planned(extra ...string) Diagnostics {
	c.T.Helper()
	r := c.JSON(append([]string{"plan", "-json", "-input=false"}, extra...)...)
	if r.Code == 1 && !slices.ContainsFunc(r.Diagnostics, Diagnostic.IsError) {
		c.T.Fatalf("exit code 1 without an error: %s", r.Out)
	}
	return r.Diagnostics
}

func (d Diagnostic) IsError() bool { return d.Severity == "error" }

// Of returns the diagnostics with a summary.
func (ds Diagnostics) Of(severity, summary string) Diagnostics {
	return ds.filter(func(d Diagnostic) bool { return d.Severity == severity && d.Summary == summary })
}

func (ds Diagnostics) filter(keep func(Diagnostic) bool) Diagnostics {
	return slices.DeleteFunc(slices.Clone(ds), func(d Diagnostic) bool { return !keep(d) })
}

// Want asserts that n diagnostics have a summary, and that the detail of one of them contains all values.
func (ds Diagnostics) Want(t *testing.T, n int, severity, summary string, values ...string) {
	t.Helper()
	found := ds.Of(severity, summary)
	if len(found) != n {
		t.Errorf("%d of %s %q, want %d: %+v", len(found), severity, summary, n, ds)
		return
	}
	isMeant := func(d Diagnostic) bool { return holdsAll(d.Detail, values) }
	assert.True(t, n == 0 || slices.ContainsFunc(found, isMeant), "no detail of %q holds %q: %+v", summary, values, found)
}

// WantWarning asserts one warning.
func (ds Diagnostics) WantWarning(t *testing.T, summary string, values ...string) {
	t.Helper()
	ds.Want(t, 1, "warning", summary, values...)
}

// WantError asserts one error.
func (ds Diagnostics) WantError(t *testing.T, summary string, values ...string) {
	t.Helper()
	ds.Want(t, 1, "error", summary, values...)
}

// WantOneError asserts one error with one of these summaries, and that its detail contains all values.
func (ds Diagnostics) WantOneError(t *testing.T, summaries []string, values ...string) {
	t.Helper()
	found := ds.filter(Diagnostic.IsError)
	require.Len(t, found, 1, "errors, want one of %q with %q", summaries, values)
	assert.Contains(t, summaries, found[0].Summary, "errors %+v", found)
	assert.True(t, holdsAll(strings.ToLower(found[0].Detail), values), "errors %+v, want one of %q with %q", found, summaries, values)
}

// WantNone asserts that there are no diagnostics.
func (ds Diagnostics) WantNone(t *testing.T) {
	t.Helper()
	assert.Empty(t, ds)
}

func holdsAll(text string, values []string) bool {
	return !slices.ContainsFunc(values, func(value string) bool { return !strings.Contains(text, value) })
}

// FromProtocol converts what the provider said of a resource.
func FromProtocol(address string, diags []*tfprotov6.Diagnostic) Diagnostics {
	var out Diagnostics
	for _, d := range diags {
		converted := Diagnostic{Severity: strings.ToLower(d.Severity.String()), Address: address, Summary: d.Summary, Detail: d.Detail}
		if d.Attribute != nil {
			converted.Attribute = pathOf(d.Attribute)
		}
		out = append(out, converted)
	}
	return out
}

// pathOf writes a path as a configuration does.
func pathOf(path *tftypes.AttributePath) string {
	var out strings.Builder
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			out.WriteString("." + string(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&out, "[%q]", string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&out, "[%d]", int64(step))
		default:
			fmt.Fprintf(&out, "[%v]", step)
		}
	}
	return strings.TrimPrefix(out.String(), ".")
}

func AnyErrors(ds Diagnostics) bool {
	return slices.ContainsFunc(ds, Diagnostic.IsError)
}
