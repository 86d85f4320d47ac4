package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/shortpath"
)

// Server is the part of the protocol that the provider's servers handle.
type Server = shortpath.Framework

// NewServer returns a factory of protocol servers of one version, for main and for tests.
func NewServer(version string, o Options) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		p := newProvider(version, o)
		short := newShortPath(p)
		var inner Server = short
		if p.WrapShortPath != nil {
			inner = p.WrapShortPath(short)
		}
		return guardedServer{resellerServer{newGeneratingServer(inner), p, &diagnostic.Told{}}}
	}
}

func newShortPath(p *resellerProvider) *shortpath.Server {
	framework, ok := providerserver.NewProtocol6(p)().(Server)
	if !ok {
		panic("the framework's server lacks a part of the protocol") // every test would find this
	}
	return shortpath.New(framework, p.session.Load, all.Resources)
}
