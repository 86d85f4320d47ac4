package providertest

import (
	"fmt"
)

// SigningOf is the block of a signing, with further lines.
func SigningOf(docID, annotation, content, extra string) string {
	return fmt.Sprintf("resource \"reseller_document_signing\" \"terms\" {\n  doc_id = %q\n  domain = \"acme.example\"\n  annotations = { %q = %q }\n%s\n}\n", docID, annotation, content, extra)
}

// WithDocument uploads a document, and returns its ID.
func (w *SigningEnv) WithDocument(block string) (id string) {
	w.T.Helper()
	c := w.CliWith(OnePage("Terms"))
	c.Config(w.Config(block))
	c.Apply().WantOK(w.T)
	w.Sim.ResetJournal()
	return w.Sim.Documents()[0].ID
}

func (w *SigningEnv) Signature() string { return w.Sim.Signatures(w.Sim.SigningUserEmail())[0] }
