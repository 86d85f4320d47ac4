package document

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
)

// signerModel and annotationModel are elements of a plan.
type signerModel struct {
	Email       fwtype.Email    `tfsdk:"email"`
	FirstName   types.String    `tfsdk:"first_name"`
	LastName    types.String    `tfsdk:"last_name"`
	SignOrder   types.Int64     `tfsdk:"sign_order"`
	Domain      fwtype.HostName `tfsdk:"domain"`
	Annotations types.List      `tfsdk:"annotations"`
}

type annotationModel struct {
	Type       types.String `tfsdk:"type"`
	Content    types.String `tfsdk:"content"`
	IsVerified types.Bool   `tfsdk:"is_verified"`
	Style      types.Object `tfsdk:"style"`
}

// signersOf builds signers as a plan holds them.
func signersOf(ctx context.Context, t *testing.T, signers ...signerModel) types.List {
	t.Helper()
	list, diags := types.ListValueFrom(ctx, signerAttributeType(t), signers)
	require.False(t, diags.HasError(), diags)
	return list
}

func signerAttributeType(t *testing.T) attr.Type {
	t.Helper()
	list, ok := documentSchema().Attributes["signers"].GetType().(basetypes.ListType)
	require.True(t, ok, "signers are no list")
	return list.ElemType
}

func unknownSigner(t *testing.T) attr.Value {
	t.Helper()
	signer, ok := signerAttributeType(t).(types.ObjectType)
	require.True(t, ok, "a signer is no object")
	return types.ObjectUnknown(signer.AttrTypes)
}

func annotationsOf(ctx context.Context, t *testing.T, verified ...types.Bool) types.List {
	t.Helper()
	signer, ok := signerAttributeType(t).(attr.TypeWithAttributeTypes)
	require.True(t, ok, "a signer is no object")
	list, ok := signer.AttributeTypes()["annotations"].(basetypes.ListType)
	require.True(t, ok, "annotations are no list")
	annotation, ok := list.ElemType.(attr.TypeWithAttributeTypes)
	require.True(t, ok, "an annotation is no object")
	style, ok := annotation.AttributeTypes()["style"].(attr.TypeWithAttributeTypes)
	require.True(t, ok, "a style is no object")
	var models []annotationModel
	for _, v := range verified {
		models = append(models, annotationModel{Type: types.StringValue("Signature"), Content: types.StringValue("Signature"), IsVerified: v, Style: types.ObjectNull(style.AttributeTypes())})
	}
	out, diags := types.ListValueFrom(ctx, list.ElemType, models)
	require.False(t, diags.HasError(), diags)
	return out
}

func documentCases(ctx context.Context, t *testing.T) []effecttest.Case {
	t.Helper()
	signer := func(address fwtype.Email, order int64, verified ...types.Bool) signerModel {
		return signerModel{Email: address, FirstName: types.StringValue("B"), LastName: types.StringValue("B"), SignOrder: types.Int64Value(order), Annotations: annotationsOf(ctx, t, verified...)}
	}
	bob, eve := fwtype.NewText[fwtype.EmailKind]("bob@acme.example"), fwtype.NewText[fwtype.EmailKind]("eve@acme.example")
	open, done := types.BoolValue(false), types.BoolValue(true)
	terms := func(signers types.List) *documentModel {
		return &documentModel{Title: types.StringValue("Terms"), OwnerEmail: fwtype.NewText[fwtype.EmailKind]("ada@acme.example"), Signers: signers}
	}
	upload := func(signers types.List) effect.Warnings { return announced(nil, terms(signers), effect.Names{}) }
	uploaded, left := TopicUploading.Summary+": permanent Terms", TopicLeaving.Summary+": forgotten "
	untitled := terms(signersOf(ctx, t, signer(bob, 1, open)))
	untitled.Title = types.StringUnknown()
	sent := terms(signersOf(ctx, t))
	imported := &documentModel{commonModel: commonModel{ID: types.StringValue("d42")}}
	signing := func(id types.String) *documentSigningModel {
		return &documentSigningModel{DocID: id, Annotations: types.MapUnknown(types.StringType)}
	}
	asset := func(name types.String) *mintedDocumentModel {
		return &mintedDocumentModel{AssetName: name, StoreOnIPFS: types.BoolValue(false)}
	}
	signed := TopicSigning.Summary + ": permanent %s, email " + effecttest.Later
	return []effecttest.Case{
		{Name: "upload", Got: upload(signersOf(ctx, t, signer(bob, 1, open))), Want: []string{uploaded + ", email bob@acme.example"}},
		{Name: "upload to two", Got: upload(signersOf(ctx, t, signer(bob, 1, open), signer(eve, 2, open, done))), Want: []string{uploaded + ", email bob@acme.example, email eve@acme.example"}},
		{Name: "upload with one who signed", Got: upload(signersOf(ctx, t, signer(bob, 1, done), signer(eve, 1, types.BoolUnknown()))), Want: []string{uploaded + ", email eve@acme.example"}},
		{Name: "upload complete", Got: upload(signersOf(ctx, t, signer(bob, 1, done))), Want: []string{uploaded + ", email ada@acme.example"}},
		{Name: "upload to unknown signers", Got: upload(types.ListUnknown(signerAttributeType(t))), Want: []string{uploaded + ", email " + effecttest.Later}},
		{Name: "upload to an unknown address", Got: upload(signersOf(ctx, t, signer(fwtype.TextValue[fwtype.EmailKind]{StringValue: types.StringUnknown()}, 1, open))), Want: []string{uploaded + ", email " + effecttest.Later}},
		{Name: "upload to an unknown signer", Got: upload(types.ListValueMust(signerAttributeType(t), []attr.Value{unknownSigner(t)})), Want: []string{uploaded + ", email " + effecttest.Later}},
		{Name: "upload an unknown title", Got: announced(nil, untitled, effect.Names{}), Want: []string{TopicUploading.Summary + ": permanent " + effecttest.Later + ", email bob@acme.example"}},
		{Name: "update a document", Got: announced(sent, sent, effect.Names{}), Want: nil},
		{Name: "destroy a document", Got: announced(sent, nil, effect.Names{}), Want: []string{left + "Terms"}},
		{Name: "destroy an imported document", Got: announced(imported, nil, effect.Names{}), Want: []string{left + "d42"}},
		{Name: "sign", Got: announced(nil, signing(types.StringValue("d42")), effect.Names{}), Want: []string{fmt.Sprintf(signed, "d42")}},
		{Name: "sign an unknown document", Got: announced(nil, signing(types.StringUnknown()), effect.Names{}), Want: []string{fmt.Sprintf(signed, effecttest.Later)}},
		{Name: "update a signing", Got: announced(signing(types.StringValue("d42")), signing(types.StringUnknown()), effect.Names{}), Want: nil},
		{Name: "destroy a signing", Got: announced(signing(types.StringValue("d42")), nil, effect.Names{}), Want: []string{left + "d42"}},
		{Name: "mint", Got: announced(nil, asset(types.StringValue("Acme")), effect.Names{}), Want: []string{TopicMinting.Summary + ": permanent Acme"}},
		{Name: "mint an unknown name", Got: announced(nil, asset(types.StringUnknown()), effect.Names{}), Want: []string{TopicMinting.Summary + ": permanent " + effecttest.Later}},
		{Name: "update a minted document", Got: announced(asset(types.StringValue("Acme")), asset(types.StringValue("Acme")), effect.Names{}), Want: nil},
		{Name: "destroy a minted document", Got: announced(asset(types.StringValue("Acme")), nil, effect.Names{}), Want: []string{left + "Acme"}},
	}
}

func TestDocumentEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, documentCases(t.Context(), t), TopicUploading, TopicSigning, TopicMinting, TopicLeaving)
}
