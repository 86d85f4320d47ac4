package simulator_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func mintForm(standard string) form {
	return form{{"file", newPDF(0)}, {"unitName", "TERMS"}, {"assetName", "Terms 2026"}, {"storeOnIPFS", "true"}, {"nftStandard", standard}}
}

var (
	gatewayURL    = regexp.MustCompile(`^https://ipfs\.portals\.example/ipfs/bafk[a-z2-7]{55}$`)
	ipfsURL       = regexp.MustCompile(`^ipfs://bafk[a-z2-7]{55}$`)
	transactionID = regexp.MustCompile(`^[A-Z2-7]{52}$`)
	assetID       = regexp.MustCompile(`^[1-9]`)
)

func TestMintDocument(t *testing.T) {
	t.Parallel()
	for _, standard := range []string{"ARC3", "ARC69"} {
		t.Run(standard, func(t *testing.T) {
			t.Parallel()
			c := newSigningCaller(t, simulator.Forms{})
			full := mintForm(standard).with("image", imageOf(t, "png", 2, 2)).with("description", "All of them").with("pages", "3").with("wordCount", "700").
				with("language", "en").with("creator", "Ada").with("creatorEmail", ada).with("creationDate", "2026-10-15")
			data := c.sendForm(mintPath, full).data()
			metadata := as[object](data["nftMetadata"])
			exactly(t, object{
				"assetId": assetID, "transactionId": transactionID, "pdfIpfsUrl": gatewayURL, "imageIpfsUrl": gatewayURL, "nftMetadata": metadata,
			}, data)
			sum := sha256.Sum256(newPDF(0))
			exactly(t, object{
				"decimals": 0.0, "document_url": strings.Replace(as[string](data["pdfIpfsUrl"]), "https://ipfs.portals.example/ipfs/", "ipfs://", 1),
				"document_integrity": "sha256-" + base64.StdEncoding.EncodeToString(sum[:]), "document_mimetype": "application/pdf",
				"name": "Terms 2026", "unitName": "TERMS", "properties": metadata["properties"],
			}, metadata)
			exactly(t, object{
				"creator": "Ada", "creator_email": ada, "creation_date": "2026-10-15", "description": "All of them", "preview_url": ipfsURL,
				"document_words": 700.0, "document_pages": 3.0, "document_locale": "en", "image_mimetype": "image/png",
			}, as[object](metadata["properties"]))

			// Minting again creates another asset.
			again := c.sendForm(mintPath, mintForm(standard)).data()
			require.Equal(t, as[float64](data["assetId"])+1, as[float64](again["assetId"]))
			assert.NotEqual(t, data["transactionId"], again["transactionId"], "two assets of one transaction")
			minted := c.sim.Minted()
			require.Len(t, minted, 2)
			require.Equal(t, int64(as[float64](data["assetId"])), minted[0].AssetID)
			require.Equal(t, standard, minted[0].Standard)
			require.Equal(t, data["imageIpfsUrl"], minted[0].ImageURL)
			require.Equal(t, "", minted[1].ImageSHA256+minted[1].ImageURL)
			require.Equal(t, "Terms 2026TERMS", minted[1].AssetName+minted[1].UnitName)
		})
	}
}

func TestMintDocument_Nulls(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	nullable := []string{"description", "pages", "wordCount", "language", "creator", "creatorEmail", "creationDate"}
	for _, value := range []any{nil, "null"} {
		f := mintForm("ARC3").with("storeOnIPFS", "false").with("image", imageOf(t, "jpeg", 2, 2))
		for _, name := range nullable {
			f = f.with(name, value)
		}
		data := c.sendForm(mintPath, f).data()
		require.Subset(t, data, object{"pdfIpfsUrl": "", "imageIpfsUrl": ""})
		require.Subset(t, data["nftMetadata"], object{"document_url": "", "properties": object{
			"creator": nil, "creator_email": nil, "creation_date": nil, "description": nil, "document_words": 0.0, "document_pages": 0.0,
			"document_locale": "", "preview_url": "", "image_mimetype": "image/jpeg",
		}})
	}
}

func TestMintDocument_ARC69HasNoDetail(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{"arc69": "short"})
	keys(t, c.sendForm(mintPath, mintForm("ARC69")).data(), "assetId", "transactionId")
	keys(t, c.sendForm(mintPath, mintForm("ARC3")).data(), "assetId", "transactionId", "pdfIpfsUrl", "imageIpfsUrl", "nftMetadata")
}
