package document

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// documentSigningModel is what was sent (§4.3).
type documentSigningModel struct {
	DocID       types.String `tfsdk:"doc_id"`
	Domain      types.String `tfsdk:"domain"`
	Annotations types.Map    `tfsdk:"annotations"`
	DocPassword types.String `tfsdk:"doc_password"`

	DocPasswordWO types.String `tfsdk:"doc_password_wo"`

	commonModel
}

func (m *documentSigningModel) operation() operation {
	what := fmt.Sprintf("%d annotations are updated.", len(m.Annotations.Elements()))
	switch {
	case m.Annotations.IsUnknown():
		what = "Its annotations are known after apply."
	case len(m.Annotations.Elements()) == 1:
		what = "1 annotation is updated."
	}
	return operation{
		imported:  m.Annotations.IsNull(),
		plannedID: m.DocID,
		importAs:  map[string]attr.Value{"doc_id": m.ID},
		content:   []attr.Value{m.DocID, m.Annotations},
		created: effect.Warning{
			Topic: TopicSigning,
			At:    path.Root("annotations"),
			Detail: fmt.Sprintf("Document %s is signed. %s The completed document is emailed if nothing is left to sign; otherwise further signers may receive a link.",
				effect.NameOf(m.DocID, "(ID known after apply)"), what),
			Effects: []effect.Effect{
				{Event: signed, Name: effect.Text(m.DocID)},
				{Event: forwarded, Email: types.StringUnknown()},
			},
		},
		left: left(m.DocID, "the signing of document "+m.DocID.ValueString(), "It stays signed."),

		name:           "the signing of " + cmp.Or(m.DocID.ValueString(), "a document"),
		verb:           "done",
		summary:        summarySign,
		summaryUnknown: SummarySignUnknown,
		unchanged:      "Nothing was signed",
		remedies: map[string]diagnostic.Remedy{
			signing.CodeInvalidDocID: at("doc_id"), signing.CodeNoPermission: at("domain"), signing.CodeInvalidData: at("annotations"),
		},
		reason:   "It is sent once.",
		another:  "To sign further annotations, add another resource.",
		typeName: "reseller_document_signing",
		attempt:  m.Attempt.ValueInt64(),
		importID: m.DocID.ValueString(),

		secret: "doc_password", stored: m.DocPassword, writeOnly: m.DocPasswordWO,
	}
}

func (m *documentSigningModel) execute(ctx context.Context, c *signing.Client, secret *string) (signing.Source, diag.Diagnostics, error) {
	order, err := m.signing(ctx, secret)
	if err != nil {
		return 0, nil, err
	}
	source, err := c.Sign(ctx, order)
	m.ID = m.DocID
	return source, nil, err
}

func (m *documentSigningModel) sent(ctx context.Context) (signing.Operation, error) {
	order, err := m.signing(ctx, nil)
	if err != nil {
		return signing.Operation{}, err
	}
	return order.Operation()
}

// signing is the request (§4.3).
func (m *documentSigningModel) signing(ctx context.Context, password *string) (signing.SignRequest, error) {
	out := signing.SignRequest{
		DocID: m.DocID.ValueString(), Domain: m.Domain.ValueStringPointer(), Annotations: map[string]string{},
		DocPassword: password, Attempt: m.Attempt.ValueInt64(),
	}
	return out, diagnostic.AsError(m.Annotations.ElementsAs(ctx, &out.Annotations, false))
}
