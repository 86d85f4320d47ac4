package privatelabel

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// linkName accepts many names, because the API documentation does not list them.
var linkName = stringvalidator.RegexMatches(regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`), "must be a field name in camelCase, such as linkedIn")

var permanentOwner = session.Immutable{
	Subject: path.Root("domain"),
	Reason:  "No endpoint transfers a private label to another owner.",
	Remedy:  "After the owner has changed in the reseller console, write the new owner here: the plan then records it without an API call.",
}

var permanentHost = session.Immutable{
	Subject: path.Root("domain"),
	Reason:  "The host name of a private label is permanent. A replacement would delete the private label with its members, and its host name could never be provisioned again.",
	Remedy:  "For another host name, add another resource.",
}

// atProvisioning describes an attribute that the API accepts at provisioning only.
const atProvisioning = "Sent at provisioning only. Later changes are only recorded in state."

func (kind) Schema(context.Context) schema.Schema {
	keep := []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}
	return schema.Schema{
		MarkdownDescription: "A private label (a white-labeled signing portal) with its own host name and an owner. " +
			"Provisioning creates a live portal and emails the owner. Nobody can provision the host name of a deprovisioned private label again, so the provider never replaces one. Destroying it fails at plan time until `deletion_policy` permits it.",
		Attributes: map[string]schema.Attribute{
			"domain":   fwtype.RequiredText[fwtype.HostKind]("Host name of the portal, without scheme, port or path, immutable. Compared without case. API: `config.domain`, `primaryHost` or `customDomain`."),
			"app_name": fwtype.OptionalString("App name, not blank. Required for provisioning. "+atProvisioning+" API: `config.appName`.", fwtype.NotBlank),
			"owner": schema.SingleNestedAttribute{
				Optional: true,
				Computed: true, // an import fills it from the API
				MarkdownDescription: "Owner of the private label, who receives a set-password email with a link that is valid for one day. Required for provisioning. " +
					"An import reads it from the API. Later changes in the API are not detected. API: `owner`.",
				PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
				Attributes: map[string]schema.Attribute{
					"email":      fwtype.RequiredText[fwtype.EmailKind]("Email address, compared without case. You can change it once the API shows the new owner; before that, the plan fails. API: `owner.email`."),
					"first_name": fwtype.RequiredString("First name, not blank. Later changes are only recorded in state. API: `owner.firstName`.", fwtype.NotBlank),
					"last_name":  fwtype.RequiredString("Last name, not blank. Later changes are only recorded in state. API: `owner.lastName`.", fwtype.NotBlank),
					"user_id":    fwtype.ConstantString("User ID of the owner. API: `ownerUserId`, `owner.userId`."),
				},
			},
			"support_url":   fwtype.OptionalText[fwtype.URLKind]("Full http(s) URL of the client's help page. " + atProvisioning + " API: `config.supportUrl`."),
			"website_url":   fwtype.OptionalText[fwtype.URLKind]("Full http(s) URL of the client's website. " + atProvisioning + " API: `config.websiteUrl`."),
			"color_primary": fwtype.OptionalText[fwtype.ColorKind]("Initial primary color, `#rgb` or `#rrggbb`. " + atProvisioning + " To change the color, use `reseller_branding`. API: `config.colorPrimary`."),
			"color_accent":  fwtype.OptionalText[fwtype.ColorKind]("Initial accent color, `#rgb` or `#rrggbb`. " + atProvisioning + " To change the color, use `reseller_branding`. API: `config.colorAccent`."),
			"social_links": schema.MapAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				MarkdownDescription: "Full http(s) URLs of at most 20 social links, by API field name. The API documentation does not list the names. " + atProvisioning + " API: further fields of `config`.",
				Validators: []validator.Map{
					mapvalidator.SizeAtMost(20),
					// §4.9 names these fields of config.
					mapvalidator.KeysAre(linkName, stringvalidator.NoneOf("domain", "appName", "supportUrl", "websiteUrl", "colorPrimary", "colorAccent")),
					mapvalidator.ValueStringsAre(fwtype.TextRule[fwtype.URLKind]()),
				},
				PlanModifiers: []planmodifier.Map{sameWhenEmpty{}},
			},
			"suspended": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether the private label is suspended. Members are signed out and cannot sign in. Data and package are kept and billed. If omitted, the suspension is not managed. The provider never changes a suspension by the platform. API: `status`.",
			},
			"suspend_reason":  fwtype.OptionalString("Reason for the suspension, 1 to 500 characters, visible only to the reseller and the platform. Requires `suspended = true`. Cannot be changed while the suspension lasts. API: `reason`.", stringvalidator.UTF8LengthBetween(1, 500)),
			"id":              fwtype.ConstantString("Private label ID (the API's tenant ID), 32 lowercase hex characters. API: `tenantId`."),
			"status":          fwtype.ConstantString("`Active` or `Suspended`. API: `status`."),
			"suspended_at":    fwtype.ConstantTime("When the private label was suspended (RFC 3339, UTC). Null if active. API: `suspendedAt`."),
			"suspended_by":    fwtype.ConstantString("`Reseller` or `Platform`. Null if active. API: `suspendedBy`."),
			"created_at":      fwtype.ConstantTime("When the private label was provisioned (RFC 3339, UTC). API: `createdAt`."),
			"custom_domain":   fwtype.ConstantString("Custom domain. Null if there is none. API: `customDomain`."),
			"domain_attached": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the host name is attached to the portal. If it is not, the next apply attaches it again. API: `domainSetup.attached`.", PlanModifiers: keep},
			"domain_verified": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the DNS record of the host name was correct at the last read. Once true, the provider does not read it again. API: `domainSetup.verified`.", PlanModifiers: keep},
			"dns_record": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "DNS record to create for the host name: the first of `dns_records`. It is known after apply. Use `domain` for the name, which is known at plan time. API: `domainSetup.records[0]`.",
				Attributes:          dnsRecordAttributes(),
				PlanModifiers:       []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			},
			"dns_records": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "All DNS records that the API returns. They are alternatives. Create only one of them. API: `domainSetup.records`.",
				NestedObject:        schema.NestedAttributeObject{Attributes: dnsRecordAttributes()},
				PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()},
			},
			"dns_note": fwtype.ConstantString("The API's note on the DNS setup. Null if there is none. API: `domainSetup.note`."),
		},
	}
}

func dnsRecordAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type":  schema.StringAttribute{Computed: true, MarkdownDescription: "Type, such as `CNAME` or `A`."},
		"name":  schema.StringAttribute{Computed: true, MarkdownDescription: "Name: the host name, as the API spells it."},
		"value": schema.StringAttribute{Computed: true, MarkdownDescription: "Value: target host name or IP address."},
	}
}

func (verificationKind) Schema(ctx context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Waits until the platform has verified the DNS record of a private label (a white-labeled signing portal). " +
			"Resources that need the live portal can depend on it. Set `required = false` to check without waiting. " +
			"Destroying the resource only removes it from state.\n\n" +
			"While it waits, the provider reads the private label at most once a minute. After a timeout, the error contains the expected DNS record and what DNS returns. " +
			"The private label is unchanged, and the next apply waits again.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.RequiredID("Private label ID. Changing it replaces the resource, which waits again. API: `:tenantId`.", fwtype.PrivateLabelIDValidator),
			"required": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(true),
				MarkdownDescription: "Whether the apply fails if the host name is not verified within `timeouts.create`. Default: `true`. " +
					"If `false`, the apply continues with a warning, and each later plan checks again.",
			},
			"id":       fwtype.ConstantString("Same as `private_label_id`."),
			"domain":   fwtype.ConstantString("Host name. API: `primaryHost`."),
			"verified": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the API has attached the host name and verified its DNS record. Once true, the provider does not read it again. API: `domainSetup.attached`, `domainSetup.verified`.", PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}},
			"observed": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "What the host name resolved to at the last check, on the machine that runs Terraform: its CNAME record, then addresses, at most 20.",
				PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"type":  schema.StringAttribute{Computed: true, MarkdownDescription: "`CNAME`, `A` or `AAAA`."},
					"value": schema.StringAttribute{Computed: true, MarkdownDescription: "Target host name, or IP address."},
				}},
			},
			"problem": fwtype.ConstantString("What is wrong with the DNS record, in one sentence. Null if the host name is verified."),
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
				Create:            true,
				CreateDescription: "Maximum time to wait, such as `2h`. `0s` checks once. Default: `30m`. A DNS change may take hours.",
			}),
		},
	}
}
