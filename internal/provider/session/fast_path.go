package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// FastPath reads and plans objects of one type without the framework. For an unchanged object its result must be the
// resource's. In every other case it returns false and the resource handles the request.
type FastPath interface {
	// Identity returns the names of the identity's attributes, which the state has, too.
	Identity() []string
	// Read reports whether a read returns state and private state unchanged. It records what the resource records, and
	// returns the values of the identity. It returns false on an error, which the resource then reports.
	Read(ctx context.Context, run *Session, state *tfprotov6.DynamicValue, mem PrivateState) (ids []string, ok bool)
	// Plan reports whether a plan that proposes the prior state keeps it, without diagnostics.
	Plan(ctx context.Context, run *Session, state *tfprotov6.DynamicValue, mem PrivateState) bool
}
