package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestDataSources(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(3))
	labels := w.Sim.Labels()
	host, id := labels[0].Host, labels[0].ID
	require.NoError(t, w.Sim.SuspendInConsole(labels[1].Host, "unpaid"))
	c := coretest.Applied(t, w, w.Config(fmt.Sprintf(`
data "reseller_private_label" "by_id"   { id = %q }
data "reseller_private_label" "by_host" { domain = %q }
data "reseller_private_labels" "all" {}
data "reseller_private_labels" "suspended" { status = "Suspended" }
data "reseller_private_labels" "ever" { period = "lifetime" }
data "reseller_dashboard" "d" {}
output "read" {
  value = [
    data.reseller_private_label.by_id.domain, data.reseller_private_label.by_id.dns_record.name, data.reseller_private_label.by_host.id,
    length(data.reseller_private_labels.all.private_labels), data.reseller_private_labels.all.provisioned_count, data.reseller_private_labels.all.period,
    length(data.reseller_private_labels.suspended.private_labels), data.reseller_private_labels.suspended.private_labels[0].domain,
    data.reseller_private_labels.suspended.private_labels[0].suspended_by, data.reseller_private_labels.suspended.private_labels[0].suspend_reason,
    data.reseller_private_labels.suspended.provisioned_count, length(data.reseller_private_labels.ever.private_labels),
    data.reseller_dashboard.d.slug, data.reseller_dashboard.d.is_reseller,
  ]
}
`, id, host)))
	assert.JSONEq(t, fmt.Sprintf(`[%q,%q,%q,3,3,"2026-03",1,%q,"Reseller","unpaid",3,3,%q,true]`, host, host, id, labels[1].Host, w.Sim.Slug()), c.Output("read"))
	c.Want("data.reseller_private_label.by_id", "member_count", knownvalue.NotNull())
	c.Want("data.reseller_private_label.by_id", "owner", knownvalue.ObjectPartial(map[string]knownvalue.Check{"email": knownvalue.NotNull()}))
	c.WantEmptyPlan()
	for given, name := range map[string]string{
		`domain = "nobody.example"`:               "nobody.example",
		`id = "0123456789abcdef0123456789abcdef"`: "0123456789abcdef0123456789abcdef",
	} {
		c.Config(w.Config(`data "reseller_private_label" "x" { ` + given + ` }`))
		c.Plan().WantError(t, session.SummaryLabelNotFound, name)
	}
}

// A plan of many data sources makes one list call and one dashboard call.
func TestDataSources_Shared(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(5))
	c := coretest.New(t, w)
	body := `data "reseller_private_labels" "all" {}` + "\n"
	for i, l := range w.Sim.Labels() {
		body += fmt.Sprintf("data \"reseller_private_label\" \"l%d\" { domain = %q }\n", i, l.Host)
	}
	c.Config(w.Config(body))
	c.Plan().WantOK(t)
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteToken: 1, providertest.RouteDashboard: 1, providertest.RouteList: 1, providertest.RouteDetail: 5}))
}

// agency is a test environment with ten private labels, their packages, add-ons and members.
type agency struct {
	*providertest.TestEnv
	*providertest.Protocol
	labels []simulator.LabelView
}

func newAgency(t *testing.T) agency {
	t.Helper()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(10))
	labels := w.Sim.Labels()
	require.NoError(t, w.Sim.SuspendInConsole(labels[3].Host, "unpaid"))
	return agency{w, nil, labels}
}

// lists asserts on a list, and on the calls that a new process of the provider makes for it beside those that connect.
func (w *agency) lists(typeName string, given map[string]string, include bool, limit, n int, calls map[string]int) []providertest.Found {
	w.T.Helper()
	w.Protocol = w.TestEnv.Protocol()
	w.Sim.ResetJournal()
	results, told := w.List(typeName, given, include, int64(limit))
	told.WantNone(w.T)
	require.Len(w.T, results, n, typeName)
	want := map[string]int{providertest.RouteToken: w.Calls(providertest.RouteToken), providertest.RouteDashboard: w.Calls(providertest.RouteDashboard)}
	maps.Copy(want, calls)
	assert.NoError(w.T, w.WantCalls(want), "%s, with resources: %t", typeName, include)
	return results
}

// wantImported asserts that an included resource equals that of an import.
func (w *agency) wantImported(typeName string, found providertest.Found) {
	w.T.Helper()
	imported := coretest.NewWalker(w.T, w.Protocol, typeName)
	imported.ImportByIdentity(found.Identity).WantNone(w.T)
	assert.True(w.T, found.Resource.Equal(imported.State()), "%s is %s, after an import %s", found.Name, found.Resource, imported.State())
}

// Every type is listed completely, with as few calls as possible; included resources equal those of an import.
func TestListing(t *testing.T) {
	t.Parallel()
	w := newAgency(t)
	packaged := providertest.Count(w.labels, func(l simulator.LabelView) bool { return l.Package != "" })
	for typeName, tc := range map[string]struct {
		n            int
		route, whole string // without, and further calls with the resources
		name         string // of one of them
	}{
		"reseller_private_label": {10, providertest.RouteList, providertest.RouteDetail, w.labels[0].Host},
		"reseller_assignment":    {packaged, providertest.RouteList, providertest.RouteDetail, w.labels[0].Host + " has " + w.labels[0].Package},
		"reseller_members":       {10, providertest.RouteList, providertest.RouteMembers, "members of " + w.labels[0].Host},
		"reseller_package":       {12, providertest.RoutePackageSearch, "", "PLAN-01 (Plan 1)"},
		"reseller_addon":         {8, providertest.RouteAddonSearch, "", "EXTRA-01 (Extra 1)"},
	} {
		w.lists(typeName, nil, false, 0, tc.n, map[string]int{tc.route: 1})
		calls := map[string]int{tc.route: 1}
		if tc.whole != "" {
			calls[tc.whole] = tc.n
		}
		results := w.lists(typeName, nil, true, 0, tc.n, calls)
		assert.True(t, slices.ContainsFunc(results, func(found providertest.Found) bool { return found.Name == tc.name }), "none is called %q: %v", tc.name, results[0].Name)
		for _, found := range results[:2] {
			w.wantImported(typeName, found)
		}
	}
	w.lists("reseller_private_label", nil, true, 3, 3, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 3})
	suspended := w.lists("reseller_private_label", map[string]string{"status": "Suspended"}, true, 0, 1, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 1})
	assert.Equal(t, w.labels[3].Host, suspended[0].Name)
	_, told := w.List("reseller_private_label", map[string]string{"status": "suspended"}, false, 0)
	told.WantError(t, diagnostic.SummaryInvalidValue, "value must be one of")
}

// Members are those of one private label, or of all, as far as they are wanted.
func TestListing_Members(t *testing.T) {
	t.Parallel()
	w := newAgency(t)
	require.NoError(t, w.Sim.MakeAdmin(w.labels[0].Host, "person-2@"+strings.TrimPrefix(w.labels[0].Host, "sign.")))
	roles := ""
	for _, found := range w.lists("reseller_member", map[string]string{"private_label_id": w.labels[0].ID}, true, 0, 3, map[string]int{providertest.RouteMembers: 1}) {
		roles += fmt.Sprint(providertest.Plain(providertest.Members(found.Resource)["role"]), " ")
		w.wantImported("reseller_member", found)
	}
	assert.Equal(t, "owner admin member ", roles)
	results := w.lists("reseller_member", nil, false, 7, 7, map[string]int{providertest.RouteList: 1, providertest.RouteMembers: 3})
	assert.Equal(t, "person-1@client-0001.example on "+w.labels[0].Host, results[0].Name)
	_, told := w.List("reseller_member", map[string]string{"private_label_id": strings.Repeat("0", 32)}, false, 0)
	told.WantError(t, session.SummaryLabelNotFound)
}

// A failed read is reported with the first result, and no other result follows.
func TestListing_Refused(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	key, err := w.Sim.MintKey("reseller:provision")
	require.NoError(t, err)
	w.Key = key
	for _, typeName := range []string{"reseller_private_label", "reseller_assignment", "reseller_package", "reseller_addon", "reseller_member", "reseller_members"} {
		results, told := w.Protocol().List(typeName, nil, false, 0)
		require.Len(t, told, 1)
		assert.Regexp(t, "^Error: Error listing .* API error INSUFFICIENT_SCOPE.* reseller:read", told[0])
		assert.Empty(t, results)
	}
}

// signingData are the data sources of the Signing API for a document, with outputs.
func signingData(id, outputs string) string {
	return fmt.Sprintf(`
data "reseller_document" "x" {
  doc_id = %q
  domain = "sign.acme.example"
}
data "reseller_sent_documents" "x" { domain = "sign.acme.example" }
data "reseller_signatures" "x" {}
`, id) + outputs
}

func TestSigningDataSources(t *testing.T) {
	t.Parallel()
	for family, routes := range map[string][]string{
		"signing-api": {providertest.RouteView, providertest.RouteSignatures, providertest.RouteSent},
		"signing":     {"POST /signing/view-document", "GET /signing/signature-list", providertest.RouteSent},
	} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			w.Family = family
			id := w.WithDocument(providertest.FullDocument)
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Config(signingData(id, `
output "document" {
  value     = data.reseller_document.x
  sensitive = true
}
output "verified" { value = data.reseller_document.x.annotations[*].is_verified }
output "sent" { value = jsondecode(data.reseller_sent_documents.x.json) }
output "signatures" { value = data.reseller_signatures.x.signatures[*].id }
output "entry" { value = jsondecode(data.reseller_signatures.x.signatures[0].json) }
`)))
			r := c.Apply()
			r.WantOK(t, document.SummaryLogEntry, "Each read of "+id+` ("Terms")`)
			assert.NotContains(t, r.Out, "71928374", "the passcode is in the output")
			for _, route := range routes {
				assert.Equal(t, 1, w.Calls(route), route)
			}
			var viewed struct {
				Document               map[string]any
				Annotations            []map[string]any
				Recipients, Logs       []any
				DomainOwners           []any  `json:"domain_owners"`
				OwnerShareReferralCode string `json:"owner_share_referral_code"`
			}
			require.NoError(t, json.Unmarshal([]byte(c.Output("document")), &viewed))
			for name, want := range map[string]any{
				"id": id, "title": "Terms", "domain": providertest.AcmeHost, "email": "ada@acme.example", "created_at": "2026-03-14T09:02:00Z", "due_date": "31-12-2026",
				"additional_msg": "Please sign.", "require_notarisation": true, "is_document_encrypted": true, "passcode": "71928374", "checksum": providertest.Hashed(providertest.OnePage("Terms")),
				"notarisation_time_stamp": nil, "template_id": nil, "verify_id_check": false, "owner_trust_score": 0.0,
			} {
				assert.Equal(t, want, viewed.Document[name], "document.%s", name)
			}
			require.Len(t, viewed.Annotations, 3)
			kind, _ := viewed.Annotations[0]["type"].(map[string]any)
			for name, want := range map[string]any{"id": w.AnnotationOf(0, 0), "font_size": "12pt", "email": providertest.BobEmail, "page": 1.0} {
				assert.Equal(t, want, viewed.Annotations[0][name], "annotation.%s", name)
			}
			assert.Equal(t, "Signature", kind["type"])
			assert.Equal(t, []int{3, 1, 1}, []int{len(viewed.Recipients), len(viewed.Logs), len(viewed.DomainOwners)})
			assert.NotEmpty(t, viewed.OwnerShareReferralCode)
			assert.Equal(t, "[false,false,false]", c.Output("verified"))
			assert.Contains(t, c.Output("sent"), id)
			assert.Equal(t, 3, strings.Count(c.Output("signatures"), ".png"))
			assert.Contains(t, c.Output("entry"), w.Signature())
		})
	}
}

func TestSigningDataSources_Refused(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config("data \"reseller_document\" \"x\" {\n doc_id = \"nothing\"\n domain = \"acme.example\"\n}\n"))
	c.Plan().WantError(t, "INVALID_DOC_ID", "No document has this ID")
	c.Config(w.Config("data \"reseller_sent_documents\" \"x\" { domain = \"other.example\" }\n"))
	c.Plan().WantError(t, "NO_PERMISSION", "may not list documents of this domain")
	require.NoError(t, w.Sim.BreakInternalKeys(true))
	c.Config(w.Config("data \"reseller_signatures\" \"x\" {}\n"))
	c.Plan().WantError(t, "INVALID_API_KEY", "Contact the API provider's support")
}

// The lists' other shapes, and a due date in milliseconds, are read as well. A field in another form is null, and in the JSON as
// it came. An entry without an ID is no signature to choose, and costs no other one.
func TestSigningDataSources_OtherShapes(t *testing.T) {
	t.Parallel()
	read := func(forms simulator.Forms) (signatures, viewed string) {
		w := signingIn(t, forms)
		c := coretest.Applied(t, w.TestEnv, w.Config(signingData(w.WithDocument(providertest.FullDocument), `
output "signatures" { value = data.reseller_signatures.x.signatures }
output "document" {
  value = [data.reseller_document.x.document.due_date, data.reseller_document.x.document.title, data.reseller_document.x.annotations[0]]
}
`)))
		return c.Output("signatures"), c.Output("document")
	}
	signatures, viewed := read(simulator.Forms{"signing-rows": "bare", "viewed-due-date": "milliseconds", "sent-method": "get"})
	assert.Equal(t, 3, strings.Count(signatures, `"json":`), signatures)
	assert.Contains(t, viewed, `["1798675200000","Terms",`)
	signatures, viewed = read(simulator.Forms{
		"viewed-type": "text", "viewed-font-size": "number", "viewed-due-date": "object", "signature-row": "odd", "signing-rows": "two-lists", "empty-arrays": "null",
	})
	assert.Equal(t, 3, strings.Count(signatures, `"json":`), signatures)
	assert.Equal(t, 1, strings.Count(signatures, `"id":null`), signatures)
	assert.Contains(t, viewed, `[null,"Terms",{"content":"Signature"`)
	assert.Contains(t, viewed, `"font_size":null`)
	assert.Contains(t, viewed, `"type":{"file_path":null,"type":null}`)
}

// Documents of the personal account are uploaded without a domain, also when their list reconciles a lost upload.
func TestSentDocuments_PersonalAccount(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := w.CliWith(providertest.OnePage("Terms"))
	personal := strings.Replace(providertest.MinimalDocument, "domain", "# domain", 1)
	config := func(document string) {
		c.Config(w.Config(document + "data \"reseller_sent_documents\" \"mine\" {\n  domain = \"personal.portals.example\"\n  depends_on = [reseller_document.terms]\n}\noutput \"sent\" {\n  value = data.reseller_sent_documents.mine.json\n}\n"))
	}
	config(personal)
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteUpload, Kind: simulator.FaultReset, After: true, Times: 1})
	r := c.Apply()
	require.Len(t, w.Sim.Documents(), 1)
	r.WantError(t, document.SummaryUploadUnknown, `id = "`+w.Sim.Documents()[0].ID+`" # sent at`)
	w.Sim.ClearFaults()
	config(strings.Replace(personal, "title", "attempt = 2\n  title", 1)) // a person has decided to send it again
	c.Apply().WantOK(t, "1 added")
	assert.Contains(t, c.Output("sent"), w.Sim.Documents()[1].ID)
}
