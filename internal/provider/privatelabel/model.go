package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// model is the resource: the configured attributes first, then those from the API.
type model struct {
	Domain         fwtype.HostName `tfsdk:"domain"`
	AppName        types.String    `tfsdk:"app_name"`
	Owner          types.Object    `tfsdk:"owner"`
	SupportURL     fwtype.WebURL   `tfsdk:"support_url"`
	WebsiteURL     fwtype.WebURL   `tfsdk:"website_url"`
	ColorPrimary   fwtype.Color    `tfsdk:"color_primary"`
	ColorAccent    fwtype.Color    `tfsdk:"color_accent"`
	SocialLinks    types.Map       `tfsdk:"social_links"`
	Suspended      types.Bool      `tfsdk:"suspended"`
	SuspendReason  types.String    `tfsdk:"suspend_reason"`
	DeletionPolicy types.String    `tfsdk:"deletion_policy"`

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

func (m *detailModel) fromAPI(d *client.PrivateLabel) {
	m.ID = types.StringValue(d.TenantID)
	m.CreatedAt = fwtype.TimeValue(d.CreatedAt)
	m.CustomDomain = types.StringPointerValue(d.CustomDomain)
	m.suspensionModel.fromAPI(d.Suspension)
	m.domainSetupModel.fromAPI(d.DomainSetup)
}

// identity identifies a private label in an import.
type identity struct {
	ID types.String `tfsdk:"id"`
}

func (m *model) Identity() identity {
	return identity{ID: m.ID}
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

func (m *model) owner(ctx context.Context) (ownerModel, diag.Diagnostics) {
	var o ownerModel
	diags := m.Owner.As(ctx, &o, basetypes.ObjectAsOptions{UnhandledNullAsEmpty: true, UnhandledUnknownAsEmpty: true})
	return o, diags
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

// fromSummary copies what the list of private labels shows (§2.3). It keeps `suspended` apart from the reason and the
// origin of a suspension: `suspended` is what the configuration manages, so it changes only if it is managed and the
// reseller decides.
func (m *model) fromSummary(s *client.PrivateLabelSummary) {
	m.ID = types.StringValue(s.TenantID)
	m.setDomain(s.PrimaryHost)
	m.CustomDomain = types.StringPointerValue(s.CustomDomain)
	m.fromSuspension(s.Suspension)
}

// fromProvisioned copies the response of the call that provisions (§4.9). owner is the one of the request.
func (m *model) fromProvisioned(p *client.Provisioned, owner ownerModel) {
	owner.UserID = types.StringValue(p.OwnerUserID)
	m.Owner = owner.object()
	m.fromAPI(&client.PrivateLabel{
		TenantID: p.TenantID, DomainSetup: p.DomainSetup, Suspension: client.Suspension{Status: client.StatusActive},
	})
}

// fromDetail copies what the detail shows (§2.4).
func (m *model) fromDetail(d *client.PrivateLabel) {
	m.fromAPI(d)
	m.setDomain(d.PrimaryHost)
	m.fromSuspension(d.Suspension)
}

func (m *model) fromSuspension(s client.Suspension) {
	m.suspensionModel.fromAPI(s)
	if !m.Suspended.IsNull() && !m.suspendedByPlatform() {
		m.Suspended = types.BoolValue(m.suspended())
	}
}

// setDomain keeps the spelling of the configuration.
func (m *model) setDomain(host string) {
	if m.Domain.IsNull() || m.Domain.IsUnknown() || !m.Domain.Means(host) {
		m.Domain = fwtype.NewText[fwtype.HostKind](host)
	}
}

// needsDetail reports whether a value that the list does not have is missing in state or may still change.
func (m *model) needsDetail() bool {
	return !m.settled() || m.CreatedAt.IsNull()
}

// fromInventory reads the private label from the list, and from its detail only if the list is not sufficient. found is
// false if the list does not contain it.
func (m *model) fromInventory(ctx context.Context, run *session.Session) (found bool, err error) {
	labels, err := run.Labels(ctx)
	if err != nil {
		return false, err
	}
	item, ok := labels.ByID(m.ID.ValueString())
	if !ok {
		return false, nil
	}
	if m.needsDetail() {
		detail, err := run.Inventory.Label(ctx, item.TenantID)
		if err != nil {
			return true, err
		}
		m.fromDetail(detail)
	}
	m.fromSummary(item)
	return true, nil
}

// memory is the private state of the private label in the model. It is settled if no read and no plan would change it:
// its host name is verified, it is not suspended, and deletion_policy has its default.
func (m *model) memory(slug string, provisioned bool) session.PrivateState {
	mem := session.PrivateState{
		ID:           m.ID.ValueString(),
		Slug:         slug,
		Host:         m.Domain.ValueString(),
		CustomDomain: m.CustomDomain.ValueString(),
		Provisioned:  provisioned,
		Stable: slug != "" && !m.needsDetail() && m.Status.ValueString() == client.StatusActive && !m.Suspended.ValueBool() &&
			m.DeletionPolicy.ValueString() == policyPrevent,
	}
	if mem.Stable {
		mem.Schema = fingerprint()
	}
	return mem
}

// provisionRequest is the body of the POST that provisions the private label (§4.9).
func (m *model) provisionRequest(ctx context.Context) (client.ProvisionRequest, diag.Diagnostics) {
	owner, diags := m.owner(ctx)
	links := map[string]string{}
	if !m.SocialLinks.IsNull() {
		diags.Append(m.SocialLinks.ElementsAs(ctx, &links, false)...)
	}
	return client.ProvisionRequest{
		Owner: client.ProvisionOwner{
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
	}, diags
}
