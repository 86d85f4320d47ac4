package simulator_test

import (
	"bytes"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// asked are the questions and forms that the code distinguishes.
var asked = regexp.MustCompile(`\b(?:f|forms)\.(?:isForm|formOf)\("([a-z0-9-]+)"(?:, "([a-z0-9-]+)")?\)`)

// Every question of the table is asked in the code, and the code asks no other.
func TestTheCodeAsksEachQuestion(t *testing.T) {
	t.Parallel()
	var table bytes.Buffer
	simulator.PrintForms(&table)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source := fileText(t, file)
		for _, m := range asked.FindAllStringSubmatch(source, -1) {
			name, form := m[1], m[2]
			used[name] = true
			if form == "" {
				continue
			}
			_, err := simulator.ParseForms(name + "=" + form)
			assert.NoError(t, err, file)
		}
	}
	names := regexp.MustCompile(`(?m)^([a-z0-9-]+) \(`).FindAllStringSubmatch(table.String(), -1)
	for _, m := range names {
		assert.True(t, used[m[1]], "nothing asks %s", m[1])
	}
	require.Len(t, used, len(names))
}

func TestFormsAreNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rows=items, get=query": "get=query,rows=items",
		"":                      "",
		"rows=cells":            `rows has no form "cells"; it has by-kind, items, rows, nested`,
		"row=items":             `no question has the name "row"; simulate -forms help lists them`,
		"rows":                  `rows has no form ""; it has by-kind, items, rows, nested`,
		"random:x":              "random:x: the seed must be a whole number",
	} {
		forms, err := simulator.ParseForms(text)
		got := forms.String()
		if err != nil {
			got = err.Error()
		}
		assert.Equal(t, want, got, text)
	}
	require.Equal(t, simulator.RandomForms(3).String(), simulator.RandomForms(3).String())
	assert.NotEqual(t, simulator.RandomForms(4).String(), simulator.RandomForms(3).String(), "seeds draw the same")
}

// A data file keeps its forms until another choice is made.
func TestAFileKeepsItsForms(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "data.json")
	for _, step := range []struct {
		chosen simulator.Forms
		rows   string
	}{
		{simulator.Forms{"rows": "items"}, "items"}, {nil, "items"}, {simulator.Forms{"rows": "rows"}, "rows"}, {simulator.Forms{}, "packages"},
	} {
		sim := newSim(t, simulator.Options{File: file, Forms: step.chosen})
		c := inProcess(t, sim).as(sim.APIKey())
		assert.Contains(t, c.post(resellerPath+"/billing/packages/search", `{"query":"","page":1,"pageSize":100}`).data(), step.rows)
		require.NoError(t, sim.Close())
	}
	_, err := simulator.New(simulator.Options{File: file, Forms: simulator.Forms{"rows": "cells"}})
	assert.ErrorContains(t, err, "rows has no form")
}

// An envelope can have fields that are not documented; this is no row, since the steps of rows expect documented ones.
func TestAnEnvelopeCanHaveMore(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{Forms: simulator.Forms{"envelope": "more"}})
	body := inProcess(t, sim).as(sim.APIKey()).get(resellerPath + "/billing/quota").body
	require.ElementsMatch(t, []string{"status", "data", "error", "meta"}, slices.Collect(maps.Keys(body)))
}
