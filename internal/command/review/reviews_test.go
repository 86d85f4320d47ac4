package review_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
)

// The files of testdata/reviews have plans, and what the command prints of each. Lines before "--":
//
//	$name = JSON                            a value for the cases of the file; objects.txt has those of all files
//	== NAME                                 a case
//	change ACTIONS ADDRESS [KEY=JSON ...]   a change; JSON+JSON replaces keys of the first object
//	drift ACTIONS ADDRESS [KEY=JSON ...]    the same in resource_drift
//	state ADDRESS JSON [JSON]               an object of the prior state, and what is sensitive of it
//	config JSON                             the root module of the configuration
//	plan JSON                               further members of the plan
//	input "TEXT"                            any input instead of a plan
//	earlier                                 the lines so far are the plan of an earlier report, which -known reads
//	review [ARGUMENTS]                      a run, by default one with -format json; FILE is a file with the plan
//
// RESELLER_UPDATE_GOLDEN=1 writes what follows "--". A row of the JSON is a line: its kind, address, text and subject, and
// its other members.
func TestReview(t *testing.T) {
	t.Parallel()
	objects := read(t, "testdata/reviews/objects.txt")
	files, err := filepath.Glob("testdata/reviews/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		values := valuesOf(objects + read(t, file))
		goldentest.Answer(t, file, func(t *testing.T, name, given string) string { return reviewed(t, name, values.in(given)) })
	}
}

func read(tb testing.TB, file string) string {
	tb.Helper()
	text, err := os.ReadFile(file)
	require.NoError(tb, err)
	return string(text)
}

type values map[string]string

var (
	defined = regexp.MustCompile(`(?m)^(\$\w+) = (.+)$`)
	used    = regexp.MustCompile(`\$\w+`)
)

func valuesOf(text string) values {
	all := values{}
	for _, m := range defined.FindAllStringSubmatch(text, -1) {
		all[m[1]] = all.in(m[2])
	}
	return all
}

func (v values) in(text string) string {
	return used.ReplaceAllStringFunc(text, func(name string) string { return v[name] })
}

// masked are the words of Go.
var masked = regexp.MustCompile(`\((?:json: |invalid character)[^)]*\)`)

// reviewed is what the runs of a case print.
func reviewed(t *testing.T, name, lines string) string {
	t.Helper()
	before, after, isKnown := strings.Cut(lines, "\nearlier\n")
	file := filepath.Join(t.TempDir(), "file")
	var more []string
	if isKnown {
		_, earlier, _ := run(planOf(t, before), "-drift", "-format", "json")
		require.NoError(t, os.WriteFile(file+".json", []byte(earlier), 0o600))
		lines, more = after, []string{"-drift", "-known", file + ".json"}
	}
	plan := planOf(t, lines)
	require.NoError(t, os.WriteFile(file, []byte("\xef\xbb\xbf"+plan), 0o600))
	runs := regexp.MustCompile(`(?m)^review ?(.*)$`).FindAllStringSubmatch(lines, -1)
	if runs == nil {
		runs = [][]string{{"", "-format json"}}
	}
	var printed strings.Builder
	for _, run := range runs {
		args := append(strings.Fields(strings.ReplaceAll(run[1], "FILE", file)), more...)
		if len(runs) > 1 {
			fmt.Fprintf(&printed, "$ %s\n", run[1])
		}
		printed.WriteString(masked.ReplaceAllString(strings.ReplaceAll(printedBy(t, name, plan, args), file, "FILE"), "(…)"))
	}
	return printed.String()
}

// printedBy is the status of a run unless it is 0, and its outputs.
func printedBy(t *testing.T, name, plan string, args []string) (out string) {
	t.Helper()
	status, stdout, stderr := run(plan, args...)
	if status != 0 {
		out = fmt.Sprintf("exit status %d\n", status)
	}
	if status == 1 {
		assert.Empty(t, stdout, name)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), "%s: %s", name, stderr)
	}
	if strings.HasPrefix(stdout, "{") {
		stdout = rowsOf(t, name, stdout)
	}
	return out + stderr + stdout
}

func run(plan string, args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = review.Main(context.Background(), args, provider.Reviewers(), time.Time{}, strings.NewReader(plan), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// rowsOf is the JSON with a line for each row.
func rowsOf(t *testing.T, name, text string) string {
	t.Helper()
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &all))
	assert.Equal(t, `"1.1"`, string(all["format_version"]), name)
	delete(all, "format_version")
	assert.Contains(t, all, "effects", name)
	var out strings.Builder
	for _, member := range slices.Sorted(maps.Keys(all)) {
		var rows []map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(all[member], &rows), "%s: %s", name, member)
		for _, row := range rows {
			assert.True(t, member != "effects" || len(row) == 12, "%s: a row has each member, or null: %v", name, row)
			fmt.Fprintln(&out, lineOf(t, member, row))
		}
	}
	return out.String()
}

func lineOf(t *testing.T, member string, row map[string]json.RawMessage) string {
	t.Helper()
	line := member
	if row["what"] != nil {
		var what [4]string
		for i, name := range []string{"kind", "address", "what", "subject"} {
			require.NoError(t, json.Unmarshal(row[name], &what[i]))
			delete(row, name)
		}
		line = strings.TrimPrefix(fmt.Sprintf("%s %s %s: %s: %s", member, what[0], what[1], what[2], what[3]), "effects ")
	}
	for _, name := range slices.Sorted(maps.Keys(row)) {
		if string(row[name]) != "null" {
			var compact bytes.Buffer
			require.NoError(t, json.Compact(&compact, row[name]))
			line += fmt.Sprintf(" %s=%s", name, compact.String())
		}
	}
	return line
}

// planOf is the plan that lines describe.
func planOf(tb testing.TB, lines string) string {
	tb.Helper()
	plan := map[string]any{"format_version": "1.2", "terraform_version": "1.14.0", "planned_values": map[string]any{}}
	lists := map[string][]any{}
	for line := range strings.SplitSeq(lines, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "input":
			text, err := strconv.Unquote(rest)
			require.NoError(tb, err, rest)
			return text
		case "plan":
			maps.Copy(plan, valueOf(tb, rest).(map[string]any))
		case "config":
			plan["configuration"] = map[string]any{"root_module": valueOf(tb, rest)}
		case "change", "drift":
			lists[word] = append(lists[word], changeOf(tb, strings.Fields(rest)))
		case "state":
			fields := strings.Fields(rest + " {}")
			object := objectAt(fields[0])
			object["values"], object["sensitive_values"] = valueOf(tb, fields[1]), valueOf(tb, fields[2])
			lists[word] = append(lists[word], object)
		}
	}
	plan["resource_changes"], plan["resource_drift"] = lists["change"], lists["drift"]
	plan["prior_state"] = map[string]any{"values": map[string]any{"root_module": map[string]any{"resources": lists["state"]}}}
	text, err := json.Marshal(plan)
	require.NoError(tb, err)
	return string(text)
}

// changeOf is a change with its actions, its address, and keys of its own or of the object that it has.
func changeOf(tb testing.TB, fields []string) map[string]any {
	tb.Helper()
	object := objectAt(fields[1])
	change := map[string]any{"actions": strings.Split(fields[0], "+"), "before": nil, "after": nil, "after_unknown": map[string]any{}}
	object["change"] = change
	for _, field := range fields[2:] {
		key, value, _ := strings.Cut(field, "=")
		if strings.HasPrefix(key, "before") || strings.HasPrefix(key, "after") || key == "importing" {
			change[key] = valueOf(tb, value)
			continue
		}
		object[key] = valueOf(tb, value)
	}
	return object
}

// objectAt has what the address of an object says.
func objectAt(address string) map[string]any {
	at := max(0, strings.LastIndex(address, "reseller"))
	typ, name, _ := strings.Cut(address[at:], ".")
	name, _, _ = strings.Cut(name, "[")
	module, isData := strings.CutSuffix(address[:at], "data.")
	mode := map[bool]string{true: "data", false: "managed"}[isData]
	return map[string]any{"address": address, "module_address": strings.TrimSuffix(module, "."), "mode": mode, "type": typ, "name": name, "provider_name": "registry.terraform.io/privatelabels/reseller"}
}

// valueOf is JSON, or an object with keys of others in place of its own.
func valueOf(tb testing.TB, text string) any {
	tb.Helper()
	decoder := json.NewDecoder(strings.NewReader(strings.ReplaceAll(text, "}+{", "} {")))
	decoder.UseNumber()
	var value any
	require.NoError(tb, decoder.Decode(&value), text)
	for decoder.More() {
		var others map[string]any
		require.NoError(tb, decoder.Decode(&others), text)
		maps.Copy(value.(map[string]any), others)
	}
	return value
}
