package provider_test

import (
	"image/color"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Each refusal of §4.9 reaches the user with its code, and nothing is made.
func TestPrivateLabel_ProvisionRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(*world) error
		host    string
		want    []string
	}{
		"HOST_TAKEN by another reseller": {
			func(w *world) error {
				c := w.cli()
				c.config(w.config(label("acme", acmeHost, "")))
				c.apply().wantOK(w.t)
				return w.sim.MoveAway(acmeHost)
			}, acmeHost,
			[]string{acmeHost + " was not provisioned (HOST_TAKEN)", "Nothing was made", "nobody can provision again"},
		},
		"HOST_RESERVED": {nil, "console.portals.example", []string{"was not provisioned (HOST_RESERVED)", "one of the service's own"}},
		"INSUFFICIENT_SCOPE": {
			func(w *world) (err error) {
				w.key, err = w.sim.MintKey("reseller:read")
				return err
			}, acmeHost,
			[]string{"was not provisioned (INSUFFICIENT_SCOPE)", "The key lacks a scope"},
		},
		"no scope to read": {
			func(w *world) (err error) {
				w.key, err = w.sim.MintKey("reseller:provision")
				return err
			}, acmeHost,
			[]string{"Error planning private label " + acmeHost + " (INSUFFICIENT_SCOPE)", "The key lacks a scope"},
		},
		"key revoked": {
			func(w *world) (err error) {
				if w.key, err = w.sim.MintKey("reseller:read", "reseller:provision"); err != nil {
					return err
				}
				return w.sim.RevokeKey(w.key)
			}, acmeHost,
			[]string{"(invalid_client)", "unknown, revoked or mistyped"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if tc.prepare != nil {
				if err := tc.prepare(w); err != nil {
					t.Fatal(err)
				}
			}
			c := w.cli()
			c.config(w.config(label("acme", tc.host, "")))
			r := c.apply()
			r.wantError(t, tc.want...)
			if strings.Contains(r.out, w.apiKey()) {
				t.Error("the key is in the output")
			}
			if n := len(w.sim.Labels()); n != 0 {
				t.Errorf("%d labels", n)
			}
			if len(c.state()) != 0 {
				t.Errorf("state: %v", c.state())
			}
		})
	}
}

// A read that is refused or fails keeps the state: only the list says "gone".
func TestPrivateLabel_ReadFailures(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault simulator.Fault
		want  []string
	}{
		"detail forbidden, list shows it": {simulator.Fault{Route: routeDetail, Kind: simulator.FaultForbidden}, []string{acmeHost + " could not be read (FORBIDDEN)", "the state stays as it is"}},
		"list forbidden":                  {simulator.Fault{Route: routeList, Kind: simulator.FaultForbidden}, []string{"could not be read (FORBIDDEN)"}},
		"list fails":                      {simulator.Fault{Route: routeList, Kind: simulator.FaultServerError}, []string{"could not be read (INTERNAL_SERVER_ERROR)", "a failure of the service"}},
		"list is a page":                  {simulator.Fault{Route: routeList, Kind: simulator.FaultPage}, []string{"could not be read", "no JSON"}},
		"connection resets":               {simulator.Fault{Route: routeList, Kind: simulator.FaultReset}, []string{"could not be read", "could not be reached"}},
		"limited for too long":            {simulator.Fault{Route: routeList, Kind: simulator.FaultRateLimit, RetryAfter: 3600e9}, []string{"could not be read (rate limit)", "console limit", "max_wait"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.cli()
			c.config(w.config(label("acme", acmeHost, "")))
			c.apply().wantOK(t)
			tc.fault.Times = -1
			w.sim.Inject(tc.fault)
			c.plan().wantError(t, tc.want...)
			c.run("apply", "-refresh-only", "-auto-approve", "-no-color").wantError(t)
			if _, ok := c.state()[acme]; !ok {
				t.Error("the label was dropped from state")
			}
			w.sim.ClearFaults()
			w.sim.Clock().Advance(3600e9)
			c.wantEmptyPlan()
		})
	}
}

// The reseller's slug may change (§2.1): what is remembered is looked up again.
func TestPrivateLabel_SlugChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	if err := w.sim.ChangeSlug(w.sim.Slug(), "renamed.example"); err != nil {
		t.Fatal(err)
	}
	c.wantEmptyPlan()
	c.wantEmptyPlan()
	if n := w.calls(routeDashboard); n != 2 {
		t.Errorf("%d dashboard calls, want one more", n)
	}
}

// With a token nothing is exchanged.
func TestProvider_AccessToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env.set("RESELLER_ACCESS_TOKEN", w.exchange())
	w.sim.ResetJournal()
	c := w.cli()
	c.config(w.config(`data "reseller_dashboard" "d" {}`)) // with the key in the block, too
	c.plan().wantOK(t)
	if n := w.calls(routeToken); n != 0 {
		t.Errorf("%d exchanges", n)
	}
	w.env.set("RESELLER_ACCESS_TOKEN", "sim.old.token")
	c.plan().wantError(t, "(UNAUTHORIZED)", "not valid")
}

// Settings that are not known at plan hold up no plan of what is in state.
func TestProvider_UnknownSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	unknown := func(body string) string {
		return "resource \"terraform_data\" \"key\" {\n  input = \"" + w.apiKey() + "\"\n}\nprovider \"reseller\" {\n  base_url = \"" + simulator.BaseURL + "\"\n  api_key = terraform_data.key.output\n}\n" + body
	}
	c.config(unknown(label("acme", acmeHost, "") + label("bolt", "sign.bolt.example", "")))
	if r := c.plan(); r.code != 2 {
		t.Errorf("exit code %d, want changes\n%s", r.code, r.out)
	}
	c.apply().wantOK(t, "2 added")
	c.wantEmptyPlan()
	c.config(unknown(`data "reseller_dashboard" "d" {}`) + label("acme", acmeHost, "") + label("bolt", "sign.bolt.example", ""))
	c.plan().wantOK(t)
}

// The first Ctrl-C while the POST is under way: the label is made, in state and
// not tainted.
func TestPrivateLabel_Interrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := httptest.NewServer(w.sim)
	t.Cleanup(server.Close)
	c := installedCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.apiKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
	c.config(label("acme", acmeHost, ""))
	cmd := exec.Command(cliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.dir, c.env
	ownProcessGroup(t, cmd) // a Ctrl-C goes to the whole group
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	started := make(chan int, 1)
	w.sim.Inject(simulator.Fault{Route: routeProvision, After: true, Hook: func() {
		if err := interruptGroup(<-started); err != nil {
			t.Error(err)
		}
	}})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started <- cmd.Process.Pid
	_ = cmd.Wait() // an interrupted apply may fail or succeed; its state counts
	got, known := c.state()[acme]
	if !known || got.Status == "tainted" {
		t.Errorf("state: %v\n%s", c.state(), out.String())
	}
	c.apply().wantOK(t)
	c.wantEmptyPlan()
	if n := len(w.sim.Outbox()); n != 1 {
		t.Errorf("%d e-mails", n)
	}
}

// No secret reaches the output, the logs or the state, not even at TRACE.
func TestSecrets_Trace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := httptest.NewServer(w.sim)
	t.Cleanup(server.Close)
	cache := t.TempDir()
	c := installedCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_UPLOAD_URL="+server.URL+simulator.UploadPrefix,
		"RESELLER_API_KEY="+w.apiKey(),
		"RESELLER_SIGNING_URL="+server.URL,
		"RESELLER_SIGNING_API_KEY="+w.sim.SigningAPIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+cache,
		"TF_LOG=TRACE")
	c.file("logo.png", string(drawn(t, 2, 2, color.White)))
	everything := label("acme", acmeHost, "deletion_policy = \"ABANDON\"") + `
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_branding" "acme" {
  domain        = reseller_private_label.acme.domain
  color_primary = "#0a0"
  logo_path     = "logo.png"
}
data "reseller_api_keys" "all" {}
`
	if olderCLI(t, "1.10.0") {
		t.Log("the CLI knows no ephemeral resources: their token is not part of this run")
	} else {
		everything += "ephemeral \"reseller_access_token\" \"run\" {}\n"
	}
	c.config(everything)
	w.sim.Inject(simulator.Fault{Route: routeProvision, Kind: simulator.FaultServerError, After: true})
	out := c.apply().out
	if !strings.Contains(out, "reseller API call") {
		t.Error("TF_LOG=TRACE does not give the provider's log")
	}
	if !strings.Contains(out, "Calling provider defined Resource Create") {
		t.Error("TF_LOG=TRACE does not give the SDK's log")
	}
	out += c.plan("-out=saved").out
	out += c.run("show", "-json", "saved").out
	w.sim.Inject(simulator.Fault{Route: routeList, Kind: simulator.FaultUnauthorized, Times: -1})
	out += c.plan().out
	w.sim.ClearFaults()
	out += c.destroy().out
	state, err := os.ReadFile(filepath.Join(c.dir, "terraform.tfstate.backup"))
	if err != nil {
		t.Fatal(err)
	}
	out += string(state)
	entries, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(cache, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out += string(raw)
	}
	_, secretPart, _ := strings.Cut(w.apiKey(), "live_")
	for _, secret := range append(w.sim.Tokens(), w.apiKey(), secretPart[33:], w.sim.SigningAPIKey()) {
		if i := strings.Index(out, secret); i >= 0 {
			t.Errorf("a secret is in the output: …%s…", out[max(0, i-200):i])
		}
	}
	if len(w.sim.Tokens()) == 0 {
		t.Error("no token was made")
	}
}

// Where nobody asks for logs, the SDK writes none.
func TestLogs_Quiet(t *testing.T) {
	t.Parallel()
	c := installedCLI(t, "TF_LOG=", "TF_LOG_PROVIDER=")
	c.config(inSandbox + label("acme", acmeHost, ""))
	logged := c.plan().out
	if strings.Contains(logged, "@module") || strings.Contains(logged, "[TRACE]") {
		t.Errorf("logs nobody asked for:\n%s", logged)
	}
}

// 20 plans side by side exchange the key once.
func TestTokenCache_ManyProcesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := httptest.NewServer(w.sim)
	t.Cleanup(server.Close)
	if err := w.sim.Seed(1); err != nil {
		t.Fatal(err)
	}
	c := installedCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.apiKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
	c.config(`data "reseller_private_labels" "all" {}`)
	turns := make(chan struct{}, 10)
	done := make(chan result, 20)
	for range 20 {
		go func() {
			turns <- struct{}{}
			done <- c.run("plan", "-no-color", "-input=false", "-lock=false")
			<-turns
		}()
	}
	for range 20 {
		r := <-done
		r.wantOK(t)
	}
	if n := w.calls(routeToken); n != 1 {
		t.Errorf("%d exchanges, want 1", n)
	}
	if n := w.calls(routeDashboard); n != 1 {
		t.Errorf("%d dashboard calls, want 1", n)
	}
	if n := w.calls(routeList); n != 20 {
		t.Errorf("%d lists, want one a process", n)
	}
}
