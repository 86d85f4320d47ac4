package simulator_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// doing runs `simulate do`.
func doing(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out, problem bytes.Buffer
	code = simulator.Main(t.Context(), append([]string{"do"}, args...), &out, &problem)
	return code, out.String() + problem.String()
}

// A move is made in a data file, or on a running server, with the same words; one that fails changes nothing (TestDo).
func TestDoMovesAFileAndAServer(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	sim := openFile(t, file)
	url := overHTTP(t, sim).base
	for host, at := range map[string][]string{"sign.file.example": {"-data", file}, "sign.url.example": {"-url", url}} {
		code, said := doing(t, append(at, "provision", host)...)
		assert.Zero(t, code, said)
		assert.Empty(t, said)
		code, _ = doing(t, append(at, "fault", "POST /unsuspend", "500")...)
		assert.Zero(t, code)
		before := fileText(t, file)
		code, said = doing(t, append(at, "jump")...)
		assert.Equal(t, 1, code)
		assert.True(t, strings.HasPrefix(said, "simulate do: unknown verb jump"), said)
		assert.Equal(t, before, fileText(t, file))
	}
	assert.Len(t, sim.Labels(), 2)
	c := inProcess(t, sim).as(sim.APIKey())
	path := labelsPath + "/" + sim.Labels()[0].ID + "/unsuspend"
	for range 2 {
		c.post(path, nil).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")
	}
	c.post(path, nil).data()
}

// Moves of DNS are what a resolver sees.
func TestDNSMovesAreResolved(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	for state, records := range map[string]int{"wrong": 1, "missing": 0} {
		require.NoError(t, c.sim.Do("dns", client, state))
		assert.Len(t, c.sim.Resolve(client), records, state)
	}
	require.NoError(t, c.sim.Do("dns", client, "ok"))
	assert.NotEmpty(t, c.sim.Resolve(client))
}

func TestDoMakesNoFileAndShowsItsVerbs(t *testing.T) {
	t.Parallel()
	missing := dataFile(t)
	code, said := doing(t, "-data", missing, "unsuspend", client)
	assert.Equal(t, 1, code, said)
	assert.Contains(t, said, "-data names another data file")
	_, err := os.Stat(missing)
	assert.ErrorIs(t, err, os.ErrNotExist)
	code, said = doing(t, "-h")
	assert.Zero(t, code, said)
	assert.Contains(t, said, "move-away HOST")
}

// A transcript chooses the forms that it shows.
func TestATranscriptChoosesForms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	forms, err := simulator.FormsLike(write("seen.json", `{"format":"terraform-provider-reseller check 1","answers":{"rows":"items","quota":"in-cells","weather":"fair"}}`))
	require.NoError(t, err)
	require.Equal(t, "rows=items", forms.String())
	for name, text := range map[string]string{
		"foreign": `{"format":"har","answers":{"rows":"items"}}`, "cut": `{"format":"terraform-provider-reseller check 1","ans`,
		"empty": "", "silent": `{"format":"terraform-provider-reseller check 1","answers":{}}`,
	} {
		_, err := simulator.FormsLike(write(name, text))
		assert.Error(t, err, "%s is accepted", name)
	}
}
