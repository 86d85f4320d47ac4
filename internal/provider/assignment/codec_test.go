package assignment

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session/sessiontest"
)

func TestCodec_ReadsAsTheFramework(t *testing.T) {
	t.Parallel()
	sessiontest.CheckCodec(t, NewResource(), assignmentCodec(), map[string]tftypes.Value{
		"addons": tftypes.NewValue(tftypes.Map{ElementType: tftypes.Number}, map[string]tftypes.Value{"SEATS": tftypes.NewValue(tftypes.Number, 2)}),
	})
}
