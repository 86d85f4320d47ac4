package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestSigningDataSources(t *testing.T) {
	t.Parallel()
	for family, routes := range map[string]map[string]int{
		"signing-api": {providertest.RouteView: 1, providertest.RouteSignatures: 1, providertest.RouteSent: 1},
		"signing":     {"POST /signing/view-document": 1, "GET /signing/signature-list": 1, providertest.RouteSent: 1},
	} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			w.Family = family
			id := w.WithDocument(providertest.FullDocument)
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Config(`
data "reseller_document" "terms" {
  doc_id = "` + id + `"
  domain = "sign.acme.example"
}
data "reseller_sent_documents" "acme" {
  domain = "sign.acme.example"
}
data "reseller_signatures" "mine" {}
output "document" {
  value     = data.reseller_document.terms
  sensitive = true
}
output "verified" {
  value = data.reseller_document.terms.annotations[*].is_verified
}
output "sent" {
  value = jsondecode(data.reseller_sent_documents.acme.json)
}
output "signatures" {
  value = data.reseller_signatures.mine.signatures[*].id
}
output "entry" {
  value = jsondecode(data.reseller_signatures.mine.signatures[0].json)
}
`))
			r := c.Apply()
			r.WantOK(t, document.SummaryLogEntry, "Each read of "+id+` ("Terms")`)
			assert.NotContains(t, r.Out, "71928374", "the passcode is in the output")
			calls := w.Sim.Journal()
			for route, n := range routes {
				assert.Equal(t, n, w.Calls(route), "%s: calls of %d", route, len(calls))
			}
			var viewed map[string]any
			require.NoError(t, json.Unmarshal([]byte(c.Output("document")), &viewed))
			fields, _ := viewed["document"].(map[string]any)
			for name, want := range map[string]any{
				"id": id, "title": "Terms", "domain": providertest.AcmeHost, "email": "ada@acme.example", "created_at": "2026-03-14T09:02:00Z", "due_date": "31-12-2026",
				"additional_msg": "Please sign.", "require_notarisation": true, "is_document_encrypted": true, "passcode": "71928374", "checksum": providertest.Hashed(providertest.OnePage("Terms")),
				"notarisation_time_stamp": nil, "template_id": nil, "verify_id_check": false, "owner_trust_score": 0.0,
			} {
				assert.Equal(t, want, fields[name], "document.%s", name)
			}
			annotations, _ := viewed["annotations"].([]any)
			first, _ := annotations[0].(map[string]any)
			kind, _ := first["type"].(map[string]any)
			if len(annotations) != 3 || first["id"] != w.AnnotationOf(0, 0) || kind["type"] != "Signature" || first["font_size"] != "12pt" || first["email"] != providertest.BobEmail || first["page"] != 1.0 {
				t.Errorf("annotations %v", annotations)
			}
			recipients, _ := viewed["recipients"].([]any)
			logs, _ := viewed["logs"].([]any)
			owners, _ := viewed["domain_owners"].([]any)
			if len(recipients) != 3 || len(logs) != 1 || len(owners) != 1 || viewed["owner_share_referral_code"] == "" {
				t.Errorf("recipients %v, logs %v, owners %v", recipients, logs, owners)
			}
			assert.Equal(t, "[false,false,false]", c.Output("verified"))
			assert.Contains(t, c.Output("sent"), id)
			got := c.Output("signatures")
			assert.Equal(t, 3, strings.Count(got, ".png"), "signatures %s", got)
			assert.Contains(t, c.Output("entry"), w.Signature())
		})
	}
}

func TestSigningDataSources_Refused(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.New(t, w.TestEnv)
	for name, tc := range map[string]struct {
		body string
		want []string
	}{
		"unknown document": {"data \"reseller_document\" \"x\" {\n doc_id = \"nothing\"\n domain = \"acme.example\"\n}\n", []string{"INVALID_DOC_ID", "No document has this ID"}},
		"unknown domain":   {"data \"reseller_sent_documents\" \"x\" {\n domain = \"other.example\"\n}\n", []string{"NO_PERMISSION", "may not list documents of this domain"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.Config(w.Config(tc.body))
			c.Plan().WantError(t, tc.want...)
		})
	}
	require.NoError(t, w.Sim.BreakInternalKeys(true))
	c.Config(w.Config("data \"reseller_signatures\" \"x\" {}\n"))
	c.Plan().WantError(t, "INVALID_API_KEY", "Contact the API provider's support")
}

// The lists' other shapes, and a due date in milliseconds, are read as well.
func TestSigningDataSources_OtherShapes(t *testing.T) {
	t.Parallel()
	w := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{TestEnv: providertest.NewTestEnvAssuming(t, simulator.Forms{"signing-rows": "bare", "viewed-due-date": "milliseconds", "sent-method": "get"})}}
	_, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
	require.NoError(t, err)
	id := w.WithDocument(providertest.FullDocument)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config("data \"reseller_document\" \"x\" {\n doc_id = \"" + id + "\"\n domain = \"acme.example\"\n}\ndata \"reseller_sent_documents\" \"x\" {\n domain = \"sign.acme.example\"\n}\ndata \"reseller_signatures\" \"x\" {}\n" +
		"output \"due\" {\n  value = data.reseller_document.x.document.due_date\n}\noutput \"signatures\" {\n  value = length(data.reseller_signatures.x.signatures)\n}\n"))
	c.Apply().WantOK(t)
	due, n := c.Output("due"), c.Output("signatures")
	assert.Equal(t, `"1798675200000"`, due, "due, %s signatures", n)
	assert.Equal(t, "3", n, "due %s, signatures", due)
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

// A field in another form is null, and in the JSON as it came. An entry without an ID is no signature to choose, and costs
// no other one.
func TestSigningDataSources_OddFields(t *testing.T) {
	t.Parallel()
	w := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{TestEnv: providertest.NewTestEnvAssuming(t, simulator.Forms{
		"viewed-type": "text", "viewed-font-size": "number", "viewed-due-date": "object", "signature-row": "odd", "signing-rows": "two-lists", "empty-arrays": "null",
	})}}
	_, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
	require.NoError(t, err)
	id := w.WithDocument(providertest.FullDocument)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(`
data "reseller_document" "x" {
  doc_id = "` + id + `"
  domain = "acme.example"
}
data "reseller_signatures" "x" {}
output "signatures" {
  value = data.reseller_signatures.x.signatures
}
output "document" {
  value = [data.reseller_document.x.document.due_date, data.reseller_document.x.document.title, data.reseller_document.x.annotations[0]]
}
`))
	c.Apply().WantOK(t)
	stored := c.Output("signatures")
	assert.Equal(t, 3, strings.Count(stored, `"json":`), stored)
	assert.Equal(t, 1, strings.Count(stored, `"id":null`), stored)
	viewed := c.Output("document")
	assert.Contains(t, viewed, `[null,"Terms",{"content":"Signature"`)
	assert.Contains(t, viewed, `"font_size":null`)
	assert.Contains(t, viewed, `"type":{"file_path":null,"type":null}`)
}
