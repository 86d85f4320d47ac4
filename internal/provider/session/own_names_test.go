package session_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Each letter is a request of one process: p plans a create by name, u plans one with a name known after apply, c
// creates. The last plan belongs to a later walk, or to a second resource of the same apply.
func TestOwnNames_DistinguishesWalks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		requests string
		later    bool
	}{
		"second of two":                         {"pp" + "pc" + "p", false},
		"third of three":                        {"ppp" + "pc" + "pp", false},
		"third of three, all planned first":     {"ppp" + "ppc" + "p", false},
		"third of three, name known later":      {"uuu" + "pc" + "pp", false},
		"process of one walk: second of two":    {"pc" + "p", false},
		"process of one walk: third of three":   {"pc" + "pp", false},
		"process of one walk: all planned":      {"ppc" + "p", false},
		"one of another state":                  {"p" + "pc" + "pp", true},
		"one of another state, name known late": {"u" + "pc" + "pp", true},
		"two of another state":                  {"p" + "pc" + "ppp", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own, later := session.NewOwnNames(), false
			for _, request := range tc.requests {
				switch request {
				case 'p':
					later = own.PlannedAgain("acme")
				case 'u':
					own.PlannedLater()
				case 'c':
					own.Add("acme")
				}
			}
			if later != tc.later || !own.Contains("acme") {
				t.Errorf("later is %t, want %t", later, tc.later)
			}
		})
	}
}
