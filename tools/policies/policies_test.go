// Package policies runs the policies of examples/policies with the library of the Open Policy Agent. It is a module of its own,
// so that the provider does not depend on that.
package policies

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

const folder = "../../examples/policies"

// provider builds the program once.
func provider(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "terraform-provider-reseller")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// reviewOf is the report of a plan.
func reviewOf(t *testing.T, binary, plan string) (report map[string]any) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), binary, "review", "-format", "json", "-price", "monthlyPrice", plan).Output()
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if err != nil {
		t.Fatalf("%s: %v", plan, err)
	}
	return report
}

// denied are the messages of all policies for an input, sorted.
func denied(t *testing.T, input any, known map[string]any) (messages []string) {
	t.Helper()
	options := []func(*rego.Rego){rego.Query("data.main.deny"), rego.Store(inmem.NewFromObject(known))}
	files, err := filepath.Glob(filepath.Join(folder, "*.rego"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, rego.Module(file, string(text)))
	}
	query, err := rego.New(options...).PrepareForEval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	results, err := query.Eval(t.Context(), rego.EvalInput(input))
	if err != nil || len(results) != 1 {
		t.Fatalf("%v, %d results", err, len(results))
	}
	list, _ := results[0].Expressions[0].Value.([]any)
	for _, message := range list {
		text, _ := message.(string)
		messages = append(messages, text)
	}
	slices.Sort(messages)
	return messages
}

func contextOf(date string, labels ...any) map[string]any {
	return map[string]any{"context": map[string]any{"date": date, "labels": labels}}
}

// Each policy has a plan that breaks it, and it alone. Labels and the first week of a month permit what they are for.
func TestPolicies(t *testing.T) {
	binary := provider(t)
	rules, err := filepath.Glob(filepath.Join(folder, "*.rego"))
	if err != nil || len(rules) < 13 {
		t.Fatalf("%d policies, %v", len(rules), err)
	}
	if got := denied(t, reviewOf(t, binary, filepath.Join(folder, "plans", "passes.json")), contextOf("2027-01-20")); len(got) > 0 {
		t.Errorf("the plan that passes: %q", got)
	}
	permits := map[string]map[string]any{
		"deprovision_needs_label": contextOf("2027-01-20", "deprovision"), "suspension_needs_label": contextOf("2027-01-20", "suspend"),
		"codes_need_label": contextOf("2027-01-20", "catalog"), "nothing_forgotten": contextOf("2027-01-20", "release"),
		"package_change_in_first_week": contextOf("2027-01-07"),
		"consent_limit":                {"limits": map[string]any{"consent": 25}}, "email_limit": {"limits": map[string]any{"emails": 21}},
		"price_limit": {"limits": map[string]any{"price": 150000}},
	}
	for _, file := range rules {
		rule := strings.TrimSuffix(filepath.Base(file), ".rego")
		if rule == "report" {
			continue
		}
		report := reviewOf(t, binary, filepath.Join(folder, "plans", rule+".json"))
		got := denied(t, report, contextOf("2027-01-20"))
		if len(got) == 0 || slices.ContainsFunc(got, func(m string) bool { return !strings.HasPrefix(m, rule+": ") }) {
			t.Errorf("%s: %q", rule, got)
		}
		t.Logf("%s", strings.Join(got, "\n"))
		if known := permits[rule]; known != nil {
			if got := denied(t, report, known); len(got) > 0 {
				t.Errorf("%s, permitted: %q", rule, got)
			}
		}
		spacelift := map[string]any{"third_party_metadata": map[string]any{"custom": map[string]any{"review": report}}}
		if again := denied(t, spacelift, contextOf("2027-01-20")); !slices.Equal(got, again) {
			t.Errorf("%s, as Spacelift has it: %q", rule, again)
		}
	}
}

// What is no report is rejected: a policy would find nothing in it.
func TestPolicies_NoReport(t *testing.T) {
	for _, input := range []any{map[string]any{}, map[string]any{"format_version": "1.2", "resource_changes": []any{}}, []any{}} {
		if got := denied(t, input, map[string]any{}); len(got) != 1 || !strings.HasPrefix(got[0], "report: ") {
			t.Errorf("%v: %q", input, got)
		}
	}
}
