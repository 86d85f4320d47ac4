package signing

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

const viewed = `{` +
	`"document":{"id":"doc-1","title":"Terms","ownerId":"u1","domain":"acme.example","createdAt":1790000000000,"updatedAt":1790000000001,` +
	`"isDocumentEncrypted":true,"firstName":"Ada","lastName":"L","email":"ada@acme.example","dueDate":null,"ownerTrustScore":1.5,"additionalMsg":"hi",` +
	`"requireNotarisation":true,"notarisationStatus":"Done","transactionHash":"t","merkleRoot":"m","notarisationTimeStamp":1790000000002,` +
	`"verifyIdCheck":true,"verifyGovId":false,"verifyMobilePhone":true,"verifyPayment":false,"verifyWallet":true,"passcode":1234,"checksum":"c",` +
	`"notarisationNetwork":"n","paymentMethod":null,"templateId":null},` +
	`"recipients":[{"userId":"u2","firstName":"Bob","lastName":"B","signOrder":1,"trustScore":2,"status":"Active","email":"bob@acme.example","verifyGovId":true,"role":"signer"}],` +
	`"annotations":[{"id":"a1","type":{"type":"Signature","filePath":"f"},"isVerified":true,"content":"1.png","width":1,"height":2,"x":3,"y":4.5,"page":1,"fontSize":"12pt","userId":"u2","docId":"doc-1","email":"bob@acme.example"}],` +
	`"logs":[{"userId":"u1","action":"View","createdAt":1790000000003,"ipAddr":"192.0.2.1","credentialName":null}],` +
	`"domainOwners":[{"x":1}],"ownerShareReferralCode":"ref","unknown":12345678901234567890}`

func TestView_ReadsEverything(t *testing.T) {
	t.Parallel()
	for kind, change := range map[string]func(*Config){views: func(*Config) {}, viewsA: familyA} {
		c, f, _ := dial(t, kind+" -> 200 "+viewed, change)
		v, err := c.View(t.Context(), testDocID, "acme.example")
		require.NoError(t, err)
		assert.Equal(t, `{"docId":"doc-1","domain":"acme.example"}`, f.Body(0), "sent")
		assert.Contains(t, string(v.Raw), `"unknown":12345678901234567890`)
		// Marshaling the result shows that no field is misnamed or dropped.
		typed, err := json.Marshal(v)
		require.NoError(t, err)
		for field, want := range anyjson.ReadObject(v.Raw) {
			got := anyjson.ReadObject(typed)[field]
			if field == "unknown" || field == "domainOwners" && string(got) == string(want) {
				continue
			}
			compare(t, field, got, want)
		}
		if *v.Document.Passcode != "1234" || v.Document.DueDate != nil || v.Document.CreatedAt.Time() != time.UnixMilli(1790000000000).UTC() || !*v.Recipients[0].VerifyGovID || v.Logs[0].CredentialName != nil {
			t.Errorf("read %+v", v)
		}
	}
}

// Family B wraps the result of an upload, and may wrap a view. The structure of the domain's owners is not documented.
func TestView_Shapes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		data   string
		owners int
	}{
		"in a result":         {`{"result":` + viewed + `}`, 1},
		"owners as an object": {strings.Replace(viewed, `[{"x":1}]`, `{"u1":{"x":1},"u2":{}}`, 1), 1},
		"no owners":           {strings.Replace(viewed, `[{"x":1}]`, `null`, 1), 0},
		"owners as texts":     {strings.Replace(viewed, `[{"x":1}]`, `["u1","u2"]`, 1), 2},
		"a count of owners":   {strings.Replace(viewed, `[{"x":1}]`, `2`, 1), 1},
		"odd fields": {strings.NewReplacer(`{"type":"Signature","filePath":"f"}`, `"Signature"`, `"12pt"`, `12`, `"dueDate":null`, `"dueDate":{"day":1}`,
			`1790000000003`, `"yesterday"`, `"recipients":[`, `"recipients":["somebody",`, `"ownerShareReferralCode":"ref"`, `"ownerShareReferralCode":[]`).Replace(viewed), 1},
		"times in exponents": {strings.Replace(viewed, `1790000000000`, `1.79e12`, 1), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _, _ := dial(t, "{view} -> 200 "+tc.data)
			v, err := c.View(t.Context(), testDocID, "a.example")
			require.NoError(t, err)
			if v.Document.Title != "Terms" || len(v.DomainOwners) != tc.owners || v.Recipients[len(v.Recipients)-1].Email != "bob@acme.example" || v.Annotations[0].ID != "a1" || v.Document.CreatedAt.Time() != time.UnixMilli(1790000000000).UTC() {
				t.Errorf("read %+v", v)
			}
		})
	}
}

// compare asserts that got has every field of want; got may have more.
func compare(t *testing.T, where string, got, want json.RawMessage) {
	t.Helper()
	var rows, wantRows []json.RawMessage
	switch {
	case json.Unmarshal(want, &wantRows) == nil && wantRows != nil:
		if json.Unmarshal(got, &rows) != nil || len(rows) != len(wantRows) {
			t.Errorf("%s is %s, want %s", where, got, want)
			return
		}
		for i := range rows {
			compare(t, where, rows[i], wantRows[i])
		}
	case anyjson.ReadObject(want) != nil:
		for field, value := range anyjson.ReadObject(want) {
			compare(t, where+"."+field, anyjson.ReadObject(got)[field], value)
		}
	case strings.Trim(string(got), `"`) != strings.Trim(string(want), `"`):
		t.Errorf("%s is %s, want %s", where, got, want)
	}
}

func TestView_Unreadable(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"status":"OK"}`, `{"status":"OK","data":{}}`, `{"status":"OK","data":[]}`, `{"status":"OK","data":{"document":{"id":7}}}`,
		`{"status":"OK","data":{"document":"d"}}`, `{"data":`, ``, `[]`,
	} {
		c, f, _ := dial(t, "{view} -> 200 body "+body)
		if v, err := c.View(t.Context(), testDocID, "a.example"); err == nil || transport.IsUnknownOutcome(err) || len(f.Calls()) != 1 {
			t.Errorf("%s: %+v, %v", body, v, err)
		}
		assert.Equal(t, `{"docId":"doc-1","domain":"a.example"}`, f.Body(0), "sent")
	}
}

func TestSignatures_Shapes(t *testing.T) {
	t.Parallel()
	for data, want := range map[string][]string{
		`[]`:                {},
		`["a.png","b.png"]`: {"a.png", "b.png"},
		`[{"id":"a.png","createdAt":1},{"id":"b.png"}]`:                              {"a.png", "b.png"},
		`{"signatures":[{"signatureId":"a.png"}],"initials":[{"id":"b"}]}`:           {"a.png"},
		`{"result":{"signatureList":[{"fileName":"a.PNG","kind":"drawn"}],"t":[1]}}`: {"a.PNG"},
		`{"items":[{"url":"a.jpg","n":1}],"total":1}`:                                {"a.jpg"},
		`[{"id":7}]`: {"7"},
		// The ID is documented to be the name of an image. Its field is not.
		`[{"id":"0f3c","fileName":"a.png"},{"id":7,"file":"b.svg","n":1}]`: {"a.png", "b.svg"},
		`[{"id":"0f3c","a":"a.png","b":"b.png"}]`:                          {"0f3c"},
		`[{"id":"a.png","thumbnail":"b.png"}]`:                             {"a.png"},
		// An odd entry costs itself, and two lists of images are two lists of signatures.
		`[{"id":"a.png"},{},null,["b.png"],7,{"a":"b.png","b":"c.png"},{"a":"text"}]`:  {"a.png", "", "", "", "", "", ""},
		`{"drawn":[{"id":"a.png"}],"initials":[{"file":"b.png"}],"tags":["x"],"e":[]}`: {"a.png", "b.png"},
		`{"signatures":{"a.png":{"id":"a.png","type":"x"},"b.png":{"id":"b.png"}}}`:    {"a.png", "b.png"},
		`{"signatures":{"1":"a.png","2":"b.png"}}`:                                     {"a.png", "b.png"},
		`{"signatures":{}}`: {},
		`{"signatures":{"items":[{"id":"a.png"}],"total":1}}`: {"a.png"},
		`[{}]`: {""},
	} {
		c, _, _ := dial(t, "{signatures} -> 200 "+data)
		got, err := c.SignatureList(t.Context())
		ids := []string{}
		for _, s := range got {
			ids = append(ids, s.ID)
			assert.True(t, json.Valid(s.Raw), "%s: raw %s", data, s.Raw)
		}
		require.NoError(t, err, "%s: %v", data, ids)
		require.NotNil(t, got, "%s: %v, %v", data, ids, err)
		assert.Equal(t, want, ids, data)
	}
	for _, data := range []string{`null`, `{}`, `7`, `{"a":[],"b":[]}`, `{"a":["x"],"b":[{"id":7}]}`, `{"a":{"b":{"c":{"d":[]}}}}`} {
		c, _, _ := dial(t, "{signatures} -> 200 "+data)
		got, err := c.SignatureList(t.Context())
		assert.Error(t, err, "%s: %+v", data, got)
	}
}

// The documented path is the first one in both families, and only an error about the key ends the search.
func TestSentDocuments_FindsPath(t *testing.T) {
	t.Parallel()
	const domain = "?domain=acme.example"
	type way struct{ call, body string }
	inOrder := []way{}
	for _, path := range []string{"/signing/view/sent-documents", "/signing-api/documents/sent", "/signing-api/view/sent-documents"} {
		const body = `{"domain":"acme.example"}`
		inOrder = append(inOrder, way{"POST " + path + domain, body}, way{"GET " + path + domain, body}, way{"GET " + path + domain, ""})
	}
	rejections := []string{
		"404 page", "403 page", "403 page", "400 INVALID_DATA", "500 SOMETHING_NEW", "405 page", "302 page + Location: https://sign.example/login", "411 page",
	}
	once := func(cfg *Config) { cfg.MaxRetries = 0 }
	for i, last := range inOrder {
		script := ""
		for j, before := range inOrder[:i] {
			script += before.call + " -> " + rejections[j] + "\n"
		}
		c, f, _ := dial(t, script+last.call+` -> 200 {"b":[1.50],"a":null}`, once)
		for range 2 {
			got, err := c.SentDocuments(t.Context(), "ACME.example.")
			require.NoError(t, err, "%s: %s", last, got)
			assert.Equal(t, `{"a":null,"b":[1.50]}`, string(got), last)
		}
		for n, sent := range append(slices.Clone(inOrder[:i+1]), last) {
			assert.Equal(t, sent, way{f.Calls()[n], f.Body(n)}, "call %d", n)
		}
	}

	for _, family := range []string{FamilySigning, FamilySigningAPI} { // of the personal account
		c, f, _ := dial(t, "{sent of own} -> 405 page; GET /signing/view/sent-documents?domain=null -> 200 []", func(cfg *Config) { cfg.Family = family })
		got, err := c.SentDocuments(t.Context(), "")
		require.NoError(t, err, "after %v", f.Calls())
		assert.Equal(t, `[]`, string(got))
		assert.Equal(t, `{"domain":null}`, f.Body(0))
	}
}

// Reads at the same time share the variant that responded.
func TestSentDocuments_Concurrent(t *testing.T) {
	t.Parallel()
	c, _, _ := dial(t, "{sent of own} -> 200 []")
	var reads sync.WaitGroup
	for range 4 {
		reads.Go(func() {
			got, err := c.SentDocuments(t.Context(), "")
			assert.NoError(t, err)
			assert.Equal(t, `[]`, string(got))
		})
	}
	reads.Wait()
}

// If no path has the list, the likeliest error is returned: one of the endpoint's own codes before any other error, and that
// before what a server sends that has no such endpoint.
func TestSentDocuments_NoPath(t *testing.T) {
	t.Parallel()
	// Columns: the responses to the first calls, the status, a part of the error, and the number of calls.
	texttable.Run(t, `
		no endpoint      | 404 page; 405 page                   | 404 | no address that this version knows | 2
		another error    | 404 page; 500 SOMETHING_NEW          | 500 | no address that this version knows | 3
		a code           | 403 NO_PERMISSION; 500 SOMETHING_NEW | 403 | NO_PERMISSION                      | 3
		a code of GET    | 404 page; 400 INVALID_DATA           | 400 | INVALID_DATA                       | 2
		the key          | 400 INVALID_USER_API_KEY             | 400 | INVALID_USER_API_KEY               | 1
		the internal key | 404 page; 200 INVALID_API_KEY        | 200 | INVALID_API_KEY                    | 2
		no connection    | refused                              | 0   | refused                            | 1
	`, func(t *testing.T, row []string) {
		script := ""
		for i, response := range strings.Split(row[1], "; ") {
			script += []string{"{sent of own}", "GET /signing/view/sent-documents?domain=null"}[i] + " -> " + response + "\n"
		}
		c, f, _ := dial(t, script, familyA, func(cfg *Config) { cfg.MaxRetries = 0 })
		_, err := c.SentDocuments(t.Context(), "")
		require.ErrorContains(t, err, row[3])
		answer, answered := errors.AsType[*transport.Error](err)
		assert.True(t, row[2] == "0" && !answered || row[2] == fmt.Sprint(answer.Status), "%v", err)
		assert.Equal(t, row[4], fmt.Sprint(len(f.Calls())), "%v after %v", err, f.Calls())
	})
}

func TestObject_TimeFormats(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		`1790000000123`: 1790000000123, `"1790000000123"`: 1790000000123, `1790000000`: 1790000000000, `"2026-09-21T14:13:20Z"`: 1790000000000,
		`null`: 0, `"soon"`: 0, `-1`: 0, `1e300`: 0, `{}`: 0,
	} {
		got := readTime(anyjson.Object{"createdAt": json.RawMessage(text)}.Text("createdAt"))
		if want == 0 && !got.IsZero() || want != 0 && got.UnixMilli() != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// Every response is either read or an error.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{viewed, `[{"id":"a","title":"t","createdAt":1,"document":{"id":"b"}}]`, `{"result":{"docId":"d","assetId":1}}`, `[null,[1],"a.png"]`, `{"a":`, ``} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		raw := json.RawMessage(data)
		if id, err := readDocID(raw); (id == "") == (err == nil) {
			t.Errorf("document id %q, %v", id, err)
		}
		for _, d := range readSent(raw) {
			if d.id == "" || d.title+d.fileName == "" && d.createdAt.IsZero() {
				t.Errorf("%+v shows nothing", d)
			}
		}
		if m := readMint(raw); (m.Raw != nil) && !json.Valid(m.Raw) {
			t.Errorf("raw %s", m.Raw)
		}
		rows, err := signaturesIn(raw)
		if err == nil && !json.Valid(raw) {
			t.Errorf("rows %s", rows)
		}
		for _, row := range rows {
			_ = signatureID(row)
		}
		if normalized, err := normalize(opView, raw); err == nil {
			two, err := normalize(opView, normalized)
			require.NoError(t, err, "%s became %s", normalized, two)
			assert.Equal(t, string(two), string(normalized), "became")
		}
	})
}
