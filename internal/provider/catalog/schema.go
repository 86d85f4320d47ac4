package catalog

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func (r *Resource) permanentField(what string) session.Immutable {
	return session.Immutable{
		Subject: path.Root("code"),
		Reason:  fmt.Sprintf("The %s of %s is immutable. A replacement would leave the old item in the catalog permanently; its code would stay reserved and count toward the limit.", what, withArticle(r.kind)),
		Remedy:  "For another one, add another resource with another code.",
	}
}

func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"id": identityschema.StringAttribute{RequiredForImport: true, Description: fmt.Sprintf("ID of the %s, 32 lowercase hex characters.", r.kind)},
		},
	}
}

func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	idField := "packageId"
	if r.typeName == "addon" {
		idField = "addonId"
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: fmt.Sprintf("%s of the reseller's catalog. The code is permanent, and the item counts toward the limit of 100 even when deactivated. "+
			"Changing `code` or `currency` returns an error at plan time. Destroying the resource deactivates the item.", diagnostic.Capitalize(withArticle(r.kind))),
		Attributes: map[string]schema.Attribute{
			"code": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.CodeKind]{},
				Required:            true,
				MarkdownDescription: "Code, stored in upper case and compared without case, at most 64 characters. Permanent: a change returns an error at plan time. API: `code`.",
				Validators:          fwtype.TextRules[fwtype.CodeKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.CodeKind](), r.permanentField("code")},
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
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.CurrencyKind](), r.permanentField("currency")},
			},
			"active": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether private labels can use it; default `true`. When deactivated, its code stays reserved and counts toward the limit. API: `active` (or its spelling in the response).",
			},
			"settings": schema.DynamicAttribute{
				Optional: true,
				MarkdownDescription: "Object with further fields of the API by their camelCase names, such as prices and included quantities. The API documentation does not list them. Sent unchanged. " +
					"Drift is detected for configured keys only. Removing a key does not unset it in the API. API: the other fields of the body.",
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "ID of the " + r.kind.String() + ", 32 lowercase hex characters. API: `" + idField + "`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}
