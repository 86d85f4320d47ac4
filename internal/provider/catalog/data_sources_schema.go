package catalog

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func (t items) dataSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: fmt.Sprintf("One %s of the reseller's catalog. One API call for each 100 items, shared by all resources and data sources of a run.", t.kind),
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: fmt.Sprintf("ID of the %s, 32 lowercase hex characters. Exactly one of `id` and `code`.", t.kind),
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
			"code": schema.StringAttribute{
				CustomType: fwtype.TextType[fwtype.CodeKind]{}, Optional: true, Computed: true, Validators: fwtype.TextRules[fwtype.CodeKind](),
				MarkdownDescription: "Code, compared without case. Exactly one of `id` and `code`. API: `code`.",
			},
			"name":     fwtype.ComputedString("Name. API: `name`."),
			"currency": schema.StringAttribute{CustomType: fwtype.TextType[fwtype.CurrencyKind]{}, Computed: true, MarkdownDescription: "Currency of the prices, ISO 4217; null if the API does not return it. API: `currency`."},
			"active":   schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether private labels can use it. API: `active` (or its spelling in the response)."},
			"settings": schema.DynamicAttribute{Computed: true, MarkdownDescription: "All other fields of the response, by their names in the API."},
		},
	}
}

func (t items) listDataSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: fmt.Sprintf("The %ss of the reseller's catalog, including deactivated ones. One API call for each 100 items, shared by all resources and data sources of a run.", t.kind),
		Attributes: map[string]schema.Attribute{
			"query":  schema.StringAttribute{Optional: true, MarkdownDescription: "Text to find in code or name, without case. Default: all."},
			"active": schema.BoolAttribute{Optional: true, MarkdownDescription: "Only active ones (`true`), or only deactivated ones (`false`). Default: both."},
			"total":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of matches."},
			t.typeName + "s": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The matches, in the API's order.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":            fwtype.ComputedString(fmt.Sprintf("ID of the %s.", t.kind)),
					"code":          fwtype.ComputedString("Code, upper case."),
					"name":          fwtype.ComputedString("Name."),
					"currency":      fwtype.ComputedString("Currency of the prices, ISO 4217; null if the API does not return it."),
					"active":        schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether private labels can use it."},
					"settings_json": fwtype.ComputedJSON("All other fields of the response, as normalized JSON."),
				}},
			},
		},
	}
}
