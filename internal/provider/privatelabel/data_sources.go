package privatelabel

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// dataModel is the detail of a private label (§2.4).
type dataModel struct {
	Domain fwtype.HostName `tfsdk:"domain"`
	detailModel
}

var labelData = &registration.DataSource[dataModel]{
	Type:   "private_label",
	Schema: dataSchema,
	OneOf:  []string{"id", "domain"},
	Read: func(ctx context.Context, s *session.Session, m *dataModel) (any, diag.Diagnostics) {
		id := m.ID.ValueString()
		name := m.ID.ValueString()
		if m.ID.IsNull() {
			name = m.Domain.ValueString()
			labels, err := s.Inventory.Labels(ctx, inventory.Current)
			if err != nil {
				return nil, diagnostic.ReadFailure(diagnostic.SummaryListLabels, "The private label "+name, err)
			}
			item, ok := labels.ByHost(name)
			if !ok {
				return nil, diag.Diagnostics{session.NoSuchLabel(path.Root("domain"), name, s.Slug(ctx))}
			}
			id = item.TenantID
		}
		detail, err := detailOf(ctx, s, id, inventory.Current)
		switch {
		case err != nil && s.NotOurs(ctx, id, err):
			return nil, diag.Diagnostics{session.NoSuchLabel(path.Root("id"), name, s.Slug(ctx))}
		case err != nil:
			return nil, diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+name, err)
		}
		m.fill(detail)
		if m.Domain.IsNull() || !detail.HasHost(m.Domain.ValueString()) {
			m.Domain = fwtype.NewText[fwtype.HostKind](detail.PrimaryHost)
		}
		detail.DomainSetup = setupOf(detail.Host(), detail.DomainSetup)
		return detail.PrivateLabel, nil
	},
}

type privateLabelsModel struct {
	Period types.String `tfsdk:"period"`
	Status types.String `tfsdk:"status"`
}

// summaryRow is one item of the list (§2.3), with the names that the data source has for its ID and its host name.
type summaryRow struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
	client.PrivateLabelSummary
}

var labelsData = &registration.DataSource[privateLabelsModel]{
	Type:   "private_labels",
	Schema: listDataSchema,
	Read: func(ctx context.Context, s *session.Session, m *privateLabelsModel) (any, diag.Diagnostics) {
		labels, err := s.Inventory.LabelsOf(ctx, m.Period.ValueString())
		if err != nil {
			return nil, diagnostic.LabelListFailure(err)
		}
		var rows []summaryRow
		for _, l := range labels.List.PrivateLabels {
			if m.Status.IsNull() || m.Status.ValueString() == string(l.Status) {
				rows = append(rows, summaryRow{l.TenantID, l.PrimaryHost, l})
			}
		}
		period := cmp.Or(m.Period.ValueString(), labels.List.Period)
		return map[string]any{"period": period, "provisionedCount": labels.List.ProvisionedCount, "privateLabels": rows}, nil
	},
}

var dashboard = &registration.DataSource[struct{}]{
	Type:   "dashboard",
	Schema: dashboardSchema,
	Read: func(ctx context.Context, s *session.Session, _ *struct{}) (any, diag.Diagnostics) {
		live, err := s.Client.Dashboard(ctx)
		if err != nil {
			return nil, diagnostic.ReadFailure(summaryDashboard, "The dashboard", err)
		}
		return live, nil
	},
}

// labelList lists the reseller's private labels with one API call.
var labelList = &registration.Listing{
	Type:        "private_label",
	Description: "Lists the reseller's private labels. One API call, and one per private label with `include_resource`.",
	Arguments: map[string]listschema.Attribute{
		"status": listschema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "`Active` or `Suspended`. Default: both.",
			Validators:          []validator.String{fwtype.OneOf(client.StatusActive, client.StatusSuspended)},
		},
	},
	List: func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
		var config struct {
			Status types.String `tfsdk:"status"`
		}
		if diags := req.Config.Get(ctx, &config); diags.HasError() {
			session.FailedListing(resp, diags...)
			return
		}
		s.StreamLabels(ctx, req, resp, diagnostic.LabelListFailure, func(label *client.PrivateLabelSummary) (session.Listed, bool) {
			m := &model{Owner: types.ObjectNull(ownerAttrs), SocialLinks: types.MapNull(types.StringType)}
			m.ID = types.StringValue(label.TenantID)
			return Label.Item(ctx, s, label.Host(), m, func() (*model, error) {
				return m.filledFrom(detailOf(ctx, s, label.TenantID, inventory.Current))
			}), config.Status.IsNull() || string(label.Status) == config.Status.ValueString()
		})
	},
}

var attachDomain = &registration.Action{
	Type: "attach_domain",
	Schema: func() actionschema.Schema {
		return actionschema.Schema{
			MarkdownDescription: "Attaches the host name of a private label to its portal. The action has no effect if the host name is attached. " +
				"Applying `reseller_private_label` has the same effect.",
			Attributes: map[string]actionschema.Attribute{"private_label_id": fwtype.ActionLabelArgument()},
		}
	},
	Invoke: func(ctx context.Context, s *session.Session, req action.InvokeRequest, resp *action.InvokeResponse) {
		var m struct {
			PrivateLabelID types.String `tfsdk:"private_label_id"`
		}
		resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
		if resp.Diagnostics.HasError() {
			return
		}
		label := m.PrivateLabelID.ValueString()
		host := s.HostOf(ctx, label)
		attached, o := attachHost(ctx, s, label)
		switch {
		case o.State != transport.Applied:
			failure := failureOf(effect.NewStep(attach, host, ""), false)
			failure.Unchanged = "Nothing was changed"
			failure.Remedies = notALabel
			resp.Diagnostics.Append(failure.Of(o)...)
		case !attached.DomainSetup.IsAttached():
			resp.Diagnostics.AddError(SummaryNotAttached, fmt.Sprintf(acceptedNotAttached, host))
		case attached.DomainSetup.IsVerified():
			resp.SendProgress(action.InvokeProgressEvent{Message: host + " is attached, and its DNS is correct."})
		default:
			message := diagnostic.JoinParagraphs(host+" is attached, but its DNS is not correct yet", expectedRecord(host, *attached.DomainSetup))
			resp.SendProgress(action.InvokeProgressEvent{Message: message})
		}
	},
}
