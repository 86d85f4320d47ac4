package provider_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	routeColors   = "POST /console/tenant/update-colors"
	routeLogos    = "POST /upload/console/tenant/upload-logos"
	branding      = "reseller_branding.acme"
	withUploadURL = "  upload_url = \"https://upload.sandbox.invalid\"\n"
)

// branded is the block of a branding; extra lines go inside.
func (w *labelled) branded(extra string) string {
	return w.configWith(withUploadURL, fmt.Sprintf("resource \"reseller_branding\" \"acme\" {\n  domain = %q\n%s\n}\n", acmeHost, extra))
}

// drawn is a PNG of one colour.
func drawn(t *testing.T, width, height int, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			img.Set(x, y, c)
		}
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func hashed(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// lastSent is what the newest call of a route sent.
func (w *world) lastSent(route string) string {
	w.t.Helper()
	body := ""
	for _, call := range w.sim.Journal() {
		if call.Route == route {
			body = string(call.Body)
		}
	}
	return body
}

func TestBranding_Lifecycle(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	logo, banner := drawn(t, 300, 100, color.RGBA{0, 0xaa, 0, 0xff}), drawn(t, 600, 600, color.RGBA{0x11, 0x22, 0x33, 0xff})
	c.file("logo.png", string(logo))
	c.file("banner.png", string(banner))
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
	c.config(w.branded(all))
	c.plan().wantText(t, hashed(logo), hashed(banner))
	w.sim.ResetJournal()
	c.apply().wantOK(t, "1 added")
	if w.calls(routeColors) != 1 || w.calls(routeLogos) != 1 {
		t.Errorf("%d colours, %d logos", w.calls(routeColors), w.calls(routeLogos))
	}
	books := w.sim.Branding(acmeHost)
	for name, want := range map[string]string{
		"colorPrimary": "#0a0", "colorPrimaryForeground": "#000", "colorAccent": "#112233",
		"colorAccentForeground": "#fff", "colorAppBarBackground": "#fff", "colorFooterBackground": "#222",
	} {
		if books.Colors[name] != want {
			t.Errorf("%s = %q, want %q", name, books.Colors[name], want)
		}
	}
	if books.LogoSHA256 != hashed(logo) || books.BannerSHA256 != hashed(banner) {
		t.Errorf("logos %s, %s", books.LogoSHA256, books.BannerSHA256)
	}
	state := c.state()[branding].Attributes
	if state["id"] != acmeHost || state["logo_sha256"] != hashed(logo) || state["banner_logo_sha256"] != hashed(banner) {
		t.Errorf("state %v", state)
	}

	t.Run("unchanged: the list alone", func(t *testing.T) {
		w.sim.ResetJournal()
		c.wantEmptyPlan()
		if err := w.wantCalls(map[string]int{routeList: 1}); err != nil {
			t.Error(err)
		}
	})
	t.Run("the same in another spelling, from another place", func(*testing.T) {
		c.file("moved.png", string(logo))
		c.config(w.branded(strings.NewReplacer(`"#0a0"`, `"#00AA00"`, "/logo.png", "/moved.png").Replace(all)))
		c.wantEmptyPlan()
	})
	t.Run("one colour is sent alone", func(t *testing.T) {
		w.sim.ResetJournal()
		c.config(w.branded(strings.Replace(all, "#112233", "#332211", 1)))
		c.apply().wantOK(t, "1 changed")
		if body := w.lastSent(routeColors); body != `{"domain":"`+acmeHost+`","colorAccent":"#332211"}` || w.calls(routeLogos) != 0 {
			t.Errorf("sent %s, %d logos", body, w.calls(routeLogos))
		}
		c.config(w.branded(all))
		c.apply().wantOK(t, "1 changed")
	})
	t.Run("one logo is sent alone, seen by its content", func(t *testing.T) {
		w.sim.ResetJournal()
		other := drawn(t, 10, 10, color.White)
		c.file("logo.png", string(other))
		c.plan().wantText(t, "logo_sha256", hashed(other))
		c.apply().wantOK(t, "1 changed")
		if body := w.lastSent(routeLogos); w.calls(routeColors) != 0 || strings.Contains(body, "bannerLogo") || !strings.Contains(body, hashed(other)) {
			t.Errorf("sent %s, %d colours", body, w.calls(routeColors))
		}
		c.wantEmptyPlan()
	})
	t.Run("the trigger sends everything", func(t *testing.T) {
		w.sim.ResetJournal()
		c.config(w.branded(all + `reapply_trigger = "2"`))
		c.apply().wantOK(t, "1 changed")
		if w.calls(routeColors) != 1 || w.calls(routeLogos) != 1 || strings.Count(w.lastSent(routeColors), "color") != 6 || !strings.Contains(w.lastSent(routeLogos), "bannerLogo") {
			t.Errorf("sent %s and %s", w.lastSent(routeColors), w.lastSent(routeLogos))
		}
	})
	t.Run("what is taken out stays on the service", func(t *testing.T) {
		w.sim.ResetJournal()
		c.config(w.branded(`color_primary = "#0a0"` + "\n" + `reapply_trigger = "2"`))
		told := c.planned()
		told.want(t, 5, "warning", "Removed color keeps its value", "color_accent", acmeHost, "#112233")
		told.want(t, 2, "warning", "Removed logo stays in use", acmeHost, "banner_logo_path")
		c.apply().wantOK(t, "1 changed")
		if w.calls(routeColors)+w.calls(routeLogos) != 0 {
			t.Errorf("calls %v", w.sim.Journal())
		}
		c.wantEmptyPlan()
	})
	t.Run("a destroy forgets", func(t *testing.T) {
		w.sim.ResetJournal()
		c.destroy().wantOK(t, "Branding is only removed from state", acmeHost, "1 destroyed")
		if err := w.wantCalls(map[string]int{routeList: 1}); err != nil {
			t.Error(err)
		}
	})
}

func TestBranding_Contrast(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.branded("color_primary = \"#777\"\ncolor_primary_foreground = \"#fff\"\ncolor_accent = \"#000\"\ncolor_accent_foreground = \"#fff\""))
	applied := c.apply()
	applied.wantOK(t, "Color contrast is low", "color_primary_foreground on color_primary of "+acmeHost, "4.48:1", "4.5:1")
	if strings.Contains(applied.out, "color_accent_foreground on") {
		t.Errorf("white on black is told: %s", applied.out)
	}
	if r := c.plan(); r.code != 0 || strings.Contains(r.out, "contrast is low") {
		t.Errorf("told again without a change: %s", r.out)
	}
}

// Another host is another branding; nothing is lost with the old one.
func TestBranding_OtherHost(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	if _, err := w.sim.AddConsoleLabel("other.acme.example", "ada@acme.example"); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.branded(`color_primary = "#0a0"`))
	c.apply().wantOK(t)
	c.config(strings.Replace(w.branded(`color_primary = "#0a0"`), acmeHost, strings.ToUpper(acmeHost), 1))
	c.wantEmptyPlan()
	c.config(strings.Replace(w.branded(`color_primary = "#0a0"`), acmeHost, "other.acme.example", 1))
	told := c.planned()
	told.wantWarning(t, "Branding is only removed from state", acmeHost)
	told.want(t, 0, "warning", "Removed color keeps its value")
	c.apply().wantOK(t, "1 added, 0 changed, 1 destroyed")
	for _, host := range []string{acmeHost, "other.acme.example"} {
		if got := w.sim.Branding(host).Colors["colorPrimary"]; got != "#0a0" {
			t.Errorf("%s has %q", host, got)
		}
	}
}

// Files are judged at plan, before any call that writes.
func TestBranding_BadFiles(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.file("empty.png", "")
	c.file("text.png", "no image at all")
	c.file("large.png", string(drawn(t, 1, 1, color.White))+strings.Repeat("x", 1<<20))
	c.file("wide.png", string(drawn(t, 4097, 1, color.White)))
	c.file("wide.svg", `<svg width="4097" height="10"></svg>`)
	for file, want := range map[string]string{
		"none.png":  "there is no file",
		"empty.png": "is empty",
		"text.png":  "is no PNG, JPEG, GIF or SVG by its content",
		"large.png": "the service takes logos up to 1 MB",
		"wide.png":  "has 4097 x 1 pixels; the service takes logos up to 4096 x 4096",
		"wide.svg":  "has 4097 x 10 pixels",
	} {
		for _, attribute := range []string{"logo_path", "banner_logo_path"} {
			c.config(w.branded(fmt.Sprintf("%s = \"${abspath(path.module)}/%s\"", attribute, file)))
			c.plan().wantError(t, "Not usable as a logo of "+acmeHost, want, attribute)
		}
	}
	if n := w.calls(routeLogos); n != 0 {
		t.Errorf("%d uploads", n)
	}
}

func TestBranding_NoUploadURL(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.file("logo.png", string(drawn(t, 1, 1, color.White)))
	c.config(strings.Replace(w.branded(`logo_path = "${abspath(path.module)}/logo.png"`), withUploadURL, "", 1))
	c.plan().wantError(t, "Missing upload URL", "upload_url", "RESELLER_UPLOAD_URL")
}

// A path that is known only at apply is judged then, before anything is sent.
func TestBranding_UnknownPath(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	unknown := func(file string) string {
		return w.branded("color_primary = \"#0a0\"\nlogo_path = \"${abspath(path.module)}/${terraform_data.name.output}\"") +
			fmt.Sprintf("resource \"terraform_data\" \"name\" {\n  input = %q\n}\n", file)
	}
	c.file("text.png", "no image at all")
	c.config(unknown("text.png"))
	c.plan().wantText(t, "logo_sha256   = (known after apply)")
	c.apply().wantError(t, "Not usable as a logo")
	if n := w.calls(routeColors) + w.calls(routeLogos); n != 0 {
		t.Errorf("%d calls", n)
	}
	logo := drawn(t, 2, 2, color.White)
	c.file("logo.png", string(logo))
	c.config(unknown("logo.png"))
	c.apply().wantOK(t)
	if w.sim.Branding(acmeHost).LogoSHA256 != hashed(logo) {
		t.Error("the logo was not sent")
	}
	c.wantEmptyPlan()
}

// A file that changes between plan and apply is not sent.
func TestBranding_FileChangesAfterPlan(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	path := c.file("logo.png", string(drawn(t, 2, 2, color.White)))
	c.config(w.branded("color_primary = \"#0a0\"\nlogo_path = \"${abspath(path.module)}/logo.png\""))
	c.ok("plan", "-no-color", "-input=false", "-out=saved")
	if err := os.WriteFile(path, drawn(t, 2, 2, color.Black), 0o600); err != nil {
		t.Fatal(err)
	}
	c.run("apply", "-no-color", "-input=false", "saved").wantError(t, "inconsistent")
	if n := w.calls(routeColors) + w.calls(routeLogos); n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestBranding_Refused(t *testing.T) {
	t.Parallel()
	t.Run("no host of this reseller", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		c := w.cli()
		c.config(strings.Replace(w.branded(`color_primary = "#0a0"`), acmeHost, "sign.other.example", 1))
		c.apply().wantError(t, "The colours of sign.other.example were not changed (UNAUTHORIZED)", "not one of this reseller's live labels")
	})
	t.Run("no branding", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		if err := w.sim.DropBranding(acmeHost); err != nil {
			t.Fatal(err)
		}
		c := w.cli()
		c.config(w.branded(`color_primary = "#0a0"`))
		c.apply().wantError(t, "(NOT_FOUND)", "no branding that could be changed")
	})
	t.Run("logos after colours", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		c := w.cli()
		c.config(w.branded(`color_primary = "#0a0"`))
		c.apply().wantOK(t)
		c.file("logo.png", string(drawn(t, 2, 2, color.White)))
		c.config(w.branded("color_primary = \"#00b\"\nlogo_path = \"${abspath(path.module)}/logo.png\""))
		w.sim.Inject(simulator.Fault{Route: routeLogos, Kind: simulator.FaultServerError, Times: -1})
		c.apply().wantError(t, "The logos of "+acmeHost+" were not changed (INTERNAL_SERVER_ERROR)")
		w.sim.ClearFaults()
		state := c.state()[branding]
		if state.Status == "tainted" || state.Attributes["color_primary"] != "#00b" || state.Attributes["logo_sha256"] != nil {
			t.Errorf("state %v", state)
		}
		w.sim.ResetJournal()
		c.apply().wantOK(t, "1 changed")
		if w.calls(routeColors) != 0 || w.calls(routeLogos) != 1 {
			t.Errorf("%d colours, %d logos", w.calls(routeColors), w.calls(routeLogos))
		}
		c.wantEmptyPlan()
	})
	t.Run("the label is gone", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		c := w.cli()
		c.config(w.branded(`color_primary = "#0a0"`))
		c.apply().wantOK(t)
		if err := w.sim.DeprovisionInConsole(acmeHost); err != nil {
			t.Fatal(err)
		}
		c.plan().wantText(t, "Branding removed from state with its label", "1 to add")
	})
	t.Run("the key is another reseller's", func(t *testing.T) {
		t.Parallel()
		w := newLabelled(t)
		c := w.cli()
		c.config(w.branded(`color_primary = "#0a0"`))
		c.apply().wantOK(t)
		rival, err := w.sim.AddReseller("rival.example")
		if err != nil {
			t.Fatal(err)
		}
		w.key = rival
		c.config(w.branded(`color_primary = "#0a0"`))
		c.plan().wantError(t, "API key belongs to another reseller", "rival.example")
	})
}

// After an import the state knows the host alone: a configuration without
// colours plans empty, one with some sends them.
func TestBranding_Import(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	block := fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", branding, acmeHost)
	c.config(w.branded("") + block)
	c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.wantEmptyPlan()
	c.config(w.branded(`color_primary = "#0a0"`))
	c.apply().wantOK(t, "1 changed")
	for given, want := range map[string]string{
		"https://sign.acme.example": "is no host name",
		w.label:                     "is no host name",
		"sign.other.example":        "is no live label of",
	} {
		other := w.cli()
		other.config(w.branded(""))
		other.run("import", "-no-color", "-input=false", branding, given).wantError(t, want)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "terraform.tfstate")); err != nil {
		t.Error(err)
	}
}
