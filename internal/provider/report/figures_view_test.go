package report

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The API documentation does not show the payloads of quota and usage. A typed figure has only one possible meaning;
// the rest is in the JSON.
func TestFiguresView(t *testing.T) {
	t.Parallel()
	nothing := map[string]float64{}
	for name, tc := range map[string]struct {
		view figuresView
		json string
		want map[string]float64
	}{
		"bare at the top":                 {remainingView, `{"documents":5,"seats":2.5}`, nothing},
		"bare below the name of the read": {remainingView, `{"quota":{"documents":5}}`, nothing},
		"bare in its section":             {remainingView, `{"remaining":{"documents":5},"billed":{"documents":90}}`, map[string]float64{"documents": 5}},
		"its section before the top":      {remainingView, `{"documents":90,"remaining":{"documents":5}}`, map[string]float64{"documents": 5}},
		"figures as texts":                {remainingView, `{"remaining":{"documents":"5","seats":"many","templates":"NaN","notarizations":""}}`, map[string]float64{"documents": 5}},
		"a field at the top":              {remainingView, `{"documents":{"billed":90,"remaining":5}}`, map[string]float64{"documents": 5}},
		"rows":                            {remainingView, `{"items":[{"itemCode":"documents","billed":90,"remaining":5},{"itemCode":"points","remaining":1}]}`, map[string]float64{"documents": 5}},
		"rows at the top":                 {remainingView, `[{"itemCode":"documents","remaining":5}]`, map[string]float64{"documents": 5}},
		"by item, in a section":           {remainingView, `{"allowance":{"documents":{"total":100,"remaining":5}}}`, map[string]float64{"documents": 5}},
		"rows in its section":             {remainingView, `{"remaining":[{"itemCode":"documents","remaining":5}]}`, map[string]float64{"documents": 5}},
		"below the name of the read":      {remainingView, `{"quota":{"remaining":{"documents":5}}}`, map[string]float64{"documents": 5}},
		"the field before the bare one":   {remainingView, `{"documents":90,"items":{"documents":{"remaining":5}}}`, map[string]float64{"documents": 5}},
		"used up":                         {remainingView, `{"remaining":{"documents":0},"seats":{"remaining":0}}`, map[string]float64{"documents": 0, "seats": 0}},
		"billed, nothing of what remains": {remainingView, `{"billed":{"documents":90},"period":"2026-03"}`, nothing},
		"the limits of something else":    {remainingView, `{"limits":{"documents":90,"seats":10}}`, nothing},
		"an item of another field":        {remainingView, `{"documents":{"billed":90}}`, nothing},
		"deep below":                      {remainingView, `{"labels":{"a":{"documents":{"remaining":5}}}}`, nothing},
		"two sections that differ":        {remainingView, `{"current":{"documents":{"remaining":5}},"next":{"documents":{"remaining":100}}}`, nothing},
		"two sections that agree":         {remainingView, `{"current":{"documents":{"remaining":5}},"items":[{"itemCode":"documents","remaining":5}]}`, map[string]float64{"documents": 5}},
		"a row for each label":            {remainingView, `{"rows":[{"tenantId":"a","itemCode":"documents","remaining":5},{"tenantId":"b","itemCode":"documents","remaining":7}]}`, nothing},
		"texts":                           {remainingView, `{"documents":"5","remaining":"much","seats":{"remaining":null}}`, nothing},
		"nothing":                         {remainingView, `null`, nothing},

		"totals beside rows":          {totalsView, `{"period":"2026-03","rows":[{"tenantId":"a","documents":4}],"totals":{"documents":7,"points":1}}`, map[string]float64{"documents": 7, "points": 1}},
		"bare usage at the top":       {totalsView, `{"documents":7,"period":"2026-03"}`, nothing},
		"bare usage below its name":   {totalsView, `{"usage":{"documents":7}}`, nothing},
		"no item of the document":     {totalsView, `{"totals":{"pages":7,"used":1}}`, nothing},
		"below its own name":          {totalsView, `{"usage":{"documents":{"used":7,"allocated":10}}}`, map[string]float64{"documents": 7}},
		"used, by item":               {totalsView, `{"used":{"documents":7},"allocated":{"documents":10}}`, map[string]float64{"documents": 7}},
		"rows of items":               {totalsView, `{"items":[{"itemCode":"documents","used":7,"total":100}]}`, map[string]float64{"documents": 7}},
		"a total that may be a limit": {totalsView, `{"allowance":{"documents":{"total":100}}}`, nothing},
		"a total at the top":          {totalsView, `{"templates":{"total":100},"total":{"seats":5},"totals":{"documents":{"total":9}}}`, nothing},
		"the month before":            {totalsView, `{"previous":{"documents":3},"totals":{"documents":7}}`, map[string]float64{"documents": 7}},
		"only the month before":       {totalsView, `{"previous":{"documents":3}}`, nothing},
		"a count":                     {totalsView, `{"documents":{"count":7},"seats":{"quantity":7}}`, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 20 { // maps have no order
				require.Equal(t, tc.want, tc.view.Read(json.RawMessage(tc.json)))
			}
		})
	}
}

func FuzzFiguresView(f *testing.F) {
	for _, seed := range []string{`null`, `[]`, `{"remaining":{"documents":1}}`, `[{"itemCode":"documents","remaining":1e400}]`, `{"quota":{"quota":{}}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		for _, view := range []figuresView{remainingView, totalsView} {
			assert.LessOrEqual(t, len(view.Read(json.RawMessage(data))), len(view.items), "more figures than items")
		}
	})
}
