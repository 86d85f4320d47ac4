package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// memberList lists everybody who holds a seat, owners and admins too: one call a
// label, made when its first member is asked for.
type memberList struct{ memberResource }

var _ list.ListResourceWithConfigure = (*memberList)(nil)

func newMemberList() list.ListResource { return &memberList{} }

func (l *memberList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = listSchema("Lists everybody who holds a seat on a label, or on any of the reseller's labels, owners and admins too (§4.17): one call a label, resources included, and one for the labels where none is named.", map[string]schema.Attribute{
		"private_label_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Tenant id of a label; all labels when left out.",
			Validators:          []validator.String{idValidator},
		},
	})
}

func (l *memberList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var config struct {
		PrivateLabelID types.String `tfsdk:"private_label_id"`
	}
	if diags := req.Config.Get(ctx, &config); diags.HasError() {
		failedListing(resp, diags...)
		return
	}
	if !l.ready() {
		failedListing(resp, l.notReady())
		return
	}
	labels := []string{config.PrivateLabelID.ValueString()}
	if config.PrivateLabelID.IsNull() {
		all, err := l.inventory.Labels(ctx)
		if err != nil {
			failedListing(resp, readFailure("The private labels").diagnose(err))
			return
		}
		labels = labels[:0]
		for _, item := range all.All() {
			labels = append(labels, item.TenantID)
		}
	}
	stream(ctx, req, resp, func(yield func(listed, diag.Diagnostic) bool) {
		for _, label := range labels {
			members, err := l.inventory.Members(ctx, label)
			if err != nil {
				yield(listed{}, l.notOfLabel(ctx, label, "The members of "+l.hostOf(ctx, label), err))
				return
			}
			host := l.knownHost(label)
			all := members.All()
			for i := range all {
				if !yield(listedMember(label, host, &all[i]), nil) {
					return
				}
			}
		}
	})
}

func listedMember(label, host string, live *client.Member) listed {
	return listed{
		name:     live.Email + " on " + host,
		identity: memberIdentity{PrivateLabelID: types.StringValue(label), ID: types.StringValue(live.ID)},
		resource: func() (any, diag.Diagnostics) {
			m := memberModel{PrivateLabelID: types.StringValue(label)}
			m.fromAPI(live)
			return &m, nil
		},
	}
}
