package privatelabel

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
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
}

// detailModel is what the resource and the data source copy alike from the detail of a private label (§2.4).
type detailModel struct {
	ID           types.String      `tfsdk:"id"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
	CustomDomain types.String      `tfsdk:"custom_domain"`
	suspensionModel
	domainSetupModel
}

func (m *detailModel) fill(now *live) {
	m.ID = types.StringValue(now.TenantID)
	m.CustomDomain = types.StringPointerValue(now.CustomDomain)
	m.suspensionModel.fill(now.Suspension)
	if now.whole {
		m.CreatedAt = fwtype.TimeValue(now.CreatedAt)
		m.domainSetupModel.fill(now.DomainSetup)
	}
}

// settled reports whether nothing changes any longer of what the list lacks.
func (m *detailModel) settled() bool {
	return m.DomainAttached.ValueBool() && m.DomainVerified.ValueBool() && !m.CreatedAt.IsNull() && !m.CreatedAt.IsUnknown()
}

// ownerModel is the owner at provisioning.
type ownerModel struct {
	UserID    types.String `tfsdk:"user_id"`
	Email     fwtype.Email `tfsdk:"email"`
	FirstName types.String `tfsdk:"first_name"`
	LastName  types.String `tfsdk:"last_name"`
}

var ownerAttrs = map[string]attr.Type{
	"user_id":    types.StringType,
	"email":      fwtype.TextType[fwtype.EmailKind]{},
	"first_name": types.StringType,
	"last_name":  types.StringType,
}

// owner returns the owner; null values while the object is unknown.
func (m *model) owner() ownerModel {
	var o ownerModel
	values := m.Owner.Attributes()
	o.UserID, _ = values["user_id"].(types.String)
	o.Email, _ = values["email"].(fwtype.Email)
	o.FirstName, _ = values["first_name"].(types.String)
	o.LastName, _ = values["last_name"].(types.String)
	return o
}

func (o ownerModel) object() types.Object {
	return types.ObjectValueMust(ownerAttrs, map[string]attr.Value{
		"user_id":    o.UserID,
		"email":      o.Email,
		"first_name": o.FirstName,
		"last_name":  o.LastName,
	})
}

func ownerObject(o *client.Owner) types.Object {
	if o == nil {
		return types.ObjectNull(ownerAttrs)
	}
	return ownerModel{
		UserID:    types.StringValue(o.UserID),
		Email:     fwtype.NewText[fwtype.EmailKind](o.Email),
		FirstName: types.StringValue(o.FirstName),
		LastName:  types.StringValue(o.LastName),
	}.object()
}

// fill copies what the API shows. The host name keeps its spelling. `suspended` is what the configuration manages, so it
// changes only if it is managed and the reseller decides.
func (m *model) fill(now *live) {
	m.detailModel.fill(now)
	if m.Domain.IsNull() || m.Domain.IsUnknown() || !m.Domain.Means(now.PrimaryHost) {
		m.Domain = fwtype.NewText[fwtype.HostKind](now.PrimaryHost)
	}
	if !m.Suspended.IsNull() && !m.suspendedByPlatform() {
		m.Suspended = m.suspension()
	}
}

// suspension is `suspended` as the API shows it.
func (m *model) suspension() types.Bool { return types.BoolValue(m.suspended()) }

// fillProvisioned copies the response of the call that provisions (§4.9).
func (m *model) fillProvisioned(made *client.Provisioned) {
	owner := m.owner()
	owner.UserID = types.StringValue(made.OwnerUserID)
	m.Owner = owner.object()
	m.detailModel.fill(&live{whole: true, PrivateLabel: client.PrivateLabel{
		TenantID: made.TenantID, DomainSetup: made.DomainSetup, Suspension: client.Suspension{Status: client.StatusActive},
	}})
}

// provisionRequest is the body of the POST that provisions the private label (§4.9).
func (m *model) provisionRequest() client.ProvisionRequest {
	owner, links := m.owner(), map[string]string{}
	for name, value := range m.SocialLinks.Elements() {
		if link, ok := value.(types.String); ok {
			links[name] = link.ValueString()
		}
	}
	return client.ProvisionRequest{
		Owner: client.NewMember{
			Email:     owner.Email.ValueString(),
			FirstName: owner.FirstName.ValueString(),
			LastName:  owner.LastName.ValueString(),
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
	return map[string]attr.Value{
		"app_name": m.AppName, "owner": m.Owner, "support_url": m.SupportURL, "website_url": m.WebsiteURL,
		"color_primary": m.ColorPrimary, "color_accent": m.ColorAccent, "social_links": m.SocialLinks,
	}
}

// recordedOnly returns the attributes that an update adds to state without an API call.
func (m *model) recordedOnly(prior *model) []string {
	var added []string
	before, now := prior.provisioningOnly(), m.provisioningOnly()
	for _, name := range fwtype.SortedKeys(now) {
		if before[name].IsNull() && !now[name].IsNull() {
			added = append(added, name)
		}
	}
	return added
}
