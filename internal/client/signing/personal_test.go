package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The list that reconciles an upload to the personal account sends null. Viewing and signing have a domain.
func TestPersonalAccount_SendsNull(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		kinds  map[string]string // body by kind of request
		change func(*Config)
	}{
		"family signing-api": {map[string]string{views: `{"docId":"doc-1","domain":"a.example"}`, signs: `{"docId":"doc-1","domain":"a.example","annotations":[{"id":"a","content":"1.png"}]}`, sents: `{"domain":null}`}, func(*Config) {}},
		"family signing":     {map[string]string{viewsA: `{"docId":"doc-1","domain":"a.example"}`, signsA: `{"docId":"doc-1","domain":"a.example","annotations":[{"id":"a","content":"1.png"}]}`, sents: `{"domain":null}`}, familyA},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replies := transporttest.Replies{}
			for kind := range tc.kinds {
				replies[kind] = []reply{ok(`{"document":{"id":"doc-1"}}`)}
			}
			c, f, _ := dial(t, replies, tc.change)
			_, err := c.View(t.Context(), testDocID, "a.example")
			assert.NoError(t, err)
			_, err = c.Sign(t.Context(), SignRequest{DocID: testDocID, Domain: new("a.example"), Annotations: map[string]string{"a": "1.png"}})
			assert.NoError(t, err)
			_, err = c.SentDocuments(t.Context(), "")
			assert.NoError(t, err)
			for i, kind := range f.Calls() {
				assert.Equal(t, tc.kinds[kind], f.Body(i), kind)
			}
		})
	}
}

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
}
