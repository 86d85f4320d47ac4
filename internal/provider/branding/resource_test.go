package branding_test

import (
	"fmt"
	"image/color"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/branding"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestBranding_Lifecycle(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	logo, banner := providertest.Drawn(t, 300, 100, color.RGBA{0, 0xaa, 0, 0xff}), providertest.Drawn(t, 600, 600, color.RGBA{0x11, 0x22, 0x33, 0xff})
	c.File("logo.png", string(logo))
	c.File("banner.png", string(banner))
	all := `
  color_primary            = "#0a0"
  color_primary_foreground = "#000"
  color_accent             = "#112233"
  color_accent_foreground  = "#fff"
  color_app_bar_background = "#fff"
  color_footer_background  = "#222"
  logo_path                = "${abspath(path.module)}/logo.png"
  banner_logo_path         = "${abspath(path.module)}/banner.png"
`
	c.Config(w.Branded(all))
	c.PlanText().WantText(t, providertest.Hashed(logo), providertest.Hashed(banner))
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added")
	assert.Equal(t, 1, w.Calls(providertest.RouteColors), "colors, %d logos", w.Calls(providertest.RouteLogos))
	assert.Equal(t, 1, w.Calls(providertest.RouteLogos), "%d colors, logos", w.Calls(providertest.RouteColors))
	books := w.Sim.Branding(providertest.AcmeHost)
	for name, want := range map[string]string{
		"colorPrimary": "#0a0", "colorPrimaryForeground": "#000", "colorAccent": "#112233",
		"colorAccentForeground": "#fff", "colorAppBarBackground": "#fff", "colorFooterBackground": "#222",
	} {
		assert.Equal(t, want, books.Colors[name], name)
	}
	assert.Equal(t, providertest.Hashed(logo), books.LogoSHA256, "logos, %s", books.BannerSHA256)
	assert.Equal(t, providertest.Hashed(banner), books.BannerSHA256, "logos %s", books.LogoSHA256)
	state := c.State()[providertest.Branding].Attributes
	assert.Equal(t, providertest.AcmeHost, state["id"], "state %v", state)
	assert.Equal(t, providertest.Hashed(logo), state["logo_sha256"], "state %v", state)
	assert.Equal(t, providertest.Hashed(banner), state["banner_logo_sha256"], "state %v", state)

	t.Run("unchanged: the list alone", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
	})
	t.Run("the same in another spelling, from another place", func(*testing.T) {
		c.File("moved.png", string(logo))
		c.Config(w.Branded(strings.NewReplacer(`"#0a0"`, `"#00AA00"`, "/logo.png", "/moved.png").Replace(all)))
		c.WantEmptyPlan()
	})
	t.Run("one color is sent alone", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.Config(w.Branded(strings.Replace(all, "#112233", "#332211", 1)))
		c.Apply().WantOK(t, "1 changed")
		body := w.LastBody(providertest.RouteColors)
		assert.Equal(t, `{"domain":"`+providertest.AcmeHost+`","colorAccent":"#332211"}`, body, "sent, %d logos", w.Calls(providertest.RouteLogos))
		assert.Equal(t, 0, w.Calls(providertest.RouteLogos), "sent %s, logos", body)
		c.Config(w.Branded(all))
		c.Apply().WantOK(t, "1 changed")
	})
	t.Run("one logo is sent alone, seen by its content", func(t *testing.T) {
		w.Sim.ResetJournal()
		other := providertest.Drawn(t, 10, 10, color.White)
		c.File("logo.png", string(other))
		c.PlanText().WantText(t, "logo_sha256", providertest.Hashed(other))
		c.Apply().WantOK(t, "1 changed")
		if body := w.LastBody(providertest.RouteLogos); w.Calls(providertest.RouteColors) != 0 || strings.Contains(body, "bannerLogo") || !strings.Contains(body, providertest.Hashed(other)) {
			t.Errorf("sent %s, %d colors", body, w.Calls(providertest.RouteColors))
		}
		c.WantEmptyPlan()
	})
	t.Run("the trigger sends everything", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.Config(w.Branded(all + `reapply_trigger = "2"`))
		c.Apply().WantOK(t, "1 changed")
		if w.Calls(providertest.RouteColors) != 1 || w.Calls(providertest.RouteLogos) != 1 || strings.Count(w.LastBody(providertest.RouteColors), "color") != 6 || !strings.Contains(w.LastBody(providertest.RouteLogos), "bannerLogo") {
			t.Errorf("sent %s and %s", w.LastBody(providertest.RouteColors), w.LastBody(providertest.RouteLogos))
		}
	})
	t.Run("removed attributes stay unchanged", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.Config(w.Branded(`color_primary = "#0a0"` + "\n" + `reapply_trigger = "2"`))
		told := c.Planned()
		told.Want(t, 5, "warning", branding.SummaryColorKept, "color_accent", providertest.AcmeHost, "#112233")
		told.Want(t, 2, "warning", branding.SummaryLogoKept, providertest.AcmeHost, "banner_logo_path")
		c.Apply().WantOK(t, "1 changed")
		if w.Calls(providertest.RouteColors)+w.Calls(providertest.RouteLogos) != 0 {
			t.Errorf("calls %v", w.Sim.Journal())
		}
		c.WantEmptyPlan()
	})
	t.Run("a destroy only removes from state", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.Destroy().WantOK(t, branding.TopicKeptBranding.Summary, providertest.AcmeHost, "1 destroyed")
		assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
	})
}

// A private label of the same plan has nothing that its first branding could overwrite, also if its provisioning sent a
// color: neither the plan nor the apply, which finds it live, warns.
func TestBranding_OfNewPrivateLabel(t *testing.T) {
	t.Parallel()
	for name, atProvisioning := range map[string]string{"plain": "", "with a color": `color_primary = "#00b"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			config := func(color string) string {
				return w.Config(fmt.Sprintf(`
resource "reseller_private_label" "new" {
  domain   = "sign.new.example"
  app_name = "New"
  owner    = { email = "nia@new.example", first_name = "Nia", last_name = "New" }
  %s
}
resource "reseller_branding" "new" {
  domain        = reseller_private_label.new.domain
  color_primary = %q
  depends_on    = [reseller_private_label.new]
}
`, atProvisioning, color))
			}
			overwriting := branding.TopicOverwriting.Summary
			c := w.Cli()
			c.Config(config("#0a0"))
			c.Plan().Diagnostics.Want(t, 0, "warning", overwriting)
			applied := c.Apply()
			applied.WantOK(t, "2 added")
			applied.Diagnostics.Want(t, 0, "warning", overwriting)
			assert.Equal(t, "#0a0", w.Sim.Branding("sign.new.example").Colors["colorPrimary"])
			c.Config(config("#a00"))
			c.Plan().Diagnostics.WantWarning(t, overwriting, "sign.new.example", "color_primary #0a0")
		})
	}
}

func TestBranding_Contrast(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Branded("color_primary = \"#777\"\ncolor_primary_foreground = \"#fff\"\ncolor_accent = \"#000\"\ncolor_accent_foreground = \"#fff\""))
	applied := c.Apply()
	applied.WantOK(t, branding.SummaryContrast, "color_primary_foreground on color_primary of "+providertest.AcmeHost, "4.48:1", "4.5:1")
	assert.NotContains(t, applied.Out, "color_accent_foreground on", "warned of white on black")
	r := c.Plan()
	assert.Equal(t, 0, r.Code, "warned again without a change: %s", r.Out)
	assert.NotContains(t, r.Out, "contrast is low", "warned again without a change")
}

// Another host name has its own branding; nothing is lost with the old one.
func TestBranding_OtherHost(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	_, err := w.Sim.AddConsoleLabel("other.acme.example", "ada@acme.example")
	require.NoError(t, err)
	c := coretest.Applied(t, w.TestEnv, w.Branded(`color_primary = "#0a0"`))
	c.Config(strings.Replace(w.Branded(`color_primary = "#0a0"`), providertest.AcmeHost, strings.ToUpper(providertest.AcmeHost), 1))
	c.WantEmptyPlan()
	c.Config(strings.Replace(w.Branded(`color_primary = "#0a0"`), providertest.AcmeHost, "other.acme.example", 1))
	told := c.Planned()
	told.WantWarning(t, branding.TopicKeptBranding.Summary, providertest.AcmeHost)
	told.Want(t, 0, "warning", branding.SummaryColorKept)
	c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
	for _, host := range []string{providertest.AcmeHost, "other.acme.example"} {
		assert.Equal(t, "#0a0", w.Sim.Branding(host).Colors["colorPrimary"], host)
	}
}

// Files are checked at plan time, before any call that writes.
func TestBranding_BadFiles(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.File("empty.png", "")
	c.File("text.png", "no image at all")
	c.File("large.png", string(providertest.Drawn(t, 1, 1, color.White))+strings.Repeat("x", 1<<20))
	c.File("wide.png", string(providertest.Drawn(t, 4097, 1, color.White)))
	c.File("wide.svg", `<svg width="4097" height="10"></svg>`)
	for name, want := range map[string]string{
		"none.png":  "There is no file",
		"empty.png": "is empty",
		"text.png":  "is not a PNG, JPEG, GIF or SVG by its content",
		"large.png": "the API accepts logos up to 1 MB",
		"wide.png":  "has 4097 x 1 pixels; the API accepts logos up to 4096 x 4096",
		"wide.svg":  "has 4097 x 10 pixels",
	} {
		for _, attribute := range []string{"logo_path", "banner_logo_path"} {
			c.Config(w.Branded(fmt.Sprintf("%s = \"${abspath(path.module)}/%s\"", attribute, name)))
			c.Plan().WantError(t, file.SummaryInvalid, "The logo of "+providertest.AcmeHost+" was not planned", want, attribute)
		}
	}
	assert.Equal(t, 0, w.Calls(providertest.RouteLogos), "uploads")
}

// A logo that was sent needs no file any longer: a destroy begins with a plan of the configuration, with the real CLI.
func TestBranding_DestroyWithoutFile(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	logo := c.File("logo.png", string(providertest.Drawn(t, 4, 4, color.White)))
	c.Config(w.Branded(`logo_path = "${abspath(path.module)}/logo.png"`))
	c.Apply().WantOK(t, "1 added")
	require.NoError(t, os.Remove(logo))
	w.Sim.ResetJournal()
	c.Plan().WantOK(t, "Logo file no longer exists", providertest.AcmeHost)
	c.Config(w.Branded(`logo_path = "${abspath(path.module)}/other.png"`))
	c.Plan().WantError(t, file.SummaryInvalid, "There is no file")
	c.Config(w.Branded(`logo_path = "${abspath(path.module)}/logo.png"`))
	c.Destroy().WantOK(t, "1 destroyed")
	assert.Equal(t, 0, w.Calls(providertest.RouteLogos), "uploads")
}

func TestBranding_NoUploadURL(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.File("logo.png", string(providertest.Drawn(t, 1, 1, color.White)))
	c.Config(strings.Replace(w.Branded(`logo_path = "${abspath(path.module)}/logo.png"`), providertest.WithUploadURL, "", 1))
	c.Plan().WantError(t, branding.SummaryUploadURL, "upload_url", "RESELLER_UPLOAD_URL")
}

// A path that is known after apply is checked then, before anything is sent.
func TestBranding_UnknownPath(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	unknown := func(file string) string {
		return w.Branded("color_primary = \"#0a0\"\nlogo_path = \"${abspath(path.module)}/${terraform_data.name.output}\"") +
			fmt.Sprintf("resource \"terraform_data\" \"name\" {\n  input = %q\n}\n", file)
	}
	c.File("text.png", "no image at all")
	c.Config(unknown("text.png"))
	c.PlanText().WantText(t, "logo_sha256   = (known after apply)")
	c.Apply().WantError(t, file.SummaryInvalid)
	assert.Equal(t, 0, w.Calls(providertest.RouteColors)+w.Calls(providertest.RouteLogos))
	logo := providertest.Drawn(t, 2, 2, color.White)
	c.File("logo.png", string(logo))
	c.Config(unknown("logo.png"))
	c.Apply().WantOK(t)
	assert.Equal(t, providertest.Hashed(logo), w.Sim.Branding(providertest.AcmeHost).LogoSHA256, "the logo was not sent")
	c.WantEmptyPlan()
}

// A file that changes between plan and apply is not sent.
func TestBranding_FileChangesAfterPlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	path := c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
	c.Config(w.Branded("color_primary = \"#0a0\"\nlogo_path = \"${abspath(path.module)}/logo.png\""))
	c.Plan()
	require.NoError(t, os.WriteFile(path, providertest.Drawn(t, 2, 2, color.Black), 0o600))
	c.ApplySaved().WantError(t, "inconsistent")
	assert.Equal(t, 0, w.Calls(providertest.RouteColors)+w.Calls(providertest.RouteLogos))
}

// gateway stops logos with a page.
type gateway struct {
	http.RoundTripper
	status int
}

func (g gateway) RoundTrip(req *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(req.URL.Path, "/upload-logos") {
		return g.RoundTripper.RoundTrip(req)
	}
	_, _ = io.Copy(io.Discard, req.Body)
	page := "<html><title>Stopped</title></html>"
	return &http.Response{
		StatusCode: g.status, Header: http.Header{"Content-Type": {"text/html"}, "Server": {"nginx"}},
		Body: io.NopCloser(strings.NewReader(page)), ContentLength: int64(len(page)), Request: req,
	}, nil
}

func TestBranding_Refused(t *testing.T) {
	t.Parallel()
	t.Run("no host of this reseller", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.New(t, w.TestEnv)
		c.Config(strings.Replace(w.Branded(`color_primary = "#0a0"`), providertest.AcmeHost, "sign.other.example", 1))
		c.Apply().WantError(t, branding.SummaryColors, "The colors of sign.other.example were not changed", "API error UNAUTHORIZED", "no live private label with this host name")
	})
	t.Run("no branding", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		require.NoError(t, w.Sim.DropBranding(providertest.AcmeHost))
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Branded(`color_primary = "#0a0"`))
		c.Apply().WantError(t, "API error NOT_FOUND", "no branding to change")
	})
	t.Run("logos after colors", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.Applied(t, w.TestEnv, w.Branded(`color_primary = "#0a0"`))
		c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
		c.Config(w.Branded("color_primary = \"#00b\"\nlogo_path = \"${abspath(path.module)}/logo.png\""))
		w.Sim.Inject(simulator.Fault{Route: providertest.RouteLogos, Kind: simulator.FaultServerError, Times: -1})
		c.Apply().WantError(t, "upload the logos of "+providertest.AcmeHost, "API error INTERNAL_SERVER_ERROR")
		w.Sim.ClearFaults()
		state := c.State()[providertest.Branding]
		assert.NotEqual(t, "tainted", state.Status, "state %v", state)
		assert.Equal(t, "#00b", state.Attributes["color_primary"], "state %v", state)
		assert.Nil(t, state.Attributes["logo_sha256"], "state %v", state)
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, 0, w.Calls(providertest.RouteColors), "colors, %d logos", w.Calls(providertest.RouteLogos))
		assert.Equal(t, 1, w.Calls(providertest.RouteLogos), "%d colors, logos", w.Calls(providertest.RouteColors))
		c.WantEmptyPlan()
	})
	for status, says := range map[int]string{http.StatusForbidden: "HTTPS_PROXY", http.StatusRequestEntityTooLarge: "smaller file"} {
		t.Run(fmt.Sprintf("HTTP %d of a gateway", status), func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.New(t, w.TestEnv)
			c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
			c.Config(w.Branded(`logo_path = "${abspath(path.module)}/logo.png"`))
			w.Transport = gateway{w.Sim.Transport(), status}
			c.Apply().WantError(t, "The logos of "+providertest.AcmeHost+" were not changed. The next apply sends the logos again.", "the API stored nothing", "sent by nginx", says)
			assert.Equal(t, 0, w.Calls(providertest.RouteLogos))
			c.Config(w.Branded("color_primary = \"#0a0\"\nlogo_path = \"${abspath(path.module)}/logo.png\""))
			c.Apply().WantError(t, "were not changed. The colors were changed. The next apply sends the logos again.")
		})
	}
	t.Run("the label is gone", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.Applied(t, w.TestEnv, w.Branded(`color_primary = "#0a0"`))
		require.NoError(t, w.Sim.DeprovisionInConsole(providertest.AcmeHost))
		c.Plan().WantText(t, branding.SummaryGone, "1 to add")
	})
}

// After an import, the state has only the host name, in one spelling: a configuration without colors plans no changes, one
// with colors sends them.
func TestBranding_Import(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	block := fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", providertest.Branding, strings.ToUpper(providertest.AcmeHost))
	c.Config(w.Branded("") + block)
	c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	got := c.State()[providertest.Branding].Attributes
	assert.Equal(t, providertest.AcmeHost, got["domain"], "domain, id %v", got["id"])
	assert.Equal(t, providertest.AcmeHost, got["id"], "domain %v, id", got["domain"])
	c.WantEmptyPlan()
	c.Config(w.Branded(`color_primary = "#0a0"`))
	c.Apply().WantOK(t, "1 changed")
	_, err := os.Stat(filepath.Join(c.Dir, "terraform.tfstate"))
	assert.NoError(t, err)
}

// A create that fails after the colors leaves no state, and the next one sends everything.
func TestBranding_CreateGoesOn(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
	c.Config(w.Branded("color_primary = \"#00b\"\nlogo_path = \"${abspath(path.module)}/logo.png\""))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteLogos, Kind: simulator.FaultServerError, Times: -1})
	c.Apply().WantError(t, diagnostic.SummaryOutcomeUnknown, "upload the logos of "+providertest.AcmeHost)
	assert.Empty(t, c.State(), "resources in state")
	w.Sim.ClearFaults()
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
}

// A replacement without a change sends everything again, and a file that moved since is found.
func TestBranding_ReplacedAndReapplied(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	logo := string(providertest.Drawn(t, 2, 2, color.White))
	old := c.File("logo.png", logo)
	config := func(file, trigger string) string {
		return w.Branded(fmt.Sprintf("color_primary = \"#00b\"\nlogo_path = \"${abspath(path.module)}/%s\"\nreapply_trigger = %q", file, trigger))
	}
	c.Config(config("logo.png", "1"))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.Apply("-replace="+providertest.Branding).WantOK(t, "1 added, 0 changed, 1 destroyed")
	c.WantEmptyPlan()
	c.File("moved.png", logo)
	require.NoError(t, os.Remove(old))
	c.Config(config("moved.png", "1"))
	c.WantEmptyPlan()
	c.Config(config("moved.png", "2"))
	c.Apply().WantOK(t, "1 changed")
	c.WantEmptyPlan()
	colors, logos := w.Calls(providertest.RouteColors), w.Calls(providertest.RouteLogos)
	assert.Equal(t, 2, colors, "colors, %d logos", logos)
	assert.Equal(t, 2, logos, "%d colors, logos", colors)
}
