package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

// released is the schema of the last release; before the first one, what it will have. `make changelog RELEASE=1.2.0` writes
// it, and RESELLER_UPDATE_GOLDEN=1 before the first release.
var released = filepath.Join("testdata", "released.json")

type schemaJSON = map[string]any

// A change of the schema that breaks a configuration or a reference is in the changelog, by the names of its parts.
func TestSchema_Changes(t *testing.T) {
	t.Parallel()
	server, err := providerserver.NewProtocol6WithError(provider.New("docs")())()
	require.NoError(t, err)
	var now bytes.Buffer
	require.NoError(t, write(t.Context(), &now, server, true))
	if os.Getenv("RESELLER_UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(released, now.Bytes(), 0o600))
	}
	before, err := os.ReadFile(released)
	require.NoError(t, err)
	items := unreleasedItems(t)
	for _, change := range changes(decoded(t, before), decoded(t, now.Bytes())) {
		if !change.breaks {
			t.Logf("%s: %s", change.path, change.what)
			continue
		}
		if !slices.ContainsFunc(items, change.isNamed) {
			t.Errorf("%s: %s, which breaks configurations: an item of a fragment in .changelog has to name %v", change.path, change.what, change.names())
		}
	}
}

// unreleasedItems are what the changelog says of the next release.
func unreleasedItems(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	files, err := filepath.Glob(filepath.Join(root, ".changelog", "*.*.md"))
	require.NoError(t, err)
	var all strings.Builder
	for _, file := range append(files, filepath.Join(root, "CHANGELOG.md")) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		_, section, found := strings.Cut(string(text), "\n## Unreleased\n")
		if section, _, _ = strings.Cut(section, "\n## "); !found {
			section = string(text)
		}
		all.WriteString(section)
	}
	return strings.Split("\n"+all.String(), "\n- ")
}

func decoded(t *testing.T, raw []byte) schemaJSON {
	t.Helper()
	var all struct {
		Schemas map[string]schemaJSON `json:"provider_schemas"`
	}
	err := json.Unmarshal(raw, &all)
	require.NoError(t, err, "no schema")
	require.NotNil(t, all.Schemas[key], "no schema: %v", err)
	return all.Schemas[key]
}

// change of the schema, by the path of names: resource_schemas.reseller_member.email.
type change struct {
	path, what string
	breaks     bool
}

// names of what changed, as a changelog writes them: `reseller_member`, `email`.
func (c change) names() (all []string) {
	for _, name := range strings.Split(c.path, ".")[1:] {
		if name != "provider" {
			all = append(all, "`"+name+"`")
		}
	}
	return all
}

// isNamed reports whether one item of the changelog names all of it.
func (c change) isNamed(item string) bool {
	return !slices.ContainsFunc(c.names(), func(name string) bool { return !strings.Contains(item, name) })
}

// changes compares two schemas. Objects whose keys are names are compared by name: kinds, types and attributes.
func changes(before, after schemaJSON) []change {
	var out []change
	for _, kind := range slices.Sorted(maps.Keys(before)) {
		was, _ := before[kind].(schemaJSON)
		now, _ := after[kind].(schemaJSON)
		if kind == "provider" {
			was, now = schemaJSON{"provider": was}, schemaJSON{"provider": now}
		}
		out = append(out, compare(kind, was, now, compareType)...)
	}
	return out
}

// compare compares what is listed by name. An addition breaks nothing, unless it has to be set.
func compare(path string, was, now schemaJSON, compareOne func(path string, was, now schemaJSON) []change) (out []change) {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		old, _ := was[name].(schemaJSON)
		current, there := now[name].(schemaJSON)
		if !there {
			out = append(out, change{path + "." + name, "removed", true})
			continue
		}
		out = append(out, compareOne(path+"."+name, old, current)...)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, there := was[name]; there {
			continue
		}
		added, _ := now[name].(schemaJSON)
		what := "added"
		if added["required"] == true {
			what = "added and required"
		}
		out = append(out, change{path + "." + name, what, added["required"] == true})
	}
	return out
}

// compareType compares a resource, a function or an identity.
func compareType(path string, was, now schemaJSON) (out []change) {
	attributes := func(s schemaJSON) schemaJSON {
		if block, ok := s["block"].(schemaJSON); ok {
			s = block
		}
		list, _ := s["attributes"].(schemaJSON)
		return list
	}
	for _, name := range []string{"return_type", "parameters", "variadic_parameter"} {
		if !reflect.DeepEqual(was[name], now[name]) {
			out = append(out, change{path, name + " changed", true})
		}
	}
	return append(out, compare(path, attributes(was), attributes(now), compareAttribute)...)
}

func compareAttribute(path string, was, now schemaJSON) (out []change) {
	lost := func(flag string) bool { return was[flag] == true && now[flag] != true }
	gained := func(flag string) bool { return was[flag] != true && now[flag] == true }
	add := func(happened bool, what string) {
		if happened {
			out = append(out, change{path, what, true})
		}
	}
	nested := func(s schemaJSON) (list schemaJSON, mode any) {
		if n, ok := s["nested_type"].(schemaJSON); ok {
			list, _ = n["attributes"].(schemaJSON)
			mode = n["nesting_mode"]
		}
		return list, mode
	}
	wasList, wasMode := nested(was)
	nowList, nowMode := nested(now)
	add(!reflect.DeepEqual(was["type"], now["type"]) || wasMode != nowMode, "narrowed: another type")
	add(gained("required") || gained("required_for_import"), "made required")
	add(lost("optional") && now["required"] != true, "narrowed: can no longer be set")
	add(lost("computed") && now["required"] != true, "narrowed: no longer computed")
	add(gained("write_only") || gained("sensitive"), "narrowed: can no longer be shown")
	return append(out, compare(path, wasList, nowList, compareAttribute)...)
}

func TestChanges(t *testing.T) {
	t.Parallel()
	attribute := func(flags string) string { return `{"type":"string",` + flags + `}` }
	schema := func(attributes string) schemaJSON {
		var s schemaJSON
		text := fmt.Sprintf(`{"provider":{"block":{}},"resource_schemas":{"reseller_x":{"block":{"attributes":{%s}}}},"functions":{"f":{"return_type":"string"}}}`, attributes)
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		return s
	}
	optional, required := attribute(`"optional":true`), attribute(`"required":true`)
	nest := func(inner string) string {
		return `"o":{"optional":true,"nested_type":{"nesting_mode":"single","attributes":{` + inner + `}}}`
	}
	for name, tc := range map[string]struct {
		was, now, what string
		breaks         bool
	}{
		"removed":           {`"a":` + optional, ``, "resource_schemas.reseller_x.a: removed", true},
		"made required":     {`"a":` + optional, `"a":` + required, "resource_schemas.reseller_x.a: made required", true},
		"made optional":     {`"a":` + required, `"a":` + optional, "", false},
		"added":             {``, `"a":` + optional, "resource_schemas.reseller_x.a: added", false},
		"added, required":   {``, `"a":` + required, "resource_schemas.reseller_x.a: added and required", true},
		"another type":      {`"a":` + optional, `"a":{"type":"number","optional":true}`, "resource_schemas.reseller_x.a: narrowed: another type", true},
		"only computed":     {`"a":` + attribute(`"optional":true,"computed":true`), `"a":` + attribute(`"computed":true`), "resource_schemas.reseller_x.a: narrowed: can no longer be set", true},
		"not computed":      {`"a":` + attribute(`"optional":true,"computed":true`), `"a":` + optional, "resource_schemas.reseller_x.a: narrowed: no longer computed", true},
		"sensitive":         {`"a":` + optional, `"a":` + attribute(`"optional":true,"sensitive":true`), "resource_schemas.reseller_x.a: narrowed: can no longer be shown", true},
		"nested, removed":   {nest(`"i":` + optional), nest(``), "resource_schemas.reseller_x.o.i: removed", true},
		"nested, unchanged": {nest(`"i":` + optional), nest(`"i":` + optional), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := changes(schema(tc.was), schema(tc.now))
			if tc.what == "" && len(got) == 0 {
				return
			}
			require.Len(t, got, 1, "want %s (breaks: %t)", tc.what, tc.breaks)
			assert.Equal(t, tc.what, got[0].path+": "+got[0].what, "got %+v: %t)", got, tc.breaks)
			assert.Equal(t, tc.breaks, got[0].breaks, "got %+v, want %s (breaks", got, tc.what)
		})
	}
	lost := change{"resource_schemas.reseller_x.o.i", "removed", true}
	assert.True(t, lost.isNamed("Resource `reseller_x`: `o` has no `i`."), "an item that does not name all of a change is enough, or one that does is not")
	assert.False(t, lost.isNamed("`reseller_x` has `o`."), "an item that does not name all of a change is enough, or one that does is not")
	assert.False(t, (change{path: "provider.provider.a"}).isNamed("`b`"), "an item that does not name all of a change is enough, or one that does is not")
	gone := schema("")
	delete(gone["resource_schemas"].(schemaJSON), "reseller_x")
	gone["functions"].(schemaJSON)["f"].(schemaJSON)["return_type"] = "number"
	want := []change{{"functions.f", "return_type changed", true}, {"resource_schemas.reseller_x", "removed", true}}
	assert.Equal(t, want, changes(schema(""), gone))
}
