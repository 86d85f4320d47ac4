package document

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func documentSigningSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Signs annotations of a document as the API key's user: each annotation gets its content and is verified. With the last annotation of the last signer the document is complete, and its owner gets it by email.\n\n" +
			"**Signing is permanent.** The resource makes its API call on create, and nothing on read, update or delete. Changing an attribute returns an error at plan time; the resource is never replaced. A destroy only removes it from state, with a warning. If the response is lost, the apply fails with nothing in state; only viewing the document shows whether it was signed. The error has an `import` block. " + importRecords + "\n\n" +
			"The data source `reseller_document` has the IDs of annotations, and `reseller_signatures` those of stored signatures. Each read of `reseller_document` adds a log entry, and every plan reads it: once the document is signed, write the IDs into the configuration and remove the data source. Do not select annotations by `is_verified`: signing changes it, and with it the plan.",
		Attributes: map[string]schema.Attribute{
			"doc_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "ID of the document. API: `docId`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"domain": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "Domain of the user, compared without case. If omitted, the domain of the personal account. API: `domain`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.HostKind]()},
			},
			"annotations": schema.MapAttribute{
				ElementType:         types.StringType,
				Required:            true,
				MarkdownDescription: "Annotation ID to content, at least one: the ID of a stored signature for a `Signature`, the text for others. API: `annotations`.",
				Validators: []validator.Map{
					mapvalidator.SizeAtLeast(1),
					mapvalidator.KeysAre(fwtype.NotBlank),
					mapvalidator.ValueStringsAre(fwtype.NotBlank),
				},
			},
			"doc_password": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "Password of the document, if it has one: the passcode it was uploaded with. It is stored in the state. API: `docPassword`.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Same as `doc_id`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}
