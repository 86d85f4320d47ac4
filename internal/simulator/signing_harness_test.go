package simulator_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// family is one of the two path families, with its own shapes.
type family struct {
	upload, sign, view, signatures string
	uploaded                       func(object) object // the result in data
}

const (
	sentPath = "/signing/view/sent-documents"
	mintPath = "/signing-api/mintDocument"
)

var families = map[string]family{
	"A": {"/signing/upload", "/signing/sign", "/signing/view-document", "/signing/signature-list", func(data object) object { return data }},
	"B": {"/signing-api/documents", "/signing-api/documents/update", "/signing-api/documents/view", "/signing-api/signatures/list", func(data object) object {
		result, _ := data["result"].(object)
		if len(data) != 1 {
			return nil
		}
		return result
	}},
}

// bothFamilies runs a test with a new simulator for each family.
func bothFamilies(t *testing.T, test func(*testing.T, *signingCaller)) {
	t.Helper()
	for name, f := range families {
		t.Run("family "+name, func(t *testing.T) {
			t.Parallel()
			c := newSigningCaller(t, simulator.Forms{})
			c.family = f
			test(t, c)
		})
	}
}

// signingCaller calls the Signing API with the user's key.
type signingCaller struct {
	*caller
	family
}

func newSigningCaller(t *testing.T, assume simulator.Forms) *signingCaller {
	t.Helper()
	assume = maps.Clone(assume)
	assume["strange-domain"] = "rejected" // so that NO_PERMISSION can be tried
	return signingIn(t, newSim(t, simulator.Options{Forms: assume}))
}

// signingIn calls the Signing API of a simulator.
func signingIn(t *testing.T, sim *simulator.Simulator) *signingCaller {
	t.Helper()
	c := inProcess(t, sim).with(sim.SigningAPIKey())
	c.base = simulator.SigningURL
	return &signingCaller{c, families["B"]}
}

// part of a form: a text, or a file where content is bytes.
type part struct {
	name    string
	content any
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

// uploadForm uploads in the caller's family and returns the ID of the document.
func (c *signingCaller) uploadForm(f form) string {
	c.t.Helper()
	result := c.uploaded(c.sendForm(c.upload, f).data())
	exactly(c.t, object{"message": sentence, "docId": id32}, result)
	return as[string](result["docId"])
}

// viewed is the response of viewing a document.
func (c *signingCaller) viewed(docID string) object {
	c.t.Helper()
	return c.post(c.view, object{"docId": docID, "domain": nil}).data()
}

// annotationIDs returns the IDs of a document's annotations, in order.
func (c *signingCaller) annotationIDs(docID string) []string {
	c.t.Helper()
	var out []string
	for _, doc := range c.sim.Documents() {
		if doc.ID != docID {
			continue
		}
		for _, sg := range doc.Signers {
			for _, a := range sg.Annotations {
				out = append(out, a.ID)
			}
		}
	}
	return out
}

// mails are the kinds and receivers of the outbox.
func mails(sim *simulator.Simulator) string {
	var out []string
	for _, m := range sim.Outbox() {
		if m.Kind != "set-password" {
			out = append(out, m.Kind+" "+m.To)
		}
	}
	return strings.Join(out, ", ")
}

// newPDF is a PDF of one empty page, filled to a size.
func newPDF(size int) []byte {
	page := []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
	return append(page, bytes.Repeat([]byte("\n"), max(size-len(page), 0))...)
}

const (
	ada = "ada@client.example"
	bob = "bob@client.example"
	eve = "eve@client.example"
)

func newStyle() object {
	return object{"width": 120, "height": 40, "x": 10, "y": 20.5, "page": 1, "fontSize": "12pt"}
}

// field is an annotation that waits for its signer.
func field(kind, content string) object {
	return object{"type": kind, "content": content, "isVerified": false, "style": newStyle()}
}

func verified(kind, content string) object {
	a := field(kind, content)
	a["isVerified"] = true
	return a
}

func signerOf(email string, order int, annotations ...object) object {
	list := []any{}
	for _, a := range annotations {
		list = append(list, a)
	}
	return object{"domain": nil, "email": email, "firstName": "First", "lastName": "Last", "signOrder": order, "annotations": list}
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
