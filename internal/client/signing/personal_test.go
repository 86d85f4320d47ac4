package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// An upload to the personal account, and the list that reconciles it, send null.
func TestPersonalAccount_FormAndQuery(t *testing.T) {
	t.Parallel()
	const getSent = "GET /signing/view/sent-documents?domain=null"
	c, f, _ := dial(t, transporttest.Replies{uploads: {ok(`{"docId":"doc-1"}`)}, sents: {page(405)}, getSent: {ok(`[]`)}})
	req := uploadRequest(t)
	req.Domain = nil
	_, _, err := c.Upload(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, f.Form(0), transporttest.Part{Name: "domain", Content: "null"}, "sent")
	_, err = c.SentDocuments(t.Context(), "")
	assert.NoError(t, err, "after %v", f.Calls())
	assert.Equal(t, `{"domain":null}`, f.Body(1))
}
