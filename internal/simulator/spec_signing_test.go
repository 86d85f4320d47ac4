package simulator_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The rows of the Signing API Specification, in its order and for both path families.
func TestSigningAPISpecification(t *testing.T) {
	t.Parallel()
	for name, f := range families {
		t.Run("family "+name, func(t *testing.T) {
			t.Parallel()
			checkTable(t, signingChapters, func(w *world) {
				w.names["upload"], w.names["sign"], w.names["view"] = f.upload, f.sign, f.view
				w.caller = w.with(w.sim.SigningAPIKey())
				w.base = simulator.SigningURL
			})
		})
	}
}

const (
	annotation = `{"type":"Name","content":"Name","isVerified":false,"style":{"width":120,"height":40,"x":10,"y":20.5,"page":1,"fontSize":"12pt"}}`
	bobSigns   = `"signers":[{"domain":null,"email":"bob@client.example","firstName":"First","lastName":"Last","signOrder":1,"annotations":[` + annotation + `]}]`
	termsBody  = `{"viewers":"[]",` + bobSigns + `,"ownerEmail":"ada@client.example","domain":"null","title":"Terms","fileName":"terms.pdf","file":"<pdf>"}`
	mintBody   = `{"file":"<pdf>","unitName":"TERMS","assetName":"Terms 2026","storeOnIPFS":"true","nftStandard":"ARC3"}`
	signBody   = `{"docId":"{doc0}","domain":null,"annotations":[{"id":"{annotation0}","content":"Bob"}]}`

	// uploaded is document 0, that waits for Bob; shared waits for him at first, and for Eve afterwards.
	uploaded = "FORM {upload} " + termsBody
	shared   = `FORM {upload} {"viewers":"[]","signers":[` +
		`{"email":"bob@client.example","firstName":"F","lastName":"L","signOrder":1,"annotations":[` +
		`{"type":"Name","content":"Name","isVerified":false,"style":{"width":1,"height":1,"x":1,"y":1,"page":1}},` +
		`{"type":"Name","content":"Bob","isVerified":true,"style":{"width":1,"height":1,"x":1,"y":1,"page":1}},` +
		`{"type":"Signature","content":"Signature","isVerified":false,"style":{"width":1,"height":1,"x":1,"y":1,"page":1}}]},` +
		`{"email":"eve@client.example","firstName":"F","lastName":"L","signOrder":2,"annotations":[` + annotation + `]}],` +
		`"ownerEmail":"ada@client.example","domain":"null","title":"Terms","fileName":"terms.pdf","file":"<pdf>"}`
	strict = "form strange-domain=rejected"
)

// bent is an upload whose signer differs.
func bent(old, changed string) string { return "+{" + strings.Replace(bobSigns, old, changed, 1) + "}" }

var signingChapters = []chapter{
	{"§2.1 Upload parameters", "FORM {upload}", termsBody, []row{
		{"", "", `+{"file":null}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", `+{"file":"%PDF-1.4"}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", `+{"file":null,"pdf":"<pdf>"}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", "{}", "400 MISSING_BODY", ""},
		{"", "", `+{"image":"<pdf>"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"file":"<text>"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"file":"<empty>"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"color":"red"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"viewers":null,"viewer":"[]"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"Title":"Terms"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"":"Terms"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"viewers":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"viewers":"null"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"signers":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"signers":"[object Object]"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"signers":{"email":"bob@client.example"}}`, "400 INVALID_DATA", ""},
		{"", "", `+{"signers":"[null]"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"signers":"[] []"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"ownerEmail":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"ownerEmail":"Ada <ada@client.example>"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"title":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"title":" "}`, "400 INVALID_DATA", ""},
		{"", "", `+{"fileName":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"requireNotarisation":"yes"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"passcode":"123"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"passcode":"123456789"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"passcode":"12a4"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"dueDate":"2028-02-29"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"dueDate":"29-02-2027"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"dueDate":"1-2-2028"}`, "400 INVALID_DATA", ""},
		{strict, "", `+{"domain":"elsewhere.example"}`, "403 NO_PERMISSION", ""},
		{strict, "", `+{"domain":""}`, "403 NO_PERMISSION", ""},
	}},
	{"§2.2 Viewer", "FORM {upload}", termsBody, []row{
		{"", "", `+{"viewers":[{"email":"nobody","firstName":"A","lastName":"B"}]}`, "400 INVALID_DATA", ""},
		{"", "", `+{"viewers":[{"email":"eve@client.example"}]}`, "400 INVALID_DATA", ""},
	}},
	{"§2.3 Signer", "FORM {upload}", termsBody, []row{
		{"", "", bent(`"email":"bob@client.example",`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`"lastName":"Last",`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`"signOrder":1,`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`,"annotations":[`+annotation+`]`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`"signOrder":1`, `"color":"red","signOrder":1`), "400 INVALID_DATA", ""},
	}},
	{"§2.4 Annotation, §2.5 Style", "FORM {upload}", termsBody, []row{
		{"", "", bent(`"Name","content"`, `"signature","content"`), "400 INVALID_DATA", ""},
		{"", "", bent(`"content":"Name",`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`"content"`, `"Content"`), "400 INVALID_DATA", ""},
		{"", "", bent(`"isVerified":false,`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`"isVerified":false,`, `"isVerified":false,"ifVerified":false,`), "400 INVALID_DATA", ""},
		{"", "", bent(`"style":{"width":120,"height":40,"x":10,"y":20.5,"page":1,"fontSize":"12pt"}`, `"color":1`), "400 INVALID_DATA", ""},
		{"", "", bent(`,"style":{"width":120,"height":40,"x":10,"y":20.5,"page":1,"fontSize":"12pt"}`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`"width":120,`, ""), "400 INVALID_DATA", ""},
		{"", "", bent(`"12pt"`, `"12px"`), "400 INVALID_DATA", ""},
		{"", "", bent(`"Name","content":"Name","isVerified":false`, `"Signature","content":"","isVerified":true`), "400 INVALID_DATA", ""},
		{"", "", bent(`"Name","content":"Name","isVerified":false`, `"Signature","content":"nobody.png","isVerified":true`), "400 INVALID_DATA", ""},
		{"", "", bent(`"Name","content":"Name"`, `"Signature","content":"Sign here"`), "400 INVALID_DATA", ""},
	}},
	{"§2.7 Mint parameters", "FORM /signing-api/mintDocument", mintBody, []row{
		{"", "", `+{"unitName":"üüüüüüüü","assetName":"ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß"}`, `200 {"…":0}`, "+minted üüüüüüüü ARC3"}, // characters, not bytes
		{"", "", "{}", "400 NO_FILE_ATTACHED", ""},
		{"", "", `+{"file":null}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", `+{"file":null,"image":"<png>"}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", `+{"image":"<png>","more":"<png>"}`, "400 FILE_ATTACHMENT_ISSUE", ""},
		{"", "", `+{"file":"<png>"}`, "400 INVALID_FILE_TYPE", ""},
		{"", "", `+{"image":"<pdf>"}`, "400 INVALID_FILE_TYPE", ""},
		{"", "", `+{"image":"<gif>"}`, "400 INVALID_FILE_TYPE", ""},
		{"", "", `+{"unitName":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"unitName":" "}`, "400 INVALID_DATA", ""},
		{"", "", `+{"unitName":"NINECHARS"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"assetName":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"assetName":"123456789012345678901234567890123"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"pages":"many"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"wordCount":"-1"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"creatorEmail":"ada"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"storeOnIPFS":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"storeOnIPFS":"1"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"nftStandard":null}`, "400 INVALID_DATA", ""},
		{"", "", `+{"nftStandard":"ARC19"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"color":"red"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"name":"Terms"}`, "400 INVALID_DATA", ""}, // of the API's own
		{"", "POST /signing-api/mintDocument", "{}", "400 INVALID_DATA", ""},
		{"", "POST /signing-api/mintDocument", "", "400 NO_FILE_ATTACHED", ""},
		{"", "POST /signing/mintDocument", "", "404 NOT_FOUND", ""},
	}},
	{"§4.3 Update (sign) a document", "POST {sign}", signBody, []row{
		{uploaded, "", "+{}", `200 {"message":"<text>","docId":"{doc0}"}`, "+bob@client.example Name: Bob verified, -bob@client.example Name: Name open, " +
			"+document 0 is complete, -document 0 waits, +email completed-document ada@client.example of personal.portals.example"},
		{shared, "", "+{}", `200 {"message":"<text>","docId":"{doc0}"}`, "+bob@client.example Name: Bob verified, -bob@client.example Name: Name open"},
		{shared, "", "", "400 INVALID_DATA", ""},
		{shared, "", "hello", "400 INVALID_DATA", ""},
		{shared, "", `"{}"`, "400 INVALID_DATA", ""},
		{shared, "", `+{"docId":null}`, "400 INVALID_DATA", ""},
		{shared, "", `+{"annotations":null}`, "400 INVALID_DATA", ""},
		{shared, "", `+{"annotations":[]}`, "400 INVALID_DATA", ""},
		{shared, "", `+{"color":1}`, "400 INVALID_DATA", ""},
		{shared, "", `+{"annotations":[{"content":"Here"}]}`, "400 INVALID_DATA", ""},
		{shared, "", `+{"annotations":[{"id":"{annotation0}"}]}`, "400 INVALID_DATA", ""},
		{shared, "", `+{"annotations":[{"id":"{annotation0}","Content":"Here"}]}`, "400 INVALID_DATA", ""},
		{shared + "; " + uploaded, "", `+{"docId":"{doc1}"}`, "400 INVALID_DATA", ""}, // another document's
		{shared, "", `+{"annotations":[{"id":"{annotation0}","content":"Bob"},{"id":"{annotation0}","content":"Bob"}]}`, "400 INVALID_DATA", ""},
		{shared, "", `+{"annotations":[{"id":"{annotation0}","content":"Bob"},{"id":"{annotation2}","content":"me.png"}]}`, "400 INVALID_DATA", ""}, // all or nothing
		{shared, "", `+{"annotations":[{"id":"{annotation1}","content":"Robert"}]}`, "400 INVALID_DATA", ""},                                        // it is verified
		{shared, "", `+{"docId":"none"}`, "400 INVALID_DOC_ID", ""},
		{strict + "; " + shared, "", `+{"domain":"elsewhere.example"}`, "403 NO_PERMISSION", ""},
		{shared, "", `+{"annotations":[{"id":"{annotation3}","content":"Eve"}]}`, "403 NO_PERMISSION", ""}, // not her turn
		{"form signed-again=rejected; " + uploaded + "; POST {sign} " + signBody, "", "+{}", "400 INVALID_DATA", ""},
		{"form sign-for-others=rejected; " + uploaded, "", "+{}", "403 NO_PERMISSION", ""},
		{"form signing-domain=required; " + uploaded, "", "+{}", "400 INVALID_DATA", ""},
	}},
}
