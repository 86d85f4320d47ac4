package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listResource lists all members of private labels, with owners and admins. It makes one API call for each private
// label, when its first member is requested.
type listResource struct{ Resource }

var _ list.ListResourceWithConfigure = (*listResource)(nil)

func NewList() list.ListResource { return &listResource{} }

func (l *listResource) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var config struct {
		PrivateLabelID types.String `tfsdk:"private_label_id"`
	}
	if diags := req.Config.Get(ctx, &config); diags.HasError() {
		session.FailedListing(resp, diags...)
		return
	}
	if !l.Ready() {
		session.FailedListing(resp, l.NotReady())
		return
	}
	labels := []string{config.PrivateLabelID.ValueString()}
	if config.PrivateLabelID.IsNull() {
		all, err := l.Inventory.Labels(ctx)
		if err != nil {
			session.FailedListing(resp, diagnostic.LabelListFailure().Diagnostic(err))
			return
		}
		labels = labels[:0]
		for _, item := range all.All() {
			labels = append(labels, item.TenantID)
		}
	}
	session.Stream(ctx, req, resp, func(yield func(session.Listed, diag.Diagnostic) bool) {
		for _, label := range labels {
			members, err := l.Inventory.Members(ctx, label)
			if err != nil {
				yield(session.Listed{}, l.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+l.HostOf(ctx, label), err))
				return
			}
			host := l.KnownHost(label)
			all := members.All()
			for i := range all {
				if !yield(listed(label, host, &all[i]), nil) {
					return
				}
			}
		}
	})
}

func listed(label, host string, live *client.Member) session.Listed {
	return session.Listed{
		Name:     live.Email + " on " + host,
		Identity: identity{PrivateLabelID: types.StringValue(label), ID: types.StringValue(live.ID)},
		Resource: func() (any, diag.Diagnostics) {
			m := model{PrivateLabelID: types.StringValue(label)}
			m.fromAPI(live)
			return &m, nil
		},
	}
}
