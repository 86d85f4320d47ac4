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

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func (r *Resource) permanentField(what string) session.Immutable {
	return session.Immutable{
		Subject: path.Root("code"),
		Reason:  fmt.Sprintf("The %s of a %s is fixed when it is made, and no endpoint changes it. Replacing it would leave the old one in the catalogue for ever, with its code and its place in the cap taken.", what, r.kind),
		Remedy:  "For another one, declare another resource with a code of its own.",
	}
}

func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"id": identityschema.StringAttribute{RequiredForImport: true, Description: fmt.Sprintf("Id of the %s, 32 lower-case hex characters.", r.kind)},
		},
	}
}

func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	idField := "packageId"
	if r.typeName == "addon" {
		idField = "addonId"
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: fmt.Sprintf("A %s of the reseller's catalogue (§2.11, §4.21). Its code is for ever, and so is its place in the cap of 100, deactivated ones included: "+
			"a change of what is fixed is an error at plan, and destroying it deactivates it.", r.kind),
		Attributes: map[string]schema.Attribute{
			"code": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.CodeKind]{},
				Required:            true,
				MarkdownDescription: "Code, stored upper case and compared without case, at most 64 characters. Permanent: a change is an error at plan. API: `code`.",
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
				MarkdownDescription: "Currency of its prices, ISO 4217. A change is an error at plan. API: `currency`.",
				Validators:          fwtype.TextRules[fwtype.CurrencyKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.CurrencyKind](), r.permanentField("currency")},
			},
			"active": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether it can be given to labels; default `true`. A deactivated one keeps its code and its place in the cap. API: `active` (or as the service spells it).",
			},
			"settings": schema.DynamicAttribute{
				Optional: true,
				MarkdownDescription: "Further fields of the service by their own camelCase names, such as prices and included quantities: an object. The service's documents do not list them; they are sent as they stand, " +
					"and what the service tells of the declared ones is compared. A key taken out is kept by the service. API: the other fields of the body.",
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id of the " + r.kind.String() + ", 32 lower-case hex characters. API: `" + idField + "`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}
