package document_test

import (
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Each kind of bad input is an error at validate, at its attribute.
func TestDocument_BadInput(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	for name, tc := range map[string]struct{ old, with, want string }{
		"no title":                     {`title       = "Terms"`, ``, `"title" is required`},
		"blank title":                  {`title       = "Terms"`, `title = " "`, "must not be blank"},
		"no file":                      {"file_path   = \"${abspath(path.module)}/terms.pdf\"\n", "", `"file_path" is required`},
		"no owner":                     {`owner_email = "ada@acme.example"`, ``, `"owner_email" is required`},
		"owner":                        {`owner_email = "ada@acme.example"`, `owner_email = "ada"`, "Write one plain email address"},
		"domain":                       {`domain      = "sign.acme.example"`, `domain = "https://acme.example"`, "such as sign.acme.example"},
		"signer":                       {`email = "bob@acme.example"`, `email = "Bob <bob@acme.example>"`, "Write one plain email address"},
		"blank name":                   {`last_name = "Exe"`, `last_name = ""`, "must not be blank"},
		"blank file name":              {`title       = "Terms"`, "title = \"Terms\"\n  file_name = \" \"", "must not be blank"},
		"no attempt":                   {`title       = "Terms"`, "title = \"Terms\"\n  attempt = 0", "must be between 1 and"},
		"order that is no number":      {`sign_order = 2`, `sign_order = 1.5`, "signers: 1.5."},
		"type":                         {`type = "EditableText"`, `type = "Sketch"`, "value must be one of"},
		"page that JSON rounds":        {`page = 2`, `page = 9007199254740993`, "must be between -9007199254740992 and 9007199254740992"},
		"order that JSON rounds":       {`sign_order = 2`, `sign_order = 9007199254740993`, "must be between -9007199254740992 and 9007199254740992"},
		"half a page":                  {`page = 2`, `page = 1.5`, "signers: 1.5."},
		"page out of range":            {`page = 2`, `page = 1e30`, "Invalid value in signers: 1e+30. This number is out of range."},
		"no page":                      {`, page = 2`, ``, `"page" is required`},
		"x out of range":               {`x = 0`, `x = 1e400`, "Invalid value in signers: 1e+400. This number is out of range."},
		"font size without unit":       {`"12pt"`, `"12"`, "must be a number followed by pt"},
		"font size in pixels":          {`"12pt"`, `"12px"`, "must be a number followed by pt"},
		"verified without a signature": {`is_verified = false`, `is_verified = true`, "With is_verified = true, set the ID of a stored signature"},
		"signature, not verified":      {`content = "Signature", is_verified = false`, `content = "a.png"`, `"a.png". With is_verified = false`},
		"viewer":                       {`"cy@acme.example"`, `"cy"`, "Write one plain email address"},
		"three digits":                 {`"71928374"`, `"012"`, "4 to 8 digits"},
		"nine digits":                  {`"71928374"`, `"012345678"`, "4 to 8 digits"},
		"leading zero":                 {`"71928374"`, `"01928374"`, "does not begin with 0"},
		"leading zero, write-only":     {`passcode              = "71928374"`, `passcode_wo = "0192"`, "does not begin with 0"},
		"both passcodes":               {`passcode              =`, "passcode_wo = \"1928\"\npasscode =", "passcode and passcode_wo cannot be set together. Remove one of them."},
		"letters":                      {`"71928374"`, `"0x123"`, "4 to 8 digits"},
		"no such day":                  {`"31-12-2026"`, `"31-02-2026"`, "Write an existing day"},
		"day the other way":            {`"31-12-2026"`, `"2026-12-31"`, "Write an existing day"},
		"day without zeros":            {`"31-12-2026"`, `"1-12-2026"`, "Write an existing day"},
	} {
		t.Run(name, func(t *testing.T) {
			c.Config(w.Config(providertest.Replaced(t, providertest.FullDocument, tc.old, tc.with)))
			c.Validate().WantError(t, tc.want)
		})
	}
	w.WantNoCalls()
}

// A passcode that is wrong is not shown.
func TestDocument_BadPasscodeStaysSecret(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.Replaced(t, providertest.FullDocument, `"71928374"`, "var.code") + "variable \"code\" {\n  sensitive = true\n  default = \"not4digits\"\n}\n"))
	r := c.Plan()
	r.WantError(t, "A passcode has 4 to 8 digits")
	assert.NotContains(t, r.Out, "not4digits")
}

// Files are checked at plan time, before any API call.
func TestDocument_BadFiles(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.File("empty.pdf", "")
	c.File("text.pdf", "no PDF at all")
	c.File("large.pdf", "%PDF-"+strings.Repeat("x", 10<<20-5))
	c.File("picture.pdf", string(providertest.Drawn(t, 1, 1, color.White)))
	for name, want := range map[string]string{
		"none.pdf":    "There is no file",
		"empty.pdf":   "is empty",
		"text.pdf":    "is not a PDF",
		"picture.pdf": "is not a PDF",
		".terraform":  "is no file",
	} {
		c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, "/terms.pdf", "/"+name)))
		c.Plan().WantError(t, file.SummaryInvalid, `The document "Terms" was not planned or sent`, want, "file_path")
		c.Config(w.Config(providertest.Replaced(t, providertest.MinimalMint, "/terms.pdf", "/"+name)))
		c.Plan().WantError(t, file.SummaryInvalid, `The asset "Acme terms 2026" was not planned or sent`, want, "file_path")
	}
	c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, "/terms.pdf", "/large.pdf")))
	c.Plan().WantError(t, "has 10485760 bytes; the API accepts less than 10 MB (10485760 bytes)")
	w.WantNoCalls()
}

// §2.1 says less than 10 MB. A file that is smaller only in the binary meaning is sent, with a warning.
func TestDocument_LargeFiles(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.MinimalDocument))
	const summary = file.SummaryLarge
	for size, warns := range map[int]bool{9_999_999: false, 10_000_000: true, 10<<20 - 1: true} {
		c.File("terms.pdf", "%PDF-"+strings.Repeat("x", size-5))
		r := c.Plan()
		assert.Equal(t, 2, r.Code, "%d bytes: %s", size, r.Out)
		assert.Equal(t, warns, strings.Contains(r.Out, summary), "%d bytes: %s", size, r.Out)
	}
	c.File("terms.pdf", "\r\n\x00%PDF-"+strings.Repeat("x", 10<<20-9)) // bytes before the PDF itself
	c.Planned().WantWarning(t, summary, "has 10485759 bytes", "If that is 10000000 bytes")
	c.Apply().WantOK(t)
}

// §2.5 gives no bounds: what the documentation leaves open is sent.
func TestDocument_Styles(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, "x = 10, y = 20.5, width = 120, height = 40, page = 1", "x = -1, y = -0.5, width = 0, height = -1, page = 0")))
	c.Apply().WantOK(t)
	body := w.LastBody(providertest.RouteUpload)
	assert.Contains(t, body, `"page":0`)
	assert.Contains(t, body, `"x":-1`)
	c.WantEmptyPlan()
}

func TestMintedDocument_BadInput(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.File("cover.png", string(providertest.Drawn(t, 1, 1, color.White)))
	c.File("cover.gif", "GIF89a")
	c.File("empty.png", "")
	for name, tc := range map[string]struct{ old, with, want string }{
		"nine characters":        {`"TERMS"`, `"TERMS2026"`, "at most 8"},
		"blank unit":             {`"TERMS"`, `" "`, "must not be blank"},
		"33 characters":          {`"Acme terms 2026"`, `"` + strings.Repeat("é", 33) + `"`, "at most 32"},
		"standard":               {`"ARC3"`, `"ARC19"`, "value must be one of"},
		"no word on IPFS":        {`store_on_ipfs = true`, ``, `"store_on_ipfs" is required`},
		"pages":                  {`pages         = 1`, `pages = -1`, "must be between 0 and"},
		"words that JSON rounds": {`word_count    = 3`, `word_count = 9007199254740993`, "must be between 0 and 9007199254740992"},
		"words":                  {`word_count    = 3`, `word_count = 1.5`, "word_count: 1.5."},
		"creator's email":        {`"ada@acme.example"`, `"ada"`, "Write one plain email address"},
		"thumbnail that's a GIF": {`/cover.png`, `/cover.gif`, "is not a PNG or JPEG by its content"},
		"thumbnail that's empty": {`/cover.png`, `/empty.png`, "is empty"},
		"no thumbnail":           {`/cover.png`, `/none.png`, "There is no file"},
	} {
		t.Run(name, func(t *testing.T) {
			c.Config(w.Config(providertest.Replaced(t, providertest.FullMint, tc.old, tc.with)))
			c.Plan().WantError(t, tc.want)
		})
	}
	w.WantNoCalls()
	// The limits themselves are allowed, in characters.
	c.Config(w.Config(providertest.Replaced(t, providertest.Replaced(t, providertest.FullMint, `"TERMS"`, `"ÄÖÜäöüßß"`), `"Acme terms 2026"`, `"`+strings.Repeat("é", 32)+`"`)))
	c.Apply().WantOK(t)
}
