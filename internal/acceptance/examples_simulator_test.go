package acceptance

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// withOtherData plans a state with another data file than it was written with. An object of the type is an error, and the
// state stays unchanged.
func withOtherData(t *testing.T, dir, rc, typeName string) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(dir, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, providertest.SimulatorFile)); err != nil {
		t.Fatal(err)
	}
	rejected := rejectedIn(t, dir, rc)
	write(t, filepath.Join(dir, "example.tf"), "")
	maps.Copy(rejected, rejectedIn(t, dir, rc, "-refresh=false")) // dependent objects are planned first
	if len(rejected) == 0 || !rejected[typeName] {
		t.Errorf("rejected were %v", rejected)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "terraform.tfstate")); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the state was changed: %v", err)
	}
}

// rejectedIn are the types of the objects that a plan rejects because of their data file. It has no other error.
func rejectedIn(t *testing.T, dir, rc string, options ...string) map[string]bool {
	t.Helper()
	out, err := tryCLI(t, dir, rc, append([]string{"plan", "-json", "-input=false"}, options...)...)
	if err == nil {
		t.Errorf("a plan with other data succeeds:\n%s", out)
	}
	types := map[string]bool{}
	for line := range strings.Lines(out) {
		var message struct {
			Diagnostic struct{ Severity, Summary, Detail string } `json:"diagnostic"`
		}
		if json.Unmarshal([]byte(line), &message) != nil || message.Diagnostic.Severity != "error" {
			continue
		}
		_, object, found := strings.Cut(message.Diagnostic.Detail, "written with other simulator data: this ")
		if !found || message.Diagnostic.Summary != "State was written with other simulator data" {
			t.Errorf("%s", line)
		}
		typeName, _, _ := strings.Cut(object, " ")
		types[typeName] = true
	}
	return types
}
