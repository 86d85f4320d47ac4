package simulator_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

var verifyFlags = []string{"verifyIdCheck", "verifyGovId", "verifyMobilePhone", "verifyPayment", "verifyWallet"}

func TestViewDocument(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		c.made(c.sim.AddConsoleLabel(client, ada))
		signature := c.sim.Signatures(ada)[0]
		id := c.uploadForm(uploadOf(signerOf(ada, 1, verified("Signature", signature)), signerOf(bob, 2, field("Text", "Place"))).
			with("viewers", []any{object{"email": eve, "firstName": "Eve", "lastName": "Eden"}}).with("domain", client).with("dueDate", "01-12-2026"))
		require.Equal(t, 0, c.sim.Documents()[0].Views)

		first := c.viewed(id)
		keys(t, first, "document", "recipients", "annotations", "logs", "domainOwners", "ownerShareReferralCode")
		doc := as[object](first["document"])
		keys(t, doc, append([]string{
			"id", "title", "ownerId", "domain", "createdAt", "updatedAt", "isDocumentEncrypted", "firstName", "lastName", "email", "dueDate", "ownerTrustScore",
			"additionalMsg", "requireNotarisation", "notarisationStatus", "transactionHash", "merkleRoot", "notarisationTimeStamp", "passcode", "checksum",
			"notarisationNetwork", "paymentMethod", "templateId",
		}, verifyFlags...)...)
		require.Subset(t, doc, object{
			"id": id, "domain": client, "createdAt": float64(start.UnixMilli()), "firstName": "Console", "dueDate": "01-12-2026",
			"checksum": c.sim.Documents()[0].SHA256,
		})

		recipients := as[[]any](first["recipients"])
		require.Len(t, recipients, 3)
		for _, recipient := range recipients {
			keys(t, as[object](recipient), append([]string{"userId", "firstName", "lastName", "signOrder", "trustScore", "status", "email", "role"}, verifyFlags...)...)
			require.Equal(t, "Active", as[object](recipient)["status"])
		}
		require.Equal(t, eve, as[object](recipients[2])["email"])
		require.Equal(t, doc["ownerId"], as[object](recipients[0])["userId"])

		annotations := as[[]any](first["annotations"])
		require.Len(t, annotations, 2)
		place := object{"width": 120.0, "height": 40.0, "x": 10.0, "y": 20.5, "page": 1.0, "fontSize": "12pt", "docId": id}
		ids := c.annotationIDs(id)
		signed := object{"id": ids[0], "type": object{"type": "Signature", "filePath": signature}, "isVerified": true, "content": signature, "userId": id32, "email": ada}
		waiting := object{"id": ids[1], "type": object{"type": "Text", "filePath": ""}, "isVerified": false, "content": "Place", "userId": id32, "email": bob}
		maps.Copy(signed, place)
		maps.Copy(waiting, place)
		exactly(t, signed, as[object](annotations[0]))
		exactly(t, waiting, as[object](annotations[1]))

		// Each view is in the log, including this one.
		require.Len(t, as[[]any](first["logs"]), 1)
		logs := as[[]any](c.viewed(id)["logs"])
		require.Len(t, logs, 2)
		entry := object{"userId": id32, "action": "View", "createdAt": float64(start.UnixMilli()), "ipAddr": "127.0.0.1", "credentialName": nil}
		exactly(t, entry, as[object](logs[1]))
		require.Equal(t, 2, c.sim.Documents()[0].Views)
		require.Equal(t, ada, as[object](as[[]any](first["domainOwners"])[0])["email"])
	})
}

func TestViewDocument_Requests(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		id := c.uploadForm(uploadOf())
		for name, test := range map[string]struct{ body, code string }{
			"no domain":      {`{"docId":"` + id + `"}`, ""},
			"null":           {`{"docId":"` + id + `","domain":null}`, ""},
			"personal":       {`{"docId":"` + id + `","domain":"personal.portals.example"}`, ""},
			"the reseller's": {`{"docId":"` + id + `","domain":"Partner.example"}`, ""},
			"unknown domain": {`{"docId":"` + id + `","domain":"elsewhere.example"}`, "NO_PERMISSION"},
			"empty domain":   {`{"docId":"` + id + `","domain":""}`, "NO_PERMISSION"},
			"unknown":        {`{"docId":"none","domain":null}`, "INVALID_DOC_ID"},
			"no id":          {`{"domain":null}`, "INVALID_DOC_ID"},
			"unknown field":  {`{"docId":"` + id + `","color":1}`, "INVALID_DATA"},
			"no JSON":        {`docId=` + id, "INVALID_DATA"},
			"nothing":        {``, "INVALID_DATA"},
		} {
			for _, contentType := range []string{"", "text/plain", "application/json"} {
				got := c.call(c.view, test.body, contentType)
				code, _ := as[object](got.body["error"])["code"].(string)
				assert.Equal(t, test.code, code, "%s as %q answers %d %s", name, contentType, got.status, got.raw)
			}
		}
		require.Equal(t, 12, c.sim.Documents()[0].Views)
		require.Equal(t, "personal.portals.example", as[object](c.viewed(id)["document"])["domain"])
	})
}

func TestViewDocument_DueDateInMillis(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{"viewed-due-date": "milliseconds"})
	id := c.uploadForm(uploadOf().with("dueDate", "02-01-1970"))
	require.Equal(t, 86400000.0, as[object](c.viewed(id)["document"])["dueDate"])
	id = c.uploadForm(uploadOf())
	require.Nil(t, as[object](c.viewed(id)["document"])["dueDate"])
}

func TestListSignatures(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		rows := as[[]any](c.get(c.signatures).data()["signatures"])
		require.Len(t, rows, 3)
		for i, row := range rows {
			id := as[string](as[object](row)["id"])
			require.Equal(t, c.sim.Signatures(c.sim.SigningUserEmail())[i], id)
			assert.True(t, strings.HasSuffix(id, ".png"), "%s is no image file name", id)
		}
	})
}

func TestSentDocuments(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	c.made(c.sim.AddConsoleLabel(client, ada))
	ownDocument := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name"))))
	first := c.uploadForm(uploadOf().with("domain", client).with("passcode", "1234"))
	second := c.uploadForm(uploadOf().with("domain", client))
	ids := func(domain any) string {
		t.Helper()
		var out []string
		for _, row := range as[[]any](c.post(sentPath, object{"domain": domain}).data()["documents"]) {
			keys(t, as[object](row), "id", "title", "fileName", "domain", "ownerId", "email", "checksum", "createdAt", "updatedAt", "isCompleted", "recipients")
			out = append(out, as[string](as[object](row)["id"]))
		}
		return strings.Join(out, ",")
	}
	require.Equal(t, first+","+second, ids(client))
	require.Equal(t, ownDocument, ids(nil))
	require.Equal(t, ownDocument, ids("personal.portals.example"))
	require.Equal(t, "", ids("partner.example"))
	c.post(sentPath, nil).rejected(http.StatusBadRequest, "INVALID_DATA")
	c.post(sentPath, object{"domain": 1}).rejected(http.StatusBadRequest, "INVALID_DATA")
	c.post(sentPath, object{"domain": "elsewhere.example"}).rejected(http.StatusForbidden, "NO_PERMISSION")
	for method, path := range map[string]string{http.MethodGet: sentPath, http.MethodPost: "/signing-api/documents/sent-documents"} {
		c.do(method, path, nil).rejected(http.StatusNotFound, "NOT_FOUND")
	}
}

// The domain of a document that was uploaded "defaults to the personal-account domain" (§4.4), or is required.
func TestSigningDomain(t *testing.T) {
	t.Parallel()
	for form, status := range map[string]int{"optional": http.StatusOK, "required": http.StatusBadRequest} {
		c := newSigningCaller(t, simulator.Forms{"signing-domain": form})
		id := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name"))))
		annotation := c.sim.Documents()[0].Signers[0].Annotations[0].ID
		for _, body := range []object{{"docId": id}, {"docId": id, "domain": nil}} {
			require.Equal(t, status, c.post(c.view, body).status)
			body["annotations"] = updates(annotation, "Bob")
			require.Equal(t, status, c.post(c.sign, body).status)
		}
		require.Equal(t, status, c.post(sentPath, object{}).status)
	}
}

func TestSentDocuments_Switches(t *testing.T) {
	t.Parallel()
	t.Run("GET", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"sent-method": "get"})
		c.uploadForm(uploadOf())
		require.Len(t, as[[]any](c.get(sentPath + "?domain=personal.portals.example").data()["documents"]), 1)
		c.post(sentPath, object{"domain": nil}).rejected(http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("in both families, bare", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"sent-path": "both", "signing-rows": "bare"})
		c.uploadForm(uploadOf())
		for _, path := range []string{sentPath, "/signing-api/documents/sent-documents"} {
			require.Len(t, as[[]any](c.post(path, object{"domain": nil}).body["data"]), 1)
		}
		require.Len(t, as[[]any](c.get(c.signatures).body["data"]), 3)
	})
}

// The domain of a private label is its host name, its custom domain, or the business domain above it.
func TestSigningDomains(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	c.made(c.sim.AddConsoleLabel("sign.agency.example", ada))
	for _, domain := range []string{"sign.agency.example", "agency.example"} {
		c.uploadForm(uploadOf().with("domain", domain))
		require.Len(t, as[[]any](c.post(sentPath, object{"domain": domain}).data()["documents"]), 1)
	}
	for _, domain := range []string{"example", "gency.example", "www.sign.agency.example"} {
		c.sendForm(c.upload, uploadOf().with("domain", domain)).rejected(http.StatusForbidden, "NO_PERMISSION")
	}
	require.NoError(t, c.sim.MoveAway("sign.agency.example"))
	c.sendForm(c.upload, uploadOf().with("domain", "agency.example")).rejected(http.StatusForbidden, "NO_PERMISSION")
}

// An account of any business may send documents, with or without a portal; an invalid host name is rejected.
func TestSigningDomains_OfAnyBusiness(t *testing.T) {
	t.Parallel()
	strange := signingIn(t, newSim(t, simulator.Options{}))
	strange.uploadForm(uploadOf().with("domain", "business.example"))
	strange.sendForm(strange.upload, uploadOf().with("domain", "no host")).rejected(http.StatusForbidden, "NO_PERMISSION")
}

// A known user has a name; an unknown one has an ID that stays the same.
func TestViewDocument_Owner(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	user := c.sim.SigningUserEmail()
	ownDocument := c.viewed(c.uploadForm(uploadOf().with("ownerEmail", strings.ToUpper(user))))
	require.Equal(t, "Account", as[object](ownDocument["document"])["firstName"])
	require.Equal(t, as[object](as[[]any](ownDocument["logs"])[0])["userId"], as[object](ownDocument["document"])["ownerId"])
	require.Len(t, as[[]any](ownDocument["domainOwners"]), 0)

	guest := c.viewed(c.uploadForm(uploadOf(signerOf(eve, 1)).with("ownerEmail", eve)))
	require.Equal(t, "", as[object](guest["document"])["firstName"])
	id := as[string](as[object](guest["document"])["ownerId"])
	assert.True(t, id32.MatchString(id), "the guest has the id %q", id)
	assert.NotEqual(t, as[object](ownDocument["document"])["ownerId"], id, "the guest has the id %q", id)
	require.Equal(t, id, as[object](as[[]any](guest["recipients"])[0])["userId"])
	assert.NotEqual(t, guest["ownerShareReferralCode"], ownDocument["ownerShareReferralCode"], "two owners with one code")
}
