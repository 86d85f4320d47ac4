package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// settledLabels answers for private labels whose private state says that they
// are settled: the list tells whether they still are.
type settledLabels struct{}

func (settledLabels) identity() []string { return []string{"id"} }

func (settledLabels) read(ctx context.Context, run *session, _ *tfprotov6.DynamicValue, mem memory) ([]string, bool) {
	if !isSettled(mem) {
		return nil, false
	}
	labels, err := failedOnce(ctx, readLabels, run.inventory.Labels)
	if err != nil {
		return nil, false
	}
	item, ok := labels.ByID(mem.ID)
	return []string{mem.ID}, ok && showsAsRead(mem, item) && mem.Slug == run.slug(ctx)
}

func (settledLabels) plan(_ context.Context, _ *session, _ *tfprotov6.DynamicValue, mem memory) bool {
	return isSettled(mem)
}

// isSettled tells whether a read with this version's schema found the label settled.
func isSettled(m memory) bool { return m.Settled && m.Schema == privateLabelFingerprint() }

// privateLabelFingerprint identifies the attributes of a private label, their types and flags. A state that was written
// with other attributes lacks what only a read by the resource can fill.
var privateLabelFingerprint = sync.OnceValue(func() string {
	var resp resource.SchemaResponse
	newPrivateLabelResource().Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return schemaFingerprint(resp.Schema)
})

// schemaFingerprint covers what decides how a state is read, and no description.
func schemaFingerprint(s schema.Schema) string {
	lines := []string{fmt.Sprintf("version %d", s.Version)}
	for name, a := range s.Attributes {
		lines = append(lines, fmt.Sprintf("%s %s %t %t %t", name, a.GetType().TerraformType(context.Background()), a.IsRequired(), a.IsOptional(), a.IsComputed()))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:8])
}

// showsAsRead tells whether a list item is what a settled label was last read as.
func showsAsRead(m memory, item *client.PrivateLabelSummary) bool {
	custom := ""
	if item.CustomDomain != nil {
		custom = *item.CustomDomain
	}
	return item.Status == client.StatusActive && item.SuspendedAt == nil && item.SuspendedBy == nil &&
		strings.EqualFold(item.PrimaryHost, m.Host) && custom == m.CustomDomain
}
