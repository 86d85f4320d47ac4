package document

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func sentDocumentsSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The documents that the API key's user sent from a domain. Reading this list views no document, so it adds no log entry.\n\n" +
			"The API documentation gives neither the method of this call nor its path in the family `signing-api`. The provider tries the possible ones and keeps what works.",
		Attributes: map[string]schema.Attribute{
			"domain": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "Domain of the documents, compared without case. If omitted, the domain of the personal account. API: `domain`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
			},
			"json": fwtype.ComputedJSON("The response's `data` as normalized JSON. The API documentation does not give its shape, so nothing is dropped. The values of `passcode`, `docPassword` and `password` are replaced by `(sensitive)`."),
		},
	}
}

func signaturesSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The stored signatures of the API key's user. To sign an annotation with one, use its ID as the content.",
		Attributes: map[string]schema.Attribute{
			"signatures": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The signatures, in the API's order.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":   fwtype.ComputedString("ID of the signature: the name of an image file."),
					"json": fwtype.ComputedJSON("The entire entry as normalized JSON. The API documentation names only its ID."),
				}},
			},
		},
	}
}
