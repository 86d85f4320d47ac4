package client

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func foundLabel(owner string) answer {
	return ok(strings.ReplaceAll(theDetail, testOwner, owner))
}

// Every way in which provisioning may go (§4.9, §7.4).
func TestProvision(t *testing.T) {
	t.Parallel()
	var (
		gone      = step{reqList, ok(noLabels)}
		there     = step{reqList, ok(oneLabel)}
		detail    = step{reqDetail, ok(theDetail)}
		lost      = step{reqProvision, reset}
		made      = step{reqProvision, ok(theMade)}
		taken     = step{reqProvision, refuse(400, CodeHostTaken)}
		noReading = step{reqList, refuse(403, CodeInsufficientScope)}
	)
	for _, tc := range []struct {
		name  string
		steps []step
		lost  bool   // made, and its answer lost
		code  string // of the error
		doubt string // part of what a UnknownOutcomeError says
	}{
		{name: "it goes well", steps: []step{made}},
		{name: "refused", steps: []step{taken}, code: CodeHostTaken},
		{name: "refused for the scope", steps: []step{{reqProvision, refuse(403, CodeInsufficientScope)}}, code: CodeInsufficientScope},

		{name: "reset, and it is there", steps: []step{lost, there, detail}, lost: true},
		{name: "500, and it is there", steps: []step{{reqProvision, refuse(500, CodeInternal)}, there, detail}, lost: true},
		{name: "truncated, and it is there", steps: []step{{reqProvision, truncated}, there, detail}, lost: true},
		{name: "HTML 502, and it is there", steps: []step{{reqProvision, html(502)}, there, detail}, lost: true},
		{name: "HTML 200, and it is there", steps: []step{{reqProvision, html(200)}, there, detail}, lost: true},
		{name: "no tenantId, and it is there", steps: []step{{reqProvision, ok(`{"domainSetup":{}}`)}, there, detail}, lost: true},
		{name: "a tenantId that is none", steps: []step{{reqProvision, ok(`{"tenantId":"../x"}`)}, there, detail}, lost: true},
		{name: "it shows a moment late", steps: []step{lost, gone, there, detail}, lost: true},
		{name: "host and owner by meaning", steps: []step{
			lost,
			{reqList, ok(strings.ReplaceAll(oneLabel, testHost, strings.ToUpper(testHost)))},
			{reqDetail, foundLabel(strings.ToUpper(testOwner))},
		}, lost: true},

		{name: "somebody else's", steps: []step{lost, there, {reqDetail, foundLabel("someone@else.example")}}, doubt: "someone@else.example"},
		{name: "nobody's", steps: []step{lost, there, {reqDetail, ok(`{"tenantId":"` + testID + `","owner":null}`)}}, doubt: "nobody"},

		{name: "not there: once more", steps: []step{lost, gone, gone, made}},
		{name: "once more, refused", steps: []step{lost, gone, gone, {reqProvision, refuse(400, CodeInvalidURL)}}, code: CodeInvalidURL},
		{name: "once more, taken by the first", steps: []step{lost, gone, gone, taken, there, detail}, lost: true},
		{name: "once more, taken by another", steps: []step{lost, gone, gone, taken, there, {reqDetail, foundLabel("someone@else.example")}}, doubt: "someone@else.example"},
		{name: "once more, taken, and not in the list", steps: []step{lost, gone, gone, taken, gone, gone}, doubt: "the host is taken, but no list shows a label with it"},
		{name: "once more, lost, and there", steps: []step{lost, gone, gone, lost, gone, there, detail}, lost: true},
		{name: "lost twice, and not there", steps: []step{lost, gone, gone, lost, gone, gone}, doubt: "tried twice"},

		{name: "reading fails", steps: []step{lost, noReading}, doubt: "reading whether it happened failed"},
		{name: "the second reading fails", steps: []step{lost, gone, noReading}, doubt: "reading whether it happened failed"},
		{name: "reading the owner fails", steps: []step{lost, there, {reqDetail, refuse(400, CodeInvalidTarget)}}, doubt: "reading whether it happened failed"},
		{name: "a list that is none", steps: []step{lost, {reqList, ok(`{}`)}}, doubt: "reading whether it happened failed"},
		{name: "reading fails after the second try", steps: []step{lost, gone, gone, lost, noReading}, doubt: "reading whether it happened failed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, serve(t, tc.steps...))
			got, err := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
			var doubt *UnknownOutcomeError
			switch {
			case tc.doubt != "":
				if !errors.As(err, &doubt) || !strings.Contains(doubt.Seen, tc.doubt) || doubt.Subject != testHost || doubt.Op != opProvision || doubt.Err == nil {
					t.Errorf("got %v", err)
				}
				if err != nil && !strings.Contains(err.Error(), testHost) {
					t.Errorf("does not name the host: %v", err)
				}
			case tc.code != "":
				if !IsCode(err, tc.code) || errors.As(err, &doubt) {
					t.Errorf("got %v", err)
				}
			case err != nil:
				t.Fatal(err)
			case got.TenantID != testID || got.OwnerUserID != ownerID || !got.DomainSetup.Attached || got.AnswerLost != tc.lost:
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestProvisionBody(t *testing.T) {
	t.Parallel()
	owner := map[string]any{"email": testOwner, "firstName": "Olive", "lastName": "Owner"}
	full := provisionRequest()
	full.SupportURL, full.WebsiteURL = "https://help.example/?a=1&b=2", "https://www.example"
	full.ColorPrimary, full.ColorAccent = "#abc", "#aabbcc"
	full.SocialLinks = map[string]string{"linkedinUrl": "https://social.example/us"}
	sly := provisionRequest()
	sly.SocialLinks = map[string]string{"domain": "stolen.example", "appName": "x", "supportUrl": "https://x.example", "colorPrimary": "#fff", "facebook": "https://f.example"}
	for _, tc := range []struct {
		name   string
		req    ProvisionRequest
		config map[string]any
	}{
		{"what is empty is left out", provisionRequest(), map[string]any{"domain": testHost, "appName": "Customer"}},
		{"all of it", full, map[string]any{
			"domain": testHost, "appName": "Customer", "supportUrl": full.SupportURL, "websiteUrl": full.WebsiteURL,
			"colorPrimary": "#abc", "colorAccent": "#aabbcc", "linkedinUrl": "https://social.example/us",
		}},
		{"a social link never stands in for a field", sly, map[string]any{"domain": testHost, "appName": "Customer", "facebook": "https://f.example"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, step{reqProvision, ok(theMade)})
			c, _ := dial(t, s)
			if _, err := c.ProvisionPrivateLabel(t.Context(), tc.req); err != nil {
				t.Fatal(err)
			}
			want := map[string]any{"owner": owner, "config": tc.config}
			if got := mustJSON(t, s.body(0)); !reflect.DeepEqual(got, want) {
				t.Errorf("sent %v, want %v", got, want)
			}
		})
	}
}

func TestDeprovision(t *testing.T) {
	t.Parallel()
	var (
		gone      = step{reqList, ok(noLabels)}
		there     = step{reqList, ok(oneLabel)}
		lost      = step{reqDelete, reset}
		done      = step{reqDelete, ok(`{"status":"deprovisioned"}`)}
		forbidden = step{reqDelete, refuse(403, CodeForbidden)}
		noReading = step{reqList, refuse(403, CodeInsufficientScope)}
	)
	for _, tc := range []struct {
		name  string
		steps []step
		lost  bool
		code  string
		doubt string
	}{
		{name: "it goes well", steps: []step{done}},
		{name: "forbidden proves nothing", steps: []step{forbidden}, code: CodeForbidden},
		{name: "not a live label proves nothing", steps: []step{{reqDelete, refuse(400, CodeInvalidTarget)}}, code: CodeInvalidTarget},
		{name: "no scope", steps: []step{{reqDelete, refuse(403, CodeInsufficientScope)}}, code: CodeInsufficientScope},
		{name: "lost, and gone", steps: []step{lost, gone}, lost: true},
		{name: "500, and gone a moment later", steps: []step{{reqDelete, refuse(500, CodeInternal)}, there, gone}, lost: true},
		{name: "lost, and there: once more", steps: []step{lost, there, there, done}},
		{name: "once more, and the first had done it", steps: []step{lost, there, there, forbidden, gone}, lost: true},
		{name: "once more, forbidden, and there", steps: []step{lost, there, there, forbidden, there, there}, code: CodeForbidden},
		{name: "lost twice, and there", steps: []step{lost, there, there, lost, there, there}, doubt: "tried twice"},
		{name: "reading fails", steps: []step{lost, noReading}, doubt: "reading whether it happened failed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, serve(t, tc.steps...))
			lost, err := c.DeprovisionPrivateLabel(t.Context(), testID)
			var doubt *UnknownOutcomeError
			switch {
			case tc.doubt != "":
				if !errors.As(err, &doubt) || !strings.Contains(doubt.Seen, tc.doubt) || doubt.Subject != testID {
					t.Errorf("got %v", err)
				}
			case tc.code != "":
				if !IsCode(err, tc.code) || errors.As(err, &doubt) {
					t.Errorf("got %v", err)
				}
			case err != nil || lost != tc.lost:
				t.Errorf("got %v, %v", lost, err)
			}
		})
	}
}

func TestIdsAreCheckedBeforeTheyEnterAPath(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, serve(t))
	for _, id := range []string{"", "../" + testID, strings.ToUpper(testID) + "F", testID[1:], testID + "0", testID[:31] + "/", testID + "\n"} {
		if _, err := c.GetPrivateLabel(t.Context(), id); err == nil || MayHaveTakenEffect(err) {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := c.DeprovisionPrivateLabel(t.Context(), id); err == nil {
			t.Errorf("%q was deprovisioned", id)
		}
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	s := serve(t,
		step{reqList, ok(`{"privateLabels":[{"tenantId":"` + testID + `","primaryHost":"` + testHost + `","customDomain":null,"adminEmail":"a@customer.example",
			"assignedPackage":{"packageId":"` + otherID + `","code":"GOLD","name":"Gold"},"templateQuota":{"used":1,"total":5,"unlimited":false},
			"metrics":{"templates":1,"documentsSent":2,"members":3},"status":"Suspended","suspendedAt":1767225600000,"suspendedBy":"Platform","suspendReason":null,"later":{}}],
			"provisionedCount":1,"period":"2026-10"}`)},
		step{reqList + "?period=lifetime", ok(noLabels)},
		step{reqDetail, ok(theDetail)},
		step{reqDashboard, ok(theBoard)},
		step{reqTemplates, ok(`{"templates":[{"id":"` + otherID + `","title":"T","slug":"t","isPrivate":true,"createdAt":1767225600000}]}`)},
		step{reqTemplates, refuse(403, CodeForbidden)},
		step{reqDetail, refuse(403, CodeForbidden)},
		step{reqDashboard, reply(200, `{"status":"OK"}`)},
	)
	c, _ := dial(t, s, func(cfg *Config) { cfg.MaxRetries = 0 })
	labels, err := c.ListPrivateLabels(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	item := labels.PrivateLabels[0]
	if item.TenantID != testID || item.CustomDomain != nil || *item.AdminEmail != "a@customer.example" || item.AssignedPackage.Code != "GOLD" ||
		item.TemplateQuota.Total != 5 || item.Metrics.DocumentsSent != 2 || item.Status != StatusSuspended || *item.SuspendedBy != SuspendedByPlatform ||
		item.SuspendedAt.RFC3339() != "2026-01-01T00:00:00Z" || labels.ProvisionedCount != 1 || labels.Period != "2026-10" {
		t.Errorf("got %+v", item)
	}
	if labels, err = c.ListPrivateLabels(t.Context(), "lifetime"); err != nil || len(labels.PrivateLabels) != 0 {
		t.Errorf("got %+v, %v", labels, err)
	}
	if label, err := c.GetPrivateLabel(t.Context(), testID); err != nil || label.Owner.Email != testOwner || label.MemberCount != 1 || label.Assignment != nil {
		t.Errorf("got %+v, %v", label, err)
	}
	if board, err := c.Dashboard(t.Context()); err != nil || *board.Slug != testSlug || !board.IsReseller {
		t.Errorf("got %+v, %v", board, err)
	}
	if templates, err := c.ListTemplates(t.Context(), testID); err != nil || len(templates) != 1 || !templates[0].IsPrivate {
		t.Errorf("got %+v, %v", templates, err)
	}
	if _, err := c.ListTemplates(t.Context(), testID); !IsCode(err, CodeForbidden) {
		t.Errorf("got %v", err)
	}
	if _, err := c.GetPrivateLabel(t.Context(), testID); !IsCode(err, CodeForbidden) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Dashboard(t.Context()); err == nil || !strings.Contains(err.Error(), "data") {
		t.Errorf("got %v", err)
	}
}

// An answer without a list must not say that every label is gone.
func TestAListThatIsNone(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`{}`, `null`, `{"privateLabels":null}`, `{"labels":[]}`, `{"privateLabels":{}}`, `[]`} {
		c, _ := dial(t, serve(t, step{reqList, ok(data)}))
		var e *Error
		if labels, err := c.ListPrivateLabels(t.Context(), ""); !errors.As(err, &e) || e.Status != http.StatusOK {
			t.Errorf("%s: got %+v, %v", data, labels, err)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cfg Config
		ok  bool
	}{
		"complete":          {Config{BaseURL: "https://api.example/", APIKey: testKey}, true},
		"with a token only": {Config{BaseURL: "https://api.example", AccessToken: givenTok}, true},
		"no address":        {Config{APIKey: testKey}, false},
		"no URL":            {Config{BaseURL: "api.example", APIKey: testKey}, false},
		"a broken URL":      {Config{BaseURL: "https://api.example:x/%zz", APIKey: testKey}, false},
		"nothing to act as": {Config{BaseURL: "https://api.example"}, false},
	} {
		c, err := New(tc.cfg)
		if (err == nil) != tc.ok {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: %v shows the key", name, err)
		}
		if c != nil && c.Calls() != 0 {
			t.Errorf("%s: %d calls", name, c.Calls())
		}
	}
}

func TestMillis(t *testing.T) {
	t.Parallel()
	var m Millis
	if err := json.Unmarshal([]byte("1767225600123"), &m); err != nil || m.RFC3339() != "2026-01-01T00:00:00Z" || m.Time().UnixMilli() != 1767225600123 {
		t.Errorf("got %s, %v", m.Time(), err)
	}
}
