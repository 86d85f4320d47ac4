package report

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func apiKeysSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The reseller's API keys without their secrets, for example to check the age of keys. API keys are created and revoked only in the reseller console.",
		Attributes: map[string]schema.Attribute{
			"api_keys": fwtype.ComputedRows("The API keys, newest first. API: `keys`.", map[string]schema.Attribute{
				"id":           fwtype.ComputedString("ID of the API key: the part that is not secret, for support requests."),
				"last_four":    fwtype.ComputedString("Last four characters that the API shows of the key. API: `lastFour`."),
				"scopes":       schema.ListAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "Scopes, immutable after creation."},
				"created_at":   fwtype.ComputedTime("When the API key was created (RFC 3339, UTC)."),
				"last_used_at": fwtype.ComputedTime("When the API key was last used (RFC 3339, UTC); null if never."),
				"revoked_at":   fwtype.ComputedTime("When the API key was revoked (RFC 3339, UTC); null if it is valid."),
			}),
		},
	}
}

func peopleSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A search for users of the reseller's private labels. The API returns at most 50 matches and no second page: with 50 matches, a warning says that there may be more.",
		Attributes: map[string]schema.Attribute{
			"query":  schema.StringAttribute{Optional: true, MarkdownDescription: "Text that the API searches for; its documentation does not say in which fields. Default: all users. API: `query`."},
			"domain": fwtype.OptionalArgument[fwtype.HostKind]("Host name of a private label to search in. If omitted, none is sent. API: `domain`."),
			"people": fwtype.ComputedRows("The matches, at most 50. API: `users`.", map[string]schema.Attribute{
				"id":         fwtype.ComputedString("User ID, 32 lowercase hex characters."),
				"first_name": fwtype.ComputedString("First name."),
				"last_name":  fwtype.ComputedString("Last name."),
				"email":      schema.StringAttribute{CustomType: fwtype.TextType[fwtype.EmailKind]{}, Computed: true, MarkdownDescription: "Email address."},
				"status":     fwtype.ComputedString("Status of the user, as in the API."),
				"domain":     fwtype.ComputedString("Host name of the user's private label."),
			}),
		},
	}
}

func templatesSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Document templates of a private label. The API only lists them.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.LabelArgument(),
			"templates": fwtype.ComputedRows("The templates, in the API's order. API: `templates`.", map[string]schema.Attribute{
				"id":         fwtype.ComputedString("ID of the template."),
				"title":      fwtype.ComputedString("Title."),
				"slug":       fwtype.ComputedString("Slug of the template. API: `slug`."),
				"is_private": fwtype.ComputedBool("Whether it is private. API: `isPrivate`."),
				"created_at": fwtype.ComputedTime("When it was created (RFC 3339, UTC)."),
			}),
		},
	}
}

func usageSchema() schema.Schema {
	return figuresSchema("Usage in a month: documents sent, notarizations on chain, seats, templates and points. The billed quantities are in `reseller_quota`.", map[string]schema.Attribute{
		"period": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Calendar month in UTC as `YYYY-MM`. Default: the current month.",
			Validators:          []validator.String{stringvalidator.RegexMatches(fwtype.MonthForm, "must be a month as YYYY-MM")},
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
	return figuresSchema("The reseller's points pool. Points are the unit in which the API counts documents, seats, templates and notarizations. They are measured and never billed. The API updates renewals and expirations once an hour.", map[string]schema.Attribute{})
}

func figuresSchema(description string, attributes map[string]schema.Attribute) schema.Schema {
	attributes["json"] = fwtype.ComputedJSON("The response's `data` as normalized JSON. The API documentation does not give its shape, so nothing is dropped.")
	return schema.Schema{MarkdownDescription: description, Attributes: attributes}
}

func pointsLedgerSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The newest rows of a private label's points ledger. The API documentation shows only the ID and the item of a row. One API call for each 100 rows.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.LabelArgument(),
			"item_code":        schema.StringAttribute{Optional: true, MarkdownDescription: "Only rows of this item. API: `itemCode`.", Validators: []validator.String{fwtype.NotBlank}},
			"limit":            schema.Int64Attribute{Optional: true, MarkdownDescription: "Maximum number of rows, 1 to 10,000; default 100.", Validators: []validator.Int64{int64validator.Between(1, maxLedgerRows)}},
			"total":            schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of all rows; null if the API does not return it. API: `total`."},
			"rows": fwtype.ComputedRows("The rows, newest first, without duplicates.", map[string]schema.Attribute{
				"id":        fwtype.ComputedString("ID of the row."),
				"item_code": fwtype.ComputedString("Item of the row. API: `itemCode`."),
				"json":      fwtype.ComputedJSON("The entire row as normalized JSON."),
			}),
		},
	}
}

// Descriptions of figures whose response has no documented shape.
const (
	totalsText    = "Totals by item, where the response has them in an object `totals` or `used`, or in a field `used` of the item: `documents`, `seats`, `templates`, `notarizations`, `points`. The API documentation does not give the shape of the response, so every other number is only in `json`."
	quotaText     = "Billed quantities, and the reseller's remaining allowance. Each private label is billed the larger of its allocated and used quantities, so these can exceed the usage."
	remainingText = "Remaining allowance by item, where the response has a field or an object `remaining` for it: `documents`, `seats`, `templates`, `notarizations`. The API documentation does not give the shape of the response, so every other number is only in `json`."
)
