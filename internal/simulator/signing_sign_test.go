package simulator_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// updates are annotations of a sign request: id, content, id, content, …
func updates(pairs ...string) []any {
	var out []any
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, object{"id": pairs[i], "content": pairs[i+1]})
	}
	return out
}

func signOrder(docID string, pairs ...string) object {
	return object{"docId": docID, "domain": nil, "annotations": updates(pairs...)}
}

func TestSignDocument(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		user := c.sim.SigningUserEmail()
		id := c.uploadForm(uploadOf(
			signerOf(bob, 2, field("Date", "Date"), field("Text", "Place")),
			signerOf(user, 1, field("Signature", "Signature")),
			signerOf(eve, 2, field("Name", "Name")),
		))
		ids := c.annotationIDs(id)
		require.Equal(t, "signing-link "+user, mails(c.sim))
		signature := as[string](as[object](as[[]any](c.get(c.signatures).data()["signatures"])[0])["id"])

		c.sim.Clock().Advance(time.Hour)
		exactly(t, object{"message": sentence, "docId": id}, c.post(c.sign, signOrder(id, ids[2], signature)).data())
		doc := c.sim.Documents()[0]
		require.Equal(t, true, doc.Signers[1].Signed)
		require.Equal(t, start.Add(time.Hour), doc.UpdatedAt)
		require.Equal(t, "signing-link "+user+", signing-link "+bob+", signing-link "+eve, mails(c.sim))

		// A signer with only some verified annotations has not signed.
		c.post(c.sign, signOrder(id, ids[0], "15-10-2026")).data()
		require.Equal(t, false, c.sim.Documents()[0].Signers[0].Signed)
		// The same content again changes nothing; the rest can be signed with it.
		c.sim.Clock().Advance(time.Hour)
		c.post(c.sign, signOrder(id, ids[0], "15-10-2026")).data()
		require.Equal(t, start.Add(time.Hour), c.sim.Documents()[0].UpdatedAt)
		c.call(c.sign, `{"docId":"`+id+`","domain":"partner.example","annotations":[{"id":"`+ids[0]+`","content":"15-10-2026"},{"id":"`+ids[1]+`","content":"Here"},{"id":"`+ids[3]+`","content":"Eve"}]}`, "text/plain;charset=UTF-8").data()
		doc = c.sim.Documents()[0]
		require.Equal(t, true, doc.Complete)
		require.Equal(t, "Here", doc.Signers[0].Annotations[1].Content)
		want := "signing-link " + user + ", signing-link " + bob + ", signing-link " + eve + ", completed-document " + ada
		require.Equal(t, want, mails(c.sim))
		c.post(c.sign, signOrder(id, ids[1], "Here")).data()
		require.Equal(t, want, mails(c.sim))
	})
}

func TestSignDocument_ContentType(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		id := c.uploadForm(uploadOf(signerOf(bob, 1, field("Text", "Place"))))
		raw, err := json.Marshal(signOrder(id, c.annotationIDs(id)[0], "Here"))
		require.NoError(t, err)
		for _, contentType := range []string{"application/xml", "nonsense; ;"} {
			c.call(c.sign, string(raw), contentType).rejected(http.StatusBadRequest, "INVALID_DATA")
		}
		c.call(c.sign, string(raw), "text/plain").data()
	})
}

func TestSignDocument_Passcode(t *testing.T) {
	t.Parallel()
	bothFamilies(t, func(t *testing.T, c *signingCaller) {
		id := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name"))).with("passcode", "0042"))
		body := signOrder(id, c.annotationIDs(id)[0], "Bob")
		c.post(c.sign, body).rejected(http.StatusForbidden, "NO_PERMISSION")
		for _, wrong := range []any{nil, "", "42"} {
			body["docPassword"] = wrong
			c.post(c.sign, body).rejected(http.StatusForbidden, "NO_PERMISSION")
		}
		body["docPassword"] = "0042"
		c.post(c.sign, body).data()
		require.Equal(t, true, c.sim.Documents()[0].Complete)
		require.Equal(t, true, c.viewed(id)["document"].(object)["isDocumentEncrypted"])
	})
}

func TestSignDocument_Signatures(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	c.made(c.sim.AddConsoleLabel(client, ada))
	mine, adas := c.sim.Signatures(c.sim.SigningUserEmail()), c.sim.Signatures(ada)
	require.Len(t, mine, 3)
	require.Len(t, adas, 1)
	require.Len(t, c.sim.Signatures(bob), 0) // not a member
	id := c.uploadForm(uploadOf(signerOf(ada, 1, field("Signature", "Signature")), signerOf(bob, 1, field("Signature", "Signature"))))
	ids := c.annotationIDs(id)
	c.post(c.sign, signOrder(id, ids[1], adas[0])).rejected(http.StatusBadRequest, "INVALID_DATA") // the signature of another user
	c.post(c.sign, signOrder(id, ids[0], adas[0])).data()
	c.post(c.sign, signOrder(id, ids[1], mine[2])).data()
	require.Equal(t, true, c.sim.Documents()[0].Complete)
	// A former member has none any longer.
	require.NoError(t, c.sim.DeprovisionInConsole(client))
	require.Len(t, c.sim.Signatures(ada), 0)
}

func TestSignDocument_Switches(t *testing.T) {
	t.Parallel()
	t.Run("own annotations only", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"sign-for-others": "rejected"})
		id := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name")), signerOf(c.sim.SigningUserEmail(), 1, field("Name", "Name"))))
		ids := c.annotationIDs(id)
		c.post(c.sign, signOrder(id, ids[0], "Bob")).rejected(http.StatusForbidden, "NO_PERMISSION")
		c.post(c.sign, signOrder(id, ids[1], "Me")).data()
	})
	t.Run("signed is final", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"signed-again": "rejected"})
		id := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name"))))
		body := signOrder(id, c.annotationIDs(id)[0], "Bob")
		c.post(c.sign, body).data()
		c.post(c.sign, body).rejected(http.StatusBadRequest, "INVALID_DATA")
	})
}

func TestSignInApp(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	id := c.uploadForm(uploadOf(
		signerOf(bob, 1, field("Signature", "Signature"), field("Text", "Place"), verified("Name", "Bob")),
		signerOf(eve, 2, field("Date", "Date")),
	))
	for name, err := range map[string]error{
		"no document": c.sim.SignInApp("none", bob),
		"no signer":   c.sim.SignInApp(id, ada),
		"no turn":     c.sim.SignInApp(id, eve),
	} {
		assert.Error(t, err, "%s is no error", name)
	}
	require.NoError(t, c.sim.SignInApp(id, "BOB@client.example"))
	assert.Error(t, c.sim.SignInApp(id, bob), "who has signed cannot sign again")
	require.NoError(t, c.sim.SignInApp(id, eve))
	doc := c.sim.Documents()[0]
	require.Equal(t, true, doc.Complete)
	assert.NotEqual(t, "Signature", doc.Signers[0].Annotations[0].Content, "nothing was drawn")
	require.Equal(t, "signing-link "+bob+", signing-link "+eve+", completed-document "+ada, mails(c.sim))
}
