package provider_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// onceConfigured lets an older CLI walk as often as it likes through one configured provider, as `terraform test` of
// Terraform 1.15 does: the first ConfigureProvider is passed on, with this world's settings, and the others are
// answered.
type onceConfigured struct {
	protocolServer
	config *tfprotov6.DynamicValue // instead of what the configuration says, nil for that

	once sync.Once
	resp *tfprotov6.ConfigureProviderResponse
	err  error
}

func (s *onceConfigured) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.once.Do(func() {
		first := *req
		first.TerraformVersion = "1.15.9"
		if s.config != nil {
			first.Config = s.config
		}
		s.resp, s.err = s.protocolServer.ConfigureProvider(ctx, &first)
	})
	return s.resp, s.err
}

// oneSession is a folder of the CLI whose provider is configured once: with these settings, or as the configuration
// says where there are none.
func (w *world) oneSession(settings map[string]string) *cli {
	w.t.Helper()
	served, err := w.server()
	if err != nil {
		w.t.Fatal(err)
	}
	server, ok := served.(protocolServer)
	if !ok {
		w.t.Fatal("the server lacks actions or list resources")
	}
	schema, err := server.GetProviderSchema(w.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		w.t.Fatal(err)
	}
	once := &onceConfigured{protocolServer: server}
	if settings != nil {
		once.config = (&protocol{t: w.t, server: server, schema: schema}).value(schema.Provider, settings)
	}
	return w.cliOf(once)
}

// The tests of the whole configurations pass in one process that is configured once, with no refusal for what an
// earlier run planned.
func TestWalks_Configurations(t *testing.T) {
	t.Parallel()
	needsCLI(t, "1.6.0", "terraform test")
	configurations, err := filepath.Glob("../../examples/configurations/*/main.tf")
	if err != nil || len(configurations) == 0 {
		t.Fatalf("no configurations: %v", err)
	}
	for _, configuration := range configurations {
		folder := filepath.Dir(configuration)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			w := newWorldWith(t, simulator.Options{DNSDelay: 1})
			c := w.oneSession(map[string]string{"base_url": simulator.BaseURL, "api_key": w.apiKey()})
			if err := os.CopyFS(c.dir, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			c.ok("init", "-no-color", "-input=false")
			c.run("test", "-no-color").wantOK(t)
			if n := w.calls(routeProvision); n == 0 {
				t.Error("nothing was provisioned")
			}
		})
	}
}

// The whole life of a configuration, again and again in one process.
func TestWalks_ThroughTheCLI(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.oneSession(nil)
	of := func(email, color string) string {
		return w.config(w.person("bob", email, "Bob") + fmt.Sprintf("resource \"reseller_branding\" \"acme\" {\n  domain = %q\n  color_primary = %q\n}\n", acmeHost, color))
	}
	for range 3 {
		c.config(of(bobEmail, "#0a0"))
		c.plan().wantText(t, "2 to add")
		c.apply().wantOK(t, "2 added")
		c.wantEmptyPlan()
		c.config(of("eve@acme.example", "#0b0"))
		c.apply().wantOK(t, "1 added, 1 changed, 1 destroyed")
		c.wantEmptyPlan()
		c.destroy().wantOK(t, "2 destroyed")
		if w.seats() != 1 {
			t.Errorf("%d seats", w.seats())
		}
	}
}
