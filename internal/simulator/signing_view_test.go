package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

var verifyFlags = []string{"verifyIdCheck", "verifyGovId", "verifyMobilePhone", "verifyPayment", "verifyWallet"}

func TestViewDocument(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		_, err := c.sim.AddConsoleLabel(client, ada)
		must(t, err)
		signature := c.sim.Signatures(ada)[0]
		id := c.uploadForm(uploadOf(signerOf(ada, 1, verified("Signature", signature)), signerOf(bob, 2, field("Text", "Place"))).
			with("viewers", []any{object{"email": eve, "firstName": "Eve", "lastName": "Eden"}}).with("domain", client).with("dueDate", "01-12-2026"))
		equal(t, c.sim.Documents()[0].Views, 0)

		first := c.viewed(id)
		keys(t, first, "document", "recipients", "annotations", "logs", "domainOwners", "ownerShareReferralCode")
		doc := as[object](first["document"])
		keys(t, doc, append([]string{
			"id", "title", "ownerId", "domain", "createdAt", "updatedAt", "isDocumentEncrypted", "firstName", "lastName", "email", "dueDate", "ownerTrustScore",
			"additionalMsg", "requireNotarisation", "notarisationStatus", "transactionHash", "merkleRoot", "notarisationTimeStamp", "passcode", "checksum",
			"notarisationNetwork", "paymentMethod", "templateId",
		}, verifyFlags...)...)
		equal(t, doc["id"], any(id))
		equal(t, doc["domain"], any(client))
		equal(t, doc["createdAt"], any(float64(start.UnixMilli())))
		equal(t, doc["firstName"], any("Console"))
		equal(t, doc["dueDate"], any("01-12-2026"))
		equal(t, doc["checksum"], any(c.sim.Documents()[0].SHA256))

		recipients := as[[]any](first["recipients"])
		equal(t, len(recipients), 3)
		for _, one := range recipients {
			keys(t, as[object](one), append([]string{"userId", "firstName", "lastName", "signOrder", "trustScore", "status", "email", "role"}, verifyFlags...)...)
			equal(t, as[object](one)["status"], any("Active"))
		}
		equal(t, as[object](recipients[2])["email"], any(eve))
		equal(t, as[object](recipients[0])["userId"], doc["ownerId"])

		annotations := as[[]any](first["annotations"])
		equal(t, len(annotations), 2)
		signed, waiting := as[object](annotations[0]), as[object](annotations[1])
		keys(t, signed, "id", "type", "isVerified", "content", "width", "height", "x", "y", "page", "fontSize", "userId", "docId", "email")
		equal(t, as[object](signed["type"])["filePath"], any(signature))
		equal(t, as[object](signed["type"])["type"], any("Signature"))
		equal(t, as[object](waiting["type"])["filePath"], any(""))
		equal(t, waiting["isVerified"], any(false))
		equal(t, waiting["id"], any(c.annotationIDs(id)[1]))

		// Each view is in the log, including this one.
		equal(t, len(as[[]any](first["logs"])), 1)
		logs := as[[]any](c.viewed(id)["logs"])
		equal(t, len(logs), 2)
		entry := as[object](logs[1])
		keys(t, entry, "userId", "action", "createdAt", "ipAddr", "credentialName")
		equal(t, entry["action"], any("View"))
		equal(t, entry["ipAddr"], any("127.0.0.1"))
		equal(t, c.sim.Documents()[0].Views, 2)
		equal(t, as[object](as[[]any](first["domainOwners"])[0])["email"], any(ada))
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
				got := c.send(c.view, test.body, contentType)
				code, _ := as[object](got.body["error"])["code"].(string)
				if code != test.code {
					t.Errorf("%s as %q answers %d %s", name, contentType, got.status, got.raw)
				}
			}
		}
		equal(t, c.sim.Documents()[0].Views, 12)
		equal(t, as[object](c.viewed(id)["document"])["domain"], any("personal.portals.example"))
	})
}

func TestViewDocument_DueDateInMillis(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{"viewed-due-date": "milliseconds"})
	id := c.uploadForm(uploadOf().with("dueDate", "02-01-1970"))
	equal(t, as[object](c.viewed(id)["document"])["dueDate"], any(86400000.0))
	id = c.uploadForm(uploadOf())
	equal(t, as[object](c.viewed(id)["document"])["dueDate"], nil)
}

func TestListSignatures(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		rows := as[[]any](c.get(c.signatures).data()["signatures"])
		equal(t, len(rows), 3)
		for i, row := range rows {
			id := as[string](as[object](row)["id"])
			equal(t, id, c.sim.Signatures(c.sim.SigningUserEmail())[i])
			if !strings.HasSuffix(id, ".png") {
				t.Errorf("%s is no image file name", id)
			}
		}
	})
}

func TestSentDocuments(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	_, err := c.sim.AddConsoleLabel(client, ada)
	must(t, err)
	own := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name"))))
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
	equal(t, ids(client), first+","+second)
	equal(t, ids(nil), own)
	equal(t, ids("personal.portals.example"), own)
	equal(t, ids("partner.example"), "")
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
			equal(t, c.post(c.view, body).status, status)
			body["annotations"] = updates(annotation, "Bob")
			equal(t, c.post(c.sign, body).status, status)
		}
		equal(t, c.post(sentPath, object{}).status, status)
	}
}

func TestSentDocuments_Switches(t *testing.T) {
	t.Parallel()
	t.Run("GET", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"sent-method": "get"})
		c.uploadForm(uploadOf())
		equal(t, len(as[[]any](c.get(sentPath + "?domain=personal.portals.example").data()["documents"])), 1)
		c.post(sentPath, object{"domain": nil}).rejected(http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("in both families, bare", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"sent-path": "both", "signing-rows": "bare"})
		c.uploadForm(uploadOf())
		for _, path := range []string{sentPath, "/signing-api/documents/sent-documents"} {
			equal(t, len(as[[]any](c.post(path, object{"domain": nil}).body["data"])), 1)
		}
		equal(t, len(as[[]any](c.get(c.signatures).body["data"])), 3)
	})
}

// The domain of a private label is its host name, its custom domain, or the business domain above it.
func TestSigningDomains(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	_, err := c.sim.AddConsoleLabel("sign.agency.example", ada)
	must(t, err)
	for _, domain := range []string{"sign.agency.example", "agency.example"} {
		c.uploadForm(uploadOf().with("domain", domain))
		equal(t, len(as[[]any](c.post(sentPath, object{"domain": domain}).data()["documents"])), 1)
	}
	for _, domain := range []string{"example", "gency.example", "www.sign.agency.example"} {
		c.sendForm(c.upload, uploadOf().with("domain", domain)).rejected(http.StatusForbidden, "NO_PERMISSION")
	}
	must(t, c.sim.MoveAway("sign.agency.example"))
	c.sendForm(c.upload, uploadOf().with("domain", "agency.example")).rejected(http.StatusForbidden, "NO_PERMISSION")
}

// An account of any business may send documents, with or without a portal; an invalid host name is rejected.
func TestSigningDomains_OfAnyBusiness(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	c := inProcess(t, sim).with(sim.SigningAPIKey())
	c.base = simulator.SigningURL
	strange := &signingCaller{c, families["B"]}
	strange.uploadForm(uploadOf().with("domain", "business.example"))
	strange.sendForm(strange.upload, uploadOf().with("domain", "no host")).rejected(http.StatusForbidden, "NO_PERMISSION")
}

// A known user has a name; an unknown one has an ID that stays the same.
func TestViewDocument_Owner(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	user := c.sim.SigningUserEmail()
	own := c.viewed(c.uploadForm(uploadOf().with("ownerEmail", strings.ToUpper(user))))
	equal(t, as[object](own["document"])["firstName"], any("Account"))
	equal(t, as[object](own["document"])["ownerId"], as[object](as[[]any](own["logs"])[0])["userId"])
	equal(t, len(as[[]any](own["domainOwners"])), 0)

	guest := c.viewed(c.uploadForm(uploadOf(signerOf(eve, 1)).with("ownerEmail", eve)))
	equal(t, as[object](guest["document"])["firstName"], any(""))
	id := as[string](as[object](guest["document"])["ownerId"])
	if !id32.MatchString(id) || id == as[object](own["document"])["ownerId"] {
		t.Errorf("the guest has the id %q", id)
	}
	equal(t, as[object](as[[]any](guest["recipients"])[0])["userId"], any(id))
	if own["ownerShareReferralCode"] == guest["ownerShareReferralCode"] {
		t.Error("two owners with one code")
	}
}
