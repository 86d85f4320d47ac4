package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// consent allows warnings with an excess of at most this, and records what was confirmed.
type consent struct {
	most      float64
	confirmed []string
}

var errTooMuch = errors.New("too much")

func (c *consent) Judge(warnings []Warning) error {
	if slices.ContainsFunc(warnings, func(w Warning) bool { return w.Excess == nil || *w.Excess > c.most }) {
		return errTooMuch
	}
	return nil
}

func (c *consent) Confirmed(warnings []Warning) {
	c.confirmed = append(c.confirmed, fmt.Sprint(warnings))
}

const confirmationKey = "confirmation-key-0001"

// askFor is a response that asks for the confirmation of an excess of seats.
func askFor(excess int) transporttest.Step {
	return transporttest.Step{Request: reqAssign, Answer: transporttest.OK(fmt.Sprintf(
		`{"outcome":"ConfirmationRequired","confirmation":{"key":%q,"expiresAt":1},"warnings":[{"itemCode":"seats","requested":5,"remaining":%d,"excess":%d}]}`, confirmationKey, 5-excess, excess))}
}

func TestConfirmation(t *testing.T) {
	t.Parallel()
	ask := askFor(2)
	done := transporttest.Step{Request: reqAssign, Answer: transporttest.OK(`{"outcome":"Assigned","assignmentId":"` + transporttest.OtherID + `"}`)}
	lost := transporttest.Step{Request: reqAssign, Answer: transporttest.Reset}
	unassigned := transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(`{"tenantId":"` + transporttest.ID + `","assignment":null}`)}
	assigned := transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(`{"tenantId":"` + transporttest.ID + `","assignment":{"packageId":"` + transporttest.OtherID + `","packageCode":"GOLD","addons":[]}}`)}
	rejected := func(code string) transporttest.Step {
		return transporttest.Step{Request: reqAssign, Answer: transporttest.Reply(400, `{"status":"Err","error":{"code":"`+code+`","message":"no `+confirmationKey+`"}}`)}
	}
	const two, excessOfOne = "[seats: requested 5, remaining 3, excess 2]", "[seats: requested 5, remaining 4, excess 1]"
	for name, tc := range map[string]struct {
		steps     []transporttest.Step
		keys      string // for each call, k if it has the key
		most      float64
		confirmed []string
		fails     func(error) bool
	}{
		"it fits":                          {[]transporttest.Step{done}, "-", 2, nil, nil},
		"within the consent":               {[]transporttest.Step{ask, done}, "-k", 2, []string{two}, nil},
		"beyond the consent":               {[]transporttest.Step{ask}, "-", 1, nil, isExcess(errTooMuch)},
		"the key is too old":               {[]transporttest.Step{ask, rejected(CodeConfirmationExpired), ask, done}, "-k-k", 2, []string{two}, nil},
		"smaller numbers":                  {[]transporttest.Step{ask, askFor(1), done}, "-kk", 2, []string{excessOfOne}, nil},
		"larger numbers":                   {[]transporttest.Step{askFor(1), ask}, "-k", 1, nil, isExcess(errTooMuch)},
		"other numbers each time":          {[]transporttest.Step{ask, ask, ask, ask, ask}, "-kkkk", 2, nil, isExcess(errMovingAllowance)},
		"the response is lost":             {[]transporttest.Step{ask, lost, assigned}, "-k-", 2, []string{two}, nil},
		"lost, absent, confirmed again":    {[]transporttest.Step{ask, lost, unassigned, unassigned, ask, done}, "-k---k", 2, []string{two}, nil},
		"lost, and the reads are rejected": {[]transporttest.Step{ask, lost, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeForbidden)}}, "-k-", 2, []string{two}, transport.IsUnknownOutcome},
		"the key is repeated": {[]transporttest.Step{ask, rejected(CodeConfirmationInvalid)}, "-k", 2, nil, func(err error) bool {
			return transport.IsCode(err, CodeConfirmationInvalid) && !strings.Contains(err.Error(), confirmationKey)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := transporttest.Expect(t, tc.steps...)
			c, _ := dial(t, s, readTwice)
			ctx, log := transporttest.Logged(t)
			consent := &consent{most: tc.most}
			_, o := c.AssignPackage(ctx, transporttest.ID, transporttest.OtherID, consent)
			err := o.Err
			if _, exceeds := errors.AsType[*ExcessError](err); exceeds {
				assert.Equal(t, transport.Absent, o.State)
			}
			if (err != nil) != (tc.fails != nil) || err != nil && !tc.fails(err) {
				t.Errorf("got %v", err)
			}
			assert.Equal(t, tc.confirmed, consent.confirmed)
			assert.NotContains(t, log.String(), confirmationKey, "the log shows the key: %s", log)
			for i, step := range tc.steps {
				if step.Request == reqAssign {
					wantKey(t, transporttest.MustJSON(t, s.Body(i)), tc.keys[i] == 'k')
				}
			}
		})
	}
}

func isExcess(reason error) func(error) bool {
	return func(err error) bool {
		_, found := errors.AsType[*ExcessError](err)
		return found && errors.Is(err, reason)
	}
}

func wantKey(t *testing.T, body map[string]any, want bool) {
	t.Helper()
	sent, hasKey := body["confirmationKey"]
	if hasKey != want || want && sent != confirmationKey || body["packageId"] != transporttest.OtherID {
		t.Errorf("sent %v, want a key: %t", body, want)
	}
}

// A response that asks for a confirmation wrote nothing in any shape.
func TestConfirmation_Shapes(t *testing.T) {
	t.Parallel()
	const seats = `[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}]`
	for name, tc := range map[string]struct {
		rest   string
		nobody bool
		fails  error
	}{
		"nobody to ask":        {`"confirmation":{"key":"k1"},"warnings":` + seats, true, nil},
		"no confirmation":      {`"warnings":` + seats, false, errNoConfirmationKey},
		"null confirmation":    {`"confirmation":null,"warnings":` + seats, false, errNoConfirmationKey},
		"no key":               {`"confirmation":{"expiresAt":1},"warnings":` + seats, false, errNoConfirmationKey},
		"a key without text":   {`"confirmation":{"key":""},"warnings":` + seats, false, errNoConfirmationKey},
		"a key that is a list": {`"confirmation":{"key":["k1"]},"warnings":` + seats, false, errNoConfirmationKey},
		"a bare key":           {`"confirmation":"k1","warnings":` + seats, false, errNoConfirmationKey},
		"a number as text":     {`"confirmation":{"key":"k1"},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":"2"}]`, false, errTooMuch},
		"warnings of texts":    {`"confirmation":{"key":"k1"},"warnings":["seats"]`, false, errTooMuch},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: reqAssign + "/addons", Answer: transporttest.OK(`{"outcome":"ConfirmationRequired",` + tc.rest + `}`)}))
			limited := &consent{most: 2}
			asked := Consent(limited)
			if tc.nobody {
				asked = nil
			}
			o := c.AttachAddon(t.Context(), transporttest.ID, transporttest.OtherID, 1, asked)
			err := o.Err
			if excess, found := errors.AsType[*ExcessError](err); !found || o.State != transport.Absent || tc.fails != nil && !errors.Is(err, tc.fails) || !strings.Contains(excess.Error(), "exceed") {
				t.Errorf("got %v", err)
			}
			assert.Empty(t, limited.confirmed)
		})
	}
}

func TestReadWarnings(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``: "", `null`: "", `{}`: "", `"seats"`: "", `[]`: "",
		`[{"itemCode":"documents","requested":1e6,"remaining":0.5,"excess":2500000}]`: "documents: requested 1000000, remaining 0.5, excess 2500000",
		`[{"itemCode":"seats","requested":0,"remaining":-3,"excess":0}]`:              "seats: requested 0, remaining -3, excess 0",
		`[{"itemCode":"seats"}]`: "seats: requested not given, remaining not given, excess not given",
		`[{"itemCode":"seats","requested":"5","remaining":null,"excess":[1]}]`:       "seats: requested not given, remaining not given, excess not given",
		`[{"itemCode":"seats","requested":1e999,"remaining":-1e999,"excess":"NaN"}]`: "seats: requested not given, remaining not given, excess not given",
		`[{"itemCode":"seats","Requested":5,"REMAINING":1,"excess":true}]`:           "seats: requested not given, remaining not given, excess not given",
		`[{"requested":1,"remaining":0,"excess":1}]`:                                 "item not given: requested 1, remaining 0, excess 1",
		`[{"itemCode":7,"requested":1,"remaining":0,"excess":1}]`:                    "item not given: requested 1, remaining 0, excess 1",
		`[{"itemCode":"\u001b[31mseats","requested":1,"remaining":0,"excess":1}]`:    "\ufffd[31mseats: requested 1, remaining 0, excess 1",
		`[null,7,[],"seats"]`: strings.TrimSuffix(strings.Repeat("item not given: requested not given, remaining not given, excess not given; ", 4), "; "),
	} {
		var got []string
		for _, w := range readWarnings(json.RawMessage(raw)) {
			got = append(got, w.String())
		}
		assert.Equal(t, want, strings.Join(got, "; "), raw)
	}
}

func FuzzReadWarnings(f *testing.F) {
	for _, seed := range []string{`null`, `[]`, `[{}]`, `[{"itemCode":"seats","requested":1e308,"remaining":-1e308,"excess":-0}]`, strings.Repeat(`[`, 60)} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, raw string) {
		for _, w := range readWarnings(json.RawMessage(raw)) {
			_ = w.String()
		}
	})
}
