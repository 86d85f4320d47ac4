package effect_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

type toyStep struct {
	key    string
	counts map[string]int
}

func (s toyStep) Key() string { return s.key }

func (s toyStep) Counts() map[string]int { return s.counts }

func TestAnnouncement_Beyond(t *testing.T) {
	t.Parallel()
	announced := effect.Announce([]toyStep{
		{key: "suspend acme"},
		{key: "deprovision acme", counts: map[string]int{"members": 12, "package GOLD": 1}},
	})
	for name, tc := range map[string]struct {
		step toyStep
		want string
	}{
		"the same":        {toyStep{"deprovision acme", map[string]int{"members": 12, "package GOLD": 1}}, ""},
		"fewer":           {toyStep{"deprovision acme", map[string]int{"members": 3}}, ""},
		"nothing counted": {toyStep{key: "suspend acme"}, ""},
		"another step":    {toyStep{key: "deprovision bolt"}, "deprovision bolt"},
		"more":            {toyStep{"deprovision acme", map[string]int{"members": 13}}, "deprovision acme with 13 members, where the plan announced 12"},
		"something else":  {toyStep{"deprovision acme", map[string]int{"package SILVER": 1}}, "deprovision acme with 1 package SILVER, where the plan announced 0"},
	} {
		if got := announced.Beyond(tc.step); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
