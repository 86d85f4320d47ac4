package signing

import (
	"slices"
	"testing"

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
			if _, err := c.View(t.Context(), testDocID, "a.example"); err != nil {
				t.Error(err)
			}
			if _, err := c.Sign(t.Context(), SignRequest{DocID: testDocID, Domain: new("a.example"), Annotations: map[string]string{"a": "1.png"}}); err != nil {
				t.Error(err)
			}
			if _, err := c.SentDocuments(t.Context(), ""); err != nil {
				t.Error(err)
			}
			for i, kind := range f.Calls() {
				if f.Body(i) != tc.kinds[kind] {
					t.Errorf("%s has %s", kind, f.Body(i))
				}
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
	if _, _, err := c.Upload(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(f.Form(0), transporttest.Part{Name: "domain", Content: "null"}) {
		t.Errorf("sent %+v", f.Form(0))
	}
	if _, err := c.SentDocuments(t.Context(), ""); err != nil {
		t.Errorf("%v after %v", err, f.Calls())
	}
}
