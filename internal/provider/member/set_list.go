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

// setListResource lists the set of each private label, with the API call that reads all private labels.
type setListResource struct{ SetResource }

var _ list.ListResourceWithConfigure = (*setListResource)(nil)

func NewSetList() list.ListResource { return &setListResource{} }

func (l *setListResource) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	l.StreamLabels(ctx, req, resp, diagnostic.LabelListFailure(), func(label *client.PrivateLabelSummary) (session.Listed, bool) {
		return session.Listed{
			Name:     "members of " + label.PrimaryHost,
			Identity: session.LabelIdentity{PrivateLabelID: types.StringValue(label.TenantID)},
			Resource: func() (any, diag.Diagnostics) { return l.asImported(ctx, label.TenantID, label.PrimaryHost) },
		}, true
	})
}

// asImported returns the set as a read after an import returns it.
func (r *SetResource) asImported(ctx context.Context, id, host string) (*setModel, diag.Diagnostics) {
	m := &setModel{
		PrivateLabelID: types.StringValue(id), Members: types.MapNull(personType),
		UserIDs: types.MapNull(types.StringType), OwnersAndAdmins: types.SetNull(types.StringType),
	}
	live, err := r.Inventory.Members(ctx, id)
	if err != nil {
		return m, diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryListMembers, "The members list of "+host).Diagnostic(err)}
	}
	m.fromAPI(id, live)
	return m, nil
}
