package document_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestDocument_Lifecycle(t *testing.T) {
	t.Parallel()
	for _, family := range []string{"signing-api", "signing"} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			w.Family = family
			pdf := providertest.OnePage("Terms")
			c := w.CliWith(pdf)
			c.Config(w.Config(providertest.FullDocument))
			c.PlanText().WantText(t, providertest.Hashed(pdf), "1 to add")
			c.Planned().WantWarning(t, document.TopicUploading.Summary, `"Terms"`, "a smaller sign_order signs first: bob@acme.example, eve@acme.example")
			c.Apply().WantOK(t, "1 added")
			books := w.Sim.Documents()
			require.Len(t, books, 1, "documents")
			got := books[0]
			if got.Title != "Terms" || got.FileName != "terms.pdf" || got.SHA256 != providertest.Hashed(pdf) || got.OwnerEmail != "ada@acme.example" || got.Domain != providertest.AcmeHost ||
				*got.AdditionalMsg != "Please sign." || !got.RequireNotarisation || *got.Passcode != "71928374" || *got.DueDate != "31-12-2026" || got.Viewers[0] != "cy@acme.example" {
				t.Errorf("sent %+v", got)
			}
			first := got.Signers[0].Annotations[0]
			if len(got.Signers) != 2 || got.Signers[1].SignOrder != 2 || first.Type != "Signature" || first.Verified || first.X != 10 || first.Y != 20 || first.Width != 120 || first.Height != 40 || first.Page != 1 || first.FontSize != "12pt" {
				t.Errorf("signers %+v", got.Signers)
			}
			state := c.State()[providertest.Terms].Attributes
			assert.Equal(t, got.ID, state["id"], "state %v", state)
			assert.Equal(t, providertest.Hashed(pdf), state["file_sha256"], "state %v", state)
			assert.Equal(t, 1, w.Mails(providertest.BobEmail), "emails %v", w.Sim.Outbox())
			assert.Equal(t, 0, w.Mails("eve@acme.example"), "emails %v", w.Sim.Outbox())

			w.Sim.ResetJournal()
			c.WantEmptyPlan()
			c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
			c.Destroy().WantOK(t, document.TopicLeaving.Summary, `document "Terms"`, "1 destroyed")
			w.WantNoCalls()
			require.Len(t, w.Sim.Documents(), 1, "books")
			assert.Equal(t, 0, w.Sim.Documents()[0].Views, "books %+v", w.Sim.Documents())
		})
	}
}

// Omitted values are null in state, sent as an empty list, or have their default.
func TestDocument_Minimal(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, "  domain      = \"sign.acme.example\"\n", "")))
	c.Planned().WantWarning(t, document.TopicUploading.Summary, "A link to sign it is emailed to bob@acme.example.")
	c.Apply().WantOK(t)
	got := w.Sim.Documents()[0]
	if got.Domain != "" || got.Passcode != nil || got.DueDate != nil || got.AdditionalMsg != nil || len(got.Viewers) != 0 || got.Signers[0].SignOrder != 1 {
		t.Errorf("sent %+v", got)
	}
	c.WantEmptyPlan()
	t.Run("an empty list is none", func(t *testing.T) {
		c.Config(w.Config(providertest.Replaced(t, providertest.Replaced(t, providertest.MinimalDocument, "  domain      = \"sign.acme.example\"\n", ""), "title ", "viewers = []\ntitle ")))
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "0 added, 1 changed, 0 destroyed")
		c.WantEmptyPlan()
		w.WantNoCalls()
	})
}

// With nothing left to sign, the document is complete immediately.
func TestDocument_SelfSigned(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	signature := w.Sim.Signatures(w.Sim.SigningUserEmail())[0]
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, `content = "Signature"`, `content = "`+signature+`", is_verified = true`)))
	c.Planned().WantWarning(t, document.TopicUploading.Summary, "complete and emailed to its owner ada@acme.example")
	c.Apply().WantOK(t)
	if got := w.Sim.Documents()[0]; !got.Complete || w.Mails("ada@acme.example") != 2 || w.Mails(providertest.BobEmail) != 0 {
		t.Errorf("%+v, %v", got, w.Sim.Outbox()) // the first one is of the label
	}
	c.WantEmptyPlan()
}

// Every change is an error at plan that names the attribute; nothing is sent.
func TestDocument_Blocked(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.File("other.pdf", string(providertest.OnePage("Other terms")))
	secret := providertest.Replaced(t, providertest.FullDocument, `"71928374"`, "var.passcode") + "variable \"passcode\" {\n  sensitive = true\n  default = \"71928374\"\n}\n"
	c.Config(w.Config(secret))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	for name, tc := range map[string]struct{ old, with, want string }{
		"domain":               {`domain      = "sign.acme.example"`, `domain = "acme.example"`, `domain of the document "Terms" cannot change`},
		"domain removed":       {`domain      = "sign.acme.example"`, ``, `from "sign.acme.example" to nothing`},
		"owner":                {`owner_email = "ada@acme.example"`, `owner_email = "eve@acme.example"`, `owner_email of the document "Terms" cannot change`},
		"title":                {`title       = "Terms"`, `title = "Terms 2"`, `from "Terms" to "Terms 2"`},
		"other file":           {`/terms.pdf`, `/other.pdf`, `of the document "Terms" is not the file that was sent`},
		"file that is missing": {`/terms.pdf`, `/none.pdf`, `The document "Terms": the file cannot be compared`},
		"signer":               {`email = "eve@acme.example"`, `email = "eva@acme.example"`, `signers[1].email of the document "Terms" cannot change`},
		"order":                {`sign_order = 2`, `sign_order = 3`, "signers[1].sign_order"},
		"annotation":           {`y = 20,`, `y = 21,`, "signers[0].annotations[0].style.y"},
		"font":                 {`font_size = "12pt"`, `font_size = "13pt"`, "signers[0].annotations[0].style.font_size"},
		"one more annotation":  {`content = "City"`, `content = "City", is_verified = true`, "signers[0].annotations[1].is_verified"},
		"viewer":               {`"Pher"`, `"Phar"`, "viewers[0].last_name"},
		"no viewer":            {`viewers               = [{ email = "cy@acme.example", first_name = "Cy", last_name = "Pher" }]`, `viewers = []`, "from a list of 1 to a list of 0"},
		"message":              {`"Please sign."`, `"Sign!"`, "additional_message of"},
		"notarization":         {`require_notarisation  = true`, `require_notarisation = false`, "from true to false"},
		"passcode":             {`"71928374"`, `"98712340"`, "passcode of the document"},
		"due date":             {`"31-12-2026"`, `"30-12-2026"`, "due_date of"},
	} {
		c.Config(w.Config(providertest.Replaced(t, secret, tc.old, tc.with)))
		r := c.Plan()
		r.WantError(t, tc.want, "email all its signers again", "add another resource")
		assert.NotContains(t, r.Out, "71928374", "%s: the passcode is in the output", name)
		assert.NotContains(t, r.Out, "98712340", "%s: the passcode is in the output", name)
		assert.NotContains(t, r.Out, "must be replaced", "%s: a replacement", name)
	}
	w.WantNoCalls()
}

// The same values in another spelling, or the same file at another path, are no change.
func TestDocument_NoChange(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	pdf := providertest.OnePage("Terms")
	c := w.CliWith(pdf)
	c.Config(w.Config(providertest.FullDocument))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.File("moved.pdf", string(pdf))
	other := strings.NewReplacer("/terms.pdf", "/moved.pdf", "bob@acme.example", "Bob@Acme.example", `"ada@`, `"ADA@`, `"sign.acme.example"`, `"Sign.acme.example"`, `"acme.example"`, `"ACME.example"`, "cy@", "Cy@")
	c.Config(w.Config(other.Replace(providertest.FullDocument)))
	c.WantEmptyPlan()
	c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")

	// Another content at the same path is a change. A missing file is not: nothing needs the file any longer.
	c.Config(w.Config(providertest.FullDocument))
	c.File("terms.pdf", string(providertest.OnePage("Other terms")))
	c.Plan().WantError(t, `of the document "Terms" is not the file that was sent`)
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "terms.pdf")))
	r := c.Plan()
	r.WantOK(t, document.SummaryFileGone, `The document "Terms"`)
	w.WantNoCalls()
}

// What is sent like an omitted value is no change, in either direction.
func TestDocument_EmptyIsOmitted(t *testing.T) {
	t.Parallel()
	const empty = "  additional_message = \"\"\n  require_notarisation = false\n  viewers = []\n"
	for name, order := range map[string][2]string{"empty first": {empty, ""}, "omitted first": {"", empty}} {
		w := providertest.NewSigningEnv(t)
		c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
		config := func(extra string) string {
			return w.Config(providertest.Replaced(t, providertest.MinimalDocument, `  title       = "Terms"`+"\n", `  title       = "Terms"`+"\n"+extra))
		}
		c.Config(config(order[0]))
		c.Apply().WantOK(t, "1 added")
		sent := w.Sim.Documents()[0]
		assert.Nil(t, sent.AdditionalMsg, name)
		assert.False(t, sent.RequireNotarisation, name)
		w.Sim.ResetJournal()
		c.Config(config(order[1]))
		c.Apply().WantOK(t)
		c.WantEmptyPlan()
		w.WantNoCalls()
		c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, `  title       = "Terms"`, "  require_notarisation = true\n  title       = \"Terms\"")))
		c.Plan().WantError(t, "require_notarisation of the document")
	}
}

// A day to sign by that has passed everywhere is a warning.
func TestDocument_PastDueDate(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	for days, warns := range map[int]bool{-400: true, -2: true, -1: false, 0: false, 1: false} {
		day := w.Sim.Clock().Now().AddDate(0, 0, days).Format("02-01-2006")
		c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, `  title       = "Terms"`, fmt.Sprintf("  title = \"Terms\"\n  due_date = %q", day))))
		r := c.Plan()
		assert.Equal(t, 2, r.Code, r.Out)
		assert.Equal(t, warns, strings.Contains(r.Out, document.SummaryOverdue), "%s: %s", day, r.Out)
		assert.Equal(t, warns, strings.Contains(r.Out, `The document "Terms" is due on `+day), r.Out)
	}
}

// Neither -replace nor a taint sends a document again.
func TestDocument_NeverReplaced(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.FullDocument))
	c.Apply().WantOK(t)
	id := c.State()[providertest.Terms].Attributes["id"]
	w.Sim.ResetJournal()
	for _, act := range []func(...string) providertest.Result{c.Plan, c.Apply} {
		act("-replace="+providertest.Terms).WantError(t, `The document "Terms" cannot be replaced`, "without -replace")
	}
	c.Taint(providertest.Terms, true)
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		c.Apply(refresh).WantError(t, `The document "Terms" cannot be replaced`, "terraform untaint")
	}
	c.Taint(providertest.Terms, false)
	c.WantEmptyPlan()
	c.Apply("-replace="+providertest.Terms).WantError(t, "cannot be replaced")
	w.WantNoCalls()
	require.Len(t, w.Sim.Documents(), 1, "documents, state %v", c.State())
	assert.Equal(t, id, c.State()[providertest.Terms].Attributes["id"], "%d documents, state %v", len(w.Sim.Documents()), c.State())
}

// Two blocks with the same attributes: while the first one is being sent, the second one is rejected.
func TestDocument_DeclaredTwice(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	server := w.Watched()
	c := w.CliOf(server)
	c.File("terms.pdf", string(providertest.OnePage("Terms")))
	c.Config(w.Config(providertest.MinimalDocument + providertest.Replaced(t, providertest.MinimalDocument, `"terms" {`, `"second" {`)))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteUpload, Times: -1, Hook: func() { <-server.Applied }})
	c.Apply().WantError(t, document.SummaryInProgress, `The document "Terms" was not uploaded by this resource`, "If two resources configure the same by mistake, keep one of them")
	require.Len(t, c.State(), 1, "state, sent %d times, %d documents", w.Calls(providertest.RouteUpload), len(w.Sim.Documents()))
	assert.Equal(t, 1, w.Calls(providertest.RouteUpload), "state %v, sent times, %d documents", c.State(), len(w.Sim.Documents()))
	assert.Len(t, w.Sim.Documents(), 1, "state %v, sent %d times, documents", c.State(), w.Calls(providertest.RouteUpload))
}

// With another signer it is another document.
func TestDocument_DeclaredForTwoSigners(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	second := providertest.Replaced(t, providertest.MinimalDocument, `"terms" {`, `"second" {`)
	c.Config(w.Config(providertest.MinimalDocument + providertest.Replaced(t, second, `"bob@acme.example"`, `"eve@acme.example"`)))
	c.Apply().WantOK(t, "2 added")
	c.WantEmptyPlan()
}

// Values that are unknown at plan time are checked at apply, before anything is sent.
func TestDocument_Unknown(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := w.CliWith(providertest.OnePage("Terms"))
	c.File("text.pdf", "no PDF at all")
	unknown := func(file, title, more string) string {
		block := strings.NewReplacer("/terms.pdf", "/${terraform_data.file.output}", `"Terms"`, "terraform_data.title.output", `"Bob"`, "terraform_data.title.output").Replace(providertest.MinimalDocument)
		return w.Config(block + "resource \"terraform_data\" \"file\" {\n  input = \"" + file + "\"\n}\nresource \"terraform_data\" \"title\" {\n  input = \"" + title + "\"\n}\n" + more)
	}
	c.Config(unknown("text.pdf", "Terms", ""))
	c.PlanText().WantText(t, document.TopicUploading.Summary, "Document (name known after apply)", "file_sha256 = (known after apply)")
	c.Apply().WantError(t, file.SummaryInvalid, "is not a PDF")
	c.Config(unknown("terms.pdf", " ", ""))
	c.Apply().WantError(t, "must not be blank")
	w.WantNoCalls()
	c.Config(unknown("terms.pdf", "Terms", ""))
	c.Apply().WantOK(t)
	c.WantEmptyPlan()

	w.Sim.ResetJournal()
	c.Config(unknown("terms.pdf", "Other", ""))
	c.Plan().WantText(t, document.SummaryChangeLater, `title of the document "Terms" is known after apply. If it changes, the apply fails`)
	c.Apply().WantError(t, `title of the document "Terms" cannot change`)
	i := c.State()[providertest.Terms]
	assert.NotEqual(t, "tainted", i.Status, "state %v", i)
	assert.Equal(t, "Terms", i.Attributes["title"], "state %v", i)
	w.WantNoCalls()
}

func TestDocument_UnknownSigners(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(`
resource "terraform_data" "people" {
  input = [{ email = "bob@acme.example", first_name = "Bob" }]
}
resource "reseller_document" "terms" {
  domain      = "sign.acme.example"
  owner_email = "ada@acme.example"
  title       = "Terms"
  file_path   = "${abspath(path.module)}/terms.pdf"
  signers     = [for p in terraform_data.people.output : { email = p.email, first_name = p.first_name, last_name = "Byte", annotations = [] }]
}
`))
	c.Planned().WantWarning(t, document.TopicUploading.Summary, "Its signers are known after apply")
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
}

// A file that changes between plan and apply is not sent.
func TestDocument_FileChangesAfterPlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.MinimalDocument))
	c.Plan()
	c.File("terms.pdf", string(providertest.OnePage("Other terms")))
	c.ApplySaved().WantError(t, "inconsistent")
	w.WantNoCalls()
}

// Missing settings are errors at plan time, only of the resources that need them.
func TestDocument_NoSettings(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	for name, tc := range map[string]struct{ settings, want string }{
		"none":               {"", "Missing: signing.url and signing.user_api_key"},
		"no key":             {"signing = { url = \"" + simulator.SigningURL + "\" }", "Missing: signing.user_api_key"},
		"no url":             {"signing = { user_api_key = \"k\" }", "Missing: signing.url"},
		"the other url":      {"signing = {\n user_api_key = \"k\"\n api_url = \"https://a.example\"\n family = \"signing\"\n}", "Missing: signing.url"},
		"control characters": {"signing = {\n url = \"" + simulator.SigningURL + "\"\n user_api_key = \"a\\u0001b\"\n}", session.SummarySigningInvalid},
	} {
		for _, body := range []string{providertest.MinimalDocument, providertest.MinimalMint, "resource \"reseller_document_signing\" \"x\" {\n doc_id = \"x\"\n domain = \"acme.example\"\n annotations = { a = \"b\" }\n}\n", "data \"reseller_signatures\" \"x\" {}\n", "data \"reseller_document\" \"x\" {\n doc_id = \"x\"\n domain = \"acme.example\"\n}\n", "data \"reseller_sent_documents\" \"x\" {\n domain = \"acme.example\"\n}\n"} {
			c.Config(w.ConfigWith(tc.settings, body))
			r := c.Plan()
			r.WantError(t, tc.want, "RESELLER_SIGNING_URL and RESELLER_SIGNING_API_KEY")
			assert.NotContains(t, r.Out, "a\x01b", "%s: the key is in the output", name)
			if name != "none" {
				break // the same function returns these errors
			}
		}
	}
	w.WantNoCalls()

	// A completed resource needs no settings.
	c.Config(w.Config(providertest.MinimalDocument))
	c.Apply().WantOK(t)
	c.Config(w.ConfigWith("", providertest.MinimalDocument))
	c.WantEmptyPlan()
	c.Destroy().WantOK(t)
}

func TestDocument_SettingsFromEnvironment(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	w.Env.Set("RESELLER_SIGNING_URL", simulator.SigningURL)
	w.Env.Set("RESELLER_SIGNING_API_KEY", w.Sim.SigningAPIKey())
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.ConfigWith("", providertest.MinimalDocument))
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
}

// If the API has two base URLs, uploads of the family signing-api and minting use the second one; in the simulator
// neither applies.
func TestDocument_TwoAddresses(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := w.CliWith(providertest.OnePage("Terms"))
	settings := func(url, apiURL string) string {
		return fmt.Sprintf("signing = {\n url = %q\n api_url = %q\n user_api_key = %q\n}", url, apiURL, w.Sim.SigningAPIKey())
	}
	c.Config(w.ConfigWith(settings(simulator.SigningURL, "https://elsewhere.simulator.invalid"), providertest.MinimalDocument))
	c.Apply().WantError(t, "elsewhere.simulator.invalid")
	c.Config(w.ConfigWith(settings("https://elsewhere.simulator.invalid", simulator.SigningURL), providertest.MinimalDocument))
	c.Apply().WantOK(t, "1 added")
	c.Config(w.ConfigWith(settings(simulator.SigningURL, "http://sign.example"), providertest.MinimalDocument))
	c.Validate().WantError(t, "signing.api_url", "Use https")
	w.Env.Set("RESELLER_SIGNING_API_URL", "https://elsewhere.simulator.invalid")
	c = w.CliWith(providertest.OnePage("Other terms"))
	c.Config(w.ConfigWith(fmt.Sprintf("signing = {\n url = %q\n user_api_key = %q\n}", simulator.SigningURL, w.Sim.SigningAPIKey()), providertest.MinimalDocument))
	c.Apply().WantError(t, "elsewhere.simulator.invalid")
}

// Settings that are known after apply are not an error at plan time.
func TestDocument_UnknownSettings(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := w.CliWith(providertest.OnePage("Terms"))
	settings := "signing = {\n url = \"" + simulator.SigningURL + "\"\n user_api_key = terraform_data.key.output\n}"
	c.Config(w.ConfigWith(settings, providertest.MinimalDocument+"resource \"terraform_data\" \"key\" {\n input = \""+w.Sim.SigningAPIKey()+"\"\n}\n"))
	c.Apply().WantOK(t, "2 added")
	c.WantEmptyPlan()
}

// What the API rejects is reported with its code and a remedy; nothing is in state, and the next apply sends it.
func TestDocument_Refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(*providertest.SigningEnv) error
		old     string
		with    string
		want    []string
	}{
		"wrong key":     {func(w *providertest.SigningEnv) error { _, err := w.Sim.RenewSigningKey(); return err }, "", "", []string{"INVALID_USER_API_KEY", "user's profile page"}},
		"internal keys": {func(w *providertest.SigningEnv) error { return w.Sim.BreakInternalKeys(true) }, "", "", []string{"INVALID_API_KEY", "Contact the API provider's support"}},
		"permission":    {func(w *providertest.SigningEnv) error { return w.Sim.SetSigningPermission(false) }, "", "", []string{"NO_PERMISSION"}},
		"domain":        {nil, "sign.acme.example", "sign.other.example", []string{"NO_PERMISSION", "Set a domain of the account"}},
		"signature":     {nil, `content = "Signature"`, `content = "nobodys.png", is_verified = true`, []string{"INVALID_DATA", "ID of a stored signature"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
			body := w.Config(providertest.MinimalDocument)
			if tc.old != "" {
				body = w.Config(providertest.Replaced(t, providertest.MinimalDocument, tc.old, tc.with))
			}
			if tc.prepare != nil {
				require.NoError(t, tc.prepare(w))
			}
			c.Config(body)
			r := c.Apply()
			r.WantError(t, append(tc.want, `The document "Terms" was not uploaded`, "no email was sent")...)
			assert.NotContains(t, r.Out, w.Sim.SigningAPIKey(), "the key is in the output")
			require.Empty(t, c.State(), "state, books %v", w.Sim.Documents())
			assert.Empty(t, w.Sim.Documents(), "state %v, books", c.State())
		})
	}
}
