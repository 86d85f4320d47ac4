package session

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// Listed is one result before it is streamed: its name, and functions that fill its resource on request.
type Listed struct {
	Name     string
	Identity func(to *tfsdk.ResourceIdentity) diag.Diagnostics
	Resource func() (any, diag.Diagnostics) // the model as a read after an import returns it
}

// Stream pushes results as they arrive, at most as many as were requested. A result is filled only when it is pushed,
// so that unread results cost no API call.
func Stream(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream, results iter.Seq2[Listed, diag.Diagnostics]) {
	resp.Results = func(push func(list.ListResult) bool) {
		left := req.Limit
		for item, problems := range results {
			if problems != nil {
				push(list.ListResult{Diagnostics: problems})
				return
			}
			if !push(item.result(ctx, req)) {
				return
			}
			left--
			if left == 0 { // 0 is no limit
				return
			}
		}
	}
}

// StreamLabels streams objects of which a private label has at most one, with the API call that reads all private
// labels. of returns false for a private label without the object.
func (s *Session) StreamLabels(
	ctx context.Context, req list.ListRequest, resp *list.ListResultsStream,
	failure func(error) diag.Diagnostics, itemOf func(label *client.PrivateLabelSummary) (Listed, bool),
) {
	labels, err := s.Inventory.Labels(ctx, inventory.Current)
	if err != nil {
		FailedListing(resp, failure(err)...)
		return
	}
	Stream(ctx, req, resp, func(yield func(Listed, diag.Diagnostics) bool) {
		all := labels.All()
		for i := range all {
			if item, ok := itemOf(&all[i]); ok && !yield(item, nil) {
				return
			}
		}
	})
}

func (l Listed) result(ctx context.Context, req list.ListRequest) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = l.Name
	result.Diagnostics.Append(l.Identity(result.Identity)...)
	if req.IncludeResource {
		model, diags := l.Resource()
		result.Diagnostics.Append(diags...)
		if !diags.HasError() {
			result.Diagnostics.Append(result.Resource.Set(ctx, model)...)
		}
	}
	return result
}

// FailedListing streams diagnostics instead of results.
func FailedListing(resp *list.ListResultsStream, diags ...diag.Diagnostic) {
	resp.Results = list.ListResultsStreamDiagnostics(diags)
}
