// Package compared holds the short path to the framework: a server for tests that asks both.
package compared

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/shortpath"
)

// Server also sends to the framework each request that the short path handles, and reports each difference.
type Server struct {
	*shortpath.Server
	Tell     func(difference string)
	Answered func()
}

func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	fast, known := s.ReadFast(ctx, req)
	full, err := s.FrameworkOf(known).ReadResource(ctx, req)
	if fast == nil {
		return full, err
	}
	if err != nil || len(full.Diagnostics) > 0 {
		s.Tell(fmt.Sprintf("the framework's read says %v, %v", err, full.Diagnostics))
		return fast, nil // such a response may have no state to compare
	}
	s.compare(ctx, "read", req.TypeName, answer{fast.NewState, fast.Private, fast.NewIdentity}, answer{full.NewState, full.Private, full.NewIdentity})
	return fast, nil
}

func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	fast, ok := s.PlanFast(ctx, req)
	full, err := s.Framework.PlanResourceChange(ctx, req)
	if !ok {
		return full, err
	}
	if err != nil || len(full.Diagnostics) > 0 || len(full.RequiresReplace) > 0 {
		if _, still := s.PlanFast(ctx, req); !still {
			return fast, nil // another object was planned between the two
		}
		s.Tell(fmt.Sprintf("the framework's plan says %v, %v, %v", err, full.Diagnostics, full.RequiresReplace))
		return fast, nil
	}
	s.compare(ctx, "plan", req.TypeName,
		answer{fast.PlannedState, fast.PlannedPrivate, fast.PlannedIdentity}, answer{full.PlannedState, full.PlannedPrivate, full.PlannedIdentity})
	return fast, nil
}

// answer is what both responses have.
type answer struct {
	state    *tfprotov6.DynamicValue
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

func (s *Server) compare(ctx context.Context, what, typeName string, fast, full answer) {
	s.Answered()
	if !bytes.Equal(fast.state.MsgPack, full.state.MsgPack) && !s.sameValues(ctx, typeName, fast.state, full.state) {
		s.Tell(fmt.Sprintf("%s: the states differ\n%q\n%q", what, fast.state.MsgPack, full.state.MsgPack))
	}
	var a, b map[string][]byte
	if json.Unmarshal(fast.private, &a) != nil || json.Unmarshal(full.private, &b) != nil || !reflect.DeepEqual(a, b) {
		s.Tell(fmt.Sprintf("%s: the private states differ\n%s\n%s", what, fast.private, full.private))
	}
	fastIdentity := identityBytes(fast.identity)
	fullIdentity := identityBytes(full.identity)
	if !bytes.Equal(fastIdentity, fullIdentity) {
		s.Tell(fmt.Sprintf("%s: the identities differ\n%q\n%q", what, fastIdentity, fullIdentity))
	}
}

// sameValues compares what Terraform decodes: the framework encodes the keys of a map in any order.
func (s *Server) sameValues(ctx context.Context, typeName string, fast, full *tfprotov6.DynamicValue) bool {
	served, err := s.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return false
	}
	typ := served.ResourceSchemas[typeName].ValueType()
	a, errFast := fast.Unmarshal(typ)
	b, errFull := full.Unmarshal(typ)
	return errFast == nil && errFull == nil && a.Equal(b)
}

// identityBytes are nil where there is no identity.
func identityBytes(i *tfprotov6.ResourceIdentityData) []byte {
	if i == nil || i.IdentityData == nil {
		return nil
	}
	return i.IdentityData.MsgPack
}
