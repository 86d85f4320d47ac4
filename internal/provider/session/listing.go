package session

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// Listed is one result before it is streamed: what names it, and how to fill its
// resource where that is asked for.
type Listed struct {
	Name     string
	Identity any
	Resource func() (any, diag.Diagnostics) // the model, as a read after an import has it
}

// Stream pushes results as they come, no more than were asked for. A result is
// only filled when it is its turn, so that what nobody waits for costs no call.
func Stream(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream, results iter.Seq2[Listed, diag.Diagnostic]) {
	resp.Results = func(push func(list.ListResult) bool) {
		left := req.Limit
		for one, problem := range results {
			if problem != nil {
				push(list.ListResult{Diagnostics: diag.Diagnostics{problem}})
				return
			}
			if !push(one.result(ctx, req)) {
				return
			}
			left--
			if left == 0 { // a limit of 0 is none
				return
			}
		}
	}
}

// StreamLabels streams objects of which a private label has one at most, with the call that reads all private labels.
// of returns false for a private label that has none.
func (s *Session) StreamLabels(
	ctx context.Context, req list.ListRequest, resp *list.ListResultsStream,
	failure diagnostic.APIFailure, of func(label *client.PrivateLabelSummary) (Listed, bool),
) {
	if !s.Ready() {
		FailedListing(resp, s.NotReady())
		return
	}
	labels, err := s.Inventory.Labels(ctx)
	if err != nil {
		FailedListing(resp, failure.Diagnostic(err))
		return
	}
	Stream(ctx, req, resp, func(yield func(Listed, diag.Diagnostic) bool) {
		all := labels.All()
		for i := range all {
			if one, ok := of(&all[i]); ok && !yield(one, nil) {
				return
			}
		}
	})
}

func (l Listed) result(ctx context.Context, req list.ListRequest) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = l.Name
	result.Diagnostics.Append(result.Identity.Set(ctx, l.Identity)...)
	if req.IncludeResource {
		model, diags := l.Resource()
		result.Diagnostics.Append(diags...)
		if !diags.HasError() {
			result.Diagnostics.Append(result.Resource.Set(ctx, model)...)
		}
	}
	return result
}

// FailedListing is a stream that says why there is nothing.
func FailedListing(resp *list.ListResultsStream, diags ...diag.Diagnostic) {
	resp.Results = list.ListResultsStreamDiagnostics(diags)
}

func ListSchema(description string, attributes map[string]schema.Attribute) schema.Schema {
	return schema.Schema{MarkdownDescription: description, Attributes: attributes}
}
