package privatelabel

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
)

func TestVerificationEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	verified := &verificationModel{Domain: types.StringValue(effecttest.Host)}
	effects := func(was, want *verificationModel) effect.Warnings {
		return Verification.Warnings(was, want, effect.Names{})
	}
	effecttest.Check(t, []effecttest.Case{
		{Name: "create a verification", Got: effects(nil, verified), Want: nil},
		{Name: "update a verification", Got: effects(verified, verified), Want: nil},
		{Name: "destroy a verification", Got: effects(verified, nil), Want: []string{"Domain verification is only removed from state: forgotten sign.acme.example"}},
		{Name: "wait for another private label", Got: effects(verified, &verificationModel{PrivateLabelID: types.StringValue(effecttest.Label)}), Want: nil},
	}, topicKeptVerification)
}
