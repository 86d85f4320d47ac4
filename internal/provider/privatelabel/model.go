package privatelabel

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

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
func (m *model) suspension() types.Bool { return types.BoolValue(m.suspended()) }

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

// provisioningOnly are the attributes that are sent when a private label is provisioned and never again.
func (m *model) provisioningOnly() map[string]attr.Value {
	values := map[string]attr.Value{
		"app_name": m.AppName, "support_url": m.SupportURL, "website_url": m.WebsiteURL,
		"color_primary": m.ColorPrimary, "color_accent": m.ColorAccent, "social_links": m.SocialLinks,
	}
	for _, name := range []string{"email", "first_name", "last_name"} {
		values["owner."+name] = m.owner(name)
	}
	return values
}

// recordedOnly returns the attributes that an update changes in state without an API call.
func (m *model) recordedOnly(prior *model) (changed []string) {
	before, now := prior.provisioningOnly(), m.provisioningOnly()
	for _, name := range fwtype.SortedKeys(now) {
		if !now[name].IsUnknown() && !before[name].Equal(now[name]) {
			changed = append(changed, name)
		}
	}
	return changed
}

// hasOtherOwner reports whether an update names another owner than the state.
func (m *model) hasOtherOwner(prior *model) bool {
	was, want := prior.owner("email"), m.owner("email")
	return !was.IsNull() && !want.IsNull() && !want.IsUnknown() && !sameEmail(was.ValueString(), want.ValueString())
}

func sameEmail(a, b string) bool {
	return fwtype.NewText[fwtype.EmailKind](a).SameAs(fwtype.NewText[fwtype.EmailKind](b))
}

// setOwnerID sets the user ID of the owner.
func (m *model) setOwnerID(id attr.Value) {
	values := maps.Clone(m.Owner.Attributes())
	values["user_id"] = id
	m.Owner = types.ObjectValueMust(ownerAttrs, values)
}
