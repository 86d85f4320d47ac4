package privatelabel

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// linkName is wide, since the names of the service's fields are not documented.
var linkName = stringvalidator.RegexMatches(regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`), "must be the name of a field, such as linkedIn")

// configFields are the named fields of config in §4.9; a social link must not
// stand in for one of them.
var configFields = []string{"domain", "appName", "supportUrl", "websiteUrl", "colorPrimary", "colorAccent"}

const maxSocialLinks = 20

// provisionedOnly is the rule of everything that is sent at provisioning only.
var provisionedOnly = session.Immutable{
	Subject: path.Root("domain"),
	Reason:  "It is sent when the label is provisioned and no endpoint changes it afterwards; replacing the label would lose the portal and burn its host for good, so the provider never does.",
	Remedy:  "Where the console can change it, change it there and leave the configuration as it is.",
}

var permanentHost = session.Immutable{
	Subject: path.Root("domain"),
	Reason:  "The host of a private label is permanent. Replacing the label would deprovision the portal with its people and documents, and its host could never be provisioned again.",
	Remedy:  "For a portal on another host, declare another resource.",
}

func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"id": identityschema.StringAttribute{
				RequiredForImport: true,
				Description:       "Tenant id of the label, 32 lower-case hex characters.",
			},
		},
	}
}

func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A private label: a white-labelled signing portal on a host of its own, with an owner (§4.8 to §4.14 of the Reseller API). " +
			"Provisioning makes a live portal and e-mails its owner. A label's host is burnt when the label goes, so nothing here is ever replaced, and destroying is prevented until `deletion_policy` allows it.",
		Attributes: map[string]schema.Attribute{
			"domain": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Required:            true,
				MarkdownDescription: "Host name of the portal, bare (no scheme, port or path), compared without case. Permanent: a change is an error at plan. API: `config.domain`, `primaryHost`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.HostKind](), permanentHost},
			},
			"app_name": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Name of the portal, not blank. Needed to provision and sent then only; an imported label can do without. API: `config.appName`.",
				Validators:          []validator.String{fwtype.NotBlank},
				PlanModifiers:       []planmodifier.String{provisionedOnly},
			},
			"owner": ownerAttribute(),
			"support_url": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.URLKind]{},
				Optional:            true,
				MarkdownDescription: "Full http(s) URL of the client's help page. Sent at provisioning only. API: `config.supportUrl`.",
				Validators:          fwtype.TextRules[fwtype.URLKind](),
				PlanModifiers:       []planmodifier.String{provisionedOnly},
			},
			"website_url": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.URLKind]{},
				Optional:            true,
				MarkdownDescription: "Full http(s) URL of the client's site. Sent at provisioning only. API: `config.websiteUrl`.",
				Validators:          fwtype.TextRules[fwtype.URLKind](),
				PlanModifiers:       []planmodifier.String{provisionedOnly},
			},
			"color_primary": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.ColorKind]{},
				Optional:            true,
				MarkdownDescription: "First main colour, `#rgb` or `#rrggbb`. Sent at provisioning only; `reseller_branding` changes colours later. API: `config.colorPrimary`.",
				Validators:          fwtype.TextRules[fwtype.ColorKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.ColorKind](), provisionedOnly},
			},
			"color_accent": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.ColorKind]{},
				Optional:            true,
				MarkdownDescription: "First accent colour, `#rgb` or `#rrggbb`. Sent at provisioning only; `reseller_branding` changes colours later. API: `config.colorAccent`.",
				Validators:          fwtype.TextRules[fwtype.ColorKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.ColorKind](), provisionedOnly},
			},
			"social_links": schema.MapAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				MarkdownDescription: "Social links, at most 20: name of the config field to full http(s) URL. The service's documents do not list the names; they are sent as written, at provisioning only. API: further fields of `config`.",
				Validators: []validator.Map{
					mapvalidator.SizeAtMost(maxSocialLinks),
					mapvalidator.KeysAre(linkName, stringvalidator.NoneOf(configFields...)),
					mapvalidator.ValueStringsAre(fwtype.TextValidator[fwtype.URLKind]{}),
				},
				PlanModifiers: []planmodifier.Map{provisionedOnly},
			},
			"suspended": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether the label is suspended: everybody is signed out, sign-in is refused, data and package are kept, and it is still billed. Left out it is not managed, so that an apply never lifts somebody else's suspension. A suspension by the platform is never fought. API: `status`.",
			},
			"suspend_reason": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Why the label is suspended, 1 to 500 characters; needs `suspended = true`. Seen by the reseller and the operator only. It cannot change while the suspension lasts. API: `reason`.",
				Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 500)},
			},
			"deletion_policy": schema.StringAttribute{
				Optional: true,
				Computed: true,
				Default:  stringdefault.StaticString(policyPrevent),
				MarkdownDescription: "What a destroy does: `PREVENT` (default) refuses it at plan; `SUSPEND` suspends the label and forgets it; `ABANDON` forgets it and sends nothing; " +
					"`DEPROVISION` removes the portal for good and burns its host. A change has to be applied before a destroy goes by it.",
				Validators: []validator.String{stringvalidator.OneOf(deletionPolicies...)},
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Tenant id of the label, 32 lower-case hex characters. API: `tenantId`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"status": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "`Active` or `Suspended`. API: `status`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"suspended_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Computed:            true,
				MarkdownDescription: "When the label was suspended (RFC 3339, UTC); null when active. API: `suspendedAt`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"suspended_by": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "`Reseller` or `Platform`; null when active. API: `suspendedBy`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"created_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Computed:            true,
				MarkdownDescription: "When the label was provisioned (RFC 3339, UTC). API: `createdAt`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"custom_domain": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Custom domain of the label, if it has one. API: `customDomain`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"domain_attached": schema.BoolAttribute{
				Computed:            true,
				MarkdownDescription: "Whether the host is attached to the portal. Where it is not, the next apply attaches it again (§4.11). API: `domainSetup.attached`.",
				PlanModifiers:       []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
			},
			"domain_verified": schema.BoolAttribute{
				Computed:            true,
				MarkdownDescription: "Whether the host's DNS is correct, as last read; once true it is not read again. API: `domainSetup.verified`.",
				PlanModifiers:       []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
			},
			"dns_record": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The one DNS record to create for the host: the first of the service's list. API: `domainSetup.records[0]`.",
				Attributes:          dnsRecordAttributes(),
				PlanModifiers:       []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			},
			"dns_records": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "All records the service offers. They are alternatives for the same name, and a name takes only one. API: `domainSetup.records`.",
				NestedObject:        schema.NestedAttributeObject{Attributes: dnsRecordAttributes()},
				PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()},
			},
			"dns_note": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "The service's note on the DNS set-up, free text, if there is one. API: `domainSetup.note`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}

func ownerAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		Computed: true, // an import fills it from the service
		MarkdownDescription: "The person the label is provisioned for; needed to provision, sent then only. The service e-mails a set-password link that is valid for a day. " +
			"After an import it is what the service tells. It is not compared with the service afterwards. API: `owner`.",
		PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
		Attributes: map[string]schema.Attribute{
			"email": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.EmailKind]{},
				Required:            true,
				MarkdownDescription: "E-mail address, compared without case. A change is an error at plan. API: `owner.email`.",
				Validators:          fwtype.TextRules[fwtype.EmailKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.EmailKind](), provisionedOnly},
			},
			"first_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "First name, not blank. A change is an error at plan. API: `owner.firstName`.",
				Validators:          []validator.String{fwtype.NotBlank},
				PlanModifiers:       []planmodifier.String{provisionedOnly},
			},
			"last_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Last name, not blank. A change is an error at plan. API: `owner.lastName`.",
				Validators:          []validator.String{fwtype.NotBlank},
				PlanModifiers:       []planmodifier.String{provisionedOnly},
			},
			"user_id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id of the owner's account. API: `ownerUserId`, `owner.userId`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}

func dnsRecordAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type":  schema.StringAttribute{Computed: true, MarkdownDescription: "Type of the record, such as `CNAME` or `A`."},
		"name":  schema.StringAttribute{Computed: true, MarkdownDescription: "Full name of the record."},
		"value": schema.StringAttribute{Computed: true, MarkdownDescription: "Value of the record: the target host, or an address."},
	}
}
