package registration

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Listing describes the list resource of a type, for `terraform query`.
type Listing struct {
	Type        string // of the resource, without the provider's prefix
	Description string
	Arguments   map[string]schema.Attribute
	// List streams the results.
	List func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream)
}

// New returns the list resource.
func (l *Listing) New() list.ListResource {
	return &listing{Listing: l}
}

type listing struct {
	session.ResourceBase
	*Listing
}

var _ list.ListResourceWithConfigure = (*listing)(nil)

func (l *listing) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.Type
}

func (l *listing) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: l.Description, Attributes: l.Arguments}
}

func (l *listing) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	if !l.Ready() {
		session.FailedListing(resp, l.NotReady())
		return
	}
	l.Listing.List(ctx, l.Session, req, resp)
}
