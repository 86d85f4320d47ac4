package simulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// contract is a document of everything that an upload has, which Bob signs.
const contract = `FORM /signing-api/documents {"viewers":[{"email":"eve@client.example","firstName":"Eve","lastName":"Eden"}],"signers":[{"domain":null,` +
	`"email":"bob@client.example","firstName":"First","lastName":"Last","signOrder":2,"annotations":[{"type":"Text","content":"Place","isVerified":false,` +
	`"style":{"width":120,"height":40,"x":10,"y":20.5,"page":1,"fontSize":"12pt"}}]}],"ownerEmail":"ada@client.example","domain":"Business.example",` +
	`"title":"Terms","fileName":"terms.pdf","additionalMsg":"Please","requireNotarisation":"true","passcode":"0042","dueDate":"29-02-2028","file":"<pdf 2000>"}`

// What tests see without a call: private labels in order of creation, and tokens.
func TestViewsShowLabelsAndTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{}, "assign sign.client.example SMALL; second label; SuspendByPlatform sign.second.example abuse")
	labels := w.sim.Labels()
	require.Len(t, labels, 2)
	people := labels[0].People
	assert.Equal(t, simulator.LabelView{
		ID: w.names["id"], Host: client, AppName: "Client Sign", Owner: ada, Status: "Active", Package: "SMALL", CreatedAt: start, Attached: true,
		Members: 1, People: people, Colors: labels[0].Colors, Allocated: labels[0].Allocated,
	}, labels[0])
	assert.Equal(t, []string{"sign.second.example", "Platform", "abuse"}, []string{labels[1].Host, labels[1].SuspendedBy, labels[1].SuspendReason})
	assert.Contains(t, w.sim.Tokens(), w.token)
}

// The views show the members as the list does: the owner first, in any order of the stored members (§4.17).
func TestViewsShowMembersAsTheListDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{}, "bob; member add sign.client.example carol@client.example; member promote sign.client.example bob@client.example")
	require.NoError(t, w.sim.RemovePersonInConsole(client, "carol@client.example"))
	w.sim.ReverseMembers()
	var got []any
	for _, p := range w.sim.Labels()[0].People {
		got = append(got, object{
			"id": p.ID, "email": p.Email, "firstName": p.FirstName, "lastName": p.LastName, "role": p.Role, "status": p.Status,
			"isOwner": p.Role != "member", "createdAt": float64(start.UnixMilli()),
		})
	}
	require.Equal(t, w.get(w.names["label"] + "/members").data()["members"], any(got))
	require.Equal(t, "owner", as[object](got[0])["role"])
}

// What the views have of a document is what was sent.
func TestViewsShowDocumentsAsTheyWereSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{}, contract)
	got := w.sim.Documents()[0]
	place := simulator.AnnotationView{ID: w.annotations[0], Type: "Text", Content: "Place", X: 10, Y: 20.5, Width: 120, Height: 40, Page: 1, FontSize: "12pt"}
	assert.Equal(t, simulator.DocumentView{
		ID: got.ID, Title: "Terms", FileName: "terms.pdf", OwnerEmail: ada, Domain: "business.example", SHA256: w.names["sum"], Size: 2000,
		AdditionalMsg: new("Please"), Passcode: new("0042"), DueDate: new("29-02-2028"), RequireNotarisation: true, Viewers: []string{"eve@client.example"},
		Signers:   []simulator.SignerView{{Email: bob, FirstName: "First", LastName: "Last", SignOrder: 2, Annotations: []simulator.AnnotationView{place}}},
		CreatedAt: start, UpdatedAt: start,
	}, got)
	require.NoError(t, w.sim.SignInApp(got.ID, bob))
	assert.True(t, w.sim.Documents()[0].Signers[0].Signed)
}

// A user without an account has an ID and a referral code, which stay the same and are no other's.
func TestUsersWithoutAnAccountHaveAnID(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{}, strings.Replace(contract, ada, "{user}", 1)+"; "+strings.Replace(contract, ada, bob, 1))
	ids := func(document string) (owner, viewer, code, signer any) {
		data := w.ask("POST /signing/view-document", `{"docId":"{`+document+`}"}`).data()
		first := func(name string) any { return as[object](as[[]any](data[name])[0])["userId"] }
		return as[object](data["document"])["ownerId"], first("logs"), data["ownerShareReferralCode"], first("recipients")
	}
	user, viewer, code, _ := ids("doc0")
	assert.Equal(t, viewer, user)
	guest, _, guestCode, signer := ids("doc1")
	assert.NotEqual(t, user, guest)
	assert.NotEqual(t, code, guestCode)
	assert.Equal(t, guest, signer)
}

// Only members have stored signatures, besides the key's user.
func TestOnlyMembersHaveSignatures(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	sim := c.sim
	require.Len(t, sim.Signatures(ada), 1)
	require.Empty(t, sim.Signatures(bob))
	require.NoError(t, sim.DeprovisionInConsole(client))
	require.Empty(t, sim.Signatures(ada))
	require.Empty(t, sim.Branding(client))
}

// FuzzUploadDocument: for any request, the simulator responds with one of its codes and stores only what it accepted.
func FuzzUploadDocument(f *testing.F) {
	const contentType = "multipart/form-data; boundary=x"
	f.Add("", "")
	f.Add(contentType, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n%PDF-1\r\n--x--\r\n")
	f.Add(contentType, "--x\r\nContent-Disposition: form-data; name=\"signers\"\r\n\r\n[{\"annotations\":[{}]}]\r\n--x--\r\n")
	f.Add("application/json", `{"signers":[null],"file":"JVBERi0="}`)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		sim := newSim(t, simulator.Options{})
		req := httptest.NewRequest(http.MethodPost, "/signing-api/documents", strings.NewReader(body))
		req.Header["Content-Type"] = []string{contentType}
		req.Header.Set("Authorization", "Bearer "+sim.SigningAPIKey())
		rec := serve(sim, req)
		var answer object
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &answer))
		code := as[string](as[object](answer["error"])["code"])
		if kept := len(sim.Documents()); kept != 0 && code != "" || kept != 1 && code == "" {
			t.Errorf("%d documents kept and %q answered", kept, code)
		}
		if code != "" {
			assert.Contains(t, []string{"INVALID_DATA", "MISSING_BODY", "NO_FILE_ATTACHED"}, code)
			assert.Equal(t, http.StatusBadRequest, rec.Code)
		}
	})
}
