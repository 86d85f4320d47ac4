package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of the Signing API.
var Entry = object.Entry{
	Resources: []object.Type{
		oneTime{session.TypeDocument, "title", documentSchema, func() oneTimeModel { return &documentModel{} }},
		oneTime{session.TypeDocumentSigning, "doc_id", documentSigningSchema, func() oneTimeModel { return &documentSigningModel{} }},
		oneTime{session.TypeMintedDocument, "asset_name", mintedDocumentSchema, func() oneTimeModel { return &mintedDocumentModel{} }},
	},
	DataSources: []func() datasource.DataSource{viewed.New, sentDocuments.New, signatures.New},
}

// oneTime describes a resource that is one operation.
type oneTime struct {
	typeName string // without the provider's prefix
	subject  string // attribute that names an object in a review
	schema   func() schema.Schema
	empty    func() oneTimeModel
}

func (d oneTime) TypeName() string { return effect.ProviderType + "_" + d.typeName }

func (d oneTime) New() resource.Resource { return &oneTimeResource{oneTime: d} }

func (d oneTime) Reviewer() effect.Reviewer {
	return effect.NewReviewer(d.New(), d.subject, func() any { return d.empty() }, func(ctx context.Context, prior, planned any, _ effect.Names) effect.Notices {
		return effects(ctx, prior, planned)
	}, nil)
}

// ShortPath is nil: a read makes no call.
func (d oneTime) ShortPath() object.ShortPath { return nil }
