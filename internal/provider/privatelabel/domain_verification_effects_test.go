package privatelabel

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/effecttest"
)

func TestVerificationEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	verified := &domainVerificationModel{Domain: types.StringValue(effecttest.Host)}
	effecttest.Check(t, []effecttest.Case{
		{Name: "create a verification", Got: verificationEffects(nil, verified), Want: nil},
		{Name: "update a verification", Got: verificationEffects(verified, verified), Want: nil},
		{Name: "destroy a verification", Got: verificationEffects(verified, nil), Want: []string{"Domain verification is only removed from state: forgotten sign.acme.example"}},
	}, effect.KeptVerification)
}
