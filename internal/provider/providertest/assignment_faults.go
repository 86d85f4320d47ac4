package providertest

import (
	"strings"
)

// KeptOrNamed asserts on a package change from GOLD with two add-ons to SILVER with one. Everything that can be
// restored is restored.
func (w *AssignmentEnv) KeptOrNamed(r Result, restorable bool) {
	w.T.Helper()
	has := w.Has()
	for _, what := range []struct{ inBooks, name string }{{"GOLD", "package GOLD"}, {"SEATS=2", "add-on SEATS (quantity 2)"}} {
		kept := strings.Contains(has, what.inBooks) || what.inBooks == "GOLD" && strings.Contains(has, "SILVER")
		// A rejected add-on is not restored under the new package, because its consent is bounded.
		if !kept && (restorable && !strings.Contains(has, "SILVER") || !strings.Contains(r.Out, what.name)) {
			w.T.Errorf("the private label has %q without %s: %s", has, what.name, r.Out)
		}
	}
	if changed := has != "GOLD DOCS=1 SEATS=2"; changed && r.Code != 0 && strings.Contains(r.Out, "Nothing was changed") {
		w.T.Errorf("the private label has %q, and the error says that nothing was changed: %s", has, r.Out)
	}
	for call := range strings.SplitSeq(w.writes(), ", ") {
		name, _, _ := strings.Cut(call, " ")
		if name == "detach" { // more than two if a call is retried
			continue
		}
		switch call {
		case "", "remove", "assign SILVER", "attach SEATS 2", "assign GOLD", "attach DOCS 1":
		default:
			w.T.Errorf("%s was not announced, and restores nothing", call)
		}
	}
}
