package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestDocument_Lifecycle(t *testing.T) {
	t.Parallel()
	for _, family := range []string{"signing-api", "signing"} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			w.family = family
			pdf := onePage("Terms")
			c := w.cliWith(pdf)
			c.config(w.config(fullDocument))
			c.plan().wantText(t, hashed(pdf), "1 to add")
			c.planned().wantWarning(t, "Document upload cannot be undone", `"Terms"`, "one after another by sign_order: bob@acme.example, eve@acme.example")
			c.apply().wantOK(t, "1 added")
			books := w.sim.Documents()
			if len(books) != 1 {
				t.Fatalf("%d documents", len(books))
			}
			got := books[0]
			if got.Title != "Terms" || got.FileName != "terms.pdf" || got.SHA256 != hashed(pdf) || got.OwnerEmail != "ada@acme.example" || got.Domain != acmeHost ||
				*got.AdditionalMsg != "Please sign." || !got.RequireNotarisation || *got.Passcode != "01928374" || *got.DueDate != "31-12-2026" || got.Viewers[0] != "cy@acme.example" {
				t.Errorf("sent %+v", got)
			}
			first := got.Signers[0].Annotations[0]
			if len(got.Signers) != 2 || got.Signers[1].SignOrder != 2 || first.Type != "Signature" || first.Verified || first.X != 10 || first.Y != 20 || first.Width != 120 || first.Height != 40 || first.Page != 1 || first.FontSize != "12pt" {
				t.Errorf("signers %+v", got.Signers)
			}
			state := c.state()[terms].Attributes
			if state["id"] != got.ID || state["file_sha256"] != hashed(pdf) {
				t.Errorf("state %v", state)
			}
			if w.mails(bobEmail) != 1 || w.mails("eve@acme.example") != 0 {
				t.Errorf("e-mails %v", w.sim.Outbox())
			}

			w.sim.ResetJournal()
			c.wantEmptyPlan()
			c.apply().wantOK(t, "0 added, 0 changed, 0 destroyed")
			c.destroy().wantOK(t, "Signing resources are only removed from state", `document "Terms"`, "1 destroyed")
			w.wantNoCalls()
			if len(w.sim.Documents()) != 1 || w.sim.Documents()[0].Views != 0 {
				t.Errorf("books %+v", w.sim.Documents())
			}
		})
	}
}

// What is left out is null in state, sent as an empty list, or has its default.
func TestDocument_Minimal(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(replaced(t, minimalDocument, "  domain      = \"sign.acme.example\"\n", "")))
	c.planned().wantWarning(t, "Document upload cannot be undone", "A link to sign it is emailed to bob@acme.example.")
	c.apply().wantOK(t)
	got := w.sim.Documents()[0]
	if got.Domain != "" || got.Passcode != nil || got.DueDate != nil || got.AdditionalMsg != nil || len(got.Viewers) != 0 || got.Signers[0].SignOrder != 1 {
		t.Errorf("sent %+v", got)
	}
	c.wantEmptyPlan()
	t.Run("an empty list is none", func(t *testing.T) {
		c.config(w.config(replaced(t, replaced(t, minimalDocument, "  domain      = \"sign.acme.example\"\n", ""), "title ", "viewers = []\ntitle ")))
		w.sim.ResetJournal()
		c.apply().wantOK(t, "0 added, 1 changed, 0 destroyed")
		c.wantEmptyPlan()
		w.wantNoCalls()
	})
}

// With nothing left to sign the document is complete at once.
func TestDocument_SelfSigned(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	signature := w.sim.Signatures(w.sim.SigningUserEmail())[0]
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(replaced(t, minimalDocument, `content = "Signature"`, `content = "`+signature+`", is_verified = true`)))
	c.planned().wantWarning(t, "Document upload cannot be undone", "complete and emailed to its owner ada@acme.example")
	c.apply().wantOK(t)
	if got := w.sim.Documents()[0]; !got.Complete || w.mails("ada@acme.example") != 2 || w.mails(bobEmail) != 0 {
		t.Errorf("%+v, %v", got, w.sim.Outbox()) // the first one is of the label
	}
	c.wantEmptyPlan()
}

// Every change is an error at plan that names the attribute; nothing is sent.
func TestDocument_Blocked(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.file("other.pdf", string(onePage("Other terms")))
	secret := replaced(t, fullDocument, `"01928374"`, "var.passcode") + "variable \"passcode\" {\n  sensitive = true\n  default = \"01928374\"\n}\n"
	c.config(w.config(secret))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	for name, tc := range map[string]struct{ old, with, want string }{
		"domain":               {`domain      = "sign.acme.example"`, `domain = "acme.example"`, `domain of the document "Terms" cannot change`},
		"domain taken out":     {`domain      = "sign.acme.example"`, ``, `from "sign.acme.example" to nothing`},
		"owner":                {`owner_email = "ada@acme.example"`, `owner_email = "eve@acme.example"`, `owner_email of the document "Terms" cannot change`},
		"title":                {`title       = "Terms"`, `title = "Terms 2"`, `from "Terms" to "Terms 2"`},
		"other file":           {`/terms.pdf`, `/other.pdf`, `The file of the document "Terms" changed`},
		"file that is missing": {`/terms.pdf`, `/none.pdf`, `The file of the document "Terms" cannot be compared`},
		"signer":               {`email = "eve@acme.example"`, `email = "eva@acme.example"`, `signers[1].email of the document "Terms" cannot change`},
		"order":                {`sign_order = 2`, `sign_order = 3`, "signers[1].sign_order"},
		"annotation":           {`y = 20,`, `y = 21,`, "signers[0].annotations[0].style.y"},
		"font":                 {`font_size = "12pt"`, `font_size = "13pt"`, "signers[0].annotations[0].style.font_size"},
		"one more annotation":  {`content = "City"`, `content = "City", is_verified = true`, "signers[0].annotations[1].is_verified"},
		"viewer":               {`"Pher"`, `"Phar"`, "viewers[0].last_name"},
		"no viewer":            {`viewers               = [{ email = "cy@acme.example", first_name = "Cy", last_name = "Pher" }]`, `viewers = []`, "from a list of 1 to a list of 0"},
		"message":              {`"Please sign."`, `"Sign!"`, "additional_message of"},
		"notarisation":         {`require_notarisation  = true`, `require_notarisation = false`, "from true to false"},
		"passcode":             {`"01928374"`, `"98712340"`, "passcode of the document"},
		"due date":             {`"31-12-2026"`, `"30-12-2026"`, "due_date of"},
	} {
		c.config(w.config(replaced(t, secret, tc.old, tc.with)))
		r := c.plan()
		r.wantError(t, tc.want, "e-mail everybody again", "declare another resource", "removed { from = reseller_document.NAME }")
		if strings.Contains(r.out, "01928374") || strings.Contains(r.out, "98712340") {
			t.Errorf("%s: the passcode is in the output: %s", name, r.out)
		}
		if strings.Contains(r.out, "must be replaced") {
			t.Errorf("%s: a replacement: %s", name, r.out)
		}
	}
	w.wantNoCalls()
}

// The same in another spelling, or from another place, is no change.
func TestDocument_NoChange(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	pdf := onePage("Terms")
	c := w.cliWith(pdf)
	c.config(w.config(fullDocument))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.file("moved.pdf", string(pdf))
	other := strings.NewReplacer("/terms.pdf", "/moved.pdf", "bob@acme.example", "Bob@Acme.example", `"ada@`, `"ADA@`, `"sign.acme.example"`, `"Sign.acme.example"`, `"acme.example"`, `"ACME.example"`, "cy@", "Cy@")
	c.config(w.config(other.Replace(fullDocument)))
	c.wantEmptyPlan()
	c.apply().wantOK(t, "0 added, 0 changed, 0 destroyed")

	// Another content at the same place is a change; none at all is not: nothing
	// needs the file any more.
	c.config(w.config(fullDocument))
	c.file("terms.pdf", string(onePage("Other terms")))
	c.plan().wantError(t, `The file of the document "Terms" changed`, hashed(pdf), hashed(onePage("Other terms")))
	if err := os.Remove(filepath.Join(c.dir, "terms.pdf")); err != nil {
		t.Fatal(err)
	}
	r := c.plan()
	r.wantOK(t, "Sent file no longer exists", `The document "Terms"`)
	w.wantNoCalls()
}

// Neither -replace nor a taint sends a document again.
func TestDocument_NeverReplaced(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(fullDocument))
	c.apply().wantOK(t)
	id := c.state()[terms].Attributes["id"]
	w.sim.ResetJournal()
	for _, act := range []func(...string) result{c.plan, c.apply} {
		act("-replace="+terms).wantError(t, `The document "Terms" cannot be replaced`, "Leave -replace")
	}
	c.ok("taint", "-no-color", terms)
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		c.plan(refresh).wantText(t, "Object is already in state", `The document "Terms" is in state already, the same in every attribute`, "terraform untaint")
		c.apply(refresh).wantError(t, `The document "Terms" cannot be replaced`)
	}
	c.ok("untaint", "-no-color", terms)
	c.wantEmptyPlan()
	c.apply("-replace="+terms).wantError(t, "cannot be replaced")
	w.wantNoCalls()
	if len(w.sim.Documents()) != 1 || c.state()[terms].Attributes["id"] != id {
		t.Errorf("%d documents, state %v", len(w.sim.Documents()), c.state())
	}
}

// A block that is taken out is forgotten with a warning, a removed block
// without one; a moved one is the same.
func TestDocument_BlockRemoved(t *testing.T) {
	t.Parallel()
	for name, instead := range map[string]string{
		"taken out":     "",
		"removed block": "removed {\n  from = reseller_document.terms\n  lifecycle {\n    destroy = false\n  }\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if instead != "" {
				needsCLI(t, "1.7.0", "the removed block")
			}
			w := newSigned(t)
			c := w.cliWith(onePage("Terms"))
			c.config(w.config(minimalDocument))
			c.apply().wantOK(t)
			w.sim.ResetJournal()
			c.config(w.config(strings.ReplaceAll(minimalDocument, `"terms" {`, `"other" {`) + "moved {\n  from = reseller_document.terms\n  to = reseller_document.other\n}\n"))
			c.apply().wantOK(t, "0 added, 0 changed, 0 destroyed")
			c.config(w.config(strings.ReplaceAll(instead, "document.terms", "document.other")))
			r := c.apply()
			r.wantOK(t)
			if told := strings.Contains(r.out, "Signing resources are only removed from state"); told != (instead == "") {
				t.Errorf("told: %t\n%s", told, r.out)
			}
			if len(c.state()) != 0 {
				t.Errorf("state %v", c.state())
			}
			w.wantNoCalls()
		})
	}
}

// Two blocks that are the same in every attribute: while the first is being
// sent, the second is rejected.
func TestDocument_DeclaredTwice(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	server := w.watched()
	c := w.cliOf(server)
	c.file("terms.pdf", string(onePage("Terms")))
	c.config(w.config(minimalDocument + replaced(t, minimalDocument, `"terms" {`, `"second" {`)))
	w.sim.Inject(simulator.Fault{Route: routeUpload, Times: -1, Hook: func() { <-server.applied }})
	c.apply().wantError(t, "Operation is already in progress", `The document "Terms" was not uploaded by this resource`, "If two resources declare the same, keep one of them")
	if len(c.state()) != 1 || w.calls(routeUpload) != 1 || len(w.sim.Documents()) != 1 {
		t.Errorf("state %v, sent %d times, %d documents", c.state(), w.calls(routeUpload), len(w.sim.Documents()))
	}
}

// With another signer it is another document.
func TestDocument_DeclaredForTwoSigners(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	second := replaced(t, minimalDocument, `"terms" {`, `"second" {`)
	c.config(w.config(minimalDocument + replaced(t, second, `"bob@acme.example"`, `"eve@acme.example"`)))
	c.apply().wantOK(t, "2 added")
	c.wantEmptyPlan()
}

func TestDocument_NotImported(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(minimalDocument))
	c.run("import", "-no-color", "-input=false", terms, "abc").wantError(t, "A reseller_document cannot be imported", "viewing a document writes a log entry")
	w.wantNoCalls()
}

// What is not known at plan is judged at apply, before anything is sent.
func TestDocument_Unknown(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.file("text.pdf", "no PDF at all")
	unknown := func(file, title, more string) string {
		block := strings.NewReplacer("/terms.pdf", "/${terraform_data.file.output}", `"Terms"`, "terraform_data.title.output", `"Bob"`, "terraform_data.title.output").Replace(minimalDocument)
		return w.config(block + "resource \"terraform_data\" \"file\" {\n  input = \"" + file + "\"\n}\nresource \"terraform_data\" \"title\" {\n  input = \"" + title + "\"\n}\n" + more)
	}
	c.config(unknown("text.pdf", "Terms", ""))
	c.plan().wantText(t, "Document upload cannot be undone", "Document (name known after apply)", "file_sha256 = (known after apply)")
	c.apply().wantError(t, `Not usable as the file of the document "Terms"`, "is no PDF by its content")
	c.config(unknown("terms.pdf", " ", ""))
	c.apply().wantError(t, "must not be blank")
	w.wantNoCalls()
	c.config(unknown("terms.pdf", "Terms", ""))
	c.apply().wantOK(t)
	c.wantEmptyPlan()

	w.sim.ResetJournal()
	c.config(unknown("terms.pdf", "Other", ""))
	c.apply().wantError(t, `title of the document "Terms" cannot change`)
	if i := c.state()[terms]; i.Status == "tainted" || i.Attributes["title"] != "Terms" {
		t.Errorf("state %v", i)
	}
	w.wantNoCalls()
}

func TestDocument_UnknownSigners(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(`
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
	c.planned().wantWarning(t, "Document upload cannot be undone", "Its signers are known after apply")
	c.apply().wantOK(t)
	c.wantEmptyPlan()
}

// A file that changes between plan and apply is not sent.
func TestDocument_FileChangesAfterPlan(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(minimalDocument))
	c.ok("plan", "-no-color", "-input=false", "-out=saved")
	c.file("terms.pdf", string(onePage("Other terms")))
	c.run("apply", "-no-color", "-input=false", "saved").wantError(t, "inconsistent")
	w.wantNoCalls()
}

// Settings are missed at plan, by what needs them alone.
func TestDocument_NoSettings(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	for name, tc := range map[string]struct{ settings, want string }{
		"none":               {"", "the settings lack `url` and `user_api_key`"},
		"no key":             {"signing = { url = \"" + simulator.SigningURL + "\" }", "the settings lack `user_api_key`"},
		"no url":             {"signing = { user_api_key = \"k\" }", "the settings lack `url`"},
		"control characters": {"signing = {\n url = \"" + simulator.SigningURL + "\"\n user_api_key = \"a\\u0001b\"\n}", "The signing settings cannot be used"},
	} {
		for _, body := range []string{minimalDocument, minimalMint, "resource \"reseller_document_signing\" \"x\" {\n doc_id = \"x\"\n domain = \"acme.example\"\n annotations = { a = \"b\" }\n}\n", "data \"reseller_signatures\" \"x\" {}\n", "data \"reseller_document\" \"x\" {\n doc_id = \"x\"\n}\n", "data \"reseller_sent_documents\" \"x\" {}\n"} {
			c.config(w.configWith(tc.settings, body))
			r := c.plan()
			r.wantError(t, tc.want, "RESELLER_SIGNING_URL and RESELLER_SIGNING_API_KEY")
			if strings.Contains(r.out, "a\x01b") {
				t.Errorf("%s: the key is in the output", name)
			}
			if name != "none" {
				break // told by the same function
			}
		}
	}
	w.wantNoCalls()

	// What is done needs no settings.
	c.config(w.config(minimalDocument))
	c.apply().wantOK(t)
	c.config(w.configWith("", minimalDocument))
	c.wantEmptyPlan()
	c.destroy().wantOK(t)
}

func TestDocument_SettingsFromEnvironment(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	w.env.set("RESELLER_SIGNING_URL", simulator.SigningURL)
	w.env.set("RESELLER_SIGNING_API_KEY", w.sim.SigningAPIKey())
	c := w.cliWith(onePage("Terms"))
	c.config(w.configWith("", minimalDocument))
	c.apply().wantOK(t, "1 added")
	c.wantEmptyPlan()
}

// Where the API has two addresses, uploads of the family signing-api and minting
// go to the second one; in the sandbox neither counts.
func TestDocument_TwoAddresses(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	settings := func(url, apiURL string) string {
		return fmt.Sprintf("signing = {\n url = %q\n api_url = %q\n user_api_key = %q\n}", url, apiURL, w.sim.SigningAPIKey())
	}
	c.config(w.configWith(settings(simulator.SigningURL, "https://elsewhere.sandbox.invalid"), minimalDocument))
	c.apply().wantError(t, "elsewhere.sandbox.invalid")
	c.config(w.configWith(settings("https://elsewhere.sandbox.invalid", simulator.SigningURL), minimalDocument))
	c.apply().wantOK(t, "1 added")
	c.config(w.configWith(settings(simulator.SigningURL, "http://sign.example"), minimalDocument))
	c.run("validate", "-no-color").wantError(t, "signing.api_url", "use https")
	w.env.set("RESELLER_SIGNING_API_URL", "https://elsewhere.sandbox.invalid")
	c = w.cliWith(onePage("Other terms"))
	c.config(w.configWith(fmt.Sprintf("signing = {\n url = %q\n user_api_key = %q\n}", simulator.SigningURL, w.sim.SigningAPIKey()), minimalDocument))
	c.apply().wantError(t, "elsewhere.sandbox.invalid")
}

// Settings that are known only at apply are no error at plan.
func TestDocument_UnknownSettings(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	settings := "signing = {\n url = \"" + simulator.SigningURL + "\"\n user_api_key = terraform_data.key.output\n}"
	c.config(w.configWith(settings, minimalDocument+"resource \"terraform_data\" \"key\" {\n input = \""+w.sim.SigningAPIKey()+"\"\n}\n"))
	c.apply().wantOK(t, "2 added")
	c.wantEmptyPlan()
}

// What the service refuses is told with its code and what to do; nothing is in
// state, and the next apply sends it.
func TestDocument_Refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(*signed) error
		old     string
		with    string
		want    []string
	}{
		"wrong key":     {func(w *signed) error { _, err := w.sim.RenewSigningKey(); return err }, "", "", []string{"INVALID_USER_API_KEY", "user's profile page"}},
		"internal keys": {func(w *signed) error { return w.sim.BreakInternalKeys(true) }, "", "", []string{"INVALID_API_KEY", "ask the service's support"}},
		"permission":    {func(w *signed) error { return w.sim.SetSigningPermission(false) }, "", "", []string{"NO_PERMISSION"}},
		"domain":        {nil, "sign.acme.example", "sign.other.example", []string{"NO_PERMISSION", "has to be one of the account's"}},
		"signature":     {nil, `content = "Signature"`, `content = "nobodys.png", is_verified = true`, []string{"INVALID_DATA", "id of a stored signature"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			c := w.cliWith(onePage("Terms"))
			body := w.config(minimalDocument)
			if tc.old != "" {
				body = w.config(replaced(t, minimalDocument, tc.old, tc.with))
			}
			if tc.prepare != nil {
				if err := tc.prepare(w); err != nil {
					t.Fatal(err)
				}
			}
			c.config(body)
			r := c.apply()
			r.wantError(t, append(tc.want, `The document "Terms" was not uploaded`, "nobody was e-mailed")...)
			if strings.Contains(r.out, w.sim.SigningAPIKey()) {
				t.Error("the key is in the output")
			}
			if len(c.state()) != 0 || len(w.sim.Documents()) != 0 {
				t.Errorf("state %v, books %v", c.state(), w.sim.Documents())
			}
		})
	}
}
