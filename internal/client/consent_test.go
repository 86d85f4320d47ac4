package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
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

func TestConfirmation(t *testing.T) {
	t.Parallel()
	const script = `
		ask one: POST {label}/package -> 200 {"outcome":"ConfirmationRequired","confirmation":{"key":"` + confirmationKey + `","expiresAt":1},"warnings":[{"itemCode":"seats","requested":5,"remaining":4,"excess":1}]}
		ask: POST {label}/package -> 200 {"outcome":"ConfirmationRequired","confirmation":{"key":"` + confirmationKey + `","expiresAt":1},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}]}
		done: POST {label}/package -> 200 {"outcome":"Assigned","assignmentId":"{other}"}
		lost: POST {label}/package -> reset
		expired: POST {label}/package -> 400 body {"status":"Err","error":{"code":"CONFIRMATION_EXPIRED","message":"no ` + confirmationKey + `"}}
		repeated: POST {label}/package -> 400 body {"status":"Err","error":{"code":"CONFIRMATION_INVALID","message":"no ` + confirmationKey + `"}}
		unassigned: GET {label} -> 200 {"tenantId":"{id}","assignment":null}
		assigned: GET {label} -> 200 {"tenantId":"{id}","assignment":{"packageId":"{other}","packageCode":"GOLD","addons":[]}}
	`
	// Columns: the exchanges, for each of them k if the call has the key, the excess that is allowed, what was confirmed.
	texttable.Run(t, `
		it fits                       | done                                    | -      | 2 | []                                            | done
		within the consent            | ask; done                               | -k     | 2 | [[seats: requested 5, remaining 3, excess 2]] | done
		beyond the consent            | ask                                     | -      | 1 | []                                            | error: … too much …
		the key is too old            | ask; expired; ask; done                 | -k-k   | 2 | [[seats: requested 5, remaining 3, excess 2]] | done
		smaller numbers               | ask; ask one; done                      | -kk    | 2 | [[seats: requested 5, remaining 4, excess 1]] | done
		larger numbers                | ask one; ask                            | -k     | 1 | []                                            | error: … too much …
		other numbers each time       | ask x5                                  | -kkkk  | 2 | []                                            | error: … MOVING …
		the response is lost          | ask; lost; assigned                     | -k-    | 2 | [[seats: requested 5, remaining 3, excess 2]] | lost
		lost, absent, confirmed again | ask; lost; unassigned x2; ask; done     | -k---k | 2 | [[seats: requested 5, remaining 3, excess 2]] | done
		the reads are rejected        | ask; lost; GET {label} -> 403 FORBIDDEN | -k-    | 2 | [[seats: requested 5, remaining 3, excess 2]] | doubt: …
		the key is repeated           | ask; repeated                           | -k     | 2 | []                                            | CONFIRMATION_INVALID
	`, func(t *testing.T, row []string) {
		s := transporttest.Expect(t, script+row[1])
		c, _ := dial(t, s, readTwice)
		ctx, log := transporttest.Logged(t)
		most, err := strconv.ParseFloat(row[3], 64)
		require.NoError(t, err)
		consent := &consent{most: most}
		_, o := c.AssignPackage(ctx, transporttest.ID, transporttest.OtherID, consent)
		wantOutcome(t, strings.Replace(row[5], "MOVING", errMovingAllowance.Error(), 1), o)
		if _, exceeds := errors.AsType[*ExcessError](o.Err); assert.Equal(t, strings.HasPrefix(row[5], "error"), exceeds, "%v", o.Err) && exceeds {
			assert.Equal(t, transport.Absent, o.State)
		}
		assert.Equal(t, row[4], fmt.Sprint(consent.confirmed))
		assert.NotContains(t, inWords(o)+log.String(), confirmationKey)
		for i, call := range s.Calls() {
			if strings.HasPrefix(call, http.MethodPost) {
				wantKey(t, transporttest.MustJSON(t, s.Body(i)), row[2][i] == 'k')
			}
		}
	})
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
	reasons := map[string]error{"no key": errNoConfirmationKey, "too much": errTooMuch}
	texttable.Run(t, `
		no confirmation      | "warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}] | no key
		null confirmation    | "confirmation":null,"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}] | no key
		no key               | "confirmation":{"expiresAt":1},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}] | no key
		a key without text   | "confirmation":{"key":""},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}] | no key
		a key that is a list | "confirmation":{"key":["k1"]},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}] | no key
		a bare key           | "confirmation":"k1","warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}] | no key
		a number as text     | "confirmation":{"key":"k1"},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":"2"}] | too much
		warnings of texts    | "confirmation":{"key":"k1"},"warnings":["seats"] | too much
		nobody to ask        | "confirmation":{"key":"k1"},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}] | nobody
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, `POST {label}/package/addons -> 200 {"outcome":"ConfirmationRequired",`+row[1]+"}"))
		limited := &consent{most: 2}
		asked := Consent(limited)
		if row[2] == "nobody" {
			asked = nil
		}
		o := c.AttachAddon(t.Context(), transporttest.ID, transporttest.OtherID, 1, asked)
		excess, _ := errors.AsType[*ExcessError](o.Err)
		require.ErrorContains(t, excess, "exceed")
		assert.Equal(t, transport.Absent, o.State)
		assert.Equal(t, reasons[row[2]], errors.Unwrap(excess))
		assert.Empty(t, limited.confirmed)
	})
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
