package branding

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session/sessiontest"
)

func TestCodec_ReadsAsTheFramework(t *testing.T) {
	t.Parallel()
	sessiontest.CheckCodec(t, NewResource(), brandingCodec(), map[string]tftypes.Value{"domain": sessiontest.Text(""), "color_primary": sessiontest.Text("#0A4")})
}
