package assignment

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

func warn(item string, requested, remaining, excess float64) client.Warning {
	return client.Warning{ItemCode: item, Requested: &requested, Remaining: &remaining, Excess: &excess}
}

// lacking returns a warning without one of its numbers.
func lacking(change func(*client.Warning)) client.Warning {
	w := warn("seats", 25, 0, 25)
	change(&w)
	return w
}

// allocated has no templates and no notarizations.
func allocated(documents, seats float64) *client.Allocated {
	return &client.Allocated{Documents: new(documents), Seats: new(seats), Templates: new(0.0), Notarizations: new(0.0)}
}

// Each case has what is allowed, what the private label had before (documents and seats; "" is not known), and its calls: the
// documents and seats that it has during a restoration, each warning with what is requested, what remains and the excess, and
// the allow_excess that would permit a call which is rejected.
func TestExcessBudget(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ allowed, before, calls string }{
		"remaining stops at 0":                     {"seats=50", "", "seats 25 0 25; seats 25 0 25; seats 25 0 25 => seats = 75"},
		"remaining goes below 0":                   {"seats=50", "", "seats 25 0 25; seats 25 -25 50; seats 25 -50 75 => seats = 75"},
		"below 0, and the API states its own part": {"seats=50", "", "seats 25 0 25; seats 25 -25 25; seats 25 -50 25 => seats = 75"},
		"a first part fits":                        {"seats=25", "", "seats 25 10 15; seats 10 0 10; seats 1 0 1 => seats = 26"},
		"a smaller call after a rejected one":      {"seats=25", "", "seats 26 0 26 => seats = 26; seats 25 0 25"},
		"others are below 0 already":               {"seats=25", "", "seats 1 -25 26 => seats = 26; seats 1 -24 25; seats 5 -20 25"},
		"items count by themselves":                {"seats=25 documents=10", "", "seats 25 0 25, documents 5 0 5; documents 5 0 5, seats 1 0 1 => documents = 10, seats = 26; documents 5 0 5"},
		"an item that is not named":                {"seats=25", "", "seats 1 0 1, templates 1 0 1 => seats = 25, templates = 1"},
		"nothing is allowed":                       {"", "", "seats 1 0 1 => seats = 1"},
		"an item with 0":                           {"seats=0", "", "seats 1 0 1 => seats = 1"},
		"an item that fits as well":                {"seats=5", "", "seats 5 0 5, documents 5 100 0, templates 5 100 -95"},
		"one item twice":                           {"seats=25", "", "seats 25 0 25, seats 25 0 25 => seats = 50; seats 12 0 12, seats 13 0 13; seats 1 0 1 => seats = 26"},
		"more than requested":                      {"seats=25", "", "seats 1 0 20; seats 1 0 20 => seats = 40"},
		"less than requested":                      {"seats=25", "", "seats 30 0 1 => seats = 30"},

		"restored beyond allow_excess":      {"", "100 0", "0 0: documents 100 80 20"},
		"restored, below 0":                 {"", "100 0", "0 0: documents 100 -500 600"},
		"a package that grew":               {"", "100 0", "0 0: documents 150 80 70 => documents = 70"},
		"a package that grew, allowed":      {"documents=70", "100 0", "0 0: documents 150 80 70; documents 1 0 1 => documents = 71"},
		"an item that is new":               {"", "100 0", "0 0: documents 100 0 100, seats 5 0 5 => seats = 5"},
		"package and add-on":                {"", "0 30", "0 0: seats 10 0 10; 0 10: seats 20 0 20; 0 30: seats 1 0 1 => seats = 1"},
		"an add-on that grew":               {"", "0 30", "0 10: seats 21 0 21 => seats = 21"},
		"the detail lags":                   {"", "0 30", "0 0: seats 10 0 10; 0 0: seats 30 0 30 => seats = 30; 0 0: seats 20 0 20"},
		"a restoration leaves allow_excess": {"seats=25", "0 100", "0 0: seats 100 0 100; seats 25 0 25"},
		"before is not known":               {"seats=5", "", "0 0: seats 10 0 10 => seats = 10; 0 0: seats 5 0 5; 0 0: seats 1 0 1 => seats = 6"},
		"more than the response requests":   {"", "0 30", "0 0: seats 10 0 40 => seats = 40"},
		"one item twice, restored":          {"", "0 30", "0 0: seats 20 0 20, seats 20 0 20 => seats = 40"},
		"not a restoration":                 {"", "0 30", "seats 10 0 10 => seats = 10"},
	} {
		allowed := map[string]float64{}
		for item := range strings.FieldsSeq(tc.allowed) {
			code, n, _ := strings.Cut(item, "=")
			allowed[code] = numbersIn(t, n)[0]
		}
		budget := newExcessBudget(allowed, allocatedIn(t, tc.before))
		for call := range strings.SplitSeq(tc.calls, "; ") {
			asked, permits, isRejected := strings.Cut(call, " => ")
			now, list, isRestoring := strings.Cut(asked, ": ")
			if !isRestoring {
				now, list = "", asked
			}
			var warnings []client.Warning
			for warning := range strings.SplitSeq(list, ", ") {
				item, numbers, _ := strings.Cut(warning, " ")
				n := numbersIn(t, numbers)
				warnings = append(warnings, warn(item, n[0], n[1], n[2]))
			}
			consent := budget.consent(allocatedIn(t, now))
			for range 2 { // judged again with each response
				got := consent.Judge(warnings)
				if isRejected {
					require.EqualError(t, got, "allow_excess = { "+permits+" } would permit it", "%s, %s", name, call)
				} else {
					require.NoError(t, got, "%s, %s", name, call)
				}
			}
			if !isRejected {
				consent.Confirmed(warnings)
			}
		}
	}
}

func numbersIn(t *testing.T, text string) (numbers []float64) {
	t.Helper()
	for field := range strings.FieldsSeq(text) {
		n, err := strconv.ParseFloat(field, 64)
		require.NoError(t, err)
		numbers = append(numbers, n)
	}
	return numbers
}

// allocatedIn are documents and seats, or nil.
func allocatedIn(t *testing.T, text string) *client.Allocated {
	t.Helper()
	if text == "" {
		return nil
	}
	n := numbersIn(t, text)
	return allocated(n[0], n[1])
}

// What a response does not state is never confirmed, however much is allowed.
func TestExcessBudget_Hostile(t *testing.T) {
	t.Parallel()
	everything := client.Allocated{Documents: new(math.MaxFloat64), Seats: new(math.MaxFloat64), Templates: new(math.MaxFloat64), Notarizations: new(math.MaxFloat64)}
	for name, tc := range map[string]struct {
		warnings []client.Warning
		reason   string
	}{
		"no warnings":            {nil, reasonNone},
		"an empty warning":       {[]client.Warning{{}}, reasonNumbers},
		"no item":                {[]client.Warning{lacking(func(w *client.Warning) { w.ItemCode = "" })}, reasonNumbers},
		"no requested":           {[]client.Warning{lacking(func(w *client.Warning) { w.Requested = nil })}, reasonNumbers},
		"no remaining":           {[]client.Warning{lacking(func(w *client.Warning) { w.Remaining = nil })}, reasonNumbers},
		"no excess":              {[]client.Warning{lacking(func(w *client.Warning) { w.Excess = nil })}, reasonNumbers},
		"one of two":             {[]client.Warning{warn("seats", 1, 0, 1), {ItemCode: "documents"}}, reasonNumbers},
		"excess 0":               {[]client.Warning{warn("seats", 25, 0, 0)}, reasonConflict},
		"excess below 0":         {[]client.Warning{warn("seats", 25, 0, -25)}, reasonConflict},
		"requested below 0":      {[]client.Warning{warn("seats", -25, -50, 25)}, reasonConflict},
		"beyond what numbers do": {[]client.Warning{warn("seats", math.MaxFloat64, -math.MaxFloat64, 1)}, reasonConflict},
		"everything fits":        {[]client.Warning{warn("seats", 25, 25, 0), warn("documents", 0, 0, 0)}, reasonNone},
		"an unknown item":        {[]client.Warning{warn("lunches", 1, 0, 1)}, reasonItem},
		"an item in capitals":    {[]client.Warning{warn("Seats", 1, 0, 1)}, reasonItem},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			budget := newExcessBudget(allocatedItems(&everything), &everything)
			for use, consent := range map[string]client.Consent{"call": budget.consent(nil), "restoration": budget.consent(allocated(0, 0))} {
				var rejection *excessRejectedError
				if err := consent.Judge(tc.warnings); !errors.As(err, &rejection) || rejection.reason != tc.reason || err.Error() != tc.reason {
					t.Errorf("%s: %v, want %q", use, err, tc.reason)
				}
			}
		})
	}
}

func TestNotRestored(t *testing.T) {
	t.Parallel()
	pkg := assign("1", "GOLD")
	grown := []client.Warning{warn("documents", 150, 80, 70)}
	before := allocated(100, 0)
	for name, tc := range map[string]struct {
		before, now *client.Allocated
		warnings    []client.Warning
		want        string
	}{
		"a package that grew":         {before, allocated(0, 0), grown, "Package GOLD exceeds the allowance and was not restored, because it now allocates more than the private label had (in sum documents 150 instead of 100). To restore it, configure it with allow_excess = { documents = 70 }."},
		"what it had is not known":    {nil, allocated(0, 0), grown, "Package GOLD exceeds the allowance and was not restored, because the provider could not compare it with what the private label had allocated before. To restore it, configure it with allow_excess = { documents = 70 }."},
		"what it has is not known":    {before, nil, grown, "Package GOLD exceeds the allowance and was not restored, because the provider could not compare it with what the private label had allocated before. To restore it, configure it with allow_excess = { documents = 70 }."},
		"a response without warnings": {before, allocated(0, 0), nil, "Package GOLD exceeds the allowance. The response does not state any excess. It was not confirmed."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var why *excessRejectedError
			err := newExcessBudget(nil, tc.before).consent(tc.now).Judge(tc.warnings)
			require.ErrorAs(t, err, &why)
			assert.Equal(t, tc.want, notRestored(pkg, why))
		})
	}
}

func TestExcess_Text(t *testing.T) {
	t.Parallel()
	attached := attach("1", "SEATS", types.Float64Value(5))
	const prefix = "Attaching add-on SEATS (quantity 5) to sign.acme.example needs more than the remaining allowance"
	for name, tc := range map[string]struct {
		allowed   map[string]float64
		confirmed []client.Warning
		asked     []client.Warning
		reason    error // of the client; nil for the budget's
		want      string
	}{
		"more than allowed": {
			map[string]float64{"documents": 3, "seats": 2},
			nil,
			[]client.Warning{warn("seats", 5, 0, 5)},
			nil,
			prefix + ":\n\n  seats: requested 5, remaining 0, excess 5\n\nNothing was changed. To allow this excess, set allow_excess = { documents = 3, seats = 5 }. Otherwise assign less, or have the allowance raised. Other assignments in this run change these numbers.",
		},
		"more in sum": {
			map[string]float64{"seats": 5},
			[]client.Warning{warn("seats", 5, 0, 5)},
			[]client.Warning{warn("seats", 5, 0, 5), warn("templates", 1, 0, 1)},
			nil,
			prefix + ":\n\n  seats: requested 5, remaining 0, excess 5 (this apply confirmed 5 before)\n  templates: requested 1, remaining 0, excess 1\n\nNothing was changed. To allow this excess, set allow_excess = { seats = 10, templates = 1 }. Otherwise assign less, or have the allowance raised. Other assignments in this run change these numbers.",
		},
		"a number that is not given": {
			map[string]float64{"seats": 5},
			nil,
			[]client.Warning{lacking(func(w *client.Warning) { w.Excess = nil })},
			nil,
			prefix + ":\n\n  seats: requested 25, remaining 0, excess not given\n\nNothing was changed. The response does not name the item, or does not give each of its numbers. It was not confirmed. Assign less, or have the allowance raised.",
		},
		"no warnings": {
			nil, nil, nil, nil,
			prefix + ".\n\nNothing was changed. The response does not state any excess. It was not confirmed. Assign less, or have the allowance raised.",
		},
		"no confirmation key": {
			nil, nil,
			[]client.Warning{warn("seats", 5, 0, 5)},
			errors.New("the response has no confirmation key"),
			prefix + ":\n\n  seats: requested 5, remaining 0, excess 5\n\nNothing was changed. The response has no confirmation key. Assign less, or have the allowance raised.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			consent := newExcessBudget(tc.allowed, nil).consent(nil)
			if tc.confirmed != nil {
				consent.Confirmed(tc.confirmed)
			}
			err := &client.ExcessError{Warnings: tc.asked, Err: tc.reason}
			if err.Err == nil {
				err.Err = consent.Judge(tc.asked)
			}
			d := exceeds("sign.acme.example", &operation{change: &change{Want: &model{}}}, attached, err)
			if d.Summary() != SummaryExcess || d.Detail() != tc.want {
				t.Errorf("%s\ngot  %q\nwant %q", d.Summary(), d.Detail(), tc.want)
			}
		})
	}
}
