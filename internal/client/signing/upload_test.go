package signing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

func TestUpload_SendsForm(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, transporttest.Replies{uploads: {ok(`{"result":{"docId":"doc-1"}}`)}})
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
	req.AdditionalMsg, req.RequireNotarisation, req.Passcode, req.DueDate = new("please"), new(false), new("0123"), new("24-12-2026")
	id, source, err := c.Upload(t.Context(), req)
	if id != testDocID || source != FromResponse || err != nil {
		t.Fatalf("got %q, %v, %v", id, source, err)
	}
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
	if got := f.Form(0); !slices.Equal(got, want) {
		t.Errorf("sent\n%+v, want\n%+v", got, want)
	}
}

func TestUpload_OmitsOptionalFields(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, transporttest.Replies{uploads: {ok(`{"docId":1}`)}})
	req := uploadRequest(t)
	req.Domain = nil
	if id, _, err := c.Upload(t.Context(), req); id != "1" || err != nil {
		t.Fatalf("got %q, %v", id, err)
	}
	var names []string
	for _, p := range f.Form(0) {
		names = append(names, p.Name)
		if (p.Name == "viewers" || p.Name == "signers") && p.Content != "[]" {
			t.Errorf("%s is %s", p.Name, p.Content)
		}
	}
	if want := []string{"viewers", "signers", "ownerEmail", "title", "fileName", "domain", "file"}; !slices.Equal(names, want) {
		t.Errorf("sent %v, want %v", names, want)
	}
}

// lostAnswers are the ways in which the response to a write can be lost.
func lostAnswers() map[string]reply {
	return map[string]reply{
		"500 with a new code": refuse(500, "INTERNAL_SERVER_ERROR"),
		"Fail with 200":       transporttest.Reply(200, `{"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":""}}`),
		"reset":               fails(syscall.ECONNRESET),
		"time-out":            fails(context.DeadlineExceeded),
		"broken off":          fails(io.ErrUnexpectedEOF),
		"HTML 502":            page(502),
		"HTML 403 of a proxy": page(403),
		"a captive page":      page(200),
		"empty":               transporttest.Reply(200, ""),
		"half of the JSON":    transporttest.Reply(200, `{"status":"OK","data":{"doc`),
		"a redirect":          page(303, "Location", "https://elsewhere.example/x"),
	}
}

// sent returns an entry of the list of sent documents.
func sent(id string, at time.Time, more string) string {
	return fmt.Sprintf(`{"id":%q,"title":%q,"createdAt":%s%s}`, id, testTitle, millis(at), more)
}

func TestUpload_ResponseLost(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte(testPDF))
	sum := hex.EncodeToString(digest[:])
	before, now := transporttest.Start.Add(-time.Hour), transporttest.Start
	shows := map[string]struct {
		lists []string // data of each read; the last repeats
		id    string   // adopted; "" for an unknown outcome
		says  string
		reads int
	}{
		"it at once": {[]string{`[` + sent("old", before, "") + `,` + sent("new", now, "") + `]`}, "new", "", 1},
		"it later":   {[]string{`[` + sent("old", before, "") + `]`, `[` + sent("old", before, "") + `,` + sent("new", now, "") + `]`}, "new", "", 2},
		"it with all fields": {[]string{
			`{"result":{"documents":[{"document":` + sent("new", now, `,"fileName":"terms.pdf","ownerEmail":"ADA@acme.example","checksum":"sha256-`+strings.ToUpper(sum)+`"`) + `,"recipients":[{"id":"r"}]}],"total":1}}`,
		}, "new", "", 1},
		"it under other names":                 {[]string{`{"rows":[{"documentId":7,"fileName":"terms.pdf","createdAt":"2026-10-05T12:00:01Z"}]}`}, "7", "", 1},
		"it in seconds, with another checksum": {[]string{`[{"docId":"new","title":"` + testTitle + `","createdAt":` + fmt.Sprint(now.Unix()) + `,"checksum":"md5"}]`}, "new", "", 1},
		"only older ones":                      {[]string{`[` + sent("old", before, "") + `]`}, "", "most likely nothing was uploaded", 2},
		"only one from a clock ahead":          {[]string{`[` + sent("old", before, "") + `,` + sent("new", now.Add(time.Minute), "") + `]`}, "", "new of 2026-10-05T12:01:00Z, which matches except for its time", 2},
		"another one from a clock ahead":       {[]string{`[` + sent("new", now.Add(time.Minute), `,"ownerEmail":"eve@acme.example"`) + `]`}, "", "most likely nothing was uploaded", 2},
		"only one from far ahead":              {[]string{`[` + sent("new", now.Add(time.Hour), "") + `]`}, "", "most likely nothing was uploaded", 2},
		"another title":                        {[]string{`[{"id":"x","title":"Other","createdAt":` + millis(now) + `}]`}, "", "most likely", 2},
		"another file name":                    {[]string{`[` + sent("x", now, `,"fileName":"other.pdf"`) + `]`}, "", "most likely", 2},
		"another owner":                        {[]string{`[` + sent("x", now, `,"ownerEmail":"eve@acme.example"`) + `]`}, "", "most likely", 2},
		"another content":                      {[]string{`[` + sent("x", now, `,"checksum":"`+strings.Repeat("0", 64)+`"`) + `]`}, "", "most likely", 2},
		"two that may be it":                   {[]string{`{"a":[` + sent("x", now, "") + `],"b":[` + sent("y", now, "") + `]}`}, "", "x, y", 1},
		"one twice":                            {[]string{`{"a":[` + sent("x", now, "") + `],"b":[` + sent("x", now, "") + `]}`}, "x", "", 1},
		"nothing":                              {[]string{`[]`}, "", "none has an ID", 2},
		"no times":                             {[]string{`[{"id":"new","title":"` + testTitle + `"}]`}, "", "none has an ID", 2},
		"no titles":                            {[]string{`[{"id":"new","createdAt":` + millis(now) + `}]`}, "", "none has an ID", 2},
		"no ids":                               {[]string{`[{"title":"` + testTitle + `","createdAt":` + millis(now) + `}]`}, "", "none has an ID", 2},
		"texts":                                {[]string{`["new"]`}, "", "none has an ID", 2},
		"a number":                             {[]string{`7`}, "", "none has an ID", 2},
	}
	answers := lostAnswers()
	answers["no id"] = ok(`{"message":"inserted"}`)
	answers["no data"] = transporttest.Reply(200, `{"status":"OK"}`)
	for lost, first := range answers {
		for what, tc := range shows {
			t.Run(lost+"/"+what, func(t *testing.T) {
				t.Parallel()
				var lists []reply
				for _, data := range tc.lists {
					lists = append(lists, ok(data))
				}
				c, f, clock := dial(t, transporttest.Replies{uploads: {first}, sents: lists})
				id, source, err := c.Upload(t.Context(), uploadRequest(t))
				if tc.id != "" && (id != tc.id || source != FromSentDocuments || err != nil) {
					t.Errorf("got %q, %v, %v", id, source, err)
				}
				if tc.id == "" && (id != "" || source != 0 || !transport.IsUnknownOutcome(err) || !strings.Contains(err.Error(), tc.says) || !isReason(err, ReasonUpload)) {
					t.Errorf("got %q, %v, %v", id, source, err)
				}
				if f.Count(uploads) != 1 || f.Count(sents) != tc.reads || len(f.Calls()) != 1+tc.reads {
					t.Errorf("calls %v", f.Calls())
				}
				if clock.Slept() != time.Duration(tc.reads-1)*transport.ReconcileInterval {
					t.Errorf("slept %s", clock.Slept())
				}
				if at := slices.Index(f.Calls(), sents); f.Body(at) != `{"domain":"acme.example"}` {
					t.Errorf("asked for %s", f.Body(at))
				}
			})
		}
	}
}

func TestUpload_ListFails(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, transporttest.Replies{uploadsA: {page(502)}, sentsA: {refuse(400, CodeInvalidAPIKey)}}, familyA)
	_, _, err := c.Upload(t.Context(), uploadRequest(t))
	if !transport.IsUnknownOutcome(err) || !transport.IsStatus(err, 502) || !strings.Contains(err.Error(), CodeInvalidAPIKey) || f.Count(uploadsA) != 1 {
		t.Errorf("got %v after %v", err, f.Calls())
	}
}

// Reconciliation continues after the run is canceled.
func TestUpload_ReconcilesAfterCancellation(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c, f, _ := dial(t, transporttest.Replies{
		uploads: {after(cancel, transporttest.Reply(502, ""))},
		sents:   {ok(`[]`), ok(`[` + sent("new", transporttest.Start, "") + `]`)},
	})
	if id, source, err := c.Upload(ctx, uploadRequest(t)); id != "new" || source != FromSentDocuments || err != nil {
		t.Errorf("got %q, %v, %v after %v", id, source, err, f.Calls())
	}
}

// The time in the queue is not the upload's: a document that another user uploads during that time is not adopted.
func TestUpload_LostAfterQueue(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, transporttest.Replies{
		uploads: {page(429, "Retry-After", "60"), page(502)},
		sents:   {ok(`[` + sent("theirs", transporttest.Start.Add(30*time.Second), "") + `,` + sent("ours", transporttest.Start.Add(61*time.Second), "") + `]`)},
	})
	if id, source, err := c.Upload(t.Context(), uploadRequest(t)); id != "ours" || source != FromSentDocuments || err != nil {
		t.Errorf("got %q, %v, %v after %v", id, source, err, f.Calls())
	}
}

// A document that this client uploaded is never adopted by another upload.
func TestUpload_DoesNotAdoptKnownDocument(t *testing.T) {
	t.Parallel()
	list := ok(`[` + sent("first", transporttest.Start, "") + `]`)
	c, f, _ := dial(t, transporttest.Replies{uploads: {ok(`{"docId":"first"}`), page(502)}, sents: {list}})
	if id, _, err := c.Upload(t.Context(), uploadRequest(t)); id != "first" || err != nil {
		t.Fatalf("got %q, %v", id, err)
	}
	if id, _, err := c.Upload(t.Context(), uploadRequest(t)); id != "" || !transport.IsUnknownOutcome(err) {
		t.Errorf("got %q, %v", id, err)
	}
	// The second may appear late, and the third must not adopt it.
	reads := f.Count(sents)
	if _, _, err := c.Upload(t.Context(), uploadRequest(t)); !transport.IsUnknownOutcome(err) || !strings.Contains(err.Error(), "same title") || f.Count(sents) != reads {
		t.Errorf("got %v after %v", err, f.Calls())
	}

	c, _, _ = dial(t, transporttest.Replies{uploads: {page(502)}, sents: {list}})
	if id, _, err := c.Upload(t.Context(), uploadRequest(t)); id != "first" || err != nil {
		t.Fatalf("got %q, %v", id, err)
	}
	if id, _, err := c.Upload(t.Context(), uploadRequest(t)); id != "" || !transport.IsUnknownOutcome(err) {
		t.Errorf("took over the same twice: %q, %v", id, err)
	}
}

func TestUpload_SerializesOneTitle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		second := func() { <-time.NewTimer(time.Second).C } // of the bubble
		c, _, _ := dial(t, transporttest.Replies{uploads: {after(second, ok(`{"docId":"x"}`))}})
		var all sync.WaitGroup
		for i := range 8 {
			req := uploadRequest(t)
			req.AdditionalMsg = new(strconv.Itoa(i)) // the same document would be rejected
			all.Go(func() {
				if _, _, err := c.Upload(t.Context(), req); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if took := time.Since(begun); took != 8*time.Second {
			t.Errorf("8 uploads of a second took %s", took)
		}
	})
}

func TestUpload_RunsTitlesConcurrently(t *testing.T) {
	t.Parallel()
	var both sync.WaitGroup
	both.Add(2)
	together := func() {
		both.Done()
		both.Wait() // never returns if uploads of different titles wait for each other
	}
	c, _, _ := dial(t, transporttest.Replies{uploads: {after(together, ok(`{"docId":"x"}`))}})
	var all sync.WaitGroup
	for _, title := range []string{"one", "two"} {
		req := uploadRequest(t)
		req.Title = title
		all.Go(func() {
			if _, _, err := c.Upload(t.Context(), req); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestUpload_StopsWaitingWhenCanceled(t *testing.T) {
	t.Parallel()
	c, f, _ := dial(t, nil)
	give, err := c.uploads.lockTitle(t.Context(), testTitle)
	if err != nil {
		t.Fatal(err)
	}
	defer give()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := c.uploads.lockTitle(ctx, testTitle)
		done <- err
	}()
	cancel()
	if err := <-done; err == nil {
		t.Error("no error")
	}
	if _, _, err := c.Upload(ctx, uploadRequest(t)); err == nil || transport.IsUnknownOutcome(err) || len(f.Calls()) != 0 {
		t.Errorf("%v after %v", err, f.Calls())
	}
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
	c, f, _ := dial(t, nil)
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
	c, f, _ := dial(t, nil, func(cfg *Config) {
		next := cfg.Transport
		cfg.Transport = reply(func(r *http.Request) (*http.Response, error) {
			if err := os.Truncate(req.FilePath, 3); err != nil {
				t.Error(err)
			}
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
