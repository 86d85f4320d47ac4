package providertest

import (
	"fmt"
	"strings"
)

// WritingCall is one call of the catalog or of an assignment that writes: the configuration before, the configuration
// of the command under test, and the resulting books.
type WritingCall struct {
	Route         string
	Before, After func(*AssignmentEnv) string // bodies without the provider block
	Want          func(*AssignmentEnv) error
}

func (w *AssignmentEnv) AssignmentBlock(extra string) string {
	return fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.Label, w.Gold, extra)
}

func (w *AssignmentEnv) WantUntainted(c Workspace) {
	w.T.Helper()
	for address, i := range c.State() {
		if i.Status == "tainted" {
			w.T.Errorf("%s is tainted", address)
		}
	}
}

// Converges applies again, and imports what the error says exists already.
func (w *AssignmentEnv) Converges(c Workspace, call WritingCall) {
	w.T.Helper()
	next := c.Apply()
	if next.Code != 0 && strings.Contains(next.Out, "Catalog item already exists") {
		c.File("import.tf", "import {\n  to = reseller_package.bronze\n  id = \"BRONZE\"\n}\n")
		next = c.Apply()
	}
	next.WantOK(w.T)
	c.WantEmptyPlan()
	if err := call.Want(w); err != nil {
		w.T.Error(err)
	}
}
