package signing

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

const (
	testKey   = "user-key-0123456789-SECRET"
	testTitle = "Terms & <conditions>"
	testOwner = "ada@acme.example"
	testFile  = "terms.pdf"
	testDocID = "doc-1"
	testPDF   = "%PDF-1.7 a test\n"
)

// reply is one answer, or the failure to get one.
type reply struct {
	status int
	body   string
	header http.Header
	err    error
	before func() // the answer is made
}

func ok(data string) reply {
	return reply{status: http.StatusOK, body: `{"status":"OK","data":` + data + `}`}
}

func refuse(status int, code string) reply {
	return reply{status: status, body: fmt.Sprintf(`{"status":"Err","error":{"code":%q,"message":"says the service"}}`, code)}
}

func page(status int) reply { return reply{status: status, body: "<html>Bad gateway</html>"} }

func fails(err error) reply { return reply{err: err} }

func (r reply) with(name, value string) reply {
	r.header = http.Header{name: {value}}
	return r
}

// fake answers the calls of each kind ("POST /signing/upload") in turn; the
// last answer of a kind stays.
type fake struct {
	tb      testing.TB
	mu      sync.Mutex
	replies map[string][]reply
	seen    []string
	reqs    []*http.Request
	bodies  []string
}

func (f *fake) RoundTrip(req *http.Request) (*http.Response, error) {
	kind, body := req.Method+" "+req.URL.RequestURI(), ""
	if req.Body != nil {
		raw, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = string(raw)
		if req.ContentLength != int64(len(raw)) {
			f.tb.Errorf("%s: Content-Length %d, want %d", kind, req.ContentLength, len(raw))
		}
	}
	f.mu.Lock()
	f.seen, f.bodies, f.reqs = append(f.seen, kind), append(f.bodies, body), append(f.reqs, req)
	queue := f.replies[kind]
	if len(queue) == 0 {
		f.mu.Unlock()
		f.tb.Errorf("unexpected call %s", kind)
		return nil, io.ErrUnexpectedEOF
	}
	if len(queue) > 1 {
		f.replies[kind] = queue[1:]
	}
	f.mu.Unlock()
	r := queue[0]
	if r.before != nil {
		r.before()
	}
	if r.err != nil {
		return nil, r.err
	}
	header := r.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: r.status, Header: header, Body: io.NopCloser(strings.NewReader(r.body)), Request: req}, nil
}

func (f *fake) calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.seen)
}

func (f *fake) count(kind string) (n int) {
	for _, k := range f.calls() {
		if k == kind {
			n++
		}
	}
	return n
}

// Kinds of calls, of family B unless they say otherwise.
const (
	uploads     = "POST /signing-api/documents"
	uploadsA    = "POST /signing/upload"
	signs       = "POST /signing-api/documents/update"
	signsA      = "POST /signing/sign"
	views       = "POST /signing-api/documents/view"
	viewsA      = "POST /signing/view-document"
	signatures  = "GET /signing-api/signatures/list"
	signaturesA = "GET /signing/signature-list"
	mints       = "POST /signing-api/mintDocument"
	sents       = "POST /signing-api/documents/sent"
	sentsA      = "POST /signing/view/sent-documents"
)

// dial makes a client of a fake.
func dial(tb testing.TB, replies map[string][]reply, change ...func(*Config)) (*Client, *fake, *transporttest.Clock) {
	tb.Helper()
	f, clock := &fake{tb: tb, replies: replies}, transporttest.NewClock()
	cfg := Config{
		URL: "https://sign.example", UserAPIKey: testKey, UserAgent: "test/1",
		MaxWait: 2 * time.Minute, MaxRetries: 2, Transport: f, Clock: clock,
		Markers: transport.NewOperationMarkers(filepath.Join(tb.TempDir(), "operations")),
	}
	for _, change := range change {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return c, f, clock
}

func familyA(cfg *Config) { cfg.Family = FamilySigning }

func write(tb testing.TB, name, content string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func uploadRequest(tb testing.TB) UploadRequest {
	tb.Helper()
	return UploadRequest{FilePath: write(tb, testFile, testPDF), FileName: testFile, Title: testTitle, OwnerEmail: testOwner, Domain: new("acme.example")}
}

func mintRequest(tb testing.TB) MintRequest {
	tb.Helper()
	return MintRequest{FilePath: write(tb, testFile, testPDF), UnitName: "TERMS", AssetName: "Acme terms 2026", NFTStandard: StandardARC3, StoreOnIPFS: true}
}

// part is one part of a form as it was sent.
type part struct{ name, fileName, contentType, content string }

func (f *fake) form(i int) []part {
	f.tb.Helper()
	kind, params, err := mime.ParseMediaType(f.reqs[i].Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		f.tb.Fatalf("call %d has the type %q, %v", i, kind, err)
	}
	var out []part
	reader := multipart.NewReader(strings.NewReader(f.bodies[i]), params["boundary"])
	for {
		p, err := reader.NextPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			f.tb.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(p); err != nil {
			f.tb.Fatal(err)
		}
		out = append(out, part{p.FormName(), p.FileName(), p.Header.Get("Content-Type"), content.String()})
	}
}

func millis(t time.Time) string { return fmt.Sprint(t.UnixMilli()) }

// roundTrip is a transport made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func isPlainRefusal(err error, code string) bool {
	return transport.IsCode(err, code) && !transport.IsUnknownOutcome(err)
}
