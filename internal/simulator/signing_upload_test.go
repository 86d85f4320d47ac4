package simulator_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestUploadDocument_Scenarios(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		user := c.sim.SigningUserEmail()
		signature := c.sim.Signatures(user)[0]
		for name, test := range map[string]struct {
			form     form
			complete bool
			mails    string
		}{
			"self sign, completed": {
				uploadOf(signerOf(user, 1, verified("Signature", signature))).with("ownerEmail", user), true,
				"completed-document " + user,
			},
			"self sign, incomplete": {
				uploadOf(signerOf(user, 1, field("Signature", "Signature"))).with("ownerEmail", user), false,
				"signing-link " + user,
			},
			"sent to another": {
				uploadOf(signerOf(bob, 1, field("Signature", "Signature"), field("EditableText", "Place"), field("Date", "Date"))), false,
				"signing-link " + bob,
			},
			"order does not matter": {
				uploadOf(signerOf(bob, 1, field("Name", "Name")), signerOf(eve, 1, field("Text", "Text"))), false,
				"signing-link " + bob + ", signing-link " + eve,
			},
			"one after another": {
				uploadOf(signerOf(bob, 7, field("Name", "Name")), signerOf(eve, 3, field("Stamp", "Stamp"))), false,
				"signing-link " + eve,
			},
			"the first has signed": {
				uploadOf(signerOf(bob, 7, field("Email", "Email")), signerOf(eve, 3, verified("NonEditableText", "as agreed"))), false,
				"signing-link " + bob,
			},
			"one signs twice": {
				uploadOf(signerOf(bob, 1, field("Name", "Name")), signerOf(bob, 1, field("Date", "Date"))), false,
				"signing-link " + bob + ", signing-link " + bob,
			},
			"nobody signs": {uploadOf(), true, "completed-document " + ada},
		} {
			before := len(c.sim.Documents())
			sent := mails(c.sim)
			id := c.uploadForm(test.form)
			doc := c.sim.Documents()[before]
			require.Equal(t, id, doc.ID)
			assert.Equal(t, test.complete, doc.Complete, "%s: complete", name)
			assert.Equal(t, test.mails, strings.TrimPrefix(strings.TrimPrefix(mails(c.sim), sent), ", "), "%s: the emails", name)
		}
	})
}

func TestUploadDocument_KeepsWhatWasSent(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		c.made(c.sim.AddConsoleLabel(client, ada))
		pdf := newPDF(2000)
		f := uploadOf(signerOf(bob, 2, field("Signature", "Signature"))).
			with("viewers", []any{object{"email": eve, "firstName": "Eve", "lastName": "Eden"}}).
			with("domain", strings.ToUpper(client)).
			with("additionalMsg", "Please").with("requireNotarisation", "true").with("passcode", "0042").with("dueDate", "29-02-2028").
			with("file", pdf)
		id := c.uploadForm(f)
		doc := c.sim.Documents()[0]
		sum := sha256.Sum256(pdf)
		place := simulator.AnnotationView{
			ID: c.annotationIDs(id)[0], Type: "Signature", Content: "Signature", X: 10, Y: 20.5, Width: 120, Height: 40, Page: 1, FontSize: "12pt",
		}
		require.Equal(t, simulator.DocumentView{
			ID: id, Title: "Terms", FileName: "terms.pdf", OwnerEmail: ada, Domain: client, SHA256: hex.EncodeToString(sum[:]), Size: 2000,
			AdditionalMsg: new("Please"), Passcode: new("0042"), DueDate: new("29-02-2028"), RequireNotarisation: true, Viewers: []string{eve},
			Signers:   []simulator.SignerView{{Email: bob, FirstName: "First", LastName: "Last", SignOrder: 2, Annotations: []simulator.AnnotationView{place}}},
			CreatedAt: start, UpdatedAt: start,
		}, doc)
		require.Equal(t, client, c.sim.Outbox()[1].Host)
		// The private label sent this document.
		items := inProcess(t, c.sim).as(c.sim.APIKey()).items()
		require.Equal(t, 1.0, as[object](as[object](items[0])["metrics"])["documentsSent"])
	})
}

func TestUploadDocument_NullAndAbsent(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	names := []string{"domain", "additionalMsg", "passcode", "dueDate"}
	for _, value := range []any{nil, "null"} {
		f := uploadOf()
		for _, name := range names {
			f = f.with(name, value)
		}
		c.uploadForm(f)
	}
	c.uploadForm(uploadOf().with("domain", "personal.portals.example").with("requireNotarisation", "false"))
	for _, doc := range c.sim.Documents() {
		if doc.Domain != "" || doc.AdditionalMsg != nil || doc.Passcode != nil || doc.DueDate != nil || doc.RequireNotarisation {
			t.Errorf("kept %+v", doc)
		}
	}
}

// signingStatus is the status of each code.
var signingStatus = map[string]int{
	"INVALID_USER_API_KEY": http.StatusUnauthorized, "NO_PERMISSION": http.StatusForbidden,
	"INVALID_API_KEY": http.StatusBadRequest, "INVALID_DATA": http.StatusBadRequest, "NO_FILE_ATTACHED": http.StatusBadRequest,
	"MISSING_BODY": http.StatusBadRequest, "FILE_ATTACHMENT_ISSUE": http.StatusBadRequest, "INVALID_FILE_TYPE": http.StatusBadRequest,
	"INVALID_DOC_ID": http.StatusBadRequest,
}

func TestUploadDocument_Body(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		body, contentType := uploadOf().encode(t)
		for name, test := range map[string]struct{ body, contentType, code string }{
			"nothing":        {"", contentType, "MISSING_BODY"},
			"nothing at all": {"", "", "MISSING_BODY"},
			"no type":        {body, "", "INVALID_DATA"},
			"JSON":           {`{"title":"Terms"}`, "application/json", "INVALID_DATA"},
			"no boundary":    {body, "multipart/form-data", "INVALID_DATA"},
			"other boundary": {body, "multipart/form-data; boundary=other", "INVALID_DATA"},
			"broken off":     {body[:len(body)/2], contentType, "INVALID_DATA"},
		} {
			c.call(c.upload, test.body, test.contentType).rejected(http.StatusBadRequest, test.code, name)
		}
		c.sendForm(c.upload, uploadOf().and("title", "Terms")).rejected(http.StatusBadRequest, "INVALID_DATA", "twice")
		c.sendForm(mintPath, mintForm("ARC3").and("file", newPDF(0))).rejected(http.StatusBadRequest, "INVALID_DATA", "two PDFs")
		require.Len(t, c.sim.Documents(), 0)
	})
}

func TestUploadDocument_LargestFile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		assume simulator.Forms
		limit  int
	}{
		"binary":  {simulator.Forms{}, 10 << 20},
		"decimal": {simulator.Forms{"upload-size": "decimal"}, 10_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newSigningCaller(t, test.assume)
			c.uploadForm(uploadOf().with("file", newPDF(test.limit-1)))
			c.sendForm(c.upload, uploadOf().with("file", newPDF(test.limit))).rejected(http.StatusBadRequest, "INVALID_DATA")
		})
	}
}

func TestUploadDocument_ViewerAndSigner(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{"upload-arrays": "singular"})
	c.sendForm(c.upload, uploadOf()).rejected(http.StatusBadRequest, "INVALID_DATA")
	c.uploadForm(uploadOf().with("viewers", nil).with("signers", nil).with("viewer", "[]").with("signer", "[]"))
}

func TestUploadDocument_Journal(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	c.uploadForm(uploadOf().with("passcode", "987654"))
	calls := c.sim.Journal()
	require.Len(t, calls, 1)
	require.Equal(t, "POST /signing-api/documents", calls[0].Route)
	raw, err := json.Marshal(calls[0])
	require.NoError(t, err)
	for _, secret := range []string{"987654", c.sim.SigningAPIKey(), "%PDF", "endobj"} {
		assert.NotContains(t, string(raw), secret, "the journal")
	}
	var body object
	require.NoError(t, json.Unmarshal(calls[0].Body, &body))
	require.Subset(t, body, object{"title": "Terms", "domain": "null", "signers": []any{}})
	require.Equal(t, float64(len(newPDF(0))), as[object](body["file"])["size"])
}

// FuzzUploadDocument: for any request, the simulator responds with one of its codes and stores only what it accepted.
func FuzzUploadDocument(f *testing.F) {
	const contentType = "multipart/form-data; boundary=x"
	f.Add("", "")
	f.Add(contentType, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n%PDF-1\r\n--x--\r\n")
	f.Add(contentType, "--x\r\nContent-Disposition: form-data; name=\"signers\"\r\n\r\n[{\"annotations\":[{}]}]\r\n--x--\r\n")
	f.Add("application/json", `{"signers":[null],"file":"JVBERi0="}`)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		sim := newSigningCaller(t, simulator.Forms{}).sim
		req := httptest.NewRequest(http.MethodPost, families["A"].upload, strings.NewReader(body))
		req.Header["Content-Type"] = []string{contentType}
		req.Header.Set("Authorization", "Bearer "+sim.SigningAPIKey())
		rec := serve(sim, req)
		var answer object
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &answer))
		code := as[string](as[object](answer["error"])["code"])
		if kept := len(sim.Documents()); kept != 0 && code != "" || kept != 1 && code == "" {
			t.Errorf("%d documents kept and %q answered", kept, code)
		}
		if code != "" && signingStatus[code] != rec.Code {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
	})
}
