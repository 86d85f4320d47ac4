package signing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestUpload_SendsForm(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, `{upload} -> 200 {"result":{"docId":"doc-1"}}`)
	req := uploadRequest(t)
	req.FileName = `odd "name".pdf`
	req.Viewers = []Viewer{{"eve@acme.example", "Eve", "V"}}
	req.Signers = []Signer{{
		Email: "bob@acme.example", FirstName: "Bob", LastName: "B", SignOrder: 2,
		Annotations: []Annotation{
			{Type: AnnotationSignature, Content: "Signature", Style: Style{Width: 120, Height: 40.5, X: 10, Y: 20, Page: 1, FontSize: new("12pt")}},
			{Type: AnnotationDate, Content: "Date", IsVerified: true},
		},
	}, {Domain: new("acme.example")}}
	req.AdditionalMsg, req.Passcode, req.DueDate = new("please"), new("0123"), new("24-12-2026")
	id, source, err := c.Upload(t.Context(), req)
	require.Equal(t, testDocID, id, "%v, %v", source, err)
	require.Equal(t, FromResponse, source, "got %q, %v", id, err)
	require.NoError(t, err, "got %q, %v", id, source)
	want := []transporttest.Part{
		{Name: "viewers", Content: `[{"email":"eve@acme.example","firstName":"Eve","lastName":"V"}]`},
		{Name: "signers", Content: `[{"domain":null,"email":"bob@acme.example","firstName":"Bob","lastName":"B","signOrder":2,"annotations":[` +
			`{"type":"Signature","content":"Signature","isVerified":false,"style":{"width":120,"height":40.5,"x":10,"y":20,"page":1,"fontSize":"12pt"}},` +
			`{"type":"Date","content":"Date","isVerified":true,"style":{"width":0,"height":0,"x":0,"y":0,"page":0}}]},` +
			`{"domain":"acme.example","email":"","firstName":"","lastName":"","signOrder":0,"annotations":[]}]`},
		{Name: "ownerEmail", Content: testOwner},
		{Name: "title", Content: testTitle},
		{Name: "fileName", Content: `odd "name".pdf`},
		{Name: "domain", Content: "acme.example"},
		{Name: "additionalMsg", Content: "please"},
		{Name: "requireNotarisation", Content: "false"},
		{Name: "passcode", Content: "0123"},
		{Name: "dueDate", Content: "24-12-2026"},
		{Name: "file", FileName: `odd "name".pdf`, ContentType: "application/pdf", Content: testPDF},
	}
	assert.Equal(t, want, f.Form(0), "sent")
}

func TestUpload_OmitsOptionalFields(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, `{upload} -> 200 {"docId":1}`)
	req := uploadRequest(t)
	req.Domain = nil
	id, _, err := c.Upload(t.Context(), req)
	require.Equal(t, "1", id, "%v", err)
	require.NoError(t, err, "got %q", id)
	var names []string
	for _, p := range f.Form(0) {
		names = append(names, p.Name)
		if want, known := map[string]string{"viewers": "[]", "signers": "[]", "domain": "null"}[p.Name]; known {
			assert.Equal(t, want, p.Content, p.Name)
		}
	}
	assert.Equal(t, []string{"viewers", "signers", "ownerEmail", "title", "fileName", "domain", "requireNotarisation", "file"}, names, "sent")
}

// lostAnswers are the ways in which the response to a write can be lost.
func lostAnswers() map[string]string {
	return map[string]string{
		"500 with a new code": reject(500, "INTERNAL_SERVER_ERROR"),
		"Fail with 200":       `200 body {"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":""}}`,
		"reset":               "connection reset",
		"time-out":            "timeout",
		"broken off":          "unexpected EOF",
		"HTML 502":            "502 page",
		"a captive page":      "200 page",
		"empty":               "200",
		"half of the JSON":    `200 body {"status":"OK","data":{"doc`,
		"a redirect":          "303 page + Location: https://elsewhere.example/x",
	}
}

// sent returns an entry of the list of sent documents.
func sent(id string, at time.Time, more string) string {
	return fmt.Sprintf(`{"id":%q,"title":%q,"createdAt":%s%s}`, id, testTitle, millis(at), more)
}

// listed renders the candidates of an upload whose outcome is unknown: IDs with times, and * for the same file.
func listed(err error) string {
	unknown, ok := errors.AsType[*UnknownUploadError](err)
	if !ok {
		return fmt.Sprintf("no unknown upload: %v", err)
	}
	var out []string
	for _, d := range unknown.Candidates {
		line := d.ID + "@"
		if !d.SentAt.IsZero() {
			line += d.SentAt.UTC().Format("15:04:05")
		}
		if d.SameFile {
			line += "*"
		}
		out = append(out, line)
	}
	if unknown.More > 0 {
		out = append(out, fmt.Sprintf("+%d", unknown.More))
	}
	return strings.Join(out, " ")
}

// Nothing is adopted: the error lists what could be the document, from one read of the list.
func TestUpload_ResponseLost(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte(testPDF))
	sum := hex.EncodeToString(digest[:])
	before, now := transporttest.Start.Add(-time.Hour), transporttest.Start
	many := make([]string, 0, 40)
	for i := range 40 {
		many = append(many, sent(fmt.Sprintf("d%d", i), now.Add(time.Duration(40-i)*time.Second), ""))
	}
	const notShown, passcode = "does not show it", "91827364"
	shows := map[string]struct{ list, want, says string }{
		"it": {`[` + sent("old", before, "") + `,` + sent("new", now, "") + `]`, "new@12:00:00", "1 could be it"},
		"it with all fields": {
			`{"result":{"documents":[{"document":` + sent("new", now, `,"fileName":"terms.pdf","ownerEmail":"ADA@acme.example","checksum":"sha256-`+strings.ToUpper(sum)+`"`) + `,"recipients":[{"id":"r"}]}],"total":1}}`,
			"new@12:00:00*", "1 could be it",
		},
		"it under other names":                 {`{"rows":[{"documentId":7,"fileName":"terms.pdf","createdAt":"2026-10-05T12:00:01Z"}]}`, "7@12:00:01", "1 could be it"},
		"it in seconds, with another checksum": {`[{"docId":"new","title":"` + testTitle + `","createdAt":` + fmt.Sprint(now.Unix()) + `,"checksum":"md5"}]`, "new@12:00:00", "1 could be it"},
		"only older ones":                      {`[` + sent("old", before, "") + `]`, "", notShown},
		"one from a clock ahead":               {`[` + sent("new", now.Add(time.Minute), "") + `]`, "new@12:01:00", "1 could be it"},
		"one from far ahead":                   {`[` + sent("new", now.Add(time.Hour), "") + `]`, "", notShown},
		"another title":                        {`[{"id":"x","title":"Other","createdAt":` + millis(now) + `}]`, "", notShown},
		"another file name, without a title":   {`[{"id":"x","fileName":"other.pdf","createdAt":` + millis(now) + `}]`, "", notShown},
		"another file name":                    {`[` + sent("x", now, `,"fileName":"other.pdf"`) + `]`, "x@12:00:00", "1 could be it"},
		"another owner":                        {`[` + sent("x", now, `,"ownerEmail":"eve@acme.example"`) + `]`, "", notShown},
		"another content first": {
			`[` + sent("x", now, `,"checksum":"`+strings.Repeat("0", 64)+`"`) + `,` + sent("y", now.Add(5*time.Second), `,"checksum":"`+sum+`"`) + `]`,
			"y@12:00:05* x@12:00:00", "2 could be it",
		},
		"one twice": {`{"a":[` + sent("x", now, "") + `],"b":[` + sent("x", now, "") + `]}`, "x@12:00:00", "1 could be it"},
		"many":      {`[` + strings.Join(many, ",") + `]`, "d39@12:00:01 d38@12:00:02 d37@12:00:03 d36@12:00:04 d35@12:00:05 +35", "40 could be it"},
		"hostile IDs": {
			`[` + strings.Join([]string{
				sent(strings.Repeat("x", 129), now, ""), sent("../x", now, ""), sent("a\nb", now, ""), sent("a\u202eb", now, ""), sent(" a", now, ""), sent("a"+passcode, now, ""), sent("é$", now, ""),
			}, ",") + `]`, "é$@12:00:00 +6", "7 could be it",
		},
		"no times":  {`[{"id":"new","title":"` + testTitle + `"}]`, "new@", "1 could be it"},
		"no titles": {`[{"id":"new","createdAt":` + millis(now) + `}]`, "new@12:00:00", "1 could be it"},
		"nothing":   {`[]`, "", "has no entry with an ID"},
		"only ids":  {`[{"id":"new"}]`, "", "has no entry with an ID"},
		"no ids":    {`[{"title":"` + testTitle + `","createdAt":` + millis(now) + `}]`, "", "has no entry with an ID"},
		"texts":     {`["new"]`, "", "has no entry with an ID"},
		"a number":  {`7`, "", "has no entry with an ID"},
	}
	answers := lostAnswers()
	answers["no id"] = `200 {"message":"inserted"}`
	answers["no data"] = `200 body {"status":"OK"}`
	for lost, first := range answers {
		for what, tc := range shows {
			t.Run(lost+"/"+what, func(t *testing.T) {
				t.Parallel()
				c, f, clock := dial(t, "{upload} -> "+first+"; {sent} -> 200 "+tc.list)
				req := uploadRequest(t)
				req.Passcode = new(passcode)
				id, source, err := c.Upload(t.Context(), req)
				if id != "" || source != 0 || !transport.IsUnknownOutcome(err) || !isReason(err, ReasonUpload) || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("got %q, %v, %v", id, source, err)
				}
				assert.Equal(t, tc.want, listed(err), "lists")
				assert.Equal(t, []string{uploads, sents}, f.Calls(), "calls, slept %s", clock.Slept())
				assert.Equal(t, `{"domain":"acme.example"}`, f.Body(1), "calls %v, slept %s", f.Calls(), clock.Slept())
				assert.Equal(t, time.Duration(0), clock.Slept(), "calls %v, slept", f.Calls())
			})
		}
	}
}

func TestUpload_ListFails(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, uploadsA+" -> 502 page; {sent} -> 400 INVALID_API_KEY", familyA)
	_, _, err := c.Upload(t.Context(), uploadRequest(t))
	if !transport.IsUnknownOutcome(err) || !transport.IsStatus(err, 502) || !strings.Contains(err.Error(), CodeInvalidAPIKey) || f.Count(uploadsA) != 1 {
		t.Errorf("got %v after %v", err, f.Calls())
	}
}

// The list is read after the run is canceled, too.
func TestUpload_ListsAfterCancellation(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c, f, _ := dial(t, "{upload} -> 502; {sent} -> 200 ["+sent("new", transporttest.Start, "")+"]")
	f.Before = cancel
	_, _, err := c.Upload(ctx, uploadRequest(t))
	assert.Equal(t, "new@12:00:00", listed(err), "got %v after %v", err, f.Calls())
}

func TestUpload_UnreadableFile(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"missing": filepath.Join(t.TempDir(), "none.pdf"), "a folder": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cannotBeSent(t, path)
		})
	}
}

func cannotBeSent(t *testing.T, path string) {
	t.Helper()
	c, f, _ := dial(t, "")
	up, mint, picture := uploadRequest(t), mintRequest(t), mintRequest(t)
	up.FilePath, mint.FilePath, picture.ImagePath = path, path, path
	_, _, err := c.Upload(t.Context(), up)
	_, mintErr := c.Mint(t.Context(), mint)
	_, pictureErr := c.Mint(t.Context(), picture)
	for _, err := range []error{err, mintErr, pictureErr} {
		if err == nil || transport.IsUnknownOutcome(err) || !strings.Contains(err.Error(), path) || len(f.Calls()) != 0 {
			t.Errorf("%v after %v", err, f.Calls())
		}
	}
}

// A file that becomes shorter during the request breaks the form, so that the upload had no effect.
func TestUpload_FileShrinksWhileSent(t *testing.T) {
	t.Parallel()
	req := uploadRequest(t)
	c, f, _ := dial(t, "", func(cfg *Config) {
		next := cfg.Transport
		cfg.Transport = reply(func(r *http.Request) (*http.Response, error) {
			assert.NoError(t, os.Truncate(req.FilePath, 3))
			return next.RoundTrip(r)
		})
	})
	_, _, err := c.Upload(t.Context(), req)
	if err == nil || transport.IsUnknownOutcome(err) || !strings.Contains(err.Error(), "became shorter") || len(f.Calls()) != 0 {
		t.Errorf("got %v after %v", err, f.Calls())
	}
}

func isReason(err error, want transport.Reason) bool {
	unknown, ok := errors.AsType[*transport.UnknownOutcomeError](err)
	return ok && unknown.Reason == want
}
