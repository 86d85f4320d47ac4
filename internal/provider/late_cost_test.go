package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// lateBy makes the reads of a simulator with the form 2m show a write after lag: it moves the clock after each write.
type lateBy struct {
	sim *simulator.Simulator
	lag time.Duration

	mu    sync.Mutex
	moved time.Duration // by the clock, after writes
	reads []time.Time   // since the last write
}

func (l *lateBy) RoundTrip(req *http.Request) (*http.Response, error) {
	path := req.URL.Path
	isRead := req.Method == http.MethodGet || strings.HasSuffix(path, "/search") || strings.HasSuffix(path, "/get")
	l.mu.Lock()
	defer l.mu.Unlock()
	if isRead {
		l.reads = append(l.reads, l.sim.Clock().Now().Add(-l.moved))
	}
	resp, err := l.sim.Transport().RoundTrip(req)
	if !isRead && !strings.HasSuffix(path, "/auth/token") {
		const longest = 2 * time.Minute
		l.sim.Clock().Advance(longest - l.lag)
		l.moved += longest - l.lag
		l.reads = nil
	}
	return resp, err
}

const latePackage = `
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = %q
  currency = "EUR"
}
`

// lateWrites are applies with one call that writes, by what it writes: the configuration before it, and after it.
func lateWrites() map[string][2]string {
	label, _, _ := strings.Cut(newClient, "\nresource \"reseller_package\"")
	label += "\n"
	addon := providertest.Item("addon", "seats", "SEATS", "")
	held := label + fmt.Sprintf(latePackage, "Gold") + addon + `
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = %s
}
`
	const seats = `{ (reseller_addon.seats.code) = 2 }`
	return map[string][2]string{
		"private label":          {"", label},
		"package":                {"", fmt.Sprintf(latePackage, "Gold")},
		"assignment":             {label + fmt.Sprintf(latePackage, "Gold") + addon, fmt.Sprintf(held, "{}")},
		"add-on":                 {fmt.Sprintf(held, "{}"), fmt.Sprintf(held, seats)},
		"removal of an add-on":   {fmt.Sprintf(held, seats), fmt.Sprintf(held, "{}")},
		"removal of a package":   {fmt.Sprintf(held, "{}"), label + fmt.Sprintf(latePackage, "Gold") + addon},
		"member":                 {label, label + newMember},
		"removal of a member":    {label + newMember, label},
		"update of a package":    {fmt.Sprintf(latePackage, "Gold"), fmt.Sprintf(latePackage, "Golden")},
		"end of a private label": {label, ""},
		"suspension":             {label, strings.Replace(label, "app_name ", "suspended       = true\n  app_name ", 1)},
		"document to be signed":  {"", providertest.FullDocument},
	}
}

var notShown = regexp.MustCompile(`(no read\s+afterwards\s+shows\s+it|does\s+not\s+show\s+(it|the\s+assignment|the\s+member|all\s+of\s+it)\s+yet|dropped,\s+or\s+not\s+shown\s+yet|written,\s+but\s+not\s+read)`)

// What a late API costs: each write is read for 30 seconds at most, after pauses that grow. What no read has shown by then is
// said to be not shown yet. The table is logged.
func TestLate_Costs(t *testing.T) {
	t.Parallel()
	lags := []time.Duration{0, 2 * time.Second, 6 * time.Second, 20 * time.Second, 40 * time.Second}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(w, "write")
	for _, lag := range lags {
		_, _ = fmt.Fprintf(w, "\tshown after %s", lag)
	}
	_, _ = fmt.Fprintln(w)
	for _, name := range slices.Sorted(maps.Keys(lateWrites())) {
		_, _ = fmt.Fprint(w, name)
		for _, lag := range lags {
			_, _ = fmt.Fprintf(w, "\t%s", costOf(t, name, lateWrites()[name], lag))
		}
		_, _ = fmt.Fprintln(w)
	}
	_ = w.Flush()
	t.Logf("reads after the write, time that they wait, what is said at the end:\n%s", table.String())
}

// costOf applies a write whose effect reads show after lag.
func costOf(t *testing.T, name string, configs [2]string, lag time.Duration) string {
	t.Helper()
	about := fmt.Sprintf("%s, shown after %s", name, lag)
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"late": "2m"})
	signing := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{TestEnv: w}}
	w.Sim.Clock().Advance(time.Hour)
	c := coretest.New(t, w)
	c.File("terms.pdf", "%PDF-1.7\n")
	write := func(body string) { c.Config(signing.Config(body)) }
	write(configs[0])
	c.Apply().WantOK(t)
	w.Sim.Clock().Advance(time.Hour)
	late := &lateBy{sim: w.Sim, lag: lag}
	w.Transport = late
	write(configs[1])
	planned := c.Plan()
	assert.NotEqual(t, 1, planned.Code, "%s: %s", about, planned.Out)
	before := w.Sim.Clock().Now()
	r := c.ApplySaved()
	assertNoDenial(t, r, about)
	waited := w.Sim.Clock().Now().Sub(before) - late.moved
	assert.LessOrEqual(t, waited, 30*time.Second, about)
	assert.GreaterOrEqual(t, late.moved, time.Minute, "%s: it is written", about)
	var pauses []time.Duration
	for i := 1; i < len(late.reads); i++ {
		if pause := late.reads[i].Sub(late.reads[i-1]); pause > 0 {
			pauses = append(pauses, pause)
		}
	}
	for i := 1; i < len(pauses); i++ {
		isLast := i == len(pauses)-1 && waited == 30*time.Second
		assert.True(t, pauses[i] > pauses[i-1] || isLast, "%s: the pauses grow: %s", about, pauses)
	}
	said := "shown"
	if notShown.MatchString(r.Out) {
		said = "not shown yet"
	}
	switch {
	case lag > 20*time.Second:
		proven := slices.Contains([]string{"document to be signed", "package", "suspension"}, name) // by its response
		assert.Equal(t, proven, said == "shown", "%s: %s", about, r.Out)
	default:
		assert.Equal(t, "shown", said, "%s: %s", about, r.Out)
		assert.Zero(t, r.Code, "%s: %s", about, r.Out)
	}
	return fmt.Sprintf("%d, %s, %s", len(late.reads), waited, said)
}
