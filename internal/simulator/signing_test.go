package simulator_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	uploadPath = "/signing-api/documents"
	mintPath   = "/signing-api/mintDocument"
)

// signingCaller calls the Signing API with the user's key.
type signingCaller struct{ *caller }

// signingIn calls the Signing API of a simulator.
func signingIn(t *testing.T, sim *simulator.Simulator) *signingCaller {
	t.Helper()
	c := inProcess(t, sim).with(sim.SigningAPIKey())
	c.base = simulator.SigningURL
	return &signingCaller{c}
}

// part of a form: a text, or a file where content is bytes.
type part struct {
	name    string
	content any
}

// typedFile is a file whose part has a type.
type typedFile struct {
	kind    string
	content []byte
}

// form is an upload or mint request.
type form []part

// with sets a field, or removes it if value is nil.
func (f form) with(name string, value any) form {
	var out form
	for _, p := range f {
		if p.name != name {
			out = append(out, p)
		}
	}
	if value != nil {
		out = append(out, part{name, value})
	}
	return out
}

// and adds a part, even if there is one of that name.
func (f form) and(name string, value any) form {
	return append(append(form{}, f...), part{name, value})
}

// encode writes texts unchanged, bytes as a file and everything else as JSON text.
func (f form) encode(t *testing.T) (body, contentType string) {
	t.Helper()
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	for _, p := range f {
		switch content := p.content.(type) {
		case string:
			require.NoError(t, w.WriteField(p.name, content))
		case []byte:
			file, err := w.CreateFormFile(p.name, p.name)
			require.NoError(t, err)
			_, err = file.Write(content)
			require.NoError(t, err)
		case typedFile:
			head := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename="file"`, p.name)}}
			if content.kind != "" {
				head.Set("Content-Type", content.kind)
			}
			file, err := w.CreatePart(head)
			require.NoError(t, err)
			_, err = file.Write(content.content)
			require.NoError(t, err)
		default:
			raw, err := json.Marshal(content)
			require.NoError(t, err)
			require.NoError(t, w.WriteField(p.name, string(raw)))
		}
	}
	require.NoError(t, w.Close())
	return buf.String(), w.FormDataContentType()
}

func (c *signingCaller) sendForm(path string, f form) *reply {
	c.t.Helper()
	body, contentType := f.encode(c.t)
	return c.call(path, body, contentType)
}

// uploadForm uploads and returns the ID of the document.
func (c *signingCaller) uploadForm(f form) string {
	c.t.Helper()
	return as[string](as[object](c.sendForm(uploadPath, f).data()["result"])["docId"])
}

func mintForm() form {
	return form{{"file", newPDF(0)}, {"unitName", "TERMS"}, {"assetName", "Terms 2026"}, {"storeOnIPFS", "true"}, {"nftStandard", "ARC3"}}
}

// newPDF is a PDF of one empty page, filled to a size.
func newPDF(size int) []byte {
	page := []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
	return append(page, bytes.Repeat([]byte("\n"), max(size-len(page), 0))...)
}

// signerOf is a signer whose annotation waits.
func signerOf(email string, order int) object {
	style := object{"width": 120, "height": 40, "x": 10, "y": 20.5, "page": 1, "fontSize": "12pt"}
	annotation := object{"type": "Text", "content": "Place", "isVerified": false, "style": style}
	return object{"domain": nil, "email": email, "firstName": "First", "lastName": "Last", "signOrder": order, "annotations": []any{annotation}}
}

// uploadOf is a valid upload with these signers.
func uploadOf(signers ...object) form {
	list := []any{}
	for _, sg := range signers {
		list = append(list, sg)
	}
	return form{
		{"viewers", "[]"},
		{"signers", list},
		{"ownerEmail", ada},
		{"domain", "null"},
		{"title", "Terms"},
		{"fileName", "terms.pdf"},
		{"file", newPDF(0)},
	}
}

// What the books have of a document is what was sent.
func TestDocumentsShowWhatWasSent(t *testing.T) {
	t.Parallel()
	c := signingIn(t, newSim(t, simulator.Options{}))
	pdf := newPDF(2000)
	id := c.uploadForm(uploadOf(signerOf(bob, 2)).with("viewers", []any{object{"email": eve, "firstName": "Eve", "lastName": "Eden"}}).
		with("domain", "Business.example").with("additionalMsg", "Please").with("requireNotarisation", "true").with("passcode", "0042").
		with("dueDate", "29-02-2028").with("file", pdf))
	got := c.sim.Documents()[0]
	sum := sha256.Sum256(pdf)
	place := simulator.AnnotationView{
		ID: got.Signers[0].Annotations[0].ID, Type: "Text", Content: "Place", X: 10, Y: 20.5, Width: 120, Height: 40, Page: 1, FontSize: "12pt",
	}
	assert.Equal(t, simulator.DocumentView{
		ID: id, Title: "Terms", FileName: "terms.pdf", OwnerEmail: ada, Domain: "business.example", SHA256: hex.EncodeToString(sum[:]), Size: 2000,
		AdditionalMsg: new("Please"), Passcode: new("0042"), DueDate: new("29-02-2028"), RequireNotarisation: true, Viewers: []string{eve},
		Signers:   []simulator.SignerView{{Email: bob, FirstName: "First", LastName: "Last", SignOrder: 2, Annotations: []simulator.AnnotationView{place}}},
		CreatedAt: start, UpdatedAt: start,
	}, got)
	require.NoError(t, c.sim.SignInApp(id, bob))
	assert.True(t, c.sim.Documents()[0].Signers[0].Signed)
}

// A user without an account has an ID and a referral code, which stay the same and are no other's.
func TestUsersWithoutAnAccountHaveAnID(t *testing.T) {
	t.Parallel()
	c := signingIn(t, newSim(t, simulator.Options{}))
	view := func(owner string) (ownerID, viewerID, code any, recipients []any) {
		id := c.uploadForm(uploadOf(signerOf(eve, 1)).with("ownerEmail", owner))
		data := c.post("/signing/view-document", object{"docId": id}).data()
		logs := as[[]any](data["logs"])
		return as[object](data["document"])["ownerId"], as[object](logs[0])["userId"], data["ownerShareReferralCode"], as[[]any](data["recipients"])
	}
	user, viewer, code, _ := view(strings.ToUpper(c.sim.SigningUserEmail()))
	assert.Equal(t, viewer, user)
	guest, _, guestCode, recipients := view(eve)
	assert.NotEqual(t, user, guest)
	assert.NotEqual(t, code, guestCode)
	assert.Equal(t, guest, as[object](recipients[0])["userId"])
}

// Only members have stored signatures, besides the key's user.
func TestOnlyMembersHaveSignatures(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	require.Len(t, c.sim.Signatures(ada), 1)
	require.Empty(t, c.sim.Signatures(bob))
	require.NoError(t, c.sim.DeprovisionInConsole(client))
	require.Empty(t, c.sim.Signatures(ada))
}

// Processes share documents and assets in a file, which keeps no PDF.
func TestTheFileHasDocuments(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim, other := openFile(t, path), openFile(t, path)
	c := signingIn(t, sim)
	id := c.uploadForm(uploadOf(signerOf(bob, 1)))
	c.sendForm(mintPath, mintForm()).data()
	require.NoError(t, other.SignInApp(id, bob))
	require.True(t, sim.Documents()[0].Complete)
	require.Equal(t, sim.Minted(), other.Minted())
	require.Equal(t, sim.SigningAPIKey(), other.SigningAPIKey())
	assert.NotContains(t, fileText(t, path), "%PDF")
}

// A form has each of its parts once.
func TestFormsHaveNoPartTwice(t *testing.T) {
	t.Parallel()
	c := signingIn(t, newSim(t, simulator.Options{}))
	c.sendForm(uploadPath, uploadOf().and("title", "Terms")).rejected(http.StatusBadRequest, "INVALID_DATA")
	c.sendForm(mintPath, mintForm().and("file", newPDF(0))).rejected(http.StatusBadRequest, "INVALID_DATA")
	require.Empty(t, c.sim.Documents())
}

// FuzzUploadDocument: for any request, the simulator responds with one of its codes and stores only what it accepted.
func FuzzUploadDocument(f *testing.F) {
	const contentType = "multipart/form-data; boundary=x"
	f.Add("", "")
	f.Add(contentType, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n%PDF-1\r\n--x--\r\n")
	f.Add(contentType, "--x\r\nContent-Disposition: form-data; name=\"signers\"\r\n\r\n[{\"annotations\":[{}]}]\r\n--x--\r\n")
	f.Add("application/json", `{"signers":[null],"file":"JVBERi0="}`)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		sim := newSim(t, simulator.Options{})
		req := httptest.NewRequest(http.MethodPost, uploadPath, strings.NewReader(body))
		req.Header["Content-Type"] = []string{contentType}
		req.Header.Set("Authorization", "Bearer "+sim.SigningAPIKey())
		rec := serve(sim, req)
		var answer object
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &answer))
		code := as[string](as[object](answer["error"])["code"])
		if kept := len(sim.Documents()); kept != 0 && code != "" || kept != 1 && code == "" {
			t.Errorf("%d documents kept and %q answered", kept, code)
		}
		if code != "" {
			assert.Contains(t, []string{"INVALID_DATA", "MISSING_BODY", "NO_FILE_ATTACHED"}, code)
			assert.Equal(t, http.StatusBadRequest, rec.Code)
		}
	})
}
