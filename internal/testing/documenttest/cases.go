// Package documenttest has the conformance cases of documents that are sent, signed and minted.
package documenttest

import (
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Document is the conformance case of a document that is sent.
var Document = caseOf("upload", providertest.Case{
	Type: "reseller_document", Generated: "error: file_path, owner_email, title",
	Hostile: providertest.Hostile{Config: `{"domain":"sign.acme.example","owner_email":"ada@acme.example","title":"Terms @","file_path":"$pdf","passcode":"73915082",
		"signers":[{"email":"bob@acme.example","first_name":"Bob","last_name":"B","annotations":[{"type":"Signature","content":"Signature","style":{"x":1,"y":1,"width":1,"height":1,"page":1}}]}]}`},
	Stored: providertest.StoredAs(providertest.MinimalDocument),
})

// Signing is the conformance case of a document that is signed. It is stored after the document was sent.
var Signing = caseOf("sign", providertest.Case{
	Type: "reseller_document_signing", Generated: "error: annotations",
	Hostile: providertest.Hostile{Config: `{"doc_id":"$doc@","domain":"acme.example","annotations":{"$annotation@":"$signature"},"doc_password":"73915082"}`},
	Stored: func(w *providertest.SigningEnv) string {
		if len(w.Sim.Documents()) == 0 {
			return ""
		}
		return providertest.OnceCalls()["sign"].Block(w)
	},
})

// Minted is the conformance case of a document that is minted.
var Minted = caseOf("mint", providertest.Case{
	Type: "reseller_minted_document", Generated: "error: asset_name, file_path, nft_standard, store_on_ipfs, unit_name",
	Hostile: providertest.Hostile{Config: `{"file_path":"$pdf","unit_name":"TERMS","asset_name":"Terms @","nft_standard":"ARC3","store_on_ipfs":true}`},
	Stored:  providertest.StoredAs(providertest.MinimalMint),
})

// caseOf fills what the three share: each makes one call that is never repeated, and reads nothing.
func caseOf(name string, c providertest.Case) providertest.Case {
	once := providertest.OnceCalls()[name]
	block := func(w *providertest.World) string { return once.Block(w.SigningEnv) }
	call := providertest.Call{Route: once.Route, After: block}
	switch name {
	case "upload":
		call.Reads = []string{providertest.RouteSent}
	case "sign":
		call.Prepare = func(w *providertest.World) { apply(w, providertest.MinimalDocument) }
	}
	c.Once, c.Calls = &once, map[string]providertest.Call{name: call}
	c.Make = func(w *providertest.World) {
		if call.Prepare != nil {
			call.Prepare(w)
		}
		apply(w, block(w))
	}
	c.Block = block
	c.IDs = func(w *providertest.World) []string { return []string{once.ID(w.SigningEnv)} }
	c.Wrong = func(*providertest.World) map[string]string {
		return map[string]string{"": `"" cannot be the ID of a document or an asset`, "a/b": `"a/b" cannot be the ID of a document or an asset`}
	}
	c.Form = "1 to 128 characters"
	c.Named = "This plan destroys the "
	c.OneReseller = "the Signing API knows no reseller"
	return c
}

// apply makes a call as another configuration would.
func apply(w *providertest.World, block string) {
	w.T.Helper()
	c := coretest.NewWithFile(w.T, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(block))
	c.Apply().WantOK(w.T)
	w.Sim.ResetJournal()
}
