package signing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestSign_SendsContents(t *testing.T) {
	t.Parallel()
	for kind, change := range map[string]func(*Config){signs: func(*Config) {}, signsA: familyA} {
		c, f, _ := dial(t, kind+` -> 200 {"message":"m","docId":"doc-1"}; `+kind+` -> 200 body {"status":"OK"}`, change)
		_, err := c.Sign(t.Context(), SignRequest{DocID: testDocID, Domain: new("acme.example"), Annotations: map[string]string{"b": "<2>", "a": "1.png"}, DocPassword: new("pw")})
		require.NoError(t, err)
		_, err = c.Sign(t.Context(), SignRequest{DocID: testDocID})
		require.NoError(t, err)
		if want := `{"docId":"doc-1","domain":"acme.example","annotations":[{"id":"a","content":"1.png"},{"id":"b","content":"<2>"}],"docPassword":"pw"}`; f.Body(0) != want {
			t.Errorf("sent %s", f.Body(0))
		}
		if want := `{"docId":"doc-1","domain":null,"annotations":[]}`; f.Body(1) != want || f.Request(1).Header.Get("Content-Type") != "application/json" {
			t.Errorf("sent %s as %v", f.Body(1), f.Request(1).Header)
		}
	}
}

// A lost response causes neither a second write nor a view.
func TestOperation_SignAndMintResponseLost(t *testing.T) {
	t.Parallel()
	for name, first := range lostAnswers() {
		c, f, clock := dial(t, "{sign} -> "+first+"; {mint} -> "+first)
		_, err := c.Sign(t.Context(), SignRequest{DocID: testDocID, Annotations: map[string]string{"a": "b"}})
		assert.True(t, transport.IsUnknownOutcome(err), "%s: sign: %v", name, err)
		assert.Contains(t, err.Error(), testDocID, "%s: sign: %v", name, err)
		assert.Contains(t, err.Error(), "may have been signed", "%s: sign: %v", name, err)
		_, err = c.Mint(t.Context(), mintRequest(t))
		assert.True(t, transport.IsUnknownOutcome(err), "%s: mint: %v", name, err)
		assert.Contains(t, err.Error(), "TERMS", "%s: mint: %v", name, err)
		assert.Contains(t, err.Error(), "may have been minted", "%s: mint: %v", name, err)
		if !slices.Equal(f.Calls(), []string{signs, mints}) || clock.Slept() != 0 {
			t.Errorf("%s: calls %v", name, f.Calls())
		}
	}
}

// A server in front of the API that rejects a call has stored nothing, so the call can be made again.
func TestOperation_StoppedByGateway(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 403, 404, 408, 411, 413, 415} {
		for _, stopped := range []string{" page", "", ` body {"message":"Forbidden"}`} {
			c, f, _ := dial(t, fmt.Sprintf("{sign} -> %[1]d%[2]s; {mint} -> %[1]d%[2]s; {upload} -> %[1]d%[2]s", status, stopped))
			for range 2 {
				_, err := c.Sign(t.Context(), SignRequest{DocID: testDocID})
				assert.False(t, transport.IsUnknownOutcome(err), "sign: %v", err)
				_, err = c.Mint(t.Context(), mintRequest(t))
				assert.False(t, transport.IsUnknownOutcome(err), "mint: %v", err)
				_, _, err = c.Upload(t.Context(), uploadRequest(t))
				assert.False(t, transport.IsUnknownOutcome(err), "upload: %v", err)
				assert.True(t, transport.IsStatus(err, status), "upload: %v", err)
			}
			assert.Len(t, f.Calls(), 6, "HTTP %d", status)
		}
	}
}

func TestMint_SendsForm(t *testing.T) {
	t.Parallel()
	const png = "\x89PNG\r\n\x1a\n-----"
	c, f, _ := dial(t, `{mint} -> 200 {"assetId":12345678901234567890,"transactionId":"tx","pdfIpfsUrl":"ipfs://p","imageIpfsUrl":"ipfs://i",`+
		`"nftMetadata":{"unitName":"TERMS","decimals":0}}`, familyA)
	req := mintRequest(t)
	req.ImagePath = write(t, "thumb.png", png)
	req.Description, req.Pages, req.WordCount, req.Language = new("d"), new(int64(3)), new(int64(1000)), new("en")
	req.Creator, req.CreatorEmail, req.CreationDate = new("Ada"), new(testOwner), new("2026-10-05")
	got, err := c.Mint(t.Context(), req)
	require.NoError(t, err)
	if got.AssetID != "12345678901234567890" || got.TransactionID != "tx" || got.PDFIPFSURL != "ipfs://p" || got.ImageIPFSURL != "ipfs://i" ||
		string(got.Metadata) != `{"decimals":0,"unitName":"TERMS"}` || !strings.HasPrefix(string(got.Raw), `{"assetId":12345678901234567890,`) {
		t.Errorf("got %+v", got)
	}
	want := []transporttest.Part{
		{Name: "unitName", Content: "TERMS"},
		{Name: "assetName", Content: "Acme terms 2026"},
		{Name: "storeOnIPFS", Content: "true"},
		{Name: "nftStandard", Content: "ARC3"},
		{Name: "description", Content: "d"},
		{Name: "pages", Content: "3"},
		{Name: "wordCount", Content: "1000"},
		{Name: "language", Content: "en"},
		{Name: "creator", Content: "Ada"},
		{Name: "creatorEmail", Content: testOwner},
		{Name: "creationDate", Content: "2026-10-05"},
		{Name: "file", FileName: testFile, ContentType: "application/pdf", Content: testPDF},
		{Name: "image", FileName: "thumb.png", ContentType: "image/png", Content: png},
	}
	assert.Equal(t, want, f.Form(0), "sent")
}

// The API confirmed the mint, so that no form of the response is an error.
func TestMint_AcceptsAnyResponse(t *testing.T) {
	t.Parallel()
	for body, id := range map[string]string{
		`{"status":"OK","data":{"assetId":"7","nftMetadata":null}}`: "7",
		`{"status":"OK","data":{"result":{"assetId":7}}}`:           "7",
		`{"status":"OK","data":{"message":"minted"}}`:               "",
		`{"status":"OK","data":[]}`:                                 "",
		`{"status":"OK"}`:                                           "",
	} {
		c, f, _ := dial(t, "{mint} -> 200 body "+body)
		req := mintRequest(t)
		req.ImagePath = write(t, "odd.png", "no image")
		got, err := c.Mint(t.Context(), req)
		if err != nil || got.AssetID != id || got.Metadata != nil || (got.Raw == nil) != (body == `{"status":"OK"}`) {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
		form := f.Form(0)
		assert.Equal(t, "application/octet-stream", form[len(form)-1].ContentType, form)
	}
}
