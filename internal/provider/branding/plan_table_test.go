package branding_test

import (
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

type (
	values = providertest.Values
	label  = *providertest.LabelEnv
)

var green = values{"domain": providertest.AcmeHost, "color_primary": "#0a0"}

func given(others values) func(label) values { return coretest.Given[label](green.With(others)) }

func TestBranding_Plans(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	logo, text, large := filepath.Join(dir, "logo.png"), filepath.Join(dir, "notes.png"), filepath.Join(dir, "large.png")
	white := providertest.Drawn(t, 2, 2, color.White)
	for file, content := range map[string][]byte{logo: white, text: []byte("notes"), large: append(white, make([]byte, 1_000_001-len(white))...)} {
		require.NoError(t, os.WriteFile(file, content, 0o600))
	}
	withUpload := func(t *testing.T) label {
		t.Helper()
		w := providertest.NewLabelEnv(t)
		w.Env.Set("RESELLER_UPLOAD_URL", "https://upload.simulator.invalid")
		return w
	}
	plain := given(nil)
	cases := []coretest.PlanCase[label]{
		{Name: "create", Config: plain},
		{Name: "create with a host name known after apply", Config: given(values{"domain": tftypes.UnknownValue})},
		{Name: "create with a logo", Config: given(values{"logo_path": logo})},
		{Name: "create with a logo of more than 10^6 bytes", Config: given(values{"logo_path": large})},
		{Name: "no change of a logo of more than 10^6 bytes", Before: given(values{"logo_path": large}), Config: given(values{"logo_path": large})},
		{Name: "create for no private label", Config: given(values{"domain": "sign.nobody.example"})},
		{Name: "bad color", Config: given(values{"color_accent": "green"})},
		{Name: "logo that is no image", Config: given(values{"logo_path": text})},
		{Name: "logo that is missing", Config: given(values{"logo_path": filepath.Join(dir, "none.png")})},
		{Name: "no change", Before: plain, Config: plain},
		{Name: "color in other notation", Before: plain, Config: given(values{"color_primary": "#00AA00"})},
		{Name: "other color", Before: plain, Config: given(values{"color_primary": "#00b"})},
		{Name: "removed color", Before: plain, Config: given(values{"color_primary": nil})},
		{Name: "removed logo", Before: given(values{"logo_path": logo}), Config: plain},
		{Name: "other trigger", Before: plain, Config: given(values{"reapply_trigger": "2"})},
		{Name: "other host name", Before: plain, Config: given(values{"domain": "other.acme.example"})},
		{Name: "destroy", Before: plain},
	}
	coretest.PlanTable(t, "reseller_branding", withUpload, cases)
}
