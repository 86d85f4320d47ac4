package signing

import (
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

func TestSignSendsTheContents(t *testing.T) {
	t.Parallel()
	for kind, change := range map[string]func(*Config){signs: func(*Config) {}, signsA: familyA} {
		c, f, _ := dial(t, map[string][]reply{kind: {ok(`{"message":"m","docId":"doc-1"}`), {status: 200, body: `{"status":"OK"}`}}}, change)
		if _, err := c.Sign(t.Context(), testDocID, "acme.example", map[string]string{"b": "<2>", "a": "1.png"}, new("pw")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Sign(t.Context(), testDocID, "acme.example", nil, nil); err != nil {
			t.Fatal(err)
		}
		if want := `{"docId":"doc-1","domain":"acme.example","annotations":[{"id":"a","content":"1.png"},{"id":"b","content":"<2>"}],"docPassword":"pw"}`; f.bodies[0] != want {
			t.Errorf("sent %s", f.bodies[0])
		}
		if want := `{"docId":"doc-1","domain":"acme.example","annotations":[]}`; f.bodies[1] != want || f.reqs[1].Header.Get("Content-Type") != "application/json" {
			t.Errorf("sent %s as %v", f.bodies[1], f.reqs[1].Header)
		}
	}
}

// Nothing is sent twice, and nothing viewed to find out.
func TestSignAndMintWhenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	for name, first := range lostAnswers() {
		c, f, clock := dial(t, map[string][]reply{signs: {first}, mints: {first}})
		_, err := c.Sign(t.Context(), testDocID, "acme.example", map[string]string{"a": "b"}, nil)
		if !transport.IsUnknownOutcome(err) || !strings.Contains(err.Error(), testDocID) || !strings.Contains(err.Error(), "may have been signed") {
			t.Errorf("%s: sign: %v", name, err)
		}
		_, err = c.Mint(t.Context(), mintRequest(t))
		if !transport.IsUnknownOutcome(err) || !strings.Contains(err.Error(), "TERMS") || !strings.Contains(err.Error(), "may have been minted") {
			t.Errorf("%s: mint: %v", name, err)
		}
		if !slices.Equal(f.calls(), []string{signs, mints}) || clock.Slept() != 0 {
			t.Errorf("%s: calls %v", name, f.calls())
		}
	}
}

func TestMintSendsTheForm(t *testing.T) {
	t.Parallel()
	const png = "\x89PNG\r\n\x1a\n-----"
	c, f, _ := dial(t, map[string][]reply{mints: {ok(`{"assetId":12345678901234567890,"transactionId":"tx","pdfIpfsUrl":"ipfs://p","imageIpfsUrl":"ipfs://i",` +
		`"nftMetadata":{"unitName":"TERMS","decimals":0}}`)}}, familyA)
	req := mintRequest(t)
	req.ImagePath = write(t, "thumb.png", png)
	req.Description, req.Pages, req.WordCount, req.Language = new("d"), new(int64(3)), new(int64(1000)), new("en")
	req.Creator, req.CreatorEmail, req.CreationDate = new("Ada"), new(testOwner), new("2026-10-05")
	got, err := c.Mint(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got.AssetID != "12345678901234567890" || got.TransactionID != "tx" || got.PDFIPFSURL != "ipfs://p" || got.ImageIPFSURL != "ipfs://i" ||
		string(got.Metadata) != `{"decimals":0,"unitName":"TERMS"}` || !strings.HasPrefix(string(got.Raw), `{"assetId":12345678901234567890,`) {
		t.Errorf("got %+v", got)
	}
	want := []part{
		{name: "unitName", content: "TERMS"},
		{name: "assetName", content: "Acme terms 2026"},
		{name: "storeOnIPFS", content: "true"},
		{name: "nftStandard", content: "ARC3"},
		{name: "description", content: "d"},
		{name: "pages", content: "3"},
		{name: "wordCount", content: "1000"},
		{name: "language", content: "en"},
		{name: "creator", content: "Ada"},
		{name: "creatorEmail", content: testOwner},
		{name: "creationDate", content: "2026-10-05"},
		{name: "file", fileName: testFile, contentType: "application/pdf", content: testPDF},
		{name: "image", fileName: "thumb.png", contentType: "image/png", content: png},
	}
	if got := f.form(0); !slices.Equal(got, want) {
		t.Errorf("sent\n%+v, want\n%+v", got, want)
	}
}

// What the service says it minted is never an error, however it tells of it.
func TestMintedIsMinted(t *testing.T) {
	t.Parallel()
	for body, id := range map[string]string{
		`{"status":"OK","data":{"assetId":"7","nftMetadata":null}}`: "7",
		`{"status":"OK","data":{"result":{"assetId":7}}}`:           "7",
		`{"status":"OK","data":{"message":"minted"}}`:               "",
		`{"status":"OK","data":[]}`:                                 "",
		`{"status":"OK"}`:                                           "",
	} {
		c, f, _ := dial(t, map[string][]reply{mints: {{status: 200, body: body}}})
		req := mintRequest(t)
		req.ImagePath = write(t, "odd.png", "no image")
		got, err := c.Mint(t.Context(), req)
		if err != nil || got.AssetID != id || got.Metadata != nil || (got.Raw == nil) != (body == `{"status":"OK"}`) {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
		if form := f.form(0); form[len(form)-1].contentType != "application/octet-stream" {
			t.Errorf("%+v", form)
		}
	}
}
