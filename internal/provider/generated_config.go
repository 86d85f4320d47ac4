package provider

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
)

// generatingServer answers which configuration an object has, for `-generate-config-out` of CLIs since Terraform 1.14. The
// framework's answer has attributes that conflict, and what no configuration needs.
type generatingServer struct {
	Server
	schemas func() (*tfprotov6.GetProviderSchemaResponse, error)
}

func newGeneratingServer(next Server) generatingServer {
	return generatingServer{next, sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
		return next.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	})}
}

// GetProviderSchema announces it. The framework handles the request without announcing that it does.
func (s generatingServer) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := s.Server.GetProviderSchema(ctx, req)
	if err == nil {
		resp.ServerCapabilities.GenerateResourceConfig = true
	}
	return resp, err
}

// GenerateResourceConfig returns an error if the state lacks a required attribute: no read shows a document's file.
func (s generatingServer) GenerateResourceConfig(
	_ context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	schemas, err := s.schemas()
	if err != nil {
		return nil, err
	}
	schema := schemas.ResourceSchemas[req.TypeName]
	if schema == nil || req.State == nil {
		return nil, fmt.Errorf("no state of a resource of this provider: %q", req.TypeName)
	}
	typ, err := hclblock.Type(schema)
	if err != nil {
		return nil, err
	}
	state, err := msgpack.Unmarshal(req.State.MsgPack, typ)
	if err != nil {
		return nil, err
	}
	attributes, missing := hclblock.Attributes(schema, state)
	if len(missing) > 0 {
		return &tfprotov6.GenerateResourceConfigResponse{Diagnostics: []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: summaryNotGenerated, Detail: fmt.Sprintf(notGenerated, req.TypeName, strings.Join(missing, ", ")),
		}}}, nil
	}
	config, err := msgpack.Marshal(hclblock.Config(typ, attributes), typ)
	return &tfprotov6.GenerateResourceConfigResponse{Config: &tfprotov6.DynamicValue{MsgPack: config}}, err
}
