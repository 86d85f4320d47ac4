package signing

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/onetime"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	testKey   = "user-key-0123456789-SECRET"
	testTitle = "Terms & <conditions>"
	testOwner = "ada@acme.example"
	testFile  = "terms.pdf"
	testDocID = "doc-1"
	testPDF   = "%PDF-1.7 a test\n"
)

type reply = transporttest.Answer

// reject is an API error, which is final with any HTTP status.
func reject(status int, code string) string {
	return fmt.Sprintf(`%d body {"status":"Err","error":{"code":%q,"message":"says the service"}}`, status, code)
}

// Kinds of requests, of family B except where the name says otherwise.
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
	ownSents    = "POST /signing/view/sent-documents" // of both families
	sents       = ownSents + "?domain=acme.example"
)

// dial returns a client of a fake API that serves a script, and the fake.
func dial(tb testing.TB, script string, change ...func(*Config)) (*Client, *transporttest.Fake, *transporttest.Clock) {
	tb.Helper()
	f, clock := transporttest.Serve(tb, script), transporttest.NewClock()
	cfg := Config{
		Settings: transport.Settings{UserAgent: "test/1", MaxWait: 2 * time.Minute, MaxRetries: 2, Transport: f, Clock: clock},
		URL:      "https://sign.example", UserAPIKey: testKey, Markers: onetime.NewMarkers(filepath.Join(tb.TempDir(), "operations")),
	}
	for _, change := range change {
		change(&cfg)
	}
	c, err := New(cfg)
	require.NoError(tb, err)
	return c, f, clock
}

func familyA(cfg *Config) { cfg.Family = FamilySigning }

func write(tb testing.TB, name, content string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, []byte(content), 0o600))
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

func millis(t time.Time) string { return fmt.Sprint(t.UnixMilli()) }

func isPlainRejection(err error, code string) bool {
	return transport.IsCode(err, code) && !transport.IsUnknownOutcome(err)
}
