package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// output returns one output of the state as it is written.
func (c *cli) output(name string) string {
	c.t.Helper()
	return strings.TrimSpace(c.raw("output", "-json", name))
}

func TestSigningDataSources(t *testing.T) {
	t.Parallel()
	for family, routes := range map[string]map[string]int{
		"signing-api": {routeView: 1, routeSignatures: 1, routeSent: 1},
		"signing":     {"POST /signing/view-document": 1, "GET /signing/signature-list": 1, routeSent: 1},
	} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			w.family = family
			id := w.withDocument(fullDocument)
			c := w.cli()
			c.config(w.config(`
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
			r := c.apply()
			r.wantOK(t, "Viewing "+id+" writes a log entry", `views "Terms" in the name of the key's user`)
			if strings.Contains(r.out, "01928374") {
				t.Error("the passcode is in the output")
			}
			calls := w.sim.Journal()
			for route, n := range routes {
				if got := w.calls(route); got != n {
					t.Errorf("%s: %d calls of %d", route, got, len(calls))
				}
			}
			var viewed map[string]any
			if err := json.Unmarshal([]byte(c.output("document")), &viewed); err != nil {
				t.Fatal(err)
			}
			document, _ := viewed["document"].(map[string]any)
			for name, want := range map[string]any{
				"id": id, "title": "Terms", "domain": acmeHost, "email": "ada@acme.example", "created_at": "2026-03-14T09:02:00Z", "due_date": "31-12-2026",
				"additional_msg": "Please sign.", "require_notarisation": true, "is_document_encrypted": true, "passcode": "01928374", "checksum": hashed(onePage("Terms")),
				"notarisation_time_stamp": nil, "template_id": nil, "verify_id_check": false, "owner_trust_score": 0.0,
			} {
				if document[name] != want {
					t.Errorf("document.%s is %v, want %v", name, document[name], want)
				}
			}
			annotations, _ := viewed["annotations"].([]any)
			first, _ := annotations[0].(map[string]any)
			kind, _ := first["type"].(map[string]any)
			if len(annotations) != 3 || first["id"] != w.annotationOf(0, 0) || kind["type"] != "Signature" || first["font_size"] != "12pt" || first["email"] != bobEmail || first["page"] != 1.0 {
				t.Errorf("annotations %v", annotations)
			}
			recipients, _ := viewed["recipients"].([]any)
			logs, _ := viewed["logs"].([]any)
			owners, _ := viewed["domain_owners"].([]any)
			if len(recipients) != 3 || len(logs) != 1 || len(owners) != 1 || viewed["owner_share_referral_code"] == "" {
				t.Errorf("recipients %v, logs %v, owners %v", recipients, logs, owners)
			}
			if got := c.output("verified"); got != "[false,false,false]" {
				t.Errorf("verified %s", got)
			}
			if got := c.output("sent"); !strings.Contains(got, id) {
				t.Errorf("sent %s", got)
			}
			if got := c.output("signatures"); strings.Count(got, ".png") != 3 {
				t.Errorf("signatures %s", got)
			}
			if got := c.output("entry"); !strings.Contains(got, w.signature()) {
				t.Errorf("entry %s", got)
			}
		})
	}
}

func TestSigningDataSources_Refused(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cli()
	for name, tc := range map[string]struct {
		body string
		want []string
	}{
		"unknown document": {"data \"reseller_document\" \"x\" {\n doc_id = \"nothing\"\n}\n", []string{"INVALID_DOC_ID", "No document has this id"}},
		"unknown domain":   {"data \"reseller_sent_documents\" \"x\" {\n domain = \"other.example\"\n}\n", []string{"NO_PERMISSION", "may not list documents of this domain"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.config(w.config(tc.body))
			c.plan().wantError(t, tc.want...)
		})
	}
	if err := w.sim.BreakInternalKeys(true); err != nil {
		t.Fatal(err)
	}
	c.config(w.config("data \"reseller_signatures\" \"x\" {}\n"))
	c.plan().wantError(t, "INVALID_API_KEY", "ask the service's support")
}

// The lists' other shapes, and a due date in milliseconds, are read as well.
func TestSigningDataSources_OtherShapes(t *testing.T) {
	t.Parallel()
	w := &signed{labelled: &labelled{world: newWorldOf(t, simulator.Assumptions{Signing: simulator.SigningAssumptions{RowsAreBare: true, DueDateIsMillis: true, SentDocumentsIsGET: true}})}}
	if _, err := w.sim.AddConsoleLabel(acmeHost, "ada@acme.example"); err != nil {
		t.Fatal(err)
	}
	id := w.withDocument(fullDocument)
	c := w.cli()
	c.config(w.config("data \"reseller_document\" \"x\" {\n doc_id = \"" + id + "\"\n domain = \"acme.example\"\n}\ndata \"reseller_sent_documents\" \"x\" {\n domain = \"sign.acme.example\"\n}\ndata \"reseller_signatures\" \"x\" {}\n" +
		"output \"due\" {\n  value = data.reseller_document.x.document.due_date\n}\noutput \"signatures\" {\n  value = length(data.reseller_signatures.x.signatures)\n}\n"))
	c.apply().wantOK(t)
	if due, n := c.output("due"), c.output("signatures"); due != `"1798675200000"` || n != "3" {
		t.Errorf("due %s, %s signatures", due, n)
	}
}

// The personal account's documents have no domain.
func TestSentDocuments_PersonalAccount(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	personal := strings.Replace(minimalDocument, "domain", "# domain", 1)
	c.config(w.config(personal + "data \"reseller_sent_documents\" \"mine\" {\n  depends_on = [reseller_document.terms]\n}\noutput \"sent\" {\n  value = data.reseller_sent_documents.mine.json\n}\n"))
	w.sim.Inject(simulator.Fault{Route: routeUpload, Kind: simulator.FaultReset, After: true, Times: 1})
	c.apply().wantOK(t, "1 added", "Response lost, document found", "Terms")
	if n := len(w.sim.Documents()); n != 1 {
		t.Errorf("%d documents", n)
	}
}
