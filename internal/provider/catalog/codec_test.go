package catalog

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session/sessiontest"
)

func TestCodec_ReadsAsTheFramework(t *testing.T) {
	t.Parallel()
	sessiontest.CheckCodec(t, NewPackageResource(), itemCodec(), map[string]tftypes.Value{
		"active": tftypes.NewValue(tftypes.Bool, true), "settings": sessiontest.Text("one"),
	})
	sessiontest.CheckCodec(t, NewAddonResource(), itemCodec(), map[string]tftypes.Value{"code": sessiontest.Text("gold")})
}
