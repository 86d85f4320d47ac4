package report

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func apiKeysSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The reseller's API keys without their secrets, for example to check their age. Only the reseller console can create and revoke API keys.",
		Attributes: map[string]schema.Attribute{
			"api_keys": fwtype.ComputedRows("API keys, newest first. API: `keys`.", map[string]schema.Attribute{
				"id":           fwtype.ComputedString("Non-secret ID of the API key."),
				"last_four":    fwtype.ComputedString("Last four characters of the API key. API: `lastFour`."),
				"scopes":       schema.ListAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "Scopes, immutable."},
				"created_at":   fwtype.ComputedTime("When the API key was created (RFC 3339, UTC)."),
				"last_used_at": fwtype.ComputedTime("When the API key was last used (RFC 3339, UTC). Null if never."),
				"revoked_at":   fwtype.ComputedTime("When the API key was revoked (RFC 3339, UTC). Null if it is valid."),
			}),
		},
	}
}

func peopleSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Searches for users of the reseller's private labels. The API returns at most 50 matches. With 50 matches, the plan warns that there may be more.",
		Attributes: map[string]schema.Attribute{
			"query":  schema.StringAttribute{Optional: true, MarkdownDescription: "Text to search for. The fields that the API searches are not documented. Default: all users. API: `query`."},
			"domain": fwtype.OptionalArgument[fwtype.HostKind]("Host name of the private label to search. API: `domain`."),
			"people": fwtype.ComputedRows("Matches, at most 50. API: `users`.", map[string]schema.Attribute{
				"id":         fwtype.ComputedString("User ID, 32 lowercase hex characters."),
				"first_name": fwtype.ComputedString("First name."),
				"last_name":  fwtype.ComputedString("Last name."),
				"email":      schema.StringAttribute{CustomType: fwtype.TextType[fwtype.EmailKind]{}, Computed: true, MarkdownDescription: "Email address."},
				"status":     fwtype.ComputedString("Status of the user."),
				"domain":     fwtype.ComputedString("Host name of the user's private label."),
			}),
		},
	}
}

func templatesSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Document templates of a private label.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.LabelArgument(),
			"templates": fwtype.ComputedRows("Templates, in the API's order. API: `templates`.", map[string]schema.Attribute{
				"id":         fwtype.ComputedString("ID of the template."),
				"title":      fwtype.ComputedString("Title."),
				"slug":       fwtype.ComputedString("Slug of the template. API: `slug`."),
				"is_private": fwtype.ComputedBool("Whether the template is private. API: `isPrivate`."),
				"created_at": fwtype.ComputedTime("When the template was created (RFC 3339, UTC)."),
			}),
		},
	}
}

func usageSchema() schema.Schema {
	return figuresSchema("Usage in a month: documents sent, notarizations on chain, seats, templates and points. For billed quantities, use `reseller_quota`.", map[string]schema.Attribute{
		"period": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Calendar month in UTC as `YYYY-MM`. Default: the current month.",
			Validators:          []validator.String{fwtype.Form(fwtype.MonthForm, "must be a month as YYYY-MM")},
		},
		"totals": schema.MapAttribute{ElementType: types.Float64Type, Computed: true, MarkdownDescription: totalsText},
	})
}

func quotaSchema() schema.Schema {
	return figuresSchema(quotaText, map[string]schema.Attribute{
		"remaining": schema.MapAttribute{ElementType: types.Float64Type, Computed: true, MarkdownDescription: remainingText},
	})
}

func pointsSchema() schema.Schema {
	return figuresSchema("The reseller's points pool. The API counts documents, seats, templates and notarizations in points, which are never billed. The API updates renewals and expirations once an hour.", map[string]schema.Attribute{})
}

func figuresSchema(description string, attributes map[string]schema.Attribute) schema.Schema {
	attributes["json"] = fwtype.ComputedJSON("`data` of the response as normalized JSON. Its format is not documented.")
	return schema.Schema{MarkdownDescription: description, Attributes: attributes}
}

func pointsLedgerSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The newest rows of a private label's points ledger. One API call per 100 rows.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.LabelArgument(),
			"item_code":        schema.StringAttribute{Optional: true, MarkdownDescription: "Only rows of this item. API: `itemCode`.", Validators: []validator.String{fwtype.NotBlank}},
			"limit":            schema.Int64Attribute{Optional: true, MarkdownDescription: "Maximum number of rows, 1 to 10,000. Default: 100.", Validators: []validator.Int64{fwtype.Between(1, maxLedgerRows)}},
			"total":            schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of all rows. Null if the API does not return it. API: `total`."},
			"rows": fwtype.ComputedRows("Rows, newest first.", map[string]schema.Attribute{
				"id":        fwtype.ComputedString("ID of the row."),
				"item_code": fwtype.ComputedString("Item of the row. API: `itemCode`."),
				"json":      fwtype.ComputedJSON("The entire row as normalized JSON. Only ID and item are documented."),
			}),
		},
	}
}

// Descriptions of figures whose response has no documented shape.
const (
	totalsText    = "Totals by item: `documents`, `seats`, `templates`, `notarizations`, `points`. Contains only items in an object `totals` or `used`, or with a field `used`, of the response. Other numbers are only in `json`."
	quotaText     = "Billed quantities and the reseller's remaining allowance. Each private label is billed for its allocated or its used quantity, whichever is larger. Billed quantities can therefore exceed usage."
	remainingText = "Remaining allowance by item: `documents`, `seats`, `templates`, `notarizations`. Contains only items with a field or an object `remaining` in the response. Other numbers are only in `json`."
)
