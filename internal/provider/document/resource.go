package document

import (
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func NewDocumentResource() resource.Resource {
	return &oneTimeResource{typeName: session.TypeDocument, schema: documentSchema, empty: func() oneTimeModel { return &documentModel{} }}
}

func NewDocumentSigningResource() resource.Resource {
	return &oneTimeResource{typeName: session.TypeDocumentSigning, schema: documentSigningSchema, empty: func() oneTimeModel { return &documentSigningModel{} }}
}

func NewMintedDocumentResource() resource.Resource {
	return &oneTimeResource{typeName: session.TypeMintedDocument, schema: mintedDocumentSchema, empty: func() oneTimeModel { return &mintedDocumentModel{} }}
}
