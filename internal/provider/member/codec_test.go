package member

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session/sessiontest"
)

func TestCodec_ReadsAsTheFramework(t *testing.T) {
	t.Parallel()
	sessiontest.CheckCodec(t, NewResource(), memberCodec(), map[string]tftypes.Value{
		"email": sessiontest.Text("Bob@acme.example"), "created_at": sessiontest.Text("2026-03-14T09:00:00Z"),
	})
}

func TestCodec_ComparesByMeaning(t *testing.T) {
	t.Parallel()
	one := model{Email: fwtype.NewText[fwtype.EmailKind]("Bob@acme.example"), Role: types.StringValue("member")}
	spelled, other, null := one, one, one
	spelled.Email = fwtype.NewText[fwtype.EmailKind]("bob@acme.example")
	other.Role = types.StringValue("MEMBER")
	null.Email = fwtype.TextValue[fwtype.EmailKind]{}
	for name, tc := range map[string]struct {
		model model
		want  bool
	}{"the same": {one, true}, "another spelling": {spelled, true}, "another role": {other, false}, "null": {null, false}} {
		if got := memberCodec().Same(t.Context(), &one, &tc.model); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
