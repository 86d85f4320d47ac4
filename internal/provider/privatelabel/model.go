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

// model is the resource: the declared part first, then what the
// service tells.
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

	ID           types.String      `tfsdk:"id"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
	CustomDomain types.String      `tfsdk:"custom_domain"`
	suspensionModel
	domainSetupModel
}

// identity is what imports a label by identity.
type identity struct {
	ID types.String `tfsdk:"id"`
}

func (m *model) Identity() identity {
	return identity{ID: m.ID}
}

// ownerModel is the person a label was provisioned for.
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

// fromSummary adopts what the list of labels tells (§2.3). The reason of a
// suspension and who suspended are told apart: `suspended` is what the
// configuration manages, so it only moves where it is managed and where the
// reseller has the say.
func (m *model) fromSummary(s *client.PrivateLabelSummary) {
	m.ID = types.StringValue(s.TenantID)
	m.setDomain(s.PrimaryHost)
	m.CustomDomain = types.StringPointerValue(s.CustomDomain)
	m.fromSuspension(s.Suspension)
}

// fromDetail adopts what only the detail tells (§2.4).
func (m *model) fromDetail(d *client.PrivateLabel) {
	m.ID = types.StringValue(d.TenantID)
	m.setDomain(d.PrimaryHost)
	m.CustomDomain = types.StringPointerValue(d.CustomDomain)
	m.CreatedAt = fwtype.TimeValue(d.CreatedAt)
	m.domainSetupModel.fromAPI(d.DomainSetup)
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

// needsDetail reports whether the list lacks something that is missing in state
// or may still move.
func (m *model) needsDetail() bool {
	return !m.settled() || m.CreatedAt.IsNull()
}

// fromInventory reads the label: from the list, and from its detail only where
// the list does not do. found is false when the list answers without it.
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

// memory is what the private state remembers of the label as it is in the
// model. It is settled when no read and no plan would change it: its host is
// verified, nobody suspended it, and no default stands against its policy.
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

// provisionRequest is the body of the POST that makes the label (§4.9).
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
