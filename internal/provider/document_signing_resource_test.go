package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// signing is the block of a signing; lines are added to it.
func signingOf(docID, annotation, content, extra string) string {
	return fmt.Sprintf("resource \"reseller_document_signing\" \"terms\" {\n  doc_id = %q\n  domain = \"acme.example\"\n  annotations = { %q = %q }\n%s\n}\n", docID, annotation, content, extra)
}

// withDocument uploads a document, and returns its id.
func (w *signed) withDocument(block string) (id string) {
	w.t.Helper()
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(block))
	c.apply().wantOK(w.t)
	w.sim.ResetJournal()
	return w.sim.Documents()[0].ID
}

func (w *signed) signature() string { return w.sim.Signatures(w.sim.SigningUserEmail())[0] }

func TestDocumentSigning_Lifecycle(t *testing.T) {
	t.Parallel()
	for family, route := range map[string]string{"signing-api": routeSign, "signing": "POST /signing/sign"} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			w.family = family
			id := w.withDocument(minimalDocument)
			annotation, signature := w.annotationOf(0, 0), w.signature()
			c := w.cli()
			c.config(w.config(signingOf(id, annotation, signature, "")))
			c.planned().wantWarning(t, "Signing cannot be undone", id, "1 annotation is verified permanently")
			c.apply().wantOK(t, "1 added")
			if got := w.sim.Documents()[0]; !got.Complete || got.Views != 0 || got.Signers[0].Annotations[0].Content != signature {
				t.Errorf("books %+v", got)
			}
			if state := c.state()[termsSigning].Attributes; state["id"] != id {
				t.Errorf("state %v", state)
			}
			if err := w.wantCalls(map[string]int{route: 1}); err != nil {
				t.Error(err)
			}
			w.sim.ResetJournal()
			c.wantEmptyPlan()
			c.config(w.config(strings.Replace(signingOf(id, annotation, signature, ""), "acme.example", "Acme.example", 1)))
			c.wantEmptyPlan()
			c.destroy().wantOK(t, "Signing resources are only removed from state", id, "1 destroyed")
			w.wantNoCalls()
		})
	}
}

// The flow of §4.7 in one configuration: upload, view, pick a signature, sign.
func TestDocumentSigning_InOneApply(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(minimalDocument + `
data "reseller_document" "terms" {
  doc_id = reseller_document.terms.id
  domain = reseller_document.terms.domain
}
data "reseller_signatures" "mine" {}
resource "reseller_document_signing" "terms" {
  doc_id      = reseller_document.terms.id
  domain      = "acme.example"
  annotations = { for a in data.reseller_document.terms.annotations : a.id => data.reseller_signatures.mine.signatures[0].id if a.email == "bob@acme.example" }
}
`))
	c.planned().wantWarning(t, "Signing cannot be undone", "ID known after apply", "Its annotations are known after apply")
	c.apply().wantOK(t, "2 added", "writes a log entry")
	if got := w.sim.Documents(); len(got) != 1 || !got[0].Complete || got[0].Views != 1 {
		t.Errorf("books %+v", got)
	}
	c.wantEmptyPlan()
}

// A personal account has no domain, which is sent as null wherever one belongs.
func TestDocumentSigning_PersonalAccount(t *testing.T) {
	t.Parallel()
	for name, assume := range map[string]simulator.SigningAssumptions{"": {}, "list by GET": {SentDocumentsIsGET: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &signed{labelled: newLabelledOf(t, simulator.Assumptions{Signing: assume})}
			c := w.cliWith(onePage("Terms"))
			personal := strings.Replace(minimalDocument, "domain ", "# domain ", 1)
			c.config(w.config(personal + `
data "reseller_document" "terms" { doc_id = reseller_document.terms.id }
data "reseller_signatures" "mine" {}
data "reseller_sent_documents" "sent" { depends_on = [reseller_document.terms] }
resource "reseller_document_signing" "terms" {
  doc_id      = reseller_document.terms.id
  annotations = { for a in data.reseller_document.terms.annotations : a.id => data.reseller_signatures.mine.signatures[0].id }
}
output "sent" { value = length(jsondecode(data.reseller_sent_documents.sent.json).documents) }
`))
			c.apply().wantOK(t, "2 added", "sent = 1")
			if got := w.sim.Documents()[0]; !got.Complete {
				t.Errorf("books %+v", got)
			}
			for route, part := range map[string]string{routeSign: `"domain":null`, routeView: `"domain":null`, routeUpload: `"domain":"null"`} {
				if body := w.lastBody(route); !strings.Contains(body, part) {
					t.Errorf("%s has %q", route, body)
				}
			}
			c.wantEmptyPlan()
		})
	}
}

func TestDocumentSigning_Password(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	id := w.withDocument(replaced(t, minimalDocument, "title ", "passcode = \"01928374\"\ntitle "))
	c := w.cli()
	secret := "variable \"code\" {\n  sensitive = true\n  default = \"CODE\"\n}\n"
	block := signingOf(id, w.annotationOf(0, 0), w.signature(), "doc_password = var.code") + secret
	c.config(w.config(strings.Replace(block, "CODE", "99917382", 1)))
	r := c.apply()
	r.wantError(t, "NO_PERMISSION", "doc_password if the document has a passcode", "Nothing was signed")
	if strings.Contains(r.out, "99917382") {
		t.Error("the password is in the output")
	}
	c.config(w.config(strings.Replace(block, "CODE", "01928374", 1)))
	c.apply().wantOK(t)
	c.config(w.config(strings.Replace(block, "CODE", "12345098", 1)))
	r = c.plan()
	r.wantError(t, "doc_password of the signing of "+id+" cannot change")
	if strings.Contains(r.out, "01928374") || strings.Contains(r.out, "12345098") {
		t.Errorf("the password is in the output: %s", r.out)
	}
}

func TestDocumentSigning_Blocked(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	id := w.withDocument(minimalDocument)
	annotation, signature := w.annotationOf(0, 0), w.signature()
	c := w.cli()
	block := signingOf(id, annotation, signature, "")
	c.config(w.config(block))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	for name, tc := range map[string]struct{ config, want string }{
		"document":         {signingOf("other", annotation, signature, ""), "doc_id of the signing of " + id + " cannot change"},
		"domain":           {strings.Replace(block, "acme.example", "sign.acme.example", 1), "domain of the signing of"},
		"content":          {signingOf(id, annotation, "other.png", ""), annotation + "\"] of the signing of " + id},
		"other annotation": {signingOf(id, "other", signature, ""), "annotations of the signing of"},
		"password":         {signingOf(id, annotation, signature, "doc_password = \"x\""), "doc_password of"},
	} {
		c.config(w.config(tc.config))
		r := c.plan()
		r.wantError(t, tc.want, "What is signed stays signed", "declare another resource")
		if strings.Contains(r.out, "must be replaced") {
			t.Errorf("%s: a replacement: %s", name, r.out)
		}
	}
	c.config(w.config(block))
	c.apply("-replace="+termsSigning).wantError(t, "The signing of "+id+" cannot be replaced")
	c.ok("taint", "-no-color", termsSigning)
	c.apply().wantError(t, "is in state already", "terraform untaint")
	c.apply("-refresh=false").wantError(t, "is in state already")
	c.ok("untaint", "-no-color", termsSigning)
	c.wantEmptyPlan()
	c.run("import", "-no-color", "-input=false", "reseller_document_signing.terms", id).wantError(t, "A reseller_document_signing cannot be imported")
	w.wantNoCalls()
}

func TestDocumentSigning_Refused(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	id := w.withDocument(fullDocument)
	first, second := w.annotationOf(0, 0), w.annotationOf(1, 0)
	for name, tc := range map[string]struct {
		block string
		want  []string
	}{
		"unknown document":   {signingOf("0123456789abcdef0123456789abcdef", first, w.signature(), ""), []string{"INVALID_DOC_ID", "No document has this id", "doc_id"}},
		"unknown annotation": {signingOf(id, "nothing", w.signature(), "doc_password = \"01928374\""), []string{"INVALID_DATA", "annotations"}},
		"unknown signature":  {signingOf(id, first, "nobodys.png", "doc_password = \"01928374\""), []string{"INVALID_DATA", "id of a stored signature"}},
		"out of turn":        {signingOf(id, second, w.signature(), "doc_password = \"01928374\""), []string{"NO_PERMISSION", "whether it is this signer's turn"}},
		"unknown domain":     {strings.Replace(signingOf(id, first, w.signature(), "doc_password = \"01928374\""), "acme.example", "other.example", 1), []string{"NO_PERMISSION"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.cli()
			c.config(w.config(tc.block))
			c.apply().wantError(t, append(tc.want, "Nothing was signed")...)
			if len(c.state()) != 0 {
				t.Errorf("state %v", c.state())
			}
		})
	}
	for name, tc := range map[string]struct{ block, want string }{
		"no annotation":    {strings.Replace(signingOf(id, first, "x", ""), fmt.Sprintf("{ %q = \"x\" }", first), "{}", 1), "at least 1"},
		"blank annotation": {signingOf(id, " ", "x", ""), "must not be blank"},
		"blank content":    {signingOf(id, first, " ", ""), "must not be blank"},
		"blank document":   {signingOf(" ", first, "x", ""), "must not be blank"},
		"blank domain":     {strings.Replace(signingOf(id, first, "x", ""), "acme.example", "", 1), "Not a valid host name"},
		"empty password":   {signingOf(id, first, "x", "doc_password = \"\""), "must be at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.cli()
			c.config(w.config(tc.block))
			c.run("validate", "-no-color").wantError(t, tc.want)
		})
	}
}
