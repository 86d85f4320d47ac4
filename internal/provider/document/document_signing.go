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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// documentSigningModel is what was sent (§4.3).
type documentSigningModel struct {
	DocID       types.String    `tfsdk:"doc_id"`
	Domain      fwtype.HostName `tfsdk:"domain"`
	Annotations types.Map       `tfsdk:"annotations"`
	DocPassword types.String    `tfsdk:"doc_password"`

	DocPasswordWO types.String `tfsdk:"doc_password_wo"`

	commonModel
}

func (m *documentSigningModel) operation() operation {
	what := fmt.Sprintf("%d annotations are verified permanently.", len(m.Annotations.Elements()))
	switch {
	case m.Annotations.IsUnknown():
		what = "Its annotations are known after apply and verified permanently."
	case len(m.Annotations.Elements()) == 1:
		what = "1 annotation is verified permanently."
	}
	return operation{
		imported:  m.Annotations.IsNull(),
		plannedID: m.DocID,
		importAs:  map[string]attr.Value{"doc_id": m.ID},
		content:   []attr.Value{m.DocID, m.Annotations},
		created: effect.Notice{
			Topic: topicSigning,
			At:    path.Root("annotations"),
			Detail: fmt.Sprintf("Document %s is signed. %s If nothing is left to sign, its owner receives the completed document by email; "+
				"otherwise the next signers receive a link.", effect.NameOf(m.DocID, "(ID known after apply)"), what),
			Effects: []effect.Effect{
				{Kind: effect.Permanent, What: "document signed", Subject: effect.SubjectOf(m.DocID)},
				{Kind: effect.Email, What: "completed document to its owner, or link to the next signers", Subject: effect.KnownAfterApply},
			},
		},
		left: left(m.DocID, "the signing of document "+m.DocID.ValueString(), "It stays signed."),

		name:           "the signing of " + cmp.Or(m.DocID.ValueString(), "a document"),
		verb:           "done",
		summary:        summarySign,
		summaryUnknown: summarySignUnknown,
		unchanged:      "Nothing was signed",
		remedies: map[string]diagnostic.Remedy{
			signing.CodeInvalidDocID: at("doc_id"), signing.CodeNoPermission: at("domain"), signing.CodeInvalidData: at("annotations"),
		},
		reason:   "A signature cannot be withdrawn, and a signed annotation cannot be changed.",
		another:  "To sign further annotations, add another resource.",
		typeName: "reseller_document_signing",
		importID: m.DocID.ValueString(),

		secret: "doc_password", stored: m.DocPassword, writeOnly: m.DocPasswordWO,
	}
}

func (m *documentSigningModel) send(ctx context.Context, c *signing.Client, secret *string) (signing.Source, diag.Diagnostics, error) {
	contents, err := m.contents(ctx)
	if err != nil {
		return 0, nil, err
	}
	source, err := c.Sign(ctx, m.DocID.ValueString(), m.Domain.ValueString(), contents, secret)
	m.ID = m.DocID
	return source, nil, err
}

func (m *documentSigningModel) confirm(ctx context.Context, c *signing.Client, imported bool) {
	if contents, err := m.contents(ctx); err == nil {
		c.SigningSaved(ctx, m.DocID.ValueString(), contents, imported)
	}
}

// contents are the contents of the annotations by their IDs.
func (m *documentSigningModel) contents(ctx context.Context) (map[string]string, error) {
	contents := map[string]string{}
	return contents, diagnostic.AsError(m.Annotations.ElementsAs(ctx, &contents, false))
}
