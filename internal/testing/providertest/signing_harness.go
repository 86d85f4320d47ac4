package providertest

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Routes of the Signing API by their names in the simulator's journal.
const (
	RouteUpload     = "POST /signing-api/documents"
	RouteSign       = "POST /signing-api/documents/update"
	RouteView       = "POST /signing-api/documents/view"
	RouteSignatures = "GET /signing-api/signatures/list"
	RouteMint       = "POST /signing-api/mintDocument"
	RouteSent       = "POST /signing/view/sent-documents"

	Terms        = "reseller_document.terms"
	TermsSigning = "reseller_document_signing.terms"
	MintedTerms  = "reseller_minted_document.terms"
)

// SigningEnv is a test environment with one verified private label whose Signing API is configured.
type SigningEnv struct {
	*LabelEnv
	Family string // "" is the default
}

func NewSigningEnv(t *testing.T) *SigningEnv {
	t.Helper()
	return &SigningEnv{LabelEnv: NewLabelEnvOf(t, strictSigning)}
}

// strictSigning makes NO_PERMISSION possible.
var strictSigning = simulator.Forms{"strange-domain": "rejected"}

// Config is a configuration with the signing settings of this test environment.
func (w *SigningEnv) Config(body string) string {
	settings := fmt.Sprintf("  signing = {\n    url = %q\n    user_api_key = %q\n", simulator.SigningURL, w.Sim.SigningAPIKey())
	if w.Family != "" {
		settings += fmt.Sprintf("    family = %q\n", w.Family)
	}
	return w.ConfigWith(settings+"  }\n", body)
}

// CliWith is a working directory with the document's file.
func (w *SigningEnv) CliWith(pdf []byte) *CLI {
	c := w.Cli()
	c.File("terms.pdf", string(pdf))
	return c
}

// MinimalDocument is a document for Bob to sign. No line overrides another one, so that each attribute can be replaced
// by itself.
const MinimalDocument = `
resource "reseller_document" "terms" {
  domain      = "sign.acme.example"
  owner_email = "ada@acme.example"
  title       = "Terms"
  file_path   = "${abspath(path.module)}/terms.pdf"
  signers = [{
    email = "bob@acme.example", first_name = "Bob", last_name = "Byte"
    annotations = [{
      type = "Signature", content = "Signature"
      style = { x = 10, y = 20.5, width = 120, height = 40, page = 1 }
    }]
  }]
}
`

const FullDocument = `
resource "reseller_document" "terms" {
  domain      = "sign.acme.example"
  owner_email = "ada@acme.example"
  title       = "Terms"
  file_path   = "${abspath(path.module)}/terms.pdf"
  signers = [
    {
      email = "bob@acme.example", first_name = "Bob", last_name = "Byte", sign_order = 1, domain = "acme.example"
      annotations = [
        { type = "Signature", content = "Signature", is_verified = false, style = { x = 10, y = 20, width = 120, height = 40, page = 1, font_size = "12pt" } },
        { type = "EditableText", content = "City", style = { x = 0, y = 0, width = 0.5, height = 1, page = 2 } },
      ]
    },
    { email = "eve@acme.example", first_name = "Eve", last_name = "Exe", sign_order = 2, annotations = [
      { type = "Signature", content = "Signature", style = { x = 10, y = 90, width = 120, height = 40, page = 1 } },
    ] },
  ]
  viewers               = [{ email = "cy@acme.example", first_name = "Cy", last_name = "Pher" }]
  additional_message    = "Please sign."
  require_notarisation  = true
  passcode              = "71928374"
  due_date              = "31-12-2026"
}
`

const FullMint = `
resource "reseller_minted_document" "terms" {
  file_path     = "${abspath(path.module)}/terms.pdf"
  image_path    = "${abspath(path.module)}/cover.png"
  unit_name     = "TERMS"
  asset_name    = "Acme terms 2026"
  nft_standard  = "ARC3"
  store_on_ipfs = true
  description   = "The terms."
  pages         = 1
  word_count    = 3
  language      = "en"
  creator       = "Ada Lovelace"
  creator_email = "ada@acme.example"
  creation_date = "2026-03-14"
}
`

const MinimalMint = `
resource "reseller_minted_document" "terms" {
  file_path     = "${abspath(path.module)}/terms.pdf"
  unit_name     = "TERMS"
  asset_name    = "Acme terms 2026"
  nft_standard  = "ARC69"
  store_on_ipfs = false
}
`

// OnePage is a PDF by its first bytes. Neither the API nor the provider reads what follows them.
func OnePage(line string) []byte { return []byte("%PDF-1.7\n" + line + "\n%%EOF\n") }

// WantNoCalls asserts that there was no API call.
func (w *SigningEnv) WantNoCalls() {
	w.T.Helper()
	assert.NoError(w.T, w.WantCalls(nil))
}

// AnnotationOf returns the ID of a document's annotation.
func (w *SigningEnv) AnnotationOf(signer, i int) string {
	w.T.Helper()
	return w.Sim.Documents()[0].Signers[signer].Annotations[i].ID
}

// Replaced is a configuration with one text replaced by another; the first one must exist.
func Replaced(t *testing.T, in, old, with string) string {
	t.Helper()
	require.Contains(t, in, old, "is not in the configuration")
	return strings.Replace(in, old, with, 1)
}

func (w *SigningEnv) CliToMint() *CLI {
	c := w.CliWith(OnePage("Terms"))
	c.File("cover.png", string(Drawn(w.T, 2, 2, color.White)))
	return c
}

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

// Configured is a server of this test environment that is configured once.
func (w *SigningEnv) Configured() *Protocol {
	w.T.Helper()
	w.Env.Set("RESELLER_SIGNING_URL", simulator.SigningURL)
	w.Env.Set("RESELLER_SIGNING_API_KEY", w.Sim.SigningAPIKey())
	return w.Protocol()
}
