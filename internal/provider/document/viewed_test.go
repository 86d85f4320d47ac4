package document

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Each attribute of a viewed document has its field in the client's types: none stays null if the API returns all.
func TestViewed_EveryAttribute(t *testing.T) {
	t.Parallel()
	text, scalar, at := "x", anyjson.Scalar("1"), anyjson.Millis(1)
	view := signing.View{
		Document: signing.Document{
			DueDate: &scalar, AdditionalMsg: &text, NotarisationStatus: &text, TransactionHash: &text, MerkleRoot: &text, NotarisationTime: &at,
			Passcode: &scalar, NotarisationNetwork: &text, PaymentMethod: &text, TemplateID: &text,
		},
		Recipients: []signing.Recipient{{Role: &text}}, Annotations: []signing.ViewedAnnotation{{}}, Logs: []signing.LogEntry{{CredentialName: &text}},
		DomainOwners: signing.Entries{json.RawMessage(`{"b":1.50}`)},
	}
	read, err := fwtype.FromAPI(t.Context(), viewedSchema(), view)
	require.NoError(t, err)
	var check func(at string, v attr.Value)
	check = func(at string, v attr.Value) {
		assert.False(t, v.IsNull(), "%s is null", at)
		switch v := v.(type) {
		case types.Object:
			for name, field := range v.Attributes() {
				check(at+"."+name, field)
			}
		case types.List:
			for _, element := range v.Elements() {
				check(at, element)
			}
		}
	}
	for name, attribute := range viewedSchema().Attributes {
		switch v, ok := read[name]; {
		case ok:
			check(name, v)
		case attribute.IsComputed():
			t.Errorf("%s is not read", name)
		}
	}
	assert.Equal(t, `[{"json":"{\"b\":1.50}"}]`, read["domain_owners"].String(), "domain owners")
}
