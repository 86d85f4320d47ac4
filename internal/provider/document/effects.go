package document

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// effects returns what a change announces. prior is nil for a create, planned for a destroy; an update sends nothing. It
// makes no call: `review` uses it on a saved plan.
func effects(ctx context.Context, prior, planned any) effect.Notices {
	was, _ := prior.(oneTimeModel)
	want, _ := planned.(oneTimeModel)
	switch {
	case was == nil && want != nil:
		return effect.Notices{want.created(ctx)}
	case was != nil && want == nil:
		return effect.Notices{was.left()}
	default:
		return nil
	}
}

func (m *documentModel) created(ctx context.Context) effect.Notice {
	mails, sentence := m.emails(ctx)
	return effect.Notice{
		Topic: topicUploading,
		Detail: fmt.Sprintf("%s cannot be changed or withdrawn after upload. %s To send a corrected file, add another resource.",
			diagnostic.Capitalize(titled("document", m.Title)), sentence),
		Effects: append([]effect.Effect{{Kind: effect.Permanent, What: "document uploaded", Subject: effect.SubjectOf(m.Title)}}, mails...),
	}
}

func (m *documentModel) left() effect.Notice {
	return left(m.subject(), fmt.Sprintf("The API cannot undo the upload of %s. Recipients can still read and sign it.", titled("document", m.subject())))
}

// emails returns who receives an email because of the upload, and says so in a sentence.
func (m *documentModel) emails(ctx context.Context) ([]effect.Effect, string) {
	const link = "link to sign a document"
	var signers []signerModel
	if m.Signers.IsUnknown() || m.Signers.ElementsAs(ctx, &signers, false).HasError() {
		return []effect.Effect{{Kind: effect.Email, What: link, Subject: effect.KnownAfterApply}},
			"Its signers are known after apply; each of them with something left to sign receives a link by email."
	}
	var mails []effect.Effect
	var people []string
	orders := map[int64]bool{}
	for i := range signers {
		if s := &signers[i]; s.hasToSign(ctx) {
			mails = append(mails, effect.Effect{Kind: effect.Email, What: link, Subject: effect.SubjectOf(s.Email)})
			people = append(people, effect.NameOf(s.Email, "(email address known after apply)"))
			orders[s.SignOrder.ValueInt64()] = true
		}
	}
	switch {
	case len(people) == 0:
		return []effect.Effect{{Kind: effect.Email, What: "completed document", Subject: effect.SubjectOf(m.OwnerEmail)}},
			completeAtUpload(effect.NameOf(m.OwnerEmail, "(email address known after apply)"))
	case len(orders) > 1:
		return mails, fmt.Sprintf("These signers receive a link by email, one after another by sign_order: %s.", strings.Join(people, ", "))
	default:
		return mails, fmt.Sprintf("A link to sign it is emailed to %s.", strings.Join(people, ", "))
	}
}

// hasToSign reports whether an annotation is not verified, or unknown.
func (s *signerModel) hasToSign(ctx context.Context) bool {
	var annotations []annotationModel
	if s.Annotations.IsUnknown() || s.Annotations.ElementsAs(ctx, &annotations, false).HasError() {
		return true
	}
	for _, a := range annotations {
		if a.IsVerified.IsUnknown() || !a.IsVerified.Equal(types.BoolValue(true)) {
			return true
		}
	}
	return false
}

func (m *documentSigningModel) created(context.Context) effect.Notice {
	what := "Its annotations are known after apply and verified permanently."
	switch n := len(m.Annotations.Elements()); {
	case m.Annotations.IsUnknown():
	case n == 1:
		what = "1 annotation is verified permanently."
	default:
		what = fmt.Sprintf("%d annotations are verified permanently.", n)
	}
	return effect.Notice{
		Topic:  topicSigning,
		At:     path.Root("annotations"),
		Detail: signs(effect.NameOf(m.DocID, "(ID known after apply)"), what),
		Effects: []effect.Effect{
			{Kind: effect.Permanent, What: "document signed", Subject: effect.SubjectOf(m.DocID)},
			{Kind: effect.Email, What: "completed document to its owner, or link to the next signers", Subject: effect.KnownAfterApply},
		},
	}
}

func (m *documentSigningModel) left() effect.Notice {
	return left(m.DocID, fmt.Sprintf("The API cannot undo the signing of document %s. It stays signed.", m.DocID.ValueString()))
}

func (m *mintedDocumentModel) created(context.Context) effect.Notice {
	files := "Its PDF and thumbnail are stored on IPFS, where everyone can read them and nobody can delete them."
	if m.StoreOnIPFS.Equal(types.BoolValue(false)) {
		files = "Its files are not stored on IPFS."
	}
	return effect.Notice{
		Topic:   topicMinting,
		Detail:  mints(titled("asset", m.AssetName), files),
		Effects: []effect.Effect{{Kind: effect.Permanent, What: "document minted", Subject: effect.SubjectOf(m.AssetName)}},
	}
}

func (m *mintedDocumentModel) left() effect.Notice {
	return left(m.subject(), mintingStays(titled("asset", m.subject())))
}

// left announces that a destroy leaves what was sent.
func left(subject types.String, detail string) effect.Notice {
	return effect.Notice{
		Topic:   topicLeaving,
		Detail:  detail,
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "removed from state only", Subject: effect.SubjectOf(subject)}},
	}
}

// titled names an object in a detail by its title.
func titled(what string, title types.String) string {
	if title.IsNull() || title.IsUnknown() {
		return fmt.Sprintf("%s (name known after apply)", what)
	}
	return fmt.Sprintf("%s %q", what, title.ValueString())
}
