package catalog

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func (t items) permanentField(what string) session.Immutable {
	return session.Immutable{
		Subject: path.Root("code"),
		Reason:  fmt.Sprintf("The %s of %s is immutable. A replacement would leave the old item in the catalog permanently; its code would stay reserved and count toward the limit.", what, withArticle(t.kind)),
		Remedy:  "For another one, add another resource with another code.",
	}
}

func (t items) schema(context.Context) schema.Schema {
	idField := "packageId"
	if t.typeName == "addon" {
		idField = "addonId"
	}
	return schema.Schema{
		MarkdownDescription: fmt.Sprintf("%s of the reseller's catalog. The code is permanent, and the item counts toward the limit of 100 even when deactivated. "+
			"Changing `code` or `currency` returns an error at plan time. Destroying the resource deactivates the item, unless `deletion_policy` says otherwise.", diagnostic.Capitalize(withArticle(t.kind))),
		Attributes: map[string]schema.Attribute{
			"code": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.CodeKind]{},
				Required:            true,
				MarkdownDescription: "Code, stored in upper case and compared without case, at most 64 characters. Permanent: a change returns an error at plan time. API: `code`.",
				Validators:          fwtype.TextRules[fwtype.CodeKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.CodeKind](), t.permanentField("code")},
			},
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name, not blank, at most 255 characters. API: `name`.",
				Validators:          []validator.String{fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(fwtype.MaxItemName)},
			},
			"currency": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.CurrencyKind]{},
				Required:            true,
				MarkdownDescription: "Currency of the prices, ISO 4217. A change returns an error at plan time. API: `currency`.",
				Validators:          fwtype.TextRules[fwtype.CurrencyKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.CurrencyKind](), t.permanentField("currency")},
			},
			"active": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether private labels can use it; default `true`. When deactivated, its code stays reserved and counts toward the limit. API: `active` (or its spelling in the response).",
			},
			"settings": schema.DynamicAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "Object with further fields of the API by their camelCase names, such as prices and included quantities. The API documentation does not list them. Sent unchanged. " +
					"Drift is detected for configured keys only. Removing a key does not unset it in the API. If omitted, and after an import, the attribute shows all further fields of the API. API: the other fields of the body.",
				PlanModifiers: []planmodifier.Dynamic{dynamicplanmodifier.UseStateForUnknown()},
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "ID of the " + t.kind.String() + ", 32 lowercase hex characters. API: `" + idField + "`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}
