package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
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
// between is empty. Where it cannot, the error has a name. An apply that suspends a private label changes its add-ons after
// that, where the API may reject the detail.
func TestForms_EachLife(t *testing.T) {
	t.Parallel()
	var table bytes.Buffer
	simulator.PrintForms(&table)
	question, lives := "", []string{}
	for _, line := range regexp.MustCompile(`(?m)^(?:([a-z0-9-]+) \(|  ([ *]) ([a-z0-9-]+))`).FindAllStringSubmatch(table.String(), -1) {
		if line[1] != "" {
			question = line[1]
		} else if line[2] != "*" {
			lives = append(lives, question+"="+line[3])
		}
	}
	drawn := []string{"suspended-detail=rejected"}
	for _, n := range matrix.Of(t).Numbers(len(lives), 4, "lives") {
		drawn = append(drawn, lives[n])
	}
	for _, form := range drawn {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			live(t, form)
		})
	}
	for form := range namedErrors {
		assert.Contains(t, lives, form)
	}
}

func live(t *testing.T, form string) {
	t.Helper()
	question, name, _ := strings.Cut(form, "=")
	w := lateEnv(t, simulator.Forms{question: name})
	c := coretest.New(t, w)
	said := ""
	apply := func(config string) {
		c.Config(w.Config(config))
		r := c.Apply()
		said += r.Out
		w.Sim.Clock().Advance(time.Hour)
		if namedErrors[form] == "" {
			assert.Equal(t, 0, r.Code, r.Out)
			c.WantEmptyPlan()
		}
	}
	client := func(name string, seats int, extra string) string {
		return strings.Replace(fmt.Sprintf(newClient, name, seats), "app_name ", extra+"\n  app_name ", 1)
	}
	apply(client("Gold", 2, "") + strings.Replace(newMember, "  private_label_id", "  depends_on = [reseller_assignment.acme] # which has the seats\n  private_label_id", 1))
	apply(client("Golden", 3, "suspended = true"))
	apply(client("Golden", 3, "suspended = false"))
	if named := namedErrors[form]; named != "" {
		assert.Contains(t, said, named)
		return
	}
	apply("")
}

// Steps depend on the add-ons of an assignment: without one of their fields, by either route, a plan ends with an error that
// names it, and nothing is sent.
func TestForms_AddonsNotShown(t *testing.T) {
	t.Parallel()
	for form, field := range map[string]string{"omitted": "assignment.addons", "no-quantity": "assignment.addons[0].quantity", "no-code": "assignment.addons[0].code"} {
		for _, read := range []string{"missing", "assignment"} {
			w := providertest.NewAssignmentEnv(t, simulator.Forms{"detail-addons": form, "assignment-read": read, "assignment-addons": "omitted"})
			w.Console(w.Gold, map[string]float64{w.Seats: 2})
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Assignment(w.Gold, w.Addons(2)) + providertest.Imports{providertest.Assigned: w.Label}.Blocks() + fmt.Sprintf("data \"reseller_private_label\" \"acme\" { id = %q }\n", w.Label))
			r := c.Plan()
			r.WantError(t, "no "+field+" that this version can find")
			assert.NotContains(t, r.Out, "the network", "the response arrived")
			w.WantReads()
		}
	}
}

// A list without rows beside a positive count proves nothing. A private label is gone only if its detail says FORBIDDEN.
func TestForms_ListWithoutRows(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"forbidden", "invalid-target"} {
		for name, empty := range map[string]func(data map[string]any){
			"none":    func(data map[string]any) { data["privateLabels"] = []any{} },
			"null":    func(data map[string]any) { data["privateLabels"] = nil },
			"omitted": func(data map[string]any) { delete(data, "privateLabels") },
		} {
			about := form + ", " + name
			w := lateEnv(t, simulator.Forms{"gone-label": form})
			c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")+providertest.Label("other", "other.acme.example", "")), "2 added")
			w.Sim.Clock().Advance(15 * time.Minute)
			require.NoError(t, w.Sim.DeprovisionInConsole(providertest.AcmeHost))
			w.Second().Edits(http.MethodGet, listRoute, empty)
			r := c.Plan()
			if form == "forbidden" {
				assert.Contains(t, r.Out, "Private label not found, removed from state", about)
				assert.NotContains(t, r.Out, "other.acme.example is not among", about)
			} else {
				r.WantError(t, map[bool]string{false: "no privateLabels beside a provisionedCount of 1", true: "no privateLabels that this version can find"}[name == "omitted"])
				assert.NotContains(t, r.Out, "not found", about)
			}
			assert.Len(t, c.State(), 2, about)
		}
	}
}

// rewritten changes the values of the fields of each response.
type rewritten struct {
	next   http.RoundTripper
	change func(name string, v any) any
}

func (r rewritten) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	body = changed(body, r.change)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}

// A private label whose creation time cannot be read is created, is in state, is not tainted, and the next plan shows
// no changes.
func TestForms_TimesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"%s000": fwtype.SummaryTime, "%s000000": fwtype.SummaryTime, "1e400": fwtype.SummaryTime, `"yesterday"`: "2 added"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			w.Transport = rewritten{w.Sim.Transport(), func(name string, v any) any {
				if name == "expiresAt" {
					return v
				}
				return timed(format)(name, v)
			}}
			c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")+newMember), want, "2 added")
			for address, object := range c.State() {
				assert.NotEmpty(t, object.Attributes["id"], "%s is %v", address, object.Attributes)
				assert.Nil(t, object.Attributes["created_at"], "%s is %v", address, object.Attributes)
			}
			c.WantEmptyPlan()
		})
	}
}

// Without color the CLI draws no frame, so a line of the API would look like the CLI's own.
func TestForms_NamesAreOnOneLine(t *testing.T) {
	t.Parallel()
	const forged = "\nError: forged"
	w := providertest.NewAssignmentEnv(t, nil)
	member := providertest.LabelEnv{TestEnv: w.TestEnv, Label: w.Label}
	member.Join(providertest.BobEmail)
	w.Console(w.Gold, nil)
	bob := providertest.Find(t, w.Sim.Labels()[0].People, func(p simulator.PersonView) bool { return p.Email == providertest.BobEmail })
	kept := w.Body(w.Gold, "") + member.Person("bob", providertest.BobEmail, "Bob")
	imports := providertest.Imports{providertest.Assigned: w.Label, providertest.Bob: w.Label + "/" + bob.ID}.Blocks()
	broken := rewritten{w.Sim.Transport(), func(name string, v any) any { // a line break and a forged error behind each name
		text, ok := v.(string)
		if ok && (name == "primaryHost" || name == "email" || name != "slug" && regexp.MustCompile("(?i)(code|name)$").MatchString(name)) {
			return text + forged
		}
		return v
	}}
	for name, atFirst := range map[string]http.RoundTripper{"of the API": broken, "of the state": nil} {
		c := coretest.New(t, w.TestEnv)
		w.Transport = atFirst
		c.Config(w.Config(kept + imports))
		c.Apply()
		w.Transport = broken
		said := ""
		see := func(r providertest.Result) {
			for _, d := range r.Diagnostics {
				said += d.Summary + "\n" + d.Detail + "\n\n"
			}
		}
		for _, config := range []string{"", kept} {
			c.Config(w.Config(config))
			see(c.Plan())
			see(c.Plan("-refresh=false"))
		}
		c.Config(w.Config(kept + fmt.Sprintf("resource \"reseller_domain_verification\" \"acme\" {\n  private_label_id = %q\n  timeouts = { create = \"0s\" }\n}\n", w.Label)))
		see(c.Apply("-refresh=false"))
		assert.NotContains(t, said, forged, name)
		assert.Contains(t, said, "Error: forged", "%s: no text has a name of the API", name)
	}
}

const (
	listRoute    = "/reseller/private-labels"
	membersRoute = "/members"
)

// setIn sets a field of every object of a list.
func setIn(list, field string, value any) func(data map[string]any) {
	return func(data map[string]any) {
		rows, _ := data[list].([]any)
		for _, row := range rows {
			if fields, ok := row.(map[string]any); ok {
				fields[field] = value
			}
		}
	}
}

// reading is a reseller with a private label and its owner, behind a second service.
func reading(t *testing.T) (w *providertest.TestEnv, s *providertest.SecondService, id string) {
	t.Helper()
	w, s = providertest.NewSecond(t)
	require.NoError(t, w.Sim.Seed(1))
	return w, s, w.Sim.Labels()[0].ID
}

// shown is a value of a configuration with the data sources of a private label.
func shown(t *testing.T, w *providertest.TestEnv, id, value string) string {
	t.Helper()
	return coretest.Applied(t, w, w.Config(fmt.Sprintf(`
data "reseller_members" "m" { private_label_id = %[1]q }
data "reseller_people" "p" {}
data "reseller_private_label" "l" { id = %[1]q }
data "reseller_private_labels" "all" {}
data "reseller_packages" "all" {}
data "reseller_package" "one" { id = data.reseller_packages.all.packages[0].id }
output "is" {
  value = %[2]s
}
`, id, value))).Output("is")
}

// Members are read as the API returns them: configuration rules do not apply to the API. An empty address is null.
func TestReading_Emails(t *testing.T) {
	t.Parallel()
	for _, email := range []string{"ada@bücher.example", `"ada lovelace"@acme.example`, "root@localhost", "ada@acme_2.example", "not an address", ""} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			w, s, id := reading(t)
			s.Edits(http.MethodGet, membersRoute, setIn("members", "email", email))
			s.Edits(http.MethodPost, "/console/users/search", setIn("users", "email", email))
			s.Edits(http.MethodGet, listRoute, setIn("privateLabels", "adminEmail", email))
			s.Edits(http.MethodGet, listRoute+"/"+id, func(data map[string]any) {
				if owner, ok := data["owner"].(map[string]any); ok {
					owner["email"] = email
				}
			})
			one, err := json.Marshal(email)
			require.NoError(t, err)
			if email == "" {
				one = []byte("null")
			}
			got := shown(t, w, id, "[data.reseller_members.m.members[0].email, data.reseller_people.p.people[0].email, data.reseller_private_label.l.owner.email, data.reseller_private_labels.all.private_labels[0].admin_email]")
			assert.Equal(t, fmt.Sprintf("[%[1]s,%[1]s,%[1]s,%[1]s]", one), strings.ReplaceAll(got, `""`, "null"))
		})
	}
}

// A member whose email address the configuration rules once rejected is imported, read and planned like any other.
func TestReading_MemberEmails(t *testing.T) {
	t.Parallel()
	for _, email := range []string{"ada@bücher.example", `"ada lovelace"@acme.example`} {
		w := providertest.NewLabelEnv(t)
		w.Join(providertest.BobEmail)
		w.Second().Edits(http.MethodGet, membersRoute, func(data map[string]any) {
			rows, _ := data["members"].([]any)
			setIn("last", "email", email)(map[string]any{"last": rows[len(rows)-1:]})
		})
		c := coretest.Applied(t, w.TestEnv, w.Config(w.Person("bob", email, "Bob")+providertest.Imports{providertest.Bob: providertest.AcmeHost + "/" + email}.Blocks()), "1 imported, 0 added, 0 changed, 0 destroyed")
		c.WantEmptyPlan()
	}
}

// Times outside of four-digit years are omitted, and cause no error.
func TestReading_Times(t *testing.T) {
	t.Parallel()
	for millis, want := range map[float64]string{1.7e12: `"2023-11-14T22:13:20Z"`, 9e15: "null", -9e15: "null"} {
		w, s, id := reading(t)
		s.Edits(http.MethodGet, membersRoute, setIn("members", "createdAt", millis))
		assert.Equal(t, want, shown(t, w, id, "data.reseller_members.m.members[0].created_at"), millis)
	}
}

// Host names, statuses, roles and currencies are shown as the API returns them.
func TestReading_AnyWords(t *testing.T) {
	t.Parallel()
	w, s, id := reading(t)
	const host = "sign_1.bücher.example"
	s.Edits(http.MethodGet, listRoute, func(data map[string]any) {
		setIn("privateLabels", "primaryHost", host)(data)
		setIn("privateLabels", "status", "Frozen")(data)
	})
	s.Edits(http.MethodGet, listRoute+"/"+id, func(data map[string]any) { data["primaryHost"], data["status"] = host, "Frozen" })
	s.Edits(http.MethodGet, membersRoute, func(data map[string]any) {
		setIn("members", "role", "auditor")(data)
		setIn("members", "status", "")(data)
	})
	s.Rows("packages", func(row map[string]any) { row["currency"] = "euro cents" })
	assert.Equal(t, `"`+host+"|Frozen|"+host+`|auditor|euro cents|euro cents"`, shown(t, w, id, `join("|", [data.reseller_private_label.l.domain, data.reseller_private_label.l.status, data.reseller_private_labels.all.private_labels[0].domain,
    data.reseller_members.m.members[0].role, data.reseller_packages.all.packages[0].currency, data.reseller_package.one.currency])`))
}

// A figure or a flag that a response lacks, or has as null, is null in a data source, and not 0 or false.
func TestReading_FiguresNotShown(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"null", "omitted"} {
		w := signingIn(t, simulator.Forms{"figure-fields": form})
		c := coretest.Applied(t, w.TestEnv, w.Config(fmt.Sprintf(`
data "reseller_private_labels" "all" {}
data "reseller_private_label" "acme" { id = %q }
data "reseller_document" "terms" {
  doc_id = %q
  domain = "acme.example"
}
output "shown" {
  value = [
    data.reseller_private_labels.all.private_labels[0], data.reseller_private_label.acme.member_count,
    data.reseller_document.terms.document, data.reseller_document.terms.recipients[0],
  ]
}
`, w.Label, w.WithDocument(providertest.FullDocument))))
		shown := c.Output("shown")
		assert.NotRegexp(t, `"(documents_sent|members|total|owner_trust_score|trust_score|verify_gov_id|verify_id_check|verify_mobile_phone|verify_payment|verify_wallet)":[^n]`, shown, form)
		assert.Contains(t, shown, `"trust_score":null`, form)
		c.Want("data.reseller_private_label.acme", "member_count", knownvalue.Null())
	}
}

// signingIn is a test environment for the Signing API whose simulator makes other assumptions.
func signingIn(t *testing.T, forms simulator.Forms) *providertest.SigningEnv {
	t.Helper()
	return &providertest.SigningEnv{LabelEnv: providertest.NewLabelEnvOf(t, forms)}
}
