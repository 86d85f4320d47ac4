package provider_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
)

// namedErrors are forms under which a client cannot live, with the error that says why.
var namedErrors = map[string]string{
	"late=2m":                   "API accepted",
	"detail-addons=omitted":     "no assignment.addons that this version can find",
	"detail-addons=no-quantity": "no assignment.addons[0].quantity that this version can find",
	"detail-addons=no-code":     "no assignment.addons[0].code that this version can find",
	"seats-of-zero=none":        "SEAT_QUOTA_REACHED",
}

// A client lives under each form of the simulator alone: it is created, changed and suspended, and ends, and each plan in
// between is empty. Where it cannot, the error has a name.
func TestForms_EachLife(t *testing.T) {
	t.Parallel()
	var lives []string
	var table bytes.Buffer
	simulator.PrintForms(&table)
	question := ""
	for line := range strings.Lines(table.String()) {
		if m := regexp.MustCompile(`^([a-z0-9-]+) \(`).FindStringSubmatch(line); m != nil {
			question = m[1]
			continue
		}
		m := regexp.MustCompile(`^  ([ *]) ([a-z0-9-]+)`).FindStringSubmatch(line)
		if m[1] == "*" {
			continue
		}
		lives = append(lives, question+"="+m[2])
	}
	for _, n := range matrix.Of(t).Numbers(len(lives), 4, "lives") {
		t.Run(lives[n], func(t *testing.T) {
			t.Parallel()
			live(t, lives[n])
		})
	}
	for form := range namedErrors {
		assert.Contains(t, lives, form)
	}
}

// An apply that suspends a private label changes its add-ons after that: the list shows that it is suspended, and the API
// rejects its detail.
func TestForms_SuspendedInTheApply(t *testing.T) {
	t.Parallel()
	live(t, "suspended-detail=rejected")
}

func live(t *testing.T, form string) {
	t.Helper()
	question, name, _ := strings.Cut(form, "=")
	w := lateEnv(t, simulator.Forms{question: name})
	c := coretest.New(t, w)
	var said strings.Builder
	apply := func(config string) {
		c.Config(w.Config(config))
		r := c.Apply()
		said.WriteString(r.Out)
		w.Sim.Clock().Advance(time.Hour)
		if namedErrors[form] == "" {
			assert.Equal(t, 0, r.Code, r.Out)
			c.WantEmptyPlan()
		}
	}
	first := fmt.Sprintf(newClient, "Gold", 2)
	apply(first + strings.Replace(newMember, "  private_label_id", "  depends_on = [reseller_assignment.acme] # which has the seats\n  private_label_id", 1))
	apply(strings.Replace(fmt.Sprintf(newClient, "Golden", 3), "app_name ", "suspended = true\n  app_name ", 1))
	apply(strings.Replace(fmt.Sprintf(newClient, "Golden", 3), "app_name ", "suspended = false\n  app_name ", 1))
	if named := namedErrors[form]; named != "" {
		assert.Contains(t, said.String(), named)
		return
	}
	c.Config(w.Config(""))
	r := c.Apply()
	assert.Equal(t, 0, r.Code, r.Out)
}
