package simulator_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// The rows of the Signing API Specification, in its order and for both path families.
func TestSigningAPISpecification(t *testing.T) {
	t.Parallel()
	for name, f := range families {
		t.Run("family "+name, func(t *testing.T) {
			t.Parallel()
			checkTable(t, signingChapters, func(w *world) {
				maps.Copy(w.names, f)
				sum := sha256.Sum256(newPDF(2000))
				w.names["sum"] = hex.EncodeToString(sum[:])
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

	// awaited is what an upload to Bob has done; opened is that a view has a log entry.
	awaited = "+bob@client.example Name: Name open, +document 0 waits, +email signing-link bob@client.example of personal.portals.example"
	viewed  = "+view of document 0"

	viewBody = `{"docId":"{doc0}","domain":null}`
	sentDocs = "POST /signing/view/sent-documents"
)

// families are the paths of the two families, and what an upload answers in each.
var families = map[string]map[string]string{
	"A": {
		"upload": "/signing/upload", "sign": "/signing/sign", "view": "/signing/view-document", "signatures": "/signing/signature-list",
		"uploaded": `{"message":"<text>","docId":"<id>"}`,
	},
	"B": {
		"upload": "/signing-api/documents", "sign": "/signing-api/documents/update", "view": "/signing-api/documents/view",
		"signatures": "/signing-api/signatures/list", "uploaded": `{"result":{"message":"<text>","docId":"<id>"}}`,
	},
}

// signedBy is a signer with annotations.
func signedBy(email string, order int, annotations ...string) string {
	return fmt.Sprintf(`{"domain":null,"email":%q,"firstName":"First","lastName":"Last","signOrder":%d,"annotations":[%s]}`,
		email, order, strings.Join(annotations, ","))
}

func waits(kind, content string) string { return annotated(kind, content, false) }

func done(kind, content string) string { return annotated(kind, content, true) }

func annotated(kind, content string, verified bool) string {
	return fmt.Sprintf(`{"type":%q,"content":%q,"isVerified":%t,"style":{"width":120,"height":40,"x":10,"y":20.5,"page":1,"fontSize":"12pt"}}`, kind, content, verified)
}

// signers are those of an upload, instead of Bob.
func signers(signers ...string) string { return `"signers":[` + strings.Join(signers, ",") + "]" }

// termsOf is an upload for these signers; the changes replace a field by others.
func termsOf(signers string, changes ...string) string {
	return "FORM {upload} " + strings.NewReplacer(append(changes, bobSigns, signers)...).Replace(termsBody)
}

// paged is an upload with an annotation on a page.
func paged(page int) string { return bent(`"page":1`, fmt.Sprintf(`"page":%d`, page)) }

// keyRows are the calls of each endpoint with keys that may not make it.
func keyRows() (rows []row) {
	for call, body := range map[string]string{
		"FORM {upload}": termsBody, "FORM /signing-api/mintDocument": mintBody, "POST {sign}": signBody, "POST {view}": viewBody, sentDocs: `{"domain":null}`, "GET {signatures}": "",
	} {
		rows = append(rows,
			row{uploaded + "; token", call, body, "401 INVALID_USER_API_KEY", ""},
			row{uploaded + "; token sig_", call, body, "401 INVALID_USER_API_KEY", ""},
			row{uploaded + "; token {key}", call, body, "401 INVALID_USER_API_KEY", ""},
			row{uploaded + "; BreakInternalKeys true", call, body, "400 INVALID_API_KEY", ""},
		)
		listed := strings.HasPrefix(call, "FORM")
		wrong := "400 INVALID_API_KEY"
		if listed {
			wrong = "401 INVALID_USER_API_KEY"
		}
		rows = append(rows, row{"form signing-wrong-key=internal-key; " + uploaded + "; token wrong", call, body, wrong, ""})
		if listed || call == "POST {sign}" {
			rows = append(rows, row{uploaded + "; SetSigningPermission false", call, body, "403 NO_PERMISSION", ""})
		}
	}
	return rows
}

// bent is an upload whose signer differs.
func bent(old, changed string) string { return "+{" + strings.Replace(bobSigns, old, changed, 1) + "}" }

var (
	// agreed is document 0 of a private label, with everything; locked has a passcode.
	agreed = termsOf(signers(signedBy(ada, 1, done("Signature", "{signature3}")), signedBy(bob, 2, waits("Text", "Place"))),
		`"viewers":"[]"`, `"viewers":[{"email":"eve@client.example","firstName":"Eve","lastName":"Eden"}]`, `"domain":"null"`,
		`"domain":"SIGN.client.example","additionalMsg":"Please","requireNotarisation":"true","passcode":"0042","dueDate":"29-02-2028"`, "<pdf>", "<pdf 2000>")
	locked      = termsOf(bobSigns, `"domain":"null"`, `"passcode":"0042"`)
	pdfFile     = "bafkreidzjk5kj5xqn7crtck4ekkeucvuhlicwt5tfpppugksz2awcpfupm"
	verifyFlags = `"verifyIdCheck":false,"verifyGovId":false,"verifyMobilePhone":false,"verifyPayment":false,"verifyWallet":false`
	bobSigned   = "+bob@client.example Name: Bob verified, -bob@client.example Name: Name open, +document 0 is complete, -document 0 waits, " +
		"+email completed-document ada@client.example of personal.portals.example"
	mintedTerms = "+minted 1000001 Terms 2026 TERMS ARC3 https://ipfs.portals.example/ipfs/" + pdfFile
	fullMint    = `+{"image":"<png>","description":"All of them","pages":"3","wordCount":"700","language":"en","creator":"Ada","creatorEmail":"ada@client.example","creationDate":"2026-10-15"}`
	mintedFull  = `"assetId":1000001,"transactionId":"/^[A-Z2-7]{52}$/","pdfIpfsUrl":"https://ipfs.portals.example/ipfs/` + pdfFile + `","imageIpfsUrl":"https://ipfs.portals.example/ipfs/bafkreigsfosk2qlr6ie2x6admo43wc6mhfhoqh4oewcba5xx6v24ceox3e",` +
		`"nftMetadata":{"decimals":0,"document_url":"ipfs://` + pdfFile + `","document_integrity":"sha256-eUq6pPbwb8UZiVwilEoKtDrQK0+zK976GVLOgWE8tHs=","document_mimetype":"application/pdf","name":"Terms 2026","unitName":"TERMS",` +
		`"properties":{"creator":"Ada","creator_email":"ada@client.example","creation_date":"2026-10-15","description":"All of them","document_words":700,"document_pages":3,` +
		`"document_locale":"en","preview_url":"ipfs://bafkreigsfosk2qlr6ie2x6admo43wc6mhfhoqh4oewcba5xx6v24ceox3e","image_mimetype":"image/png"}}`
)

var signingChapters = []chapter{
	{"§2.1 Upload parameters", "FORM {upload}", termsBody, []row{
		{"", "", `+{"file":null}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", `+{"file":"%PDF-1.4"}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", `+{"file":null,"pdf":"<pdf>"}`, "400 NO_FILE_ATTACHED", ""},
		{"", "", "{}", "400 MISSING_BODY", ""},
		{"", "", `+{"image":"<pdf>"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"file":"<text>"}`, "400 INVALID_DATA", ""},
		{"", "", `+{"file":"file:"}`, "400 INVALID_DATA", ""},
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
		{"", "", "+{}", "200 {uploaded}", awaited},
		{"", "", `+{"domain":null}`, "200 {uploaded}", awaited},
		{"", "", `+{"additionalMsg":"null","passcode":"null","dueDate":"null","requireNotarisation":"false","domain":"personal.portals.example"}`, "200 {uploaded}", awaited},
		{"", "", `+{"domain":"business.example"}`, "200 {uploaded}", strings.Replace(awaited, personal, "business.example", 1)}, // of no portal
		{"", "", `+{"domain":"no host"}`, "403 NO_PERMISSION", ""},
		{strict + "; AddConsoleLabel sign.agency.example ada@client.example", "", `+{"domain":"sign.agency.example"}`, "200 {uploaded}", strings.Replace(awaited, personal, "sign.agency.example", 1)},
		{strict + "; AddConsoleLabel sign.agency.example ada@client.example", "", `+{"domain":"agency.example"}`, "200 {uploaded}", strings.Replace(awaited, personal, "agency.example", 1)}, // the business above it
		{strict + "; AddConsoleLabel sign.agency.example ada@client.example", "", `+{"domain":"gency.example"}`, "403 NO_PERMISSION", ""},
		{strict + "; AddConsoleLabel sign.agency.example ada@client.example", "", `+{"domain":"example"}`, "403 NO_PERMISSION", ""},
		{strict + "; AddConsoleLabel sign.agency.example ada@client.example", "", `+{"domain":"www.sign.agency.example"}`, "403 NO_PERMISSION", ""},
		{strict + "; AddConsoleLabel sign.agency.example ada@client.example; move-away sign.agency.example", "", `+{"domain":"agency.example"}`, "403 NO_PERMISSION", ""},
		{"", "", `+{"file":"<pdf 10485759>"}`, "200 {uploaded}", awaited}, // §8
		{"", "", `+{"file":"<pdf 10485760>"}`, "400 INVALID_DATA", ""},
		{"form upload-size=decimal", "", `+{"file":"<pdf 9999999>"}`, "200 {uploaded}", awaited},
		{"form upload-size=decimal", "", `+{"file":"<pdf 10000000>"}`, "400 INVALID_DATA", ""},
		{"form upload-arrays=singular", "", "+{}", "400 INVALID_DATA", ""},
		{"form upload-arrays=singular", "", `+{"viewers":null,"signers":null,"viewer":"[]","signer":"[]"}`, "200 {uploaded}", "+document 0 is complete, +email completed-document ada@client.example of personal.portals.example"},
		{"", "POST: {upload}", "", "400 MISSING_BODY", ""},
		{"", "POST:multipart/form-data;boundary=x {upload}", "", "400 MISSING_BODY", ""},
		{"", "POST: {upload}", "title=Terms", "400 INVALID_DATA", ""},
		{"", "POST:application/json {upload}", `{"title":"Terms"}`, "400 INVALID_DATA", ""},
		{"", "POST:multipart/form-data {upload}", "--x--", "400 INVALID_DATA", ""},
		{"", "POST:multipart/form-data;boundary=x {upload}", "--y--", "400 INVALID_DATA", ""},
		{"", "POST:multipart/form-data;boundary=x {upload}", "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nTer", "400 INVALID_DATA", ""},
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
	{"§2.5 Style, its page", "FORM {upload}", termsBody, []row{
		{"", "", paged(-1), "200 {uploaded}", awaited},
		{"form annotation-page=zero", "", paged(-1), "400 INVALID_DATA", ""},
		{"form annotation-page=zero", "", paged(0), "200 {uploaded}", awaited},
		{"form annotation-page=one", "", paged(0), "400 INVALID_DATA", ""},
		{"form annotation-page=one", "", paged(1), "200 {uploaded}", awaited},
	}},
	{"§2.6 Viewed document", "POST {view}", viewBody, []row{
		{agreed, "", "+{}", "200 {" + `"document":{"id":"{doc0}","title":"Terms","ownerId":"{ada}","domain":"sign.client.example","createdAt":"<now>","updatedAt":"<now>",` +
			`"isDocumentEncrypted":true,"firstName":"Ada","lastName":"Lovelace","email":"ada@client.example","dueDate":"29-02-2028","ownerTrustScore":0,` +
			`"additionalMsg":"Please","requireNotarisation":true,"notarisationStatus":null,"transactionHash":null,"merkleRoot":null,"notarisationTimeStamp":null,` +
			`"passcode":"0042","checksum":"{sum}","notarisationNetwork":null,"paymentMethod":null,"templateId":null,` + verifyFlags + `},` +
			`"recipients":[{"userId":"{ada}","firstName":"First","lastName":"Last","signOrder":1,"trustScore":0,"status":"Active","email":"ada@client.example","role":null,` + verifyFlags + `},` +
			`{"userId":"<id>","firstName":"First","lastName":"Last","signOrder":2,"trustScore":0,"status":"Active","email":"bob@client.example","role":null,` + verifyFlags + `},` +
			`{"userId":"<id>","firstName":"Eve","lastName":"Eden","signOrder":0,"trustScore":0,"status":"Active","email":"eve@client.example","role":"Viewer",` + verifyFlags + `}],` +
			`"annotations":[{"id":"{annotation0}","type":{"type":"Signature","filePath":"{signature3}"},"isVerified":true,"content":"{signature3}",` +
			`"width":120,"height":40,"x":10,"y":20.5,"page":1,"fontSize":"12pt","userId":"{ada}","docId":"{doc0}","email":"ada@client.example"},` +
			`{"id":"{annotation1}","type":{"type":"Text","filePath":""},"isVerified":false,"content":"Place",` +
			`"width":120,"height":40,"x":10,"y":20.5,"page":1,"fontSize":"12pt","userId":"<id>","docId":"{doc0}","email":"bob@client.example"}],` +
			`"logs":[{"userId":"<id>","action":"View","createdAt":"<now>","ipAddr":"127.0.0.1","credentialName":null}],` +
			`"domainOwners":[{"userId":"{ada}","email":"ada@client.example","firstName":"Ada","lastName":"Lovelace"}],"ownerShareReferralCode":"<text>"}`, viewed},
		{agreed + "; POST {view} " + viewBody, "", "+{}", `200 {"logs":"<2 rows>","…":0}`, viewed},
		{uploaded, "", "+{}", `200 {"document":{"domain":"personal.portals.example","dueDate":null,"isDocumentEncrypted":false,"additionalMsg":null,"…":0},"domainOwners":[],"…":0}`, viewed},
		{termsOf(bobSigns, ada, "{user}"), "", "+{}", `200 {"document":{"firstName":"Account","email":"{user}","…":0},"…":0}`, viewed},
		{termsOf(bobSigns, ada, eve), "", "+{}", `200 {"document":{"firstName":"","ownerId":"<id>","email":"eve@client.example","…":0},"…":0}`, viewed},
		{uploaded + "; wait 1h; POST {sign} " + signBody, "", "+{}", `200 {"document":{"updatedAt":"<now>","createdAt":1792065600000,"…":0},"…":0}`, viewed},
		{uploaded + "; POST {sign} " + signBody + "; wait 1h; POST {sign} " + signBody, "", "+{}", `200 {"document":{"updatedAt":1792065600000,"…":0},"…":0}`, viewed}, // the same again
		{"form viewed-due-date=milliseconds; " + agreed, "", "+{}", `200 {"document":{"dueDate":1835395200000,"…":0},"…":0}`, viewed},
		{"form viewed-due-date=object; " + agreed, "", "+{}", `200 {"document":{"dueDate":{"day":29,"month":2,"year":2028},"…":0},"…":0}`, viewed},
		{"form viewed-due-date=object; " + uploaded, "", "+{}", `200 {"document":{"dueDate":null,"…":0},"…":0}`, viewed},
		{"form viewed-type=text; " + uploaded, "", "+{}", `200 {"annotations":[{"type":"Name","…":0}],"…":0}`, viewed},
		{"form viewed-font-size=number; " + uploaded, "", "+{}", `200 {"annotations":[{"fontSize":12,"…":0}],"…":0}`, viewed},
		{"form figure-fields=null; " + uploaded, "", "+{}", `200 {"document":{"ownerTrustScore":null,"…":0},"recipients":[{"verifyGovId":null,"…":0}],"…":0}`, viewed},
		{
			"form figure-fields=omitted; " + uploaded, "", "+{}",
			`200 {"document":{"ownerTrustScore":"<none>","verifyGovId":"<none>","…":0},"recipients":[{"trustScore":"<none>","…":0}],"…":0}`, viewed,
		},
	}},
	{"§2.7 Mint parameters", "FORM /signing-api/mintDocument", mintBody, []row{
		{"", "", `+{"unitName":"üüüüüüüü","assetName":"ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß"}`, `200 {"…":0}`, "+minted 1000001 ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß üüüüüüüü ARC3 https://ipfs.portals.example/ipfs/" + pdfFile}, // characters, not bytes
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
	{"§4.1 Upload a document", "FORM {upload}", termsBody, []row{
		{"", "", "+{" + signers(signedBy(ada, 1, done("Signature", "{signature3}"))) + "}", "200 {uploaded}", // scenario 1
			"+ada@client.example Signature: {signature3} verified, +document 0 is complete, +email completed-document ada@client.example of personal.portals.example"},
		{"", "", "+{" + signers(signedBy(ada, 1, waits("Signature", "Signature"))) + "}", "200 {uploaded}", // scenario 2
			"+ada@client.example Signature: Signature open, +document 0 waits, +email signing-link ada@client.example of personal.portals.example"},
		{
			"", "", "+{" + signers(signedBy(bob, 1, waits("Signature", "Signature"), waits("EditableText", "Place"), waits("Date", "Date"))) + "}", "200 {uploaded}", // scenario 3
			"+bob@client.example Date: Date open, +bob@client.example EditableText: Place open, +bob@client.example Signature: Signature open, " +
				"+document 0 waits, +email signing-link bob@client.example of personal.portals.example",
		},
		{"", "", "+{" + signers(signedBy(bob, 1, waits("Name", "Name")), signedBy(eve, 1, waits("Text", "Text"))) + "}", "200 {uploaded}", // in any order
			"+bob@client.example Name: Name open, +document 0 waits, +email signing-link bob@client.example of personal.portals.example, " +
				"+email signing-link eve@client.example of personal.portals.example, +eve@client.example Text: Text open"},
		{"", "", "+{" + signers(signedBy(bob, 7, waits("Name", "Name")), signedBy(eve, 3, waits("Stamp", "Stamp"))) + "}", "200 {uploaded}", // one after another
			"+bob@client.example Name: Name open, +document 0 waits, +email signing-link eve@client.example of personal.portals.example, +eve@client.example Stamp: Stamp open"},
		{
			"", "", "+{" + signers(signedBy(bob, 7, waits("Email", "Email")), signedBy(eve, 3, done("NonEditableText", "as agreed"))) + "}", "200 {uploaded}", // the first has signed
			"+bob@client.example Email: Email open, +document 0 waits, +email signing-link bob@client.example of personal.portals.example, " +
				"+eve@client.example NonEditableText: as agreed verified",
		},
		{"", "", "+{" + signers(signedBy(bob, 1, waits("Name", "Name")), signedBy(bob, 1, waits("Date", "Date"))) + "}", "200 {uploaded}", // one signs twice
			"+bob@client.example Date: Date open, +bob@client.example Name: Name open, +document 0 waits, " +
				"+email signing-link bob@client.example of personal.portals.example, +email signing-link bob@client.example of personal.portals.example"},
		{"", "", `+{"signers":"[]"}`, "200 {uploaded}", "+document 0 is complete, +email completed-document ada@client.example of personal.portals.example"},
		{agreed, "GET {reseller}/private-labels", "", `200 {"privateLabels":[{"metrics":{"documentsSent":1,"…":0},"…":0}],"…":0}`, ""},
		{"form signing-result=flat", "", "+{}", `200 {"message":"<text>","docId":"<id>"}`, awaited},
		{"form signing-result=nested", "", "+{}", `200 {"result":{"message":"<text>","docId":"<id>"}}`, awaited},
		{"fault POST_{upload} 500 -after", "", "+{}", "500 INTERNAL_SERVER_ERROR", awaited},
		{"fault POST_{upload} 401", "", "+{}", "401 INVALID_USER_API_KEY", ""},
		{"fault POST_{upload} 403", "", "+{}", "403 NO_PERMISSION", ""},
	}},
	{"§4.2 Get sent documents", sentDocs, `{"domain":"sign.client.example"}`, []row{
		{agreed + "; " + uploaded, "", "+{}", `200 {"documents":[{"id":"{doc0}","title":"Terms","fileName":"terms.pdf","domain":"sign.client.example","ownerId":"{ada}",` +
			`"email":"ada@client.example","checksum":"{sum}","createdAt":"<now>","updatedAt":"<now>","isCompleted":false,` +
			`"recipients":[{"email":"ada@client.example","…":0},{"email":"bob@client.example","…":0},{"email":"eve@client.example","…":0}]}]}`, ""},
		{agreed + "; " + uploaded, "", `{"domain":null}`, `200 {"documents":[{"id":"{doc1}","domain":"personal.portals.example","…":0}]}`, ""},
		{
			uploaded + "; " + uploaded + "; POST {sign} " + signBody, "", `{"domain":"personal.portals.example"}`,
			`200 {"documents":[{"id":"{doc0}","isCompleted":true,"…":0},{"id":"{doc1}","isCompleted":false,"…":0}]}`, "",
		},
		{uploaded, "", `{"domain":"partner.example"}`, `200 {"documents":[]}`, ""},
		{"", "", "", "400 INVALID_DATA", ""},
		{"", "", `{"domain":1}`, "400 INVALID_DATA", ""},
		{strict, "", `{"domain":"elsewhere.example"}`, "403 NO_PERMISSION", ""},
		{
			strict + "; AddConsoleLabel sign.agency.example ada@client.example; " + termsOf(bobSigns, `"domain":"null"`, `"domain":"agency.example"`), "",
			`{"domain":"agency.example"}`, `200 {"documents":"<1 rows>"}`, "",
		},
		{"form signing-domain=required", "", "{}", "400 INVALID_DATA", ""},
		{"", "GET /signing/view/sent-documents", "", "404 NOT_FOUND", ""},
		{"", "POST /signing-api/documents/sent-documents", "+{}", "404 NOT_FOUND", ""},
		{"form sent-path=both; " + agreed, "POST /signing-api/documents/sent-documents", "+{}", `200 {"documents":"<1 rows>"}`, ""},
		{"form sent-method=get; " + agreed, "GET /signing/view/sent-documents?domain=sign.client.example", "", `200 {"documents":"<1 rows>"}`, ""},
		{"form sent-method=get", "", "+{}", "404 NOT_FOUND", ""},
		{"form signing-rows=bare; " + agreed, "", "+{}", `200 [{"id":"{doc0}","…":0}]`, ""},
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
		{"form signing-domain=required; " + uploaded, "", `+{"domain":"partner.example"}`, `200 {"…":0}`, bobSigned},
		{uploaded, "POST:text/plain;charset=UTF-8 {sign}", "+{}", `200 {"…":0}`, bobSigned},
		{uploaded, "POST:application/xml {sign}", "+{}", "400 INVALID_DATA", ""},
		{uploaded, "POST:nonsense; {sign}", "+{}", "400 INVALID_DATA", ""},
		{uploaded + "; POST {sign} " + signBody, "", "+{}", `200 {"…":0}`, ""}, // the same again
		{
			shared + "; POST {sign} " + signBody, "", `+{"annotations":[{"id":"{annotation0}","content":"Bob"},{"id":"{annotation2}","content":"{signature2}"}]}`, `200 {"…":0}`,
			"+bob@client.example Signature: {signature2} verified, -bob@client.example Signature: Signature open, +email signing-link eve@client.example of personal.portals.example",
		},
		{termsOf(signers(signedBy(bob, 1, waits("Signature", "Signature")))), "", `+{"annotations":[{"id":"{annotation0}","content":"{signature3}"}]}`, "400 INVALID_DATA", ""}, // Ada's
		{
			termsOf(signers(signedBy(ada, 1, waits("Signature", "Signature")))), "", `+{"annotations":[{"id":"{annotation0}","content":"{signature3}"}]}`, `200 {"…":0}`,
			"+ada@client.example Signature: {signature3} verified, -ada@client.example Signature: Signature open, +document 0 is complete, -document 0 waits, " +
				"+email completed-document ada@client.example of personal.portals.example",
		},
		{locked, "", "+{}", "403 NO_PERMISSION", ""},
		{locked, "", `{"docId":"{doc0}","annotations":[{"id":"{annotation0}","content":"Bob"}],"docPassword":null}`, "403 NO_PERMISSION", ""},
		{locked, "", `+{"docPassword":""}`, "403 NO_PERMISSION", ""},
		{locked, "", `+{"docPassword":"42"}`, "403 NO_PERMISSION", ""},
		{locked, "", `+{"docPassword":"0042"}`, `200 {"…":0}`, bobSigned},
		{"form sign-for-others=rejected; " + termsOf(signers(signedBy("{user}", 1, waits("Name", "Name")))), "", "+{}", `200 {"…":0}`, strings.ReplaceAll(bobSigned, bob, "{user}")},
		{shared, "DO SignInApp {doc0} BOB@client.example", "", "200", "+bob@client.example Name: Name verified, -bob@client.example Name: Name open, " +
			"-bob@client.example Signature: Signature open, +bob@client.example Signature: {drawn} verified, +email signing-link eve@client.example of personal.portals.example"},
		{shared, "DO SignInApp none bob@client.example", "", "0", ""},
		{shared, "DO SignInApp {doc0} ada@client.example", "", "0", ""},
		{shared, "DO SignInApp {doc0} eve@client.example", "", "0", ""}, // not her turn
		{shared + "; SignInApp {doc0} bob@client.example", "DO SignInApp {doc0} bob@client.example", "", "0", ""},
	}},
	{"§4.4 View a document", "POST {view}", viewBody, []row{
		{uploaded, "", `+{"domain":null}`, `200 {"…":0}`, viewed},
		{uploaded, "", `+{"domain":"personal.portals.example"}`, `200 {"…":0}`, viewed},
		{uploaded, "", `+{"domain":"Partner.example"}`, `200 {"…":0}`, viewed},
		{strict + "; " + uploaded, "", `+{"domain":"elsewhere.example"}`, "403 NO_PERMISSION", ""},
		{strict + "; " + uploaded, "", `+{"domain":""}`, "403 NO_PERMISSION", ""},
		{"", "", `+{"docId":"none"}`, "400 INVALID_DOC_ID", ""},
		{"", "", `{"domain":null}`, "400 INVALID_DOC_ID", ""},
		{uploaded, "", `+{"color":1}`, "400 INVALID_DATA", ""},
		{uploaded, "", "docId={doc0}", "400 INVALID_DATA", ""},
		{uploaded, "", "", "400 INVALID_DATA", ""},
		{uploaded, "POST: {view}", "+{}", `200 {"…":0}`, viewed},
		{uploaded, "POST:text/plain {view}", "+{}", `200 {"…":0}`, viewed},
		{"form signing-domain=required; " + uploaded, "", "+{}", "400 INVALID_DATA", ""},
		{uploaded, "", `"{\"docId\":\"{doc0}\"}"`, "400 INVALID_DATA", ""},
		{"form signing-body=quoted; " + uploaded, "", `"{\"docId\":\"{doc0}\"}"`, `200 {"…":0}`, viewed},
		{"form signing-body=quoted; " + uploaded, "", "+{}", "400 INVALID_DATA", ""},
	}},
	{"§4.5 List signatures", "GET {signatures}", "", []row{
		{"", "", "", `200 {"signatures":[{"id":"/[.]png$/","type":"Signature"},{"id":"{signature1}","type":"Signature"},{"id":"{signature2}","type":"Signature"}]}`, ""},
		{"form signing-rows=bare", "", "", "200 [{\"id\":\"{signature0}\",\"…\":0},{\"…\":0},{\"…\":0}]", ""},
		{"form signing-rows=by-id", "", "", `200 {"signatures":{"{signature0}":{"id":"{signature0}","type":"Signature"},"…":0}}`, ""},
		{"form signing-rows=two-lists; form signature-row=text", "", "", `200 {"shared":[],"signatures":["{signature0}","{signature1}","{signature2}"]}`, ""},
		{"form signature-row=odd", "", "", `200 {"signatures":[{"type":"Signature"},{"id":"{signature1}","…":0},{"…":0}]}`, ""},
	}},
	{"§4.6 Mint a document", "FORM /signing-api/mintDocument", mintBody, []row{
		{"", "", fullMint, `200 {` + mintedFull + `}`, mintedTerms + " https://ipfs.portals.example/ipfs/bafkreigsfosk2qlr6ie2x6admo43wc6mhfhoqh4oewcba5xx6v24ceox3e"},
		{"", "", strings.Replace(fullMint, "{", `{"nftStandard":"ARC69",`, 1), `200 {` + mintedFull + `}`, strings.Replace(mintedTerms, "ARC3", "ARC69", 1) + " https://ipfs.portals.example/ipfs/bafkreigsfosk2qlr6ie2x6admo43wc6mhfhoqh4oewcba5xx6v24ceox3e"},
		{"FORM /signing-api/mintDocument " + mintBody, "", "+{}", `200 {"assetId":1000002,"…":0}`, strings.Replace(mintedTerms, "1000001", "1000002", 1)}, // another asset
		{"", "", `+{"storeOnIPFS":"false","image":"<jpeg>"}`, `200 {"pdfIpfsUrl":"","imageIpfsUrl":"","nftMetadata":{"document_url":"","properties":{"creator":null,"creator_email":null,` +
			`"creation_date":null,"description":null,"document_words":0,"document_pages":0,"document_locale":"","preview_url":"","image_mimetype":"image/jpeg"},"…":0},"…":0}`, "+minted 1000001 Terms 2026 TERMS ARC3"},
		{
			"", "", `+{"storeOnIPFS":"false","description":"null","pages":"null","wordCount":"null","language":"null","creator":"null","creatorEmail":"null","creationDate":"null"}`,
			`200 {"nftMetadata":{"properties":{"creator":null,"creation_date":null,"document_pages":0,"…":0},"…":0},"…":0}`, "+minted 1000001 Terms 2026 TERMS ARC3",
		},
		{"form arc69=short", "", `+{"nftStandard":"ARC69"}`, `200 {"assetId":1000001,"transactionId":"/^[A-Z2-7]{52}$/"}`, strings.Replace(mintedTerms, "ARC3", "ARC69", 1)},
		{"form arc69=short", "", "+{}", `200 {"nftMetadata":{"…":0},"…":0}`, mintedTerms},
	}},
	{"§5 Authentication, §7 Errors", "GET {signatures}", "", append(keyRows(),
		row{uploaded + "; SetSigningPermission false", "POST {view}", viewBody, `200 {"…":0}`, viewed},
		row{"SetSigningPermission false", "", "", `200 {"…":0}`, ""},
		row{"SetSigningPermission false", sentDocs, `{"domain":null}`, `200 {"…":0}`, ""},
		row{"BreakInternalKeys true; BreakInternalKeys false", "", "", `200 {"…":0}`, ""},
		row{"RenewSigningKey", "", "", "401 INVALID_USER_API_KEY", ""},
		row{"RenewSigningKey; token {RenewSigningKey}", "", "", `200 {"…":0}`, ""},
		row{"form signing-status=ok; token", "", "", "200 INVALID_USER_API_KEY", ""},
		row{"form signing-status=ok", "POST {view}", `{"docId":"none"}`, "200 INVALID_DOC_ID", ""},
		row{"form signing-status=bad-request; token", "", "", "400 INVALID_USER_API_KEY", ""},
		row{"", "GET /signing/nowhere", "", "404 NOT_FOUND", ""},
	)},
	{"§8 Limits", "GET {signatures}", "", []row{
		{"310 times GET {signatures}", "", "", "200 | RateLimit-Limit ", ""},
		{"310 times GET {signatures}; wait 1m", "GET {reseller}/private-labels", "", "200 | RateLimit-Remaining 59", ""},
	}},
}
