package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestDocumentSigning_Lifecycle(t *testing.T) {
	t.Parallel()
	for family, route := range map[string]string{"signing-api": providertest.RouteSign, "signing": "POST /signing/sign"} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			w.Family = family
			id := w.WithDocument(providertest.MinimalDocument)
			annotation, signature := w.AnnotationOf(0, 0), w.Signature()
			c := w.Cli()
			c.Config(w.Config(providertest.SigningOf(id, annotation, signature, "")))
			c.Planned().WantWarning(t, document.TopicSigning.Summary, id, "1 annotation is updated")
			c.Apply().WantOK(t, "1 added")
			if got := w.Sim.Documents()[0]; !got.Complete || got.Views != 0 || got.Signers[0].Annotations[0].Content != signature {
				t.Errorf("books %+v", got)
			}
			state := c.State()[providertest.TermsSigning].Attributes
			assert.Equal(t, id, state["id"], "state %v", state)
			assert.NoError(t, w.WantCalls(map[string]int{route: 1}))
			w.Sim.ResetJournal()
			c.WantEmptyPlan()
			c.Destroy().WantOK(t, document.TopicLeaving.Summary, id, "1 destroyed")
			w.WantNoCalls()
		})
	}
}

// The flow of §4.7 in one configuration: upload, view, pick a signature, sign.
func TestDocumentSigning_InOneApply(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.MinimalDocument + `
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
	c.Planned().WantWarning(t, document.TopicSigning.Summary, "ID known after apply", "Its annotations are known after apply")
	c.Apply().WantOK(t, "2 added", document.SummaryLogEntry)
	if got := w.Sim.Documents(); len(got) != 1 || !got[0].Complete || got[0].Views != 1 {
		t.Errorf("books %+v", got)
	}
	c.WantEmptyPlan()
}

// Only the domain of an upload may be null, which is the personal account (§2.1). Signing and viewing need its name.
func TestDocumentSigning_PersonalAccount(t *testing.T) {
	t.Parallel()
	for name, assume := range map[string]simulator.Forms{"": {}, "list by GET": {"sent-method": "get"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &providertest.SigningEnv{LabelEnv: providertest.NewLabelEnvOf(t, assume)}
			c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
			personal := strings.Replace(providertest.MinimalDocument, "domain ", "# domain ", 1)
			c.Config(w.Config(personal + `
data "reseller_document" "terms" {
  doc_id = reseller_document.terms.id
  domain = "personal.portals.example"
}
data "reseller_signatures" "mine" {}
data "reseller_sent_documents" "sent" {
  domain     = "personal.portals.example"
  depends_on = [reseller_document.terms]
}
resource "reseller_document_signing" "terms" {
  doc_id      = reseller_document.terms.id
  domain      = "personal.portals.example"
  annotations = { for a in data.reseller_document.terms.annotations : a.id => data.reseller_signatures.mine.signatures[0].id }
}
output "sent" { value = length(jsondecode(data.reseller_sent_documents.sent.json).documents) }
`))
			c.Apply().WantOK(t, "2 added", "sent = 1")
			got := w.Sim.Documents()[0]
			assert.True(t, got.Complete, "books %+v", got)
			for route, part := range map[string]string{
				providertest.RouteSign: `"domain":"personal.portals.example"`, providertest.RouteView: `"domain":"personal.portals.example"`, providertest.RouteUpload: `"domain":"null"`,
			} {
				assert.Contains(t, w.LastBody(route), part, route)
			}
			c.WantEmptyPlan()
		})
	}
}

func TestDocumentSigning_Password(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	id := w.WithDocument(providertest.Replaced(t, providertest.MinimalDocument, "title ", "passcode = \"71928374\"\ntitle "))
	c := coretest.New(t, w.TestEnv)
	secret := "variable \"code\" {\n  sensitive = true\n  default = \"CODE\"\n}\n"
	block := providertest.SigningOf(id, w.AnnotationOf(0, 0), w.Signature(), "doc_password = var.code") + secret
	c.Config(w.Config(strings.Replace(block, "CODE", "99917382", 1)))
	r := c.Apply()
	r.WantError(t, "NO_PERMISSION", "doc_password if the document has a passcode", "Nothing was signed")
	assert.NotContains(t, r.Out, "99917382", "the password is in the output")
	c.Config(w.Config(strings.Replace(block, "CODE", "71928374", 1)))
	c.Apply().WantOK(t)
	c.Config(w.Config(strings.Replace(block, "CODE", "12345098", 1)))
	r = c.Plan()
	r.WantError(t, session.SummaryImmutable, "doc_password", id)
	assert.NotContains(t, r.Out, "71928374", "the password is in the output")
	assert.NotContains(t, r.Out, "12345098", "the password is in the output")
}

func TestDocumentSigning_Blocked(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	id := w.WithDocument(providertest.MinimalDocument)
	annotation, signature := w.AnnotationOf(0, 0), w.Signature()
	c := coretest.New(t, w.TestEnv)
	block := providertest.SigningOf(id, annotation, signature, "")
	c.Config(w.Config(block))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	for name, tc := range map[string]struct{ config, want string }{
		"document":         {providertest.SigningOf("other", annotation, signature, ""), "doc_id of the signing of " + id + " cannot change"},
		"domain":           {strings.Replace(block, "acme.example", "sign.acme.example", 1), "domain of the signing of"},
		"content":          {providertest.SigningOf(id, annotation, "other.png", ""), annotation + "\"] of the signing of " + id},
		"other annotation": {providertest.SigningOf(id, "other", signature, ""), "annotations of the signing of"},
		"password":         {providertest.SigningOf(id, annotation, signature, "doc_password = \"x\""), "doc_password of"},
	} {
		c.Config(w.Config(tc.config))
		r := c.Plan()
		r.WantError(t, tc.want, "It is sent once", "add another resource")
		assert.NotContains(t, r.Out, "must be replaced", "%s: a replacement", name)
	}
	c.Config(w.Config(block))
	c.Apply("-replace="+providertest.TermsSigning).WantError(t, "The signing of "+id+" cannot be replaced")
	c.Taint(providertest.TermsSigning, true)
	c.Apply().WantError(t, "cannot be replaced", "terraform untaint")
	c.Apply("-refresh=false").WantError(t, "cannot be replaced")
	c.Taint(providertest.TermsSigning, false)
	c.WantEmptyPlan()
	w.WantNoCalls()
}

func TestDocumentSigning_Refused(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	id := w.WithDocument(providertest.FullDocument)
	first, second := w.AnnotationOf(0, 0), w.AnnotationOf(1, 0)
	for name, tc := range map[string]struct {
		block string
		want  []string
	}{
		"unknown document":   {providertest.SigningOf("0123456789abcdef0123456789abcdef", first, w.Signature(), ""), []string{"INVALID_DOC_ID", "No document has this ID", "doc_id"}},
		"unknown annotation": {providertest.SigningOf(id, "nothing", w.Signature(), "doc_password = \"71928374\""), []string{"INVALID_DATA", "annotations"}},
		"unknown signature":  {providertest.SigningOf(id, first, "nobodys.png", "doc_password = \"71928374\""), []string{"INVALID_DATA", "ID of a stored signature"}},
		"out of turn":        {providertest.SigningOf(id, second, w.Signature(), "doc_password = \"71928374\""), []string{"NO_PERMISSION", "whether it is this signer's turn"}},
		"unknown domain":     {strings.Replace(providertest.SigningOf(id, first, w.Signature(), "doc_password = \"71928374\""), "acme.example", "other.example", 1), []string{"NO_PERMISSION"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Config(tc.block))
			c.Apply().WantError(t, append(tc.want, "Nothing was signed")...)
			assert.Empty(t, c.State())
		})
	}
	for name, tc := range map[string]struct{ block, want string }{
		"no annotation":    {strings.Replace(providertest.SigningOf(id, first, "x", ""), fmt.Sprintf("{ %q = \"x\" }", first), "{}", 1), "at least 1"},
		"blank annotation": {providertest.SigningOf(id, " ", "x", ""), "must not be blank"},
		"blank document":   {providertest.SigningOf(" ", first, "x", ""), "must not be blank"},
		"blank domain":     {strings.Replace(providertest.SigningOf(id, first, "x", ""), "acme.example", "", 1), "must not be blank"},
		"empty password":   {providertest.SigningOf(id, first, "x", "doc_password = \"\""), "must be at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Config(tc.block))
			c.Validate().WantError(t, tc.want)
		})
	}
}
