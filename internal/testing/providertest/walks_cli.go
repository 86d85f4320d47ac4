package providertest

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// onceConfigured lets an older CLI make any number of walks through one configured provider, as `terraform test` of
// Terraform 1.15 does. It passes on the first ConfigureProvider with the settings of this test environment, and
// responds to the others itself.
type onceConfigured struct {
	ProtocolServer
	config *tfprotov6.DynamicValue // instead of what the configuration says, nil for that

	once sync.Once
	resp *tfprotov6.ConfigureProviderResponse
	err  error
}

func (s *onceConfigured) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.once.Do(func() {
		first := *req
		if s.config != nil {
			first.Config = s.config
		}
		s.resp, s.err = s.ProtocolServer.ConfigureProvider(ctx, &first)
	})
	return s.resp, s.err
}

// OneSession is a directory of the CLI whose provider is configured once, with these settings or else as the
// configuration says.
func (w *TestEnv) OneSession(settings map[string]string) *CLI {
	w.T.Helper()
	p := w.unconfigured()
	once := &onceConfigured{ProtocolServer: p.Server}
	if settings != nil {
		once.config = p.Value(p.Schema.Provider, settings)
	}
	return w.CliOf(once)
}
