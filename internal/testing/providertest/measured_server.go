package providertest

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

// measuredServer fails a test that sees a diagnostic which is longer than the template of diagnostics allows.
type measuredServer struct {
	ProtocolServer
	t *testing.T
}

func measure(t *testing.T, server tfprotov6.ProviderServer) tfprotov6.ProviderServer {
	t.Helper()
	if full, ok := server.(ProtocolServer); ok {
		return measuredServer{full, t}
	}
	return server
}

// longer are the summaries of the diagnostics that may be longer. Some list each step of an assignment, or each signer, which no
// other line of a plan shows; the golden plans hold the length of the usual ones. The outcome of an upload says why no read
// shows it, and the last one is the report of a bug.
var longer = []string{
	assignment.TopicBilling.Summary, assignment.TopicAdopting.Summary, assignment.TopicChangingAddons.Summary, assignment.TopicChangingPackage.Summary,
	assignment.TopicUnassigning.Summary, assignment.SummaryPackageLater, document.TopicUploading.Summary,
	document.SummaryUploadUnknown, assignment.TopicUnmanagingAddons.Summary,
	diagnostic.SummaryFault,
}

func (s measuredServer) check(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		detail := strings.ReplaceAll(d.Detail, os.TempDir(), "/tmp") // as long as on most machines
		if problem := wording.TooLong(strings.ToLower(d.Severity.String()), d.Summary, detail); problem != "" && !slices.Contains(longer, d.Summary) {
			s.t.Error(problem)
		}
	}
}

func (s measuredServer) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.ProtocolServer.ValidateProviderConfig(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}

func (s measuredServer) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.ProtocolServer.ConfigureProvider(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}

func (s measuredServer) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.ProtocolServer.ValidateResourceConfig(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}

func (s measuredServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.ProtocolServer.ReadResource(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}

func (s measuredServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.ProtocolServer.PlanResourceChange(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}

func (s measuredServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.ProtocolServer.ApplyResourceChange(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}

func (s measuredServer) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.ProtocolServer.ImportResourceState(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}

func (s measuredServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.ProtocolServer.ReadDataSource(ctx, req)
	if resp != nil {
		s.check(resp.Diagnostics)
	}
	return resp, err
}
