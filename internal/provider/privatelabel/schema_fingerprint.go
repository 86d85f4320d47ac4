package privatelabel

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// fingerprint identifies the attributes of a private label, their types and flags. State that was written with other
// attributes lacks values that only a read by the resource can fill.
var fingerprint = sync.OnceValue(func() string {
	var resp resource.SchemaResponse
	NewResource().Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return session.SchemaFingerprint(resp.Schema)
})
