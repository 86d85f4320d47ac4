package privatelabel

import (
	"context"
	"maps"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// linkName accepts many names, because the API documentation does not list them.
var linkName = fwtype.Form(regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`), "must be a field name in camelCase, such as linkedIn")

var permanentOwner = session.Immutable{
	Subject: path.Root("domain"),
	Reason:  "No endpoint transfers a private label to a different owner.",
	Remedy:  "After the owner has changed in the reseller console, write the new owner here: the plan then records it without an API call.",
}

var permanentHost = session.Immutable{
	Subject: path.Root("domain"),
	Reason:  "The host name of a private label is permanent. A replacement would delete the private label with its members, and its host name could never be provisioned again.",
	Remedy:  "For a different host name, add a second resource.",
}

// atProvisioning describes an attribute that the API accepts at provisioning only.
const atProvisioning = "Sent at provisioning only. Later changes are only recorded in state."

func (resource) Schema(context.Context) schema.Schema {
	keep := []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}
	return schema.Schema{
		MarkdownDescription: "A private label (a white-labeled signing portal) with its own host name and an owner. " +
			"Provisioning creates a live portal and emails the owner. Nobody can provision the host name of a deprovisioned private label again, so the provider never replaces a private label. Destroying the resource fails at plan time until `deletion_policy` permits it.",
		Attributes: map[string]schema.Attribute{
			"domain":   fwtype.RequiredText[fwtype.HostKind]("Host name of the portal, without scheme, port or path, immutable. Compared without case. API: `config.domain`, `primaryHost` or `customDomain`."),
			"app_name": fwtype.OptionalString("App name, not blank. Required for provisioning. "+atProvisioning+" API: `config.appName`.", fwtype.NotBlank),
			"owner": schema.SingleNestedAttribute{
				Optional: true,
				Computed: true, // an import fills it from the API
				MarkdownDescription: "Owner of the private label, who receives a set-password email with a link that is valid for one day. Required for provisioning. " +
					"An import reads it from the API. The provider does not detect later changes in the API. API: `owner`.",
				PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
				Attributes: map[string]schema.Attribute{
					"email":      fwtype.RequiredText[fwtype.EmailKind]("Email address, compared without case. You can change it after the API shows the new owner. Before that, the plan fails. API: `owner.email`."),
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
					fwtype.Size("map must contain at most 20 elements", 0, 20),
					// §4.9 names these fields of config.
					mapvalidator.KeysAre(linkName, fwtype.NoneOf("domain", "appName", "supportUrl", "websiteUrl", "colorPrimary", "colorAccent")),
					mapvalidator.ValueStringsAre(fwtype.TextRule[fwtype.URLKind]()),
				},
				PlanModifiers: []planmodifier.Map{sameWhenEmpty{}},
			},
			"suspended": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether the private label is suspended. Members are signed out and cannot sign in. Data and package are kept and billed. If omitted, the suspension is not managed. The provider never changes a suspension by the platform. API: `status`.",
			},
			"suspend_reason":  fwtype.OptionalString("Reason for the suspension, 1 to 500 characters, visible only to the reseller and the platform. Requires `suspended = true`. Cannot be changed while the suspension lasts. API: `reason`.", fwtype.LengthBetween(1, 500)),
			"id":              fwtype.ConstantString("Private label ID (the API's tenant ID), 32 lowercase hex characters. API: `tenantId`."),
			"status":          fwtype.ConstantString("`Active` or `Suspended`. API: `status`."),
			"suspended_at":    fwtype.ConstantTime("When the private label was suspended (RFC 3339, UTC). Null if active. API: `suspendedAt`."),
			"suspended_by":    fwtype.ConstantString("`Reseller` or `Platform`. Null if active. API: `suspendedBy`."),
			"created_at":      fwtype.ConstantTime("When the private label was provisioned (RFC 3339, UTC). API: `createdAt`."),
			"custom_domain":   fwtype.ConstantString("Custom domain. Null if none. API: `customDomain`."),
			"domain_attached": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the host name is attached to the portal. If `false`, the next apply attaches it again. API: `domainSetup.attached`.", PlanModifiers: keep},
			"domain_verified": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the DNS record of the host name was correct at the last read. Once `true`, the provider no longer reads it. API: `domainSetup.verified`.", PlanModifiers: keep},
			"dns_record": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "DNS record to create for the host name: the first of `dns_records`. Known after apply. Use `domain` for the record's name, so that the plan shows it. API: `domainSetup.records[0]`.",
				Attributes:          dnsRecordAttributes(),
				PlanModifiers:       []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			},
			"dns_records": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Alternative DNS records that the API returns. Create only one of them. API: `domainSetup.records`.",
				NestedObject:        schema.NestedAttributeObject{Attributes: dnsRecordAttributes()},
				PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()},
			},
			"dns_note": fwtype.ConstantString("The API's note on the DNS setup. Null if none. API: `domainSetup.note`."),
		},
	}
}

func dnsRecordAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type":  fwtype.ComputedString("Type, such as `CNAME` or `A`."),
		"name":  fwtype.ComputedString("Host name, as the API spells it."),
		"value": fwtype.ComputedString("Target host name or IP address."),
	}
}

func (verificationResource) Schema(ctx context.Context) schema.Schema {
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
			"verified": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the API has attached the host name and verified its DNS record. Once `true`, the provider no longer reads it. API: `domainSetup.attached`, `domainSetup.verified`.", PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}},
			"observed": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "What the host name resolved to at the last check, on the machine that runs Terraform. Contains the CNAME record, then addresses, at most 20.",
				PlanModifiers:       []planmodifier.List{listplanmodifier.UseStateForUnknown()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"type":  fwtype.ComputedString("`CNAME`, `A` or `AAAA`."),
					"value": fwtype.ComputedString("Target host name, or IP address."),
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

// validateReason: a reason explains why `suspended` is true. AlsoRequires would also accept `suspended = false`.
func validateReason(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var reason types.String
	var suspended types.Bool
	at := path.Root("suspend_reason")
	diags := config.GetAttribute(ctx, at, &reason)
	if reason.IsNull() || reason.IsUnknown() {
		return diags
	}
	diags.Append(config.GetAttribute(ctx, path.Root("suspended"), &suspended)...)
	if !suspended.IsUnknown() && !suspended.ValueBool() {
		diags.AddAttributeError(at, diagnostic.SummaryInvalidCombination,
			"suspend_reason requires suspended = true. Set it, or remove suspend_reason.")
	}
	return diags
}

// sameWhenEmpty keeps the state of a map where {} and an omitted one are the only difference: both are sent alike.
type sameWhenEmpty struct{ fwtype.Undescribed }

func (sameWhenEmpty) PlanModifyMap(_ context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	isSame := len(req.StateValue.Elements()) == 0 && len(req.PlanValue.Elements()) == 0
	if isSame && !req.State.Raw.IsNull() && !req.PlanValue.IsUnknown() {
		resp.PlanValue = req.StateValue
	}
}

// defaultVerificationTime is how long an apply waits by default.
const defaultVerificationTime = 30 * time.Minute

// validateTimeouts rejects a negative time; 0s reads once.
func validateTimeouts(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var set timeouts.Value
	at := path.Root("timeouts")
	diags := config.GetAttribute(ctx, at, &set)
	limit, more := verificationTime(ctx, set)
	diags.Append(more...)
	if limit < 0 {
		diags.Append(diagnostic.InvalidValue(at.AtName("create"), limit.String(),
			"set a duration that is not negative, such as 30m; 0s checks once"))
	}
	return diags
}

// verificationTime is the time that an apply waits. The library would log each default at INFO: 600 lines for a plan of 300
// private labels.
func verificationTime(ctx context.Context, set timeouts.Value) (time.Duration, diag.Diagnostics) {
	if create := set.Attributes()["create"]; create == nil || create.IsNull() || create.IsUnknown() {
		return defaultVerificationTime, nil
	}
	return set.Create(ctx, defaultVerificationTime)
}

// model is the resource: the configured attributes first, then those from the API.
type model struct {
	Domain        fwtype.HostName `tfsdk:"domain"`
	AppName       types.String    `tfsdk:"app_name"`
	Owner         types.Object    `tfsdk:"owner"`
	SupportURL    fwtype.WebURL   `tfsdk:"support_url"`
	WebsiteURL    fwtype.WebURL   `tfsdk:"website_url"`
	ColorPrimary  fwtype.Color    `tfsdk:"color_primary"`
	ColorAccent   fwtype.Color    `tfsdk:"color_accent"`
	SocialLinks   types.Map       `tfsdk:"social_links"`
	Suspended     types.Bool      `tfsdk:"suspended"`
	SuspendReason types.String    `tfsdk:"suspend_reason"`
	object.Guarded

	detailModel

	shown *shown // that was just read
}

// detailModel is what the resource and the data source copy alike from the detail of a private label (§2.4).
type detailModel struct {
	ID           types.String      `tfsdk:"id"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
	CustomDomain types.String      `tfsdk:"custom_domain"`
	suspensionModel
	domainSetupModel
}

func (m *detailModel) fill(now *shown) {
	m.ID = types.StringValue(now.TenantID)
	m.CustomDomain = types.StringPointerValue(now.CustomDomain)
	m.suspensionModel.fill(now.Suspension)
	if now.isDetail {
		m.CreatedAt = fwtype.TimeValue(now.CreatedAt)
		m.domainSetupModel.fill(now.Host(), now.DomainSetup)
	}
}

// settled reports whether nothing changes any longer of what the list lacks.
func (m *detailModel) settled() bool {
	return m.DomainAttached.ValueBool() && m.DomainVerified.ValueBool() && !m.CreatedAt.IsNull() && !m.CreatedAt.IsUnknown()
}

// suspensionModel is the status of a private label (§2.3), embedded in each model that shows it.
type suspensionModel struct {
	Status      types.String      `tfsdk:"status"`
	SuspendedAt timetypes.RFC3339 `tfsdk:"suspended_at"`
	SuspendedBy types.String      `tfsdk:"suspended_by"`
}

func (m *suspensionModel) fill(s client.Suspension) {
	*m = suspensionModel{types.StringValue(string(s.Status)), fwtype.TimeValue(s.SuspendedAt), types.StringPointerValue((*string)(s.SuspendedBy))}
}

func (m *suspensionModel) suspended() bool {
	return m.Status.ValueString() == client.StatusSuspended
}

func (m *suspensionModel) suspendedByPlatform() bool {
	return m.suspended() && m.SuspendedBy.ValueString() == client.SuspendedByPlatform
}

func (m *suspensionModel) makeUnknown() {
	*m = suspensionModel{types.StringUnknown(), timetypes.NewRFC3339Unknown(), types.StringUnknown()}
}

var dnsRecordAttrs = map[string]attr.Type{
	"type":  types.StringType,
	"name":  types.StringType,
	"value": types.StringType,
}

var dnsRecordType = types.ObjectType{AttrTypes: dnsRecordAttrs}

// domainSetupModel is the setup of a host name (§2.5), embedded in each model that shows it.
type domainSetupModel struct {
	DomainAttached types.Bool   `tfsdk:"domain_attached"`
	DomainVerified types.Bool   `tfsdk:"domain_verified"`
	DNSRecord      types.Object `tfsdk:"dns_record"`
	DNSRecords     types.List   `tfsdk:"dns_records"`
	DNSNote        types.String `tfsdk:"dns_note"`
}

// fill copies the setup of a host name, for which all records are.
func (m *domainSetupModel) fill(host string, s client.DomainSetup) {
	s = setupOf(host, s)
	records := make([]attr.Value, 0, len(s.Records))
	for _, r := range s.Records {
		records = append(records, fwtype.ObjectFromAPI(dnsRecordAttrs, r))
	}
	m.DomainAttached = types.BoolPointerValue(s.Attached)
	m.DomainVerified = types.BoolPointerValue(s.Verified)
	m.DNSRecords = types.ListValueMust(dnsRecordType, records)
	m.DNSRecord = types.ObjectNull(dnsRecordAttrs)
	if len(s.Records) > 0 {
		m.DNSRecord = fwtype.ObjectFromAPI(dnsRecordAttrs, s.Records[0])
	}
	m.DNSNote = types.StringPointerValue(s.Note)
}

// setupOf returns the setup with the records as those of a host name.
func setupOf(host string, s client.DomainSetup) client.DomainSetup {
	expected := slice.Map(s.Records, func(r client.DNSRecord) dns.Record { return dns.Record(r) })
	s.Records = slice.Map(dns.ForHost(host, expected), func(r dns.Record) client.DNSRecord { return client.DNSRecord(r) })
	return s
}

// detached reports whether the host name is known not to be attached.
func (m *domainSetupModel) detached() bool {
	return !m.DomainAttached.IsNull() && !m.DomainAttached.IsUnknown() && !m.DomainAttached.ValueBool()
}

// makeUnknown plans that attaching the host name changes all values.
func (m *domainSetupModel) makeUnknown() {
	*m = domainSetupModel{
		types.BoolUnknown(), types.BoolUnknown(), types.ObjectUnknown(dnsRecordAttrs), types.ListUnknown(dnsRecordType), types.StringUnknown(),
	}
}

var ownerAttrs = map[string]attr.Type{
	"user_id":    types.StringType,
	"email":      fwtype.TextType[fwtype.EmailKind]{},
	"first_name": types.StringType,
	"last_name":  types.StringType,
}

// textValue is a value of a string attribute, of any type.
type textValue interface {
	attr.Value
	ValueString() string
}

// owner returns an attribute of the owner; null while the owner is unknown.
func (m *model) owner(name string) textValue {
	if value, ok := m.Owner.Attributes()[name].(textValue); ok {
		return value
	}
	return types.StringNull()
}

// fill copies what the API shows. The host name keeps its spelling. `suspended` is what the configuration manages, so it
// changes only if it is managed and the reseller decides.
func (m *model) fill(now *shown) {
	m.detailModel.fill(now)
	if m.Reseller.IsNull() && m.Owner.IsNull() && now.isDetail { // of an import; later the owner is not compared
		m.Owner = fwtype.ObjectFromAPI(ownerAttrs, now.Owner)
	}
	if host := now.Host(); host != "" && !now.HasHost(m.Domain.ValueString()) {
		m.Domain = fwtype.NewText[fwtype.HostKind](host)
	}
	if !m.Suspended.IsNull() && !m.suspendedByPlatform() {
		m.Suspended = m.suspension()
	}
}

// suspension is `suspended` as the API shows it.
func (m *model) suspension() types.Bool {
	return types.BoolValue(m.suspended())
}

// provisionRequest is the body of the POST that provisions the private label (§4.9).
func (m *model) provisionRequest() client.ProvisionRequest {
	links := map[string]string{}
	for name, value := range m.SocialLinks.Elements() {
		if link, ok := value.(types.String); ok {
			links[name] = link.ValueString()
		}
	}
	return client.ProvisionRequest{
		Owner: client.NewMember{
			Email:     m.owner("email").ValueString(),
			FirstName: m.owner("first_name").ValueString(),
			LastName:  m.owner("last_name").ValueString(),
		},
		Domain:       m.Domain.ValueString(),
		AppName:      m.AppName.ValueString(),
		SupportURL:   m.SupportURL.ValueString(),
		WebsiteURL:   m.WebsiteURL.ValueString(),
		ColorPrimary: m.ColorPrimary.ValueString(),
		ColorAccent:  m.ColorAccent.ValueString(),
		SocialLinks:  links,
	}
}

// setOwnerID sets the user ID of the owner.
func (m *model) setOwnerID(id attr.Value) {
	values := maps.Clone(m.Owner.Attributes())
	values["user_id"] = id
	m.Owner = types.ObjectValueMust(ownerAttrs, values)
}

type verificationModel struct {
	PrivateLabelID types.String   `tfsdk:"private_label_id"`
	Required       types.Bool     `tfsdk:"required"`
	ID             types.String   `tfsdk:"id"`
	Domain         types.String   `tfsdk:"domain"`
	Verified       types.Bool     `tfsdk:"verified"`
	Observed       types.List     `tfsdk:"observed"`
	Problem        types.String   `tfsdk:"problem"`
	Timeouts       timeouts.Value `tfsdk:"timeouts"`
	object.Base
}

var (
	observedAttrs = map[string]attr.Type{"type": types.StringType, "value": types.StringType}
	observedType  = types.ObjectType{AttrTypes: observedAttrs}
)

// fill copies what a read found. After an import, a host name that is not verified is not required to be: a plan that
// requires it then waits.
func (m *verificationModel) fill(now *setup) {
	m.ID = m.PrivateLabelID
	m.Domain = types.StringValue(now.host)
	if now.detail == nil {
		return
	}
	m.Verified = types.BoolValue(verified(now.detail))
	m.Problem = types.StringNull()
	if m.Required.IsNull() {
		m.Required = m.Verified
	}
	if now.seen.Problem != "" {
		m.Problem = types.StringValue(diagnostic.ShownLine(now.seen.Problem))
	}
	const most = 20
	observed := []attr.Value{}
	for _, r := range now.seen.Records[:min(most, len(now.seen.Records))] {
		observed = append(observed, types.ObjectValueMust(observedAttrs, map[string]attr.Value{
			"type": types.StringValue(r.Type), "value": types.StringValue(diagnostic.ShownLine(r.Value)),
		}))
	}
	m.Observed = types.ListValueMust(observedType, observed)
}
