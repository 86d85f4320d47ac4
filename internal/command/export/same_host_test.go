package export_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Two host names that differ in case alone have a file each, and none is that of a device.
func TestExport_FileNames(t *testing.T) {
	t.Parallel()
	w := env(t)
	for _, host := range []string{"sign.acme.example", "other.acme.example", "con.example"} {
		must(t, problem(w.Sim.AddConsoleLabel(host, "ada@acme.example")))
	}
	w.Transport = rewriting{w.Sim.Transport(), func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(`"other.acme.example"`), []byte(`"Sign.Acme.example"`))
	}}
	c, files, _ := exported(w)
	names := slices.Sorted(maps.Keys(files))
	assert.Equal(t, []string{"_con.example.tf", "imports.tf", "providers.tf", "sign.acme.example.tf", "sign.acme.example_2.tf"}, names)
	wantImports(w, c, 3)

	code, _, said := run(t.Context(), w, "-style", "clients", "-out", c.Dir+"-clients")
	assert.Equal(t, 0, code, said)
	assert.Contains(t, strings.ToLower(said), "sign.acme.example", said)
	assert.Contains(t, said, "another private label has this host name")
}
