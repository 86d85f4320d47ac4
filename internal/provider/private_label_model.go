package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// privateLabelModel is the resource: the declared part first, then what the
// service tells.
type privateLabelModel struct {
	Domain         hostName     `tfsdk:"domain"`
	AppName        types.String `tfsdk:"app_name"`
	Owner          types.Object `tfsdk:"owner"`
	SupportURL     webURL       `tfsdk:"support_url"`
	WebsiteURL     webURL       `tfsdk:"website_url"`
	ColorPrimary   color        `tfsdk:"color_primary"`
	ColorAccent    color        `tfsdk:"color_accent"`
	SocialLinks    types.Map    `tfsdk:"social_links"`
	Suspended      types.Bool   `tfsdk:"suspended"`
	SuspendReason  types.String `tfsdk:"suspend_reason"`
	DeletionPolicy types.String `tfsdk:"deletion_policy"`

	ID           types.String      `tfsdk:"id"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
	CustomDomain types.String      `tfsdk:"custom_domain"`
	suspensionModel
	domainSetupModel
}

// privateLabelIdentity is what imports a label by identity.
type privateLabelIdentity struct {
	ID types.String `tfsdk:"id"`
}

func (m *privateLabelModel) identity() privateLabelIdentity {
	return privateLabelIdentity{ID: m.ID}
}

// ownerModel is the person a label was provisioned for.
type ownerModel struct {
	UserID    types.String `tfsdk:"user_id"`
	Email     email        `tfsdk:"email"`
	FirstName types.String `tfsdk:"first_name"`
	LastName  types.String `tfsdk:"last_name"`
}

var ownerAttrs = map[string]attr.Type{
	"user_id":    types.StringType,
	"email":      textType[emailKind]{},
	"first_name": types.StringType,
	"last_name":  types.StringType,
}

func (m *privateLabelModel) owner(ctx context.Context) (ownerModel, diag.Diagnostics) {
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
		Email:     newText[emailKind](o.Email),
		FirstName: types.StringValue(o.FirstName),
		LastName:  types.StringValue(o.LastName),
	}.object()
}

// fromSummary takes over what the list of labels tells (§2.3). The reason of a
// suspension and who suspended are told apart: `suspended` is what the
// configuration manages, so it only moves where it is managed and where the
// reseller has the say.
func (m *privateLabelModel) fromSummary(s *client.PrivateLabelSummary) {
	m.ID = types.StringValue(s.TenantID)
	m.setDomain(s.PrimaryHost)
	m.CustomDomain = types.StringPointerValue(s.CustomDomain)
	m.fromSuspension(s.Suspension)
}

// fromDetail takes over what only the detail tells (§2.4).
func (m *privateLabelModel) fromDetail(d *client.PrivateLabel) {
	m.ID = types.StringValue(d.TenantID)
	m.setDomain(d.PrimaryHost)
	m.CustomDomain = types.StringPointerValue(d.CustomDomain)
	m.CreatedAt = timeValue(d.CreatedAt)
	m.domainSetupModel.fromAPI(d.DomainSetup)
	m.fromSuspension(d.Suspension)
}

func (m *privateLabelModel) fromSuspension(s client.Suspension) {
	m.suspensionModel.fromAPI(s)
	if !m.Suspended.IsNull() && !m.suspendedByPlatform() {
		m.Suspended = types.BoolValue(m.suspended())
	}
}

// setDomain keeps the spelling of the configuration.
func (m *privateLabelModel) setDomain(host string) {
	if m.Domain.IsNull() || m.Domain.IsUnknown() || !m.Domain.means(host) {
		m.Domain = newText[hostKind](host)
	}
}

// needsDetail tells whether the list lacks something that is missing in state
// or may still move.
func (m *privateLabelModel) needsDetail() bool {
	return !m.settled() || m.CreatedAt.IsNull()
}

// fromInventory reads the label: from the list, and from its detail only where
// the list does not do. found is false when the list answers without it.
func (m *privateLabelModel) fromInventory(ctx context.Context, inv *inventory.Inventory) (found bool, err error) {
	labels, err := failedOnce(ctx, readLabels, inv.Labels)
	if err != nil {
		return false, err
	}
	item, ok := labels.ByID(m.ID.ValueString())
	if !ok {
		return false, nil
	}
	if m.needsDetail() {
		detail, err := inv.Label(ctx, item.TenantID)
		if err != nil {
			return true, err
		}
		m.fromDetail(detail)
	}
	m.fromSummary(item)
	return true, nil
}

// memory is what the private state remembers of the label as it stands in the
// model. It is settled when no read and no plan would change it: its host is
// verified, nobody suspended it, and no default stands against its policy.
func (m *privateLabelModel) memory(slug string, provisioned bool) memory {
	mem := memory{
		ID:           m.ID.ValueString(),
		Slug:         slug,
		Host:         m.Domain.ValueString(),
		CustomDomain: m.CustomDomain.ValueString(),
		Provisioned:  provisioned,
		Settled: slug != "" && !m.needsDetail() && m.Status.ValueString() == client.StatusActive && !m.Suspended.ValueBool() &&
			m.DeletionPolicy.ValueString() == policyPrevent,
	}
	if mem.Settled {
		mem.Schema = privateLabelFingerprint()
	}
	return mem
}

// provisionRequest is the body of the POST that makes the label (§4.9).
func (m *privateLabelModel) provisionRequest(ctx context.Context) (client.ProvisionRequest, diag.Diagnostics) {
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
