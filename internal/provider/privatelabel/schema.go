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

func (kind) Schema(context.Context) schema.Schema {
	keep := []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}
	return schema.Schema{
		MarkdownDescription: "A private label (a white-labeled signing portal) with its own host name and an owner. " +
			"Provisioning creates a live portal and emails the owner. The host name of a deprovisioned private label can never be provisioned again, so the provider never replaces a private label, and a destroy returns an error at plan time until `deletion_policy` allows it.",
		Attributes: map[string]schema.Attribute{
			"domain":   fwtype.RequiredText[fwtype.HostKind]("Host name of the portal, without scheme, port or path, compared without case. Permanent: a change returns an error at plan time. API: `config.domain`, `primaryHost` or `customDomain`."),
			"app_name": fwtype.OptionalString("Name of the portal, not blank. Required to provision, and sent only then; a later change is only recorded in state. An imported private label can omit it. API: `config.appName`.", fwtype.NotBlank),
			"owner": schema.SingleNestedAttribute{
				Optional: true,
				Computed: true, // an import fills it from the API
				MarkdownDescription: "Owner of the private label. Required to provision, and sent only then: the API emails a set-password link that is valid for one day. " +
					"An import reads it from the API. Later changes in the API are not detected. API: `owner`.",
				PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
				Attributes: map[string]schema.Attribute{
					"email":      fwtype.RequiredText[fwtype.EmailKind]("Email address, compared without case. The plan records a change only if the API shows the new owner; otherwise it fails. API: `owner.email`."),
					"first_name": fwtype.RequiredString("First name, not blank. A later change is only recorded in state. API: `owner.firstName`.", fwtype.NotBlank),
					"last_name":  fwtype.RequiredString("Last name, not blank. A later change is only recorded in state. API: `owner.lastName`.", fwtype.NotBlank),
					"user_id":    fwtype.ConstantString("User ID of the owner. API: `ownerUserId`, `owner.userId`."),
				},
			},
			"support_url":   fwtype.OptionalText[fwtype.URLKind]("Full http(s) URL of the client's help page. Sent only at provisioning; a later change is only recorded in state. API: `config.supportUrl`."),
			"website_url":   fwtype.OptionalText[fwtype.URLKind]("Full http(s) URL of the client's website. Sent only at provisioning; a later change is only recorded in state. API: `config.websiteUrl`."),
			"color_primary": fwtype.OptionalText[fwtype.ColorKind]("Initial primary color, `#rgb` or `#rrggbb`. Sent only at provisioning; a later change is only recorded in state, and `reseller_branding` changes the color. API: `config.colorPrimary`."),
			"color_accent":  fwtype.OptionalText[fwtype.ColorKind]("Initial accent color, `#rgb` or `#rrggbb`. Sent only at provisioning; a later change is only recorded in state, and `reseller_branding` changes the color. API: `config.colorAccent`."),
			"social_links": schema.MapAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				MarkdownDescription: "Social links, at most 20: name of the config field to full http(s) URL. The API documentation does not list the names. They are sent unchanged, and only at provisioning; a later change is only recorded in state. API: further fields of `config`.",
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
				MarkdownDescription: "Whether the private label is suspended: all members are signed out and cannot sign in, data and package are kept, and it is still billed. If omitted, the suspension is not managed, so an apply does not lift a suspension that was set elsewhere. The provider never changes a suspension by the platform. API: `status`.",
			},
			"suspend_reason":  fwtype.OptionalString("Reason for the suspension, 1 to 500 characters; requires `suspended = true`. Visible only to the reseller and the platform. It cannot change while the suspension lasts. API: `reason`.", stringvalidator.UTF8LengthBetween(1, 500)),
			"id":              fwtype.ConstantString("Private label ID (the API's tenant ID), 32 lowercase hex characters. API: `tenantId`."),
			"status":          fwtype.ConstantString("`Active` or `Suspended`. API: `status`."),
			"suspended_at":    fwtype.ConstantTime("When the private label was suspended (RFC 3339, UTC); null when active. API: `suspendedAt`."),
			"suspended_by":    fwtype.ConstantString("`Reseller` or `Platform`; null when active. API: `suspendedBy`."),
			"created_at":      fwtype.ConstantTime("When the private label was provisioned (RFC 3339, UTC). API: `createdAt`."),
			"custom_domain":   fwtype.ConstantString("Custom domain of the private label; null if it has none. API: `customDomain`."),
			"domain_attached": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the host name is attached to the portal. If it is not, the next apply attaches it again. API: `domainSetup.attached`.", PlanModifiers: keep},
			"domain_verified": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the DNS record of the host name was correct when last read. Once true, it is not read again. API: `domainSetup.verified`.", PlanModifiers: keep},
			"dns_record": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The DNS record to create for the host name: the first of the API's list. Its value is known after apply; use `domain` for the name, which is known at plan time. API: `domainSetup.records[0]`.",
				Attributes:          dnsRecordAttributes(),
				PlanModifiers:       []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			},
			"dns_records": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "All DNS records that the API returns. They are alternatives for the same name; create only one of them. API: `domainSetup.records`.",
				NestedObject:        schema.NestedAttributeObject{Attributes: dnsRecordAttributes()},
				PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()},
			},
			"dns_note": fwtype.ConstantString("The API's note on the DNS setup, free text; null if there is none. API: `domainSetup.note`."),
		},
	}
}

func dnsRecordAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type":  schema.StringAttribute{Computed: true, MarkdownDescription: "Type of the record, such as `CNAME` or `A`."},
		"name":  schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the record: the host name, however the API spells it."},
		"value": schema.StringAttribute{Computed: true, MarkdownDescription: "Value of the record: the target host name, or an IP address."},
	}
}

func (verificationKind) Schema(ctx context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Waits until the host name of a private label is attached and its DNS record is correct, " +
			"so that resources that need the live portal can depend on it, or only shows what DNS answers (`required = false`). " +
			"It reads the private label at most once a minute. " +
			"On timeout the error names the expected DNS record and what DNS answers; the private label is unchanged, and the next apply continues to wait. " +
			"A destroy only removes the resource from state.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.RequiredID("Private label ID. A change replaces the resource, which waits again. API: `:tenantId`.", fwtype.PrivateLabelIDValidator),
			"required": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(true),
				MarkdownDescription: "Whether a host name that is not verified in time is an error (default `true`). With `false`, an apply looks for as long as `timeouts.create` says (`\"0s\"`: once) and continues with a warning; " +
					"later plans look again, with one API call until it is verified, and show `verified` when it changes.",
			},
			"id":       fwtype.ConstantString("Same as `private_label_id`."),
			"domain":   fwtype.ConstantString("Host name. API: `primaryHost`."),
			"verified": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the API has attached the host name and verified its DNS. Once true, it is not read again. API: `domainSetup.attached`, `domainSetup.verified`.", PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}},
			"observed": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "What the host name resolved to when it was last checked, by the resolver of the machine that runs Terraform: its CNAME record, then addresses; at most 20.",
				PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"type":  schema.StringAttribute{Computed: true, MarkdownDescription: "`CNAME`, `A` or `AAAA`."},
					"value": schema.StringAttribute{Computed: true, MarkdownDescription: "Target host name, or IP address."},
				}},
			},
			"problem": fwtype.ConstantString("What is wrong with the DNS of the host name, in one sentence; null if it is verified. Only the API decides whether a host name is verified."),
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
				Create:            true,
				CreateDescription: "Longest time to wait, such as `30m` (default) or `2h`; `0s` checks once. The API checks DNS at most once a minute, and a DNS change may take hours.",
			}),
		},
	}
}
