package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// permanentText is a text that cannot change after the create.
func permanentText[K fwtype.Kind](k kind, what, description string) schema.StringAttribute {
	a := fwtype.RequiredText[K](description)
	a.PlanModifiers = append(a.PlanModifiers, session.Immutable{
		Subject: path.Root("code"),
		Reason:  fmt.Sprintf("The %s of %s is immutable. A replacement would leave the old item in the catalog permanently; its code would stay reserved and count toward the limit.", what, withArticle(k.items)),
		Remedy:  "For another one, add another resource with another code.",
	})
	return a
}

// currency is optional for an add-on: the API documentation shows the currency of packages only (§2.11).
func (k kind) currency() schema.StringAttribute {
	a := permanentText[fwtype.CurrencyKind](k, "currency", "Currency of the prices, ISO 4217, immutable. API: `currency`.")
	if k.items == client.KindAddon {
		a.Required, a.Optional, a.Computed = false, true, true
		a.MarkdownDescription += " Default: what the API returns."
		a.PlanModifiers = append([]planmodifier.String{stringplanmodifier.UseStateForUnknown()}, a.PlanModifiers...)
	}
	return a
}

func (k kind) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: fmt.Sprintf("%s of the reseller's catalog. Its code is permanent, and it counts toward the limit of 100 even when deactivated. "+
			"Destroying the resource deactivates the item, unless `deletion_policy` specifies otherwise.", diagnostic.Capitalize(withArticle(k.items))),
		Attributes: map[string]schema.Attribute{
			"code":     permanentText[fwtype.CodeKind](k, "code", "Code, at most 64 characters, immutable. Stored in upper case and compared without case. API: `code`."),
			"name":     fwtype.RequiredString("Name, not blank, at most 255 characters. API: `name`.", fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(fwtype.MaxItemName)),
			"currency": k.currency(),
			"active": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether private labels can use the item. Default: `true`. API: `active`, `isActive` or `status`.",
			},
			"settings": schema.DynamicAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "Object with further API fields by their camelCase names, such as prices and included quantities. The API documentation does not list them. Drift is detected for configured keys only, also in nested objects. " +
					"Removing a key does not unset it in the API. If omitted, and after an import, contains all further fields of the API. Cannot contain `" + strings.Join(typedFields, "`, `") + "`. API: the other fields of the body.",
				PlanModifiers: []planmodifier.Dynamic{dynamicplanmodifier.UseStateForUnknown(), sameSettings{}},
			},
			"id": fwtype.ConstantString("ID of the " + k.items.String() + ", 32 lowercase hex characters. API: `" + k.typeName + "Id`."),
		},
	}
}

func (k kind) dataSchema() dataschema.Schema {
	return dataschema.Schema{
		MarkdownDescription: fmt.Sprintf("One %s of the reseller's catalog. One API call per 100 items and run.", k.items),
		Attributes: map[string]dataschema.Attribute{
			"id": dataschema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: fmt.Sprintf("ID of the %s, 32 lowercase hex characters. Set either `id` or `code`.", k.items),
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
			"code": dataschema.StringAttribute{
				CustomType: fwtype.TextType[fwtype.CodeKind]{}, Optional: true, Computed: true, Validators: fwtype.TextRules[fwtype.CodeKind](),
				MarkdownDescription: "Code, compared without case. Set either `id` or `code`. API: `code`.",
			},
			"name":     fwtype.ComputedString("Name. API: `name`."),
			"currency": dataschema.StringAttribute{CustomType: fwtype.TextType[fwtype.CurrencyKind]{}, Computed: true, MarkdownDescription: "Currency of the prices, ISO 4217; null if the API does not return it. API: `currency`."},
			"active":   fwtype.ComputedBool("Whether private labels can use the item. API: `active`, `isActive` or `status`."),
			"settings": dataschema.DynamicAttribute{Computed: true, MarkdownDescription: "All other fields of the response."},
		},
	}
}

func (k kind) listDataSchema() dataschema.Schema {
	return dataschema.Schema{
		MarkdownDescription: fmt.Sprintf("The %ss of the reseller's catalog, including deactivated ones. One API call per 100 items and run.", k.items),
		Attributes: map[string]dataschema.Attribute{
			"query":  dataschema.StringAttribute{Optional: true, MarkdownDescription: "Text in code or name, compared without case. Default: all items."},
			"active": dataschema.BoolAttribute{Optional: true, MarkdownDescription: "`true` for active items only, `false` for deactivated ones. Default: both."},
			"total":  fwtype.ComputedCount("Number of matches."),
			k.typeName + "s": fwtype.ComputedRows("Matches, in the API's order.", map[string]dataschema.Attribute{
				"id":            fwtype.ComputedString(fmt.Sprintf("ID of the %s.", k.items)),
				"code":          fwtype.ComputedString("Code, upper case."),
				"name":          fwtype.ComputedString("Name."),
				"currency":      fwtype.ComputedString("Currency of the prices, ISO 4217; null if the API does not return it."),
				"active":        fwtype.ComputedBool("Whether private labels can use the item."),
				"settings_json": fwtype.ComputedJSON("All other fields of the response, as normalized JSON."),
			}),
		},
	}
}
